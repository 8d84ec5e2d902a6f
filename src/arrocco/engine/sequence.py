"""A period in which every tournament starts from the rating that the one before has left.

RIO 15.3 can be read that way (`update_cycle=tournament`). Variations add up exactly; a tournament
meets the whole number they come to, as a list of that day would print it, so that the rating at the
end is the same sum rounded once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from datetime import date

import numpy as np

from arrocco.engine.batch import ListColumns, PeriodContext, RatedBatch, rate_batch
from arrocco.engine.columns import IntColumn
from arrocco.engine.month import PeriodBuilder, sums_of
from arrocco.engine.outcome import Outcome
from arrocco.records.reportbatch import EntryColumns, GameColumns, ReportBatch, TournamentHead
from arrocco.units import Hundredths


@dataclass
class RunningContext(PeriodContext):
    """A context whose current ratings move on after every tournament."""

    opening: ListColumns = field(kw_only=True)
    """The list that opens the period, as it was."""
    variation: dict[int, Hundredths] = field(default_factory=dict, kw_only=True)
    """By player: what the tournaments so far add up to."""

    @classmethod
    def of(cls, context: PeriodContext) -> RunningContext:
        """The context before the first tournament."""
        plain = {f.name: getattr(context, f.name) for f in fields(PeriodContext)}
        opening = context.current
        plain["current"] = ListColumns(opening.id, opening.rating.copy())
        return cls(**plain, opening=opening)

    def list_at(self, start: date) -> ListColumns:
        """The running ratings, also for a tournament that started before the period."""
        return self.current

    def entry_ratings(
        self, players: IntColumn, starts: Mapping[int, date] | None = None
    ) -> IntColumn:
        """The ratings on entry, moved on by the tournaments since."""
        given = super().entry_ratings(players, starts)
        rows = zip(players.tolist(), given.tolist(), strict=True)
        moved = [int(self.law.new_rating(base, self.variation.get(id_, 0))) for id_, base in rows]
        return np.array(moved, dtype=np.int64)

    def move_on(self, rated: RatedBatch) -> None:
        """Adds the variations of a tournament to what its players start the next one from."""
        (tournament,) = rated.tournaments
        k = tournament.k or 0
        delta = 50 * rated.sums.half - rated.expected_points
        for id_, more in zip(rated.batch.entries.id.tolist(), (k * delta).tolist(), strict=True):
            if id_ > 0:
                self.variation[id_] = Hundredths(self.variation.get(id_, 0) + more)
        ids = np.unique(rated.batch.entries.id)
        rows = self.opening.rows(ids)
        for row, id_ in zip(rows.tolist(), ids.tolist(), strict=True):
            if row >= 0 and self.opening.rating[row] > 0:
                base = int(self.opening.rating[row])
                self.current.rating[row] = self.law.new_rating(base, self.variation[id_])


def by_end(head: TournamentHead) -> tuple[object, ...]:
    """The order of tournaments: the last day, then the first, then what tells them apart."""
    return head.end, head.start, head.key


def rate_in_sequence(
    month: PeriodBuilder,
    batch: ReportBatch,
    on_rated: Callable[[RatedBatch], None] = lambda _: None,
    *,
    keep_sides: bool = False,
) -> Outcome:
    """Rates the tournaments of a period one after the other and settles it."""
    context = RunningContext.of(month.context)
    heads = batch.tournaments
    entries, games = batch.entry_offsets().tolist(), batch.game_offsets().tolist()
    for index in sorted(range(len(heads)), key=lambda i: by_end(heads[i])):
        mine, played = slice(*entries[index : index + 2]), slice(*games[index : index + 2])
        rated = rate_batch(
            context, _alone(batch, heads[index], mine, played), keep_sides=keep_sides
        )
        month.add(sums_of(context, rated))
        on_rated(rated)
        context.move_on(rated)
    return month.settle()


def _alone(batch: ReportBatch, head: TournamentHead, entries: slice, games: slice) -> ReportBatch:
    """One tournament of a batch, cut out by where its rows stand."""
    mine = EntryColumns(**{name: column[entries] for name, column in vars(batch.entries).items()})
    mine.tournament = np.zeros_like(mine.tournament)
    played = GameColumns(**{name: column[games] for name, column in vars(batch.games).items()})
    played.white = played.white - np.int32(entries.start)
    played.black = played.black - np.int32(entries.start)
    return ReportBatch([head], mine, played)
