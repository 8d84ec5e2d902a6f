"""Replays a history under another edition or reading and compares list by list.

A history is a list and, period by period, the reports that were counted from it on. Each side lets
in what its law lets in, and what somebody waives, as every road into a rating does; what an office
let in stays. The other law has its own calendar: each tournament goes on the first of its lists
after the period's opening that its end allows. The one side is what was published, or where that is
not at hand what the law in force makes of the same reports.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from arrocco.dates import Month
from arrocco.engine.admission import Waived, Waivers
from arrocco.engine.printed_k import k_left_to_law, past_told_by_k
from arrocco.engine.statistics import ListComparison, compare_lists
from arrocco.errors import Inconsistent
from arrocco.formats.lists import write_list
from arrocco.records.ratinglist import UNKNOWN
from arrocco.records.reportbatch import ReportBatch
from arrocco.runs.batches import LeftOut, Progress
from arrocco.runs.job import never
from arrocco.runs.period import PeriodJob, rate_job
from arrocco.runs.replay_sides import Side, Split, lists_of_other
from arrocco.store.list_folder import (
    LIST,
    POOLS,
    STATE,
    ListFolder,
    StoredList,
    new_folder,
    write_pools,
    write_state,
)
from arrocco.store.statistics import ListPlace, read_figures

__all__ = ["ReplayJob", "Replayed", "Side", "replay"]

AS_WAS, REPLAYED = "as-was", "replayed"
"""Folders of the lists of either side, in the folder of the replay."""


@dataclass
class ReplayJob:
    """A history, and the other way to read it."""

    one: Side
    other: Side
    lists: Path
    """The folder with the list that opens the history, and what was published since."""
    reports: Mapping[Month, Sequence[Path | ReportBatch]]
    """By period, named by its first month: what was counted in it, as files or in columns."""
    out: Path
    entry_lists: Mapping[str, Path] = field(default_factory=dict)
    standard_lists: Path | None = None
    games: bool = False
    workers: int = 0
    memory: int = 2 << 30
    most: int = 20
    """How many of the most affected players are told."""
    waivers: Waivers = field(default_factory=Waivers)
    """Errors of reports that somebody lets pass, on either side."""
    is_decided: Callable[[str], bool] = never
    """Whether a report, by its key, was let in by an office, whatever the other law says of it."""
    opens: Callable[[PeriodJob, date, date], PeriodJob] | None = None
    """Makes each period ready, given the lists that open and close it: what else it opens with."""


@dataclass
class Replayed:
    """What a replay found."""

    folder: Path
    is_published: bool
    """Whether the one side is what was published, rather than computed for this."""
    comparisons: list[ListComparison]
    names: dict[int, str]
    """Of the most affected players."""
    left_out: dict[str, list[LeftOut]]
    """By side: reports on none of its lists."""
    reports: dict[str, int]
    """By side: reports rated."""
    waived: dict[str, list[Waived]] = field(default_factory=dict)
    """By side: the errors that were let pass."""

    @property
    def has_errors(self) -> bool:
        """Whether a report is left out for what `report check` calls an error."""
        return any(item.has_errors for items in self.left_out.values() for item in items)


def replay(job: ReplayJob, progress: Progress = lambda *_: None) -> Replayed:
    """Rates a history once more and compares; writes the folder whole or not at all."""
    if not job.reports:
        raise Inconsistent.of("period.refused.no_reports")
    first, final = min(job.reports), max(job.reports)
    opening = job.one.on(first.first_day).list_in_force(first.first_day)
    last = job.one.on(final.first_day).period_of(final.first_day)[1]
    other_days = lists_of_other(job.other, opening, last)
    one_days = job.one.lists_between(opening, last)
    stored = ListFolder(job.lists, job.one.rating_kind).read(opening)
    published = set(one_days) <= set(ListFolder(job.lists, job.one.rating_kind).days())
    with new_folder(job.out) as folder:
        run = _Run(job, opening, stored, progress)
        other = run.side(job.other, other_days, folder / REPLAYED)
        done = None if published else run.side(job.one, one_days, folder / AS_WAS)
        job.waivers.require_used()
        one_root = job.lists if done is None else folder / AS_WAS
        comparisons = list(_compared(job, one_root, folder / REPLAYED, one_days, other_days))
        names = _names(comparisons, folder / REPLAYED, job.other.rating_kind)
        sides = {REPLAYED: other} | ({} if done is None else {AS_WAS: done})
        return Replayed(
            job.out,
            published,
            comparisons,
            names,
            {name: side.left_out for name, side in sides.items()},
            {name: side.reports for name, side in sides.items()},
            {name: side.waived for name, side in sides.items()},
        )


def _compared(
    job: ReplayJob, first: Path, other: Path, one_days: list[date], other_days: list[date]
) -> Iterator[ListComparison]:
    """The lists of the days on which both have one."""
    for day in sorted(set(one_days) & set(other_days)):
        figures = [
            read_figures(ListPlace(ListFolder(root, side.rating_kind).path(day), day), kind)
            for root, side, kind in (
                (first, job.one, job.one.rating_kind),
                (other, job.other, job.other.rating_kind),
            )
        ]
        yield compare_lists(figures[0], figures[1], job.most)


def _names(comparisons: list[ListComparison], root: Path, kind: str) -> dict[int, str]:
    from arrocco.formats.lists import read_list

    if not comparisons:
        return {}
    ids = {player.id for comparison in comparisons for player in comparison.most_affected}
    path = ListFolder(root, kind).path(comparisons[-1].on)
    listed, _ = read_list(path, kind, only=ids)
    return dict(zip(listed.id.tolist(), listed.name.tolist(), strict=True))


@dataclass
class _Done:
    left_out: list[LeftOut]
    reports: int
    waived: list[Waived]


class _Run:
    """Rates all periods of a side, one after the other."""

    def __init__(
        self, job: ReplayJob, opening: date, stored: StoredList, progress: Progress
    ) -> None:
        self.job, self.opening, self.stored, self.progress = job, opening, stored, progress

    def side(self, side: Side, days: list[date], root: Path) -> _Done:
        """Rates the periods that close with these lists into a folder of lists."""
        self._write_opening(side, root)
        done = _Done([], 0, [])
        split = Split(side, self.opening, days, self.job.waivers.part())
        opened = self.opening
        for listed in split.lists(self._histories(), self.job.workers):
            self._write_earlier(split.earlier, root)
            period = self._period(side, opened, root, (*listed.batches, *listed.texts))
            if self.job.opens is not None:
                period = self.job.opens(period, opened, listed.day)
            rated = rate_job(period, self.progress)
            done.left_out += rated.left_out
            done.reports += rated.summary["reports"]
            done.waived += rated.waived
            opened = listed.day
        done.left_out[:0] = split.left_out
        return done

    def _histories(self) -> list[tuple[date, Sequence[Path | ReportBatch]]]:
        """By the list that opened each period: the reports that were counted in it."""
        side, reports = self.job.one, self.job.reports
        return [
            (side.on(month.first_day).list_in_force(month.first_day), reports[month])
            for month in sorted(reports)
        ]

    def _period(
        self, side: Side, opened: date, root: Path, reports: tuple[Path | ReportBatch, ...]
    ) -> PeriodJob:
        job = self.job
        return PeriodJob(
            side.law,
            Month.of(opened),
            root,
            reports,
            root,
            kind=side.kind,
            readings=side.readings,
            edition=side.edition,
            games=job.games,
            entry_lists=job.entry_lists,
            standard_lists=job.standard_lists,
            workers=job.workers,
            memory=job.memory,
            waivers=job.waivers.part(),
            is_decided=job.is_decided,
            compares_columns=True,
        )

    def _write_opening(self, side: Side, root: Path) -> None:
        """The list that opens the history, with the past of its players and without K.

        K is the law's answer to a player's past, so each law gives its own. A printed K that its
        own law does not derive stays only where the edition is the same.
        """
        stored, opening = self.stored, self.opening
        own = self.job.one.on(opening)
        players = stored.players
        if not stored.has_state:
            players = past_told_by_k(own, players, opening)
        players = k_left_to_law(own, players, opening)
        is_same = type(side.on(opening)) is type(own)
        k = players.k if is_same else np.full(len(players), UNKNOWN, dtype=np.int64)
        listed = replace(stored.listed, k=k.astype(np.int32), system=side.rating_kind, on=opening)
        root.mkdir(parents=True)
        with new_folder(root / opening.isoformat()) as folder:
            write_list(listed, folder / LIST, "parquet")
            write_state(folder / STATE, players)
            write_pools(folder / POOLS, stored.pools)

    def _write_earlier(self, wanted: set[date], root: Path) -> None:
        """Ratings of older lists that tournaments started under, as they were in force."""
        folder = ListFolder(self.job.lists, self.job.one.rating_kind)
        known = folder.days()
        for day in sorted(wanted):
            in_force = [there for there in known if there <= day]
            path = root / f"{day.isoformat()}.parquet"
            if in_force and not path.exists():
                columns = folder.read_columns(in_force[-1])
                table = pa.table({"id": columns.id, "rating": columns.rating})
                pq.write_table(table, path)
