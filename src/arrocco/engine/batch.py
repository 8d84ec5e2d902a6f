"""One batch of reports, rated against the lists: columns in, totals and events out.

A tournament is the unit of work: any number of tournaments make a batch, and batches can be rated
in any order, in one process or on many machines, because all that leaves a batch is sums.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from arrocco.engine.columns import (
    COUNTED,
    EXCLUSION_CODE,
    ByteColumn,
    Entries,
    Games,
    IntColumn,
    Tournament,
    apply_rule,
    reason_of,
)
from arrocco.engine.exclusions import exclude_in_match
from arrocco.engine.first_ratings import UnratedEvent, events_of
from arrocco.engine.kernel import MAX_RATING, EntrySums, Sides
from arrocco.engine.outcome import Totals
from arrocco.engine.period import expected_points_of, look_by_law, totals_of
from arrocco.engine.plain import sum_by_law
from arrocco.errors import Inconsistent
from arrocco.laws.rating import Exclusion, RatingLaw
from arrocco.laws.registry import edition_in_force, edition_named
from arrocco.report import Game, System
from arrocco.reportbatch import Kind, ReportBatch, TournamentHead
from arrocco.units import HalfPoints

if TYPE_CHECKING:
    from arrocco.engine.round_robin import RatedRoundRobin

_UNPLAYED = EXCLUSION_CODE[Exclusion.UNPLAYED]


@dataclass(frozen=True)
class ListColumns:
    """A list as the engine looks ratings up in it: ids in order, ratings beside them (0 none)."""

    id: IntColumn
    rating: IntColumn

    def rows(self, ids: IntColumn) -> IntColumn:
        """The rows of players; -1 for those not on the list."""
        if not len(self.id):
            return np.full(len(ids), -1, dtype=np.int64)
        index = np.minimum(np.searchsorted(self.id, ids), len(self.id) - 1)
        return np.where(self.id[index] == ids, index, -1)

    def ratings(self, rows: IntColumn) -> IntColumn:
        """The ratings of rows; 0 where there is no row."""
        if not len(self.id):
            return np.zeros(len(rows), dtype=np.int64)
        return np.where(rows >= 0, self.rating[rows], 0).astype(np.int64)


def law_on(name: str, day: date, readings: dict[str, str], edition: str = "") -> RatingLaw:
    """The edition of a regulation in force on a day, or the one that is named, as it is read."""
    found = edition_named(name, edition) if edition else edition_in_force(name, day)
    return found(**readings)


@dataclass
class PeriodContext:
    """What every batch of a period needs: the law, the lists, and no more, so that it travels.

    `current` is the list that opens the period; `earlier` holds older lists by date, for
    tournaments that started under them.
    """

    law_name: str
    readings: dict[str, str]
    opened_on: date
    list_date: date
    current: ListColumns
    earlier: Mapping[date, ListColumns] = field(default_factory=dict)
    standard: ListColumns | None = None
    """FIDE rapid and blitz: the standard list that stands in."""
    earlier_standard: Mapping[date, ListColumns] = field(default_factory=dict)
    """The standard lists before it: what counts is the rating held at the start (7.2.1)."""
    entry_lists: Mapping[str, ListColumns] = field(default_factory=dict)
    """RIO and UISP: the lists that entry ratings come from, by the name the article gives them."""
    kind: str = ""
    """RIO: which of its ratings is computed."""
    edition: str = ""
    """An edition named to rate every tournament, in force on those days or not (for replays)."""

    @cached_property
    def law(self) -> RatingLaw:
        """The edition that settles the period: the one in force when it opens."""
        return self.law_at(self.opened_on)

    def law_at(self, start: date) -> RatingLaw:
        """The edition in force on a start day, or the one that was named."""
        return law_on(self.law_name, start, self.readings, self.edition)

    def entry_ratings(self, players: IntColumn) -> IntColumn:
        """The ratings on entry of players new to RIO or UISP."""
        held = {
            name: listed.ratings(listed.rows(players)) for name, listed in self.entry_lists.items()
        }
        return np.array(
            [
                self.law.entry_rating_for(
                    self.kind, {name: int(column[i]) or None for name, column in held.items()}
                )[0]
                for i in range(len(players))
            ],
            dtype=np.int64,
        )

    def list_at(self, start: date) -> ListColumns:
        """The list in force on a start day. Raises `Inconsistent` when it was not given."""
        return self._in_force(start, self.current, self.earlier, "list_missing")

    def standard_at(self, start: date) -> ListColumns:
        """The standard list in force on a start day, where standard ratings stand in."""
        assert self.standard is not None
        return self._in_force(start, self.standard, self.earlier_standard, "standard_missing")

    def _in_force(
        self, start: date, current: ListColumns, earlier: Mapping[date, ListColumns], lack: str
    ) -> ListColumns:
        if start >= self.opened_on:
            return current
        wanted = self.law.list_used(start, self.list_date)
        if wanted == self.opened_on:
            return current
        if wanted not in earlier:
            raise Inconsistent.of(f"engine.refused.{lack}", wanted=wanted, start=start)
        return earlier[wanted]


@dataclass
class RatedBatch:
    """The columns of a rated batch; what leaves it for the period is in `totals` and `events`."""

    tournaments: list[Tournament]
    batch: ReportBatch
    entries: Entries
    """`player` is a row of the current list, or past its end a row of `newcomers`."""
    newcomers: IntColumn
    """Ids of players the current list does not have, in order."""
    games: Games
    sides: Sides | None
    """Both sides of every game, where they were asked for."""
    sums: EntrySums
    expected_points: IntColumn
    totals: Totals
    """Over the current list followed by the newcomers."""
    events: dict[int, list[UnratedEvent]]
    excluded: Counter[str]
    without_id: int
    round_robins: Mapping[int, RatedRoundRobin] = field(default_factory=dict)
    """By tournament: those rated by the method that FIDE 2010 has for them."""


def rate_batch(
    context: PeriodContext, batch: ReportBatch, *, keep_sides: bool = False
) -> RatedBatch:
    """Rates one batch: every game of it, every entry, every event of an unrated player."""
    tournaments = [_tournament(context, head) for head in batch.tournaments]
    entries, newcomers = _entries(context, batch, tournaments)
    games = Games(
        round=batch.games.round,
        white=batch.games.white,
        black=batch.games.black,
        white_half=batch.games.white_half,
        black_half=batch.games.black_half,
        exclusion=_exclusions(batch, tournaments, entries),
    )
    laws = list(dict.fromkeys(t.law for t in tournaments)) or [context.law]
    law_of = np.array([laws.index(t.law) for t in tournaments], dtype=np.int64)
    sums, uncommon = sum_by_law(laws, law_of[entries.tournament[games.white]], entries, games)
    sides = look_by_law(tournaments, entries, games) if keep_sides else None
    expected_points = expected_points_of(tournaments, entries, sums)
    size = len(context.current.id) + len(newcomers)
    named = batch.entries.id > 0
    sums.pool_games[~named] = 0  # without an id nothing can be kept for a first rating
    return RatedBatch(
        tournaments=tournaments,
        batch=batch,
        entries=entries,
        newcomers=newcomers,
        games=games,
        sides=sides,
        sums=sums,
        expected_points=expected_points,
        totals=totals_of(tournaments, entries, sums, expected_points, size),
        events=events_of(tournaments, entries, sides, sums),
        excluded=sum((count_excluded(part) for part in uncommon), Counter()),
        without_id=int((~named).sum()),
    )


def _tournament(context: PeriodContext, head: TournamentHead) -> Tournament:
    law = context.law_at(head.start)
    tournament = Tournament(
        head.key, law, head.start, head.end, head.system, head.control, head.facts, head.name
    )
    if law.K_FROM_TOURNAMENT:
        tournament.k, tournament.k_reason = law.tournament_coefficient(
            head.control, online=head.facts.online
        )
    return tournament


def _entries(
    context: PeriodContext, batch: ReportBatch, tournaments: list[Tournament]
) -> tuple[Entries, IntColumn]:
    """The entries with the ratings of the list in force at each start, and the players' own."""
    ids, tournament = batch.entries.id, batch.entries.tournament.astype(np.int64)
    rows = context.current.rows(ids)
    starts = [t.start for t in tournaments]
    current, shown = _held(ids, tournament, context.current, list(map(context.list_at, starts)))
    if context.standard is not None:
        standards = list(map(context.standard_at, starts))
        now, at_start = _held(ids, tournament, context.standard, standards)
        current = np.where(current > 0, current, now)
        shown = np.where(shown > 0, shown, at_start)
    unlisted = rows < 0
    newcomers = np.unique(ids[unlisted & (ids > 0)])
    if not context.law.HAS_UNRATED:
        # Who was on no list at the start, even if listed since, met opponents with a rating too.
        entering = (current == 0) | (shown == 0)
        given = context.entry_ratings(ids[entering])
        for column in (current, shown):
            column[entering] = np.where(column[entering] > 0, column[entering], given)
    # Players without an id share one row past all others: they have no totals worth keeping.
    past = len(context.current.id)
    new_rows = past + np.searchsorted(newcomers, ids)
    rows = np.where(unlisted, np.where(ids > 0, new_rows, past + len(newcomers)), rows)
    own = np.where(current > 0, np.where(shown > 0, shown, current), 0)
    highest = max(int(column.max(initial=0)) for column in (shown, own))
    if highest > MAX_RATING:
        player = int(ids[(shown == highest) | (own == highest)][0])
        raise Inconsistent.of("engine.refused.rating_of_player", id=player, rating=highest)
    return Entries(tournament, rows, shown, own), newcomers


def _held(
    ids: IntColumn, tournament: IntColumn, current: ListColumns, in_force: list[ListColumns]
) -> tuple[IntColumn, IntColumn]:
    """By entry: the rating on the current list, and on the one in force at the start."""
    now = current.ratings(current.rows(ids))
    at_start = now.copy()
    for index, older in enumerate(in_force):
        if older is not current:
            first, last = np.searchsorted(tournament, [index, index + 1])
            at_start[first:last] = older.ratings(older.rows(ids[first:last]))
    return now, at_start


def _exclusions(batch: ReportBatch, tournaments: list[Tournament], entries: Entries) -> ByteColumn:
    """What excludes whole games: not played, too fast for the two, a match already decided."""
    games = batch.games
    codes = np.where(games.kind == Kind.PLAYED, COUNTED, _UNPLAYED).astype(np.int8)
    offsets, game_offsets = batch.entry_offsets(), batch.game_offsets()
    for index, tournament in enumerate(tournaments):
        control, law = tournament.control, tournament.law
        if control is not None:
            first, last = offsets[index], offsets[index + 1]
            top = int(entries.shown[first:last].max(initial=0)) or None
            # What is slow enough for the strongest pair is slow enough for everybody.
            if law.excluded_by_time(control, top, top) is not None:
                fast = np.arange(game_offsets[index], game_offsets[index + 1])
                _exclude_fast(tournament, top, entries, batch, fast, codes)
        if tournament.system is System.MATCH:
            rows = slice(int(game_offsets[index]), int(game_offsets[index + 1]))
            mine = slice(int(offsets[index]), int(offsets[index + 1]))
            _exclude_match(tournament, entries, batch, mine, rows, codes)
    return codes


def _exclude_fast(
    tournament: Tournament,
    top: int | None,
    entries: Entries,
    batch: ReportBatch,
    rows: IntColumn,
    codes: ByteColumn,
) -> None:
    law, control = tournament.law, tournament.control
    assert control is not None
    higher = np.maximum(
        entries.shown[batch.games.white[rows]], entries.shown[batch.games.black[rows]]
    )
    if law.MINIMUM_TIME_BY_FIELD:
        higher[:] = top or 0

    def code(rating: int) -> int:
        # Only the higher rating of the two matters: see `RatingLaw.excluded_by_time`.
        reason = law.excluded_by_time(control, rating or None, rating or None)
        return COUNTED if reason is None else EXCLUSION_CODE[reason]

    found = apply_rule(code, higher).astype(np.int8)
    codes[rows] = np.where(codes[rows] == COUNTED, found, codes[rows])


def _exclude_match(
    tournament: Tournament,
    entries: Entries,
    batch: ReportBatch,
    mine: slice,
    rows: slice,
    codes: ByteColumn,
) -> None:
    games = batch.games
    columns = (games.round, games.white, games.black, games.white_half, games.black_half)
    played = [
        Game(round_, white, black, HalfPoints(white_half), HalfPoints(black_half))
        for round_, white, black, white_half, black_half in zip(
            *(column[rows].tolist() for column in columns), strict=True
        )
    ]
    shown = dict(enumerate(entries.shown[mine].tolist(), start=mine.start))
    found = codes[rows].tolist()
    exclude_in_match(tournament, played, shown, found)
    codes[rows] = found


def count_excluded(sides: Sides) -> Counter[str]:
    """How many sides of games are excluded, by reason."""
    counts = np.bincount(sides.exclusion)
    return Counter(
        {
            str(reason_of(code)): count
            for code, count in enumerate(counts.tolist())
            if code != COUNTED and count
        }
    )
