"""One batch of reports, rated against the lists: columns in, totals and events out.

A tournament is the unit of work: any number of tournaments make a batch, and batches can be rated
in any order, in one process or on many machines, because all that leaves a batch is sums.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from arrocco.engine.columns import (
    COUNTED,
    Entries,
    Games,
    IntColumn,
    Tournament,
    reason_of,
    rows_of_ids,
)
from arrocco.engine.entering import rating_to_begin_with
from arrocco.engine.first_ratings import UnratedEvent, events_of
from arrocco.engine.kernel import MAX_RATING, EntrySums, Sides
from arrocco.engine.outcome import Totals
from arrocco.engine.period import expected_points_of, look_by_law, totals_of
from arrocco.engine.plain import sum_by_law
from arrocco.engine.report_columns import games_of, tournaments_of
from arrocco.engine.split_by_list import split_by_list
from arrocco.errors import Inconsistent
from arrocco.laws.rating import RatingLaw
from arrocco.laws.registry import edition_in_force, edition_named
from arrocco.records.report import Facts, Report
from arrocco.records.reportbatch import ReportBatch

if TYPE_CHECKING:
    from arrocco.engine.first_ratings import RatedRoundRobin


@dataclass(frozen=True)
class ListColumns:
    """A list as the engine looks ratings up in it: ids in order, ratings beside them (0 none)."""

    id: IntColumn
    rating: IntColumn

    def rows(self, ids: IntColumn) -> IntColumn:
        """The rows of players; -1 for those not on the list."""
        return rows_of_ids(self.id, ids)

    def ratings(self, rows: IntColumn) -> IntColumn:
        """The ratings of rows; 0 where there is no row."""
        if not len(self.id):
            return np.zeros(len(rows), dtype=np.int64)
        return np.where(rows >= 0, self.rating[rows], 0).astype(np.int64)


def law_on(name: str, day: date, readings: dict[str, str], edition: str = "") -> RatingLaw:
    """The edition of a regulation in force on a day, or the one that is named, as it is read."""
    edition_class = edition_named(name, edition) if edition else edition_in_force(name, day)
    return edition_class(**readings)


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
    affiliated: tuple[int, ...] = ()
    """Players of the IBCA, the ICSC or the IPCA whose list does not say so (FIDE 2010, 7.14g)."""
    _laws: dict[date, RatingLaw] = field(default_factory=dict, repr=False, compare=False)
    """The editions that were asked for, by the day."""

    online: bool = False
    """Every tournament was played online: a report file does not tell."""
    dated_entry_lists: Mapping[str, Mapping[date, ListColumns]] = field(default_factory=dict)
    """Lists of entry ratings by the day each came into force, where a start decides."""
    emitted: Mapping[date, date] = field(default_factory=dict)
    """The days on which lists came out that have another date (UISP, I.4)."""

    interim: Mapping[str, tuple[str, date]] = field(default_factory=dict)
    """By key of an interim report: what its tournament is called, and its first day (2024: 4)."""

    def as_told(self, batch: ReportBatch) -> ReportBatch:
        """A batch with what was told of its tournaments besides their reports."""
        if not self.online and not self.interim:
            return batch
        heads = [
            replace(head, facts=self._told(head.key, head.facts)) for head in batch.tournaments
        ]
        return replace(batch, tournaments=heads)

    def tell(self, report: Report) -> None:
        """Puts what was told of a report into it."""
        report.facts = self._told(report.source, report.facts)

    def _told(self, key: str, facts: Facts) -> Facts:
        told = replace(facts, online=facts.online or self.online)
        if key in self.interim:
            told.event, told.began = self.interim[key]
        return told

    @cached_property
    def law(self) -> RatingLaw:
        """The edition that settles the period: the one in force when it opens."""
        return self.law_at(self.opened_on)

    def law_at(self, start: date) -> RatingLaw:
        """The edition in force on a start day, or the one that was named."""
        law = self._laws.get(start)
        if law is None:
            law = self._laws[start] = self._read(start)
        return law

    def _read(self, day: date) -> RatingLaw:
        """An edition as the period reads it; what only another edition leaves open is not asked."""
        if self.edition:
            return law_on(self.law_name, day, self.readings, self.edition)
        return edition_in_force(self.law_name, day).with_known(self.readings)

    @property
    def enters_by_start(self) -> bool:
        """Whether the first tournament of a new player decides about the rating on entry.

        Then all tournaments must be known at once.
        """
        return bool(self.dated_entry_lists) and self.law.enters_by_start()

    def entry_ratings(
        self, players: IntColumn, starts: Mapping[int, date] | None = None
    ) -> IntColumn:
        """The ratings on entry of players new to RIO or UISP.

        `starts` are the days on which their first tournaments start, where that matters.
        """
        given = np.zeros(len(players), dtype=np.int64)
        by_start = starts or {} if self.enters_by_start else {}
        days = np.array([by_start.get(id_, self.opened_on) for id_ in players.tolist()], object)
        for day in set(days.tolist()):
            mine = np.flatnonzero(days == day)
            lists = {**self._entry_lists_on(day), **self.entry_lists}
            held = {name: each.ratings(each.rows(players[mine])) for name, each in lists.items()}
            given[mine] = [
                rating_to_begin_with(
                    self.law,
                    self.kind,
                    None,
                    {name: int(column[i]) or None for name, column in held.items()},
                )[0]
                for i in range(len(mine))
            ]
        return given

    def _entry_lists_on(self, day: date) -> dict[str, ListColumns]:
        """The lists in force on a day, by name; those that came later are not there yet."""
        in_force = {}
        for name, lists in self.dated_entry_lists.items():
            earlier = [each for each in lists if each <= day]
            if earlier:
                in_force[name] = lists[max(earlier)]
        return in_force

    def list_at(self, start: date) -> ListColumns:
        """The list in force on a start day. Raises `Inconsistent` when it was not given."""
        return self._in_force(start, self.current, self.earlier, "list_missing")

    def standard_at(self, start: date) -> ListColumns:
        """The standard list in force on a start day, where standard ratings stand in."""
        assert self.standard is not None
        return self._in_force(start, self.standard, self.earlier_standard, "standard_missing")

    def list_wanted(self, start: date) -> date:
        """The date of the list that a tournament is rated with.

        A first list that came out late has none before it: then it serves all the same.
        """
        if start >= self.opened_on and not self.emitted:
            return self.opened_on
        wanted = self.law.list_out_by(start, self.list_date, self.emitted)
        if start >= self.opened_on and wanted not in self.earlier:
            return self.opened_on
        return wanted

    def held_on(self, day: date, ids: IntColumn) -> IntColumn:
        """The ratings of players on the list of a day, with those that stand in; 0 for none."""
        listed = self.list_at(day)
        held = listed.ratings(listed.rows(ids))
        if self.standard is None:
            return held
        standard = self.standard_at(day)
        return np.where(held > 0, held, standard.ratings(standard.rows(ids)))

    def _in_force(
        self, start: date, current: ListColumns, earlier: Mapping[date, ListColumns], lack: str
    ) -> ListColumns:
        wanted = self.list_wanted(start)
        if wanted >= self.opened_on:
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
    batch = split_by_list(context, context.as_told(batch))
    tournaments = tournaments_of(
        batch, [context.law_at(head.law_day) for head in batch.tournaments]
    )
    entries, newcomers = _entries(context, batch)
    games = games_of(batch, tournaments, entries.shown)
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


def _entries(context: PeriodContext, batch: ReportBatch) -> tuple[Entries, IntColumn]:
    """The entries with the ratings of the list in force at each start, and the players' own."""
    ids, tournament = batch.entries.id, batch.entries.tournament.astype(np.int64)
    rows = context.current.rows(ids)
    starts = [head.rated_from or head.start for head in batch.tournaments]
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
        given = context.entry_ratings(ids[entering], first_starts(context, batch))
        for column in (current, shown):
            column[entering] = np.where(column[entering] > 0, column[entering], given)
    # Players without an id share one row past all others: they have no totals worth keeping.
    past = len(context.current.id)
    new_rows = past + np.searchsorted(newcomers, ids)
    rows = np.where(unlisted, np.where(ids > 0, new_rows, past + len(newcomers)), rows)
    own = np.where(current > 0, np.where(shown > 0, shown, current), 0)
    if context.law.listed_since_by_entry():
        _enter_late(context, starts, ids, tournament, shown, own)
    highest = max(int(column.max(initial=0)) for column in (shown, own))
    if highest > MAX_RATING:
        player = int(ids[(shown == highest) | (own == highest)][0])
        raise Inconsistent.of("engine.refused.rating_of_player", id=player, rating=highest)
    return Entries(tournament, rows, shown, own), newcomers


def first_starts(context: PeriodContext, batch: ReportBatch) -> dict[int, date]:
    """By player: the day the first tournament of the batch starts, where the law asks for it."""
    if not context.enters_by_start:
        return {}
    first: dict[int, date] = {}
    starts = [head.start for head in batch.tournaments]
    rows = zip(batch.entries.id.tolist(), batch.entries.tournament.tolist(), strict=True)
    for id_, tournament in rows:
        first[id_] = min(starts[tournament], first.get(id_, starts[tournament]))
    return first


def _enter_late(
    context: PeriodContext,
    starts: list[date],
    ids: IntColumn,
    tournament: IntColumn,
    shown: IntColumn,
    own: IntColumn,
) -> None:
    """8.2.4: who was listed after the start counts with the rating of the first such list.

    Only a late report finds lists between the start and the one that opens the period.
    """
    late = np.flatnonzero((shown == 0) & (own > 0))
    for index in np.unique(tournament[late]).tolist():
        mine = late[tournament[late] == index]
        day = context.law.next_list(context.law.list_used(starts[index], context.list_date))
        while day < context.opened_on and len(mine):
            held = context.held_on(day, ids[mine])
            own[mine[held > 0]] = held[held > 0]
            mine, day = mine[held == 0], context.law.next_list(day)


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
