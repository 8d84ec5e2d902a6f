"""Tournaments that a list before has rated: after publication too each game counts once (9.1).

A list that the program made keeps of each tournament its days and what every player scored in it.
Only tournaments that began before the period can be on such a list: they are rated once more, and
what their players scored is compared.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date

from arrocco.engine.batch import PeriodContext, rate_batch
from arrocco.findings import Finding, Place, Severity
from arrocco.office.overlap import are_alike, have_one_name
from arrocco.records.reportbatch import ReportBatch, selected
from arrocco.store.list_folder import ListFolder
from arrocco.store.rated_tournaments import RatedTournament, rated_tournaments

LEAST_PLAYERS = 2


@dataclass
class RatedBefore:
    """What the lists of a folder have rated, read when a tournament comes that may be among it."""

    context: PeriodContext
    folder: ListFolder
    _read: dict[date, tuple[date, list[RatedTournament]]] = field(default_factory=dict)
    """By list: from which day on its tournaments were read, and these."""

    def repeated(self, batch: ReportBatch) -> Iterator[Finding]:
        """The tournaments of a batch that a list before has rated already."""
        is_late = [head.start < self.context.opened_on for head in batch.tournaments]
        if not any(is_late):
            return
        first = min(head.start for head in batch.tournaments)
        before = list(self._since(first))
        if not before:
            return
        told = set()
        for mine in self._rated(selected(batch, is_late)):
            for day, listed in before:
                if mine.key not in told and _is_same(mine, listed):
                    told.add(mine.key)
                    details: dict[str, object] = {"other": listed.key, "list_date": day}
                    yield Finding(
                        Severity.ERROR, "check.rated_before", Place(mine.key), "", details
                    )

    def _since(self, start: date) -> Iterator[tuple[date, RatedTournament]]:
        for day in self.folder.days():
            if start < day <= self.context.opened_on:
                if day not in self._read or start < self._read[day][0]:
                    folder = self.folder.root / day.isoformat()
                    self._read[day] = start, rated_tournaments(folder, start)
                yield from ((day, report) for report in self._read[day][1])

    def _rated(self, batch: ReportBatch) -> list[RatedTournament]:
        """The tournaments of a batch as a list would keep them."""
        rated = rate_batch(self.context, batch)
        sums = rated.sums
        columns = (sums.games, sums.half, sums.pool_games, sums.pool_half)
        scores: dict[int, dict[int, tuple[int, ...]]] = defaultdict(dict)
        rows = zip(
            rated.entries.tournament.tolist(),
            rated.batch.entries.id.tolist(),
            *(column.tolist() for column in columns),
            strict=True,
        )
        for tournament, player, *score in rows:
            if player > 0 and any(score):
                scores[tournament][player] = tuple(score)
        return [
            RatedTournament(head.part_of or head.key, head.name, head.start, head.end, scores[at])
            for at, head in enumerate(rated.batch.tournaments)
        ]


def _is_same(mine: RatedTournament, listed: RatedTournament) -> bool:
    """Whether two tournaments share days and most players with all that they scored.

    Of one name the players are enough: results were put right, or rounds have come since.
    """
    if not _share_days(mine, listed):
        return False
    shared = sum(listed.scores.get(player) == score for player, score in mine.scores.items())
    if are_alike(shared, len(mine.scores), len(listed.scores)):
        return True
    both = len(mine.scores.keys() & listed.scores.keys())
    are_most = 4 * both >= 3 * min(len(mine.scores), len(listed.scores))
    return both >= LEAST_PLAYERS and are_most and have_one_name(mine.name, listed.name)


def _share_days(mine: RatedTournament, listed: RatedTournament) -> bool:
    """Whether more than the day is shared on which one ends and the other goes on."""
    first, last = max(mine.start, listed.start), min(mine.end, listed.end)
    is_short = mine.start == mine.end or listed.start == listed.end
    return first < last or (first == last and is_short)
