"""Complete round robins with unrated players, by the method of their own in FIDE 2010 (8.58).

The unrated get a rating from the tournament itself; the rated are then rated against it. Two kinds
of players are taken out first, and the rest is a round robin among the others: the unrated with
less than a point in their first event (6.1), and those listed since the start, whose opponents have
no change (8.4).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from arrocco.engine.columns import (
    COUNTED,
    EXCLUSION_CODE,
    Entries,
    Games,
    IntColumn,
    Tournament,
)
from arrocco.engine.first_ratings import RatedRoundRobin, UnratedEvent
from arrocco.engine.kernel import Sides
from arrocco.laws.fide.text_2010.text import Text2010
from arrocco.laws.rating import Exclusion
from arrocco.records.report import System

_CYCLES = {System.ROUND_ROBIN: 1, System.DOUBLE_ROUND_ROBIN: 2}


def rate_round_robin(
    tournament: Tournament,
    entries: Entries,
    games: Games,
    sides: Sides,
    entry_rows: IntColumn,
    game_rows: IntColumn,
    is_past_first_event: Callable[[int], bool],
) -> RatedRoundRobin | None:
    """Rates one tournament as a round robin, rewriting its sides; `None` where it is not one."""
    law, cycles = tournament.law, _CYCLES.get(tournament.system)
    if not isinstance(law, Text2010) or cycles is None:
        return None
    shown = {entry: int(entries.shown[entry]) for entry in entry_rows.tolist()}
    if not _is_complete(games, sides, game_rows, shown, cycles):
        return None
    if all(shown.values()) or not any(shown.values()):
        return None
    halves = _half_points(games, game_rows, set(shown))
    late = {e for e, rating in shown.items() if not rating and entries.own[e] > 0}
    dropped = {
        entry
        for entry, rating in shown.items()
        if not rating
        and entry not in late
        and _is_dropped(law, halves[entry], is_past_first_event(int(entries.player[entry])))
    }
    if not law.is_rated_as_round_robin(tournament.system, 0, dropped_players=len(dropped)):
        return None
    staying = [entry for entry in shown if entry not in dropped and entry not in late]
    strength = {entry: shown[entry] for entry in staying if shown[entry]}
    table = None
    results: list[UnratedEvent] = []
    if len(strength) < len(staying) and strength:
        among = _half_points(games, game_rows, set(staying))
        table = law.iterate_round_robin(
            [shown[entry] or None for entry in staying],
            [among[entry] for entry in staying],
            cycles=cycles,
        )
        for step in table.unrated:
            entry = staying[step.player]
            strength[entry] = step.ru_new
            games_each = table.opponents * cycles
            results.append(
                UnratedEvent(
                    player=int(entries.player[entry]),
                    entry=entry,
                    games=games_each,
                    ratings=law.published_average(step) * games_each,
                    half=among[entry],
                    event_half=halves[entry],
                    rated_opponents=len(table.rated),
                    round_robin_opponents=table.opponents,
                )
            )
    view = _View(law, entries, sides, shown, dropped, late, strength)
    for side in [*game_rows.tolist(), *(game_rows + len(games)).tolist()]:
        view.rewrite(side)
    return RatedRoundRobin(table, dropped, results, staying)


def _is_complete(
    games: Games, sides: Sides, game_rows: IntColumn, shown: dict[int, int], cycles: int
) -> bool:
    """Every two entries played each other as often as the system says, and nothing is excluded."""
    if (games.exclusion[game_rows] != COUNTED).any():
        return False
    met = Counter(
        frozenset(pair)
        for pair in zip(
            games.white[game_rows].tolist(), games.black[game_rows].tolist(), strict=True
        )
    )
    pairs = len(shown) * (len(shown) - 1) // 2
    return len(met) == pairs and set(met.values()) <= {cycles}


def _half_points(games: Games, game_rows: IntColumn, among: set[int]) -> dict[int, int]:
    """The half points of entries in the games they played among themselves."""
    total = dict.fromkeys(among, 0)
    for game in game_rows.tolist():
        white, black = int(games.white[game]), int(games.black[game])
        if white in among and black in among:
            total[white] += int(games.white_half[game])
            total[black] += int(games.black_half[game])
    return total


def _is_dropped(law: Text2010, half: int, is_past: bool) -> bool:
    """6.1: less than a point in the first event; how many were rated is asked elsewhere."""
    return law.first_event_is_ignored(
        half,
        half,
        is_first=not is_past,
        has_scored=is_past,
        games_against_rated=law.FIRST_EVENT_RATED_OPPONENTS,
        round_robin=True,
    )


@dataclass
class _View:
    """Decides one side of a game at a time and writes it into the columns."""

    law: Text2010
    entries: Entries
    sides: Sides
    shown: dict[int, int]
    dropped: set[int]
    late: set[int]
    strength: dict[int, int]

    def rewrite(self, side: int) -> None:
        sides = self.sides
        me, opponent = int(sides.entry[side]), int(sides.opponent[side])
        reason, against = self._verdict(me, opponent)
        sides.exclusion[side] = COUNTED if reason is None else EXCLUSION_CODE[reason]
        sides.against[side] = against
        own = int(self.entries.own[me])
        if reason is None:
            counted = self.law.counted_difference(own, against)
            sides.difference[side] = own - against
            sides.counted_difference[side] = counted
            sides.expected[side] = self.law.expected_score(counted)

    def _verdict(self, me: int, opponent: int) -> tuple[Exclusion | None, int]:
        if me in self.dropped:
            return Exclusion.FIRST_EVENT_IGNORED, self.shown[opponent]
        if me not in self.late and opponent in self.dropped:
            return Exclusion.OPPONENT_IGNORED, 0
        if me in self.late or opponent in self.late or self._is_delisted_since(me):
            return self._open_verdict(me, opponent), self.shown[opponent]
        against = self.strength.get(opponent, 0)
        if not self.shown[me]:
            return Exclusion.OWN_UNRATED, against
        return None, against

    def _open_verdict(self, me: int, opponent: int) -> Exclusion | None:
        """As outside a round robin: only those rated at the start count."""
        rated = self.entries.own[me] > 0
        if not self.shown[opponent]:
            if opponent in self.late:
                return Exclusion.ONE_SIDED
            return Exclusion.OPPONENT_UNRATED if rated else Exclusion.BOTH_UNRATED
        return None if rated else Exclusion.OWN_UNRATED

    def _is_delisted_since(self, me: int) -> bool:
        return bool(self.shown[me] and self.entries.own[me] == 0)


def rows_of(tournament_column: IntColumn, tournament: int) -> IntColumn:
    """The rows of a tournament in a column sorted by tournament."""
    first, last = np.searchsorted(tournament_column, [tournament, tournament + 1])
    return np.arange(first, last, dtype=np.int64)
