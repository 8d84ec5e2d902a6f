"""One period held in memory with every row it was computed from, so that it can be explained."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property

import numpy as np

from arrocco.engine.columns import (
    EXCLUSION_CODE,
    Entries,
    Games,
    IntColumn,
    Tournament,
    apply_rule,
    sum_by,
)
from arrocco.engine.first_ratings import Newcomers, UnratedEvent, events_of
from arrocco.engine.kernel import (
    OWN_UNRATED,
    EntrySums,
    Sides,
    look_at_both_sides,
    no_sides,
    sum_entries,
)
from arrocco.engine.outcome import Outcome, Totals, settle_period
from arrocco.engine.players import Players
from arrocco.engine.pools import Pools
from arrocco.laws.rating import RatingLaw


@dataclass
class Period:
    """What a period makes of every player, and the rows of games and entries behind it."""

    outcome: Outcome
    tournaments: Sequence[Tournament]
    entries: Entries
    games: Games
    sides: Sides
    sums: EntrySums
    expected_points: IntColumn
    """By entry: PA after the regulation's rounding, where it has one."""

    @property
    def law(self) -> RatingLaw:
        return self.outcome.law

    @property
    def players(self) -> Players:
        return self.outcome.players

    # Asked once for every game and entry that is explained: made once, not each time.
    @cached_property
    def rounds(self) -> IntColumn:
        """By side of a game: its round."""
        return np.concatenate([self.games.round, self.games.round])

    def entries_of(self, player: int) -> list[int]:
        """The entries of a player, by row."""
        order, starts = self._by_player
        return order[starts[player] : starts[player + 1]].tolist()  # type: ignore[no-any-return]

    def sides_of(self, entry: int) -> list[int]:
        """The sides of an entry's games."""
        order, starts = self._by_entry
        return order[starts[entry] : starts[entry + 1]].tolist()  # type: ignore[no-any-return]

    @cached_property
    def _by_player(self) -> tuple[IntColumn, IntColumn]:
        return _grouped(self.entries.player, len(self.players))

    @cached_property
    def _by_entry(self) -> tuple[IntColumn, IntColumn]:
        return _grouped(self.sides.entry, len(self.entries))

    @cached_property
    def entry_k(self) -> IntColumn:
        """By entry: the K that was applied."""
        if self.law.K_FROM_TOURNAMENT:
            return tournament_k(self.tournaments)[self.entries.tournament]
        return self.outcome.k_applied[self.entries.player]


def _grouped(numbers: IntColumn, size: int) -> tuple[IntColumn, IntColumn]:
    """The places of each number, together, and where those of each begin."""
    order = np.argsort(numbers, kind="stable")
    return order, np.searchsorted(numbers[order], np.arange(size + 1))


def rate_period(
    law: RatingLaw,
    list_date: date,
    tournaments: Sequence[Tournament],
    players: Players,
    entries: Entries,
    games: Games,
    pools: Pools,
    *,
    opened_on: date,
) -> Period:
    """Rates one period: the tournaments given, for the list dated `list_date`."""
    sides = look_by_law(tournaments, entries, games)
    sums = sum_entries(entries, sides)
    newcomers = Newcomers(law, list_date, tournaments, players, pools)
    if law.HAS_UNRATED:
        own_method = [i for i, t in enumerate(tournaments) if t.law.RATES_ROUND_ROBINS]
        newcomers.take_events(
            events_of(tournaments, entries, sides, sums),
            own_method=own_method,
            rate_round_robin=_round_robins(newcomers, entries, games, sides, sums),
        )
        if newcomers.result.round_robins:
            sums = sum_entries(entries, sides)
        _mark_ignored(newcomers, sides)
    expected_points = expected_points_of(tournaments, entries, sums)
    totals = totals_of(tournaments, entries, sums, expected_points, len(players))
    first = newcomers.settle(totals.games)
    outcome = settle_period(law, list_date, opened_on, players, totals, first)
    return Period(outcome, tournaments, entries, games, sides, sums, expected_points)


def look_by_law(tournaments: Sequence[Tournament], entries: Entries, games: Games) -> Sides:
    """Both sides of all games, each under the edition of its own tournament."""
    laws = list(dict.fromkeys(t.law for t in tournaments))
    if not laws:
        return no_sides()
    looked = [look_at_both_sides(law, entries, games) for law in laws]
    merged = looked[0]
    if len(laws) > 1:
        law_of = np.array([laws.index(t.law) for t in tournaments], dtype=np.int64)
        law_of_side = np.tile(law_of[entries.tournament[games.white]], 2)
        for index, sides in enumerate(looked):
            mine = law_of_side == index
            for name in ("exclusion", "counted_difference", "expected"):
                getattr(merged, name)[mine] = getattr(sides, name)[mine]
    return merged


def expected_points_of(
    tournaments: Sequence[Tournament], entries: Entries, sums: EntrySums
) -> IntColumn:
    """By entry: the expected points of the tournament, rounded where its regulation rounds them."""
    result = sums.expected.copy()
    for law in dict.fromkeys(t.law for t in tournaments):
        here = np.array([t.law == law for t in tournaments], dtype=np.bool_)[entries.tournament]
        result[here] = apply_rule(law.expected_points, sums.expected[here])
    return result


def tournament_k(tournaments: Sequence[Tournament]) -> IntColumn:
    """By tournament: its K, 0 where K belongs to players."""
    return np.array([t.k or 0 for t in tournaments], dtype=np.int64)


def totals_of(
    tournaments: Sequence[Tournament],
    entries: Entries,
    sums: EntrySums,
    expected_points: IntColumn,
    players: int,
) -> Totals:
    """Adds up the entries of every player."""
    variation = tournament_k(tournaments)[entries.tournament] * (50 * sums.half - expected_points)
    return Totals(
        games=sum_by(entries.player, sums.games, players),
        half=sum_by(entries.player, sums.half, players),
        expected=sum_by(entries.player, expected_points, players),
        variation=sum_by(entries.player, variation, players),
    )


def _round_robins(
    newcomers: Newcomers, entries: Entries, games: Games, sides: Sides, sums: EntrySums
) -> Callable[[int, Callable[[int], bool]], list[UnratedEvent] | None]:
    """How a tournament is rated by the method that the 2010 text has for round robins."""
    tournaments = newcomers.tournaments
    tournament_of_game = entries.tournament[games.white]

    def rate(index: int, is_past: Callable[[int], bool]) -> list[UnratedEvent] | None:
        from arrocco.engine.round_robin import rate_round_robin, rows_of

        rated = rate_round_robin(
            tournaments[index],
            entries,
            games,
            sides,
            rows_of(entries.tournament, index),
            rows_of(tournament_of_game, index),
            is_past,
        )
        if rated is None:
            return None
        newcomers.result.round_robins[index] = rated
        for entry in rated.dropped:
            newcomers.ignore(tournaments[index], int(entries.player[entry]), entry)
        # Players delisted since the start are the only ones left to the ordinary way.
        rows = rows_of(entries.tournament, index)
        ordinary = events_of(tournaments, entries, sides, sums, rows[entries.shown[rows] > 0])
        return ordinary.get(index, []) + rated.results

    return rate


def _mark_ignored(newcomers: Newcomers, sides: Sides) -> None:
    """Writes the reason on the games of ignored results."""
    ignored = newcomers.result.ignored
    for reason in set(ignored.values()):
        rows = sorted(entry for entry, why in ignored.items() if why is reason)
        mine = np.isin(sides.entry, np.array(rows, dtype=np.int64))
        sides.exclusion[mine & (sides.exclusion == OWN_UNRATED)] = EXCLUSION_CODE[reason]
