"""The job of `arrocco period rate`: reports and lists in, the next list and its rows out."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Collection, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np

from arrocco.engine.admission import Waived
from arrocco.engine.batch import ListColumns, PeriodContext, RatedBatch, law_on, rate_batch
from arrocco.engine.categories import earn_categories
from arrocco.engine.month import PeriodBuilder, rate_month
from arrocco.engine.outcome import Outcome
from arrocco.engine.printed_k import k_left_to_law, past_told_by_k
from arrocco.engine.publish import as_published, next_list, titled_without_rating
from arrocco.engine.sequence import rate_in_sequence
from arrocco.errors import Inconsistent
from arrocco.findings import Finding
from arrocco.laws.registry import edition_in_force
from arrocco.laws.systems import ENTRY_LISTS, STANDARD, kinds_of
from arrocco.office.adjustment import adjusted_column
from arrocco.records.ratinglist import RatingList
from arrocco.records.reportbatch import ReportBatch, joined
from arrocco.runs.batches import Gathering, LeftOut, Progress, Sources, report_files, sources_of
from arrocco.runs.job import PeriodJob
from arrocco.runs.summary import counted_by_lists, summarise
from arrocco.store.calculations import PLAYERS, SUMMARY, Calculations, write_players
from arrocco.store.list_folder import (
    ADJUSTED,
    COUNTED_BY_LISTS,
    LIST,
    POOLS,
    STATE,
    TITLED,
    ListFolder,
    StoredList,
    as_read_back,
    new_folder,
    write_adjusted,
    write_pools,
    write_state,
)
from arrocco.words import Phrase

__all__ = ["PeriodJob", "RatedPeriod", "prepare", "rate_job", "report_files", "settle_job"]


@dataclass
class RatedPeriod:
    """What a run did."""

    folder: Path
    outcome: Outcome
    month: PeriodBuilder
    listed: RatingList
    left_out: list[LeftOut]
    findings: list[Finding]
    summary: dict[str, Any]
    waived: list[Waived] = field(default_factory=list)


class EarlierLists(Mapping[date, ListColumns]):
    """Older lists, read when a tournament that started under one comes along."""

    def __init__(
        self,
        folder: ListFolder,
        law: str,
        adjusted: Collection[date] = (),
        *,
        only: Collection[date] | None = None,
    ) -> None:
        self.folder, self.law, self.adjusted = folder, law, adjusted
        self.days = [day for day in folder.days() if only is None or day in only]
        self.read: dict[date, ListColumns] = {}

    def __getitem__(self, day: date) -> ListColumns:
        if day not in self.read:
            if day not in self.days:
                raise KeyError(day)
            columns = self.folder.read_columns(day)
            if day in self.adjusted:
                law = edition_in_force(self.law, day)()
                columns = ListColumns(columns.id, adjusted_column(law, columns.rating))
            self.read[day] = columns
        return self.read[day]

    def __contains__(self, day: object) -> bool:
        return day in self.days

    def __iter__(self) -> Iterator[date]:
        return iter(self.days)

    def __len__(self) -> int:
        return len(self.days)


def rate_job(job: PeriodJob, progress: Progress = lambda *_: None) -> RatedPeriod:
    """Rates a period and writes the folder of the next list, whole or not at all."""
    if job.runner == "spark":
        from arrocco.runs.spark_session import require_spark

        require_spark()
    progress("lists", 0, 1)
    sources = None if job.runner == "spark" else _begin_reading(job)
    try:
        return _rate_job(job, sources, progress)
    finally:
        if sources is not None:
            sources.close()


def _begin_reading(job: PeriodJob) -> Sources | None:
    """The reports, being read; where there are none, what is wrong with the lists is said first."""
    try:
        return sources_of(job)
    except Inconsistent:
        return None


def settle_job(job: PeriodJob) -> tuple[StoredList, Outcome]:
    """The list that a period comes to, as its folder would give it; nothing is written."""
    context, stored = prepare(job)
    sources = _begin_reading(job)
    try:
        month = PeriodBuilder(context, stored.players, stored.pools)
        gathering = Gathering(job, context, stored, sources)
        outcome = _rate(job, context, month, gathering, None, lambda *_: None)
    finally:
        if sources is not None:
            sources.close()
    listed, after = next_list(outcome, stored.listed, month.newcomers, marks=job.format != 1)
    return as_read_back(listed, after, outcome.pools, context.list_date, job.format), outcome


def _rate_job(job: PeriodJob, sources: Sources | None, progress: Progress) -> RatedPeriod:
    context, stored = prepare(job)
    target = job.out / context.list_date.isoformat()
    if target.exists():
        raise Inconsistent.of("period.refused.there_already", folder=target)
    progress("lists", 1, 1)
    gathering = Gathering(job, context, stored, sources)
    gathering.findings += stored.findings
    month = PeriodBuilder(context, stored.players, stored.pools)
    with new_folder(target) as folder:
        with Calculations(folder, games=job.games) as calculations:
            outcome = _rate(job, context, month, gathering, calculations, progress)
        job.waivers.require_used()
        progress("writing", 0, 1)
        listed, after = next_list(outcome, stored.listed, month.newcomers, marks=job.format != 1)
        summary = summarise(outcome, month, listed, gathering)
        if job.format >= COUNTED_BY_LISTS and stored.published is not None:
            summary |= counted_by_lists(outcome, stored.published, listed)
        _write(job, folder, outcome, listed, after, summary)
        if stored.adjusted is not None and len(stored.adjusted.player):
            write_adjusted(folder / ADJUSTED, stored.adjusted)
        progress("writing", 1, 1)
    return RatedPeriod(
        target,
        outcome,
        month,
        listed,
        gathering.left_out,
        gathering.findings,
        summary,
        gathering.waived,
    )


def prepare(job: PeriodJob) -> tuple[PeriodContext, StoredList]:
    """Reads the list that opens the period and what else the law asks for."""
    law = law_on(job.law, job.period.first_day, job.readings, job.edition)
    _check_kind(job)
    opened_on, list_date = law.period_of(job.period.first_day)
    folder = ListFolder(job.lists, job.rating_kind)
    stored = job.opening or folder.read(opened_on)
    if not stored.has_state:
        stored.players = past_told_by_k(law, stored.players, opened_on)
    stored.players = k_left_to_law(law, stored.players, opened_on)
    context = PeriodContext(
        job.law,
        job.readings,
        opened_on,
        list_date,
        stored.columns,
        EarlierLists(folder, job.law, job.adjusted.get(job.law, ())),
        entry_lists=_entry_lists(job, stored.findings),
        kind=job.rating_kind,
        edition=job.edition,
        affiliated=job.affiliated,
        online=job.online,
        emitted=job.emitted,
        interim=job.interim,
        dated_entry_lists=_dated_entry_lists(job),
    )
    if law.STANDARD_STANDS_IN and job.standard_lists is not None:
        standards = ListFolder(job.standard_lists, "standard")
        earlier = EarlierLists(standards, STANDARD, job.adjusted.get(STANDARD, ()))
        standards.path(opened_on)  # refuses where there is none
        context.standard, context.earlier_standard = earlier[opened_on], earlier
    listed = stored.listed
    stored.published = listed.id.copy(), listed.rating.astype(np.int64)
    if job.adjust is None:
        earn_categories(stored.listed, law)  # RIO 14.6: what was published before has earned them
    else:
        job.adjust(stored)
        # Opponents find what is listed; an adjustment may move only what a change is added to.
        ratings = stored.listed.rating.astype(np.int64)
        context.current = ListColumns(stored.players.id, ratings)
    return context, stored


def _check_kind(job: PeriodJob) -> None:
    """RIO has three ratings, the others one."""
    kinds = kinds_of(job.law)
    if job.rating_kind not in kinds:
        kind = job.kind or Phrase("period.single")
        raise Inconsistent.of("period.refused.no_kind", law=job.law, kind=kind, kinds=kinds)


def _entry_lists(job: PeriodJob, findings: list[Finding]) -> dict[str, ListColumns]:
    """The lists that give new players of RIO and UISP their ratings."""
    from arrocco.formats.lists import read_list

    lists = {}
    for name, path in job.entry_lists.items():
        if name not in ENTRY_LISTS:
            raise Inconsistent.of(
                "period.refused.no_entry_list", name=name, known=tuple(ENTRY_LISTS)
            )
        if path.is_dir():
            continue
        listed, notes = read_list(path, ENTRY_LISTS[name])
        findings += notes
        lists[name] = ListColumns(listed.id, listed.rating.astype(np.int64))
    return lists


def _dated_entry_lists(job: PeriodJob) -> dict[str, EarlierLists]:
    """The entry lists that were given as folders of lists, each named by its day."""
    return {
        name: EarlierLists(ListFolder(path, ENTRY_LISTS[name]), "", only=job.entry_days.get(name))
        for name, path in job.entry_lists.items()
        if path.is_dir()
    }


def _rate(
    job: PeriodJob,
    context: PeriodContext,
    month: PeriodBuilder,
    gathering: Gathering,
    calculations: Calculations | None,
    progress: Progress,
) -> Outcome:
    keep = calculations.add if calculations is not None else lambda _: None
    if not context.law.ratings_are_fixed_in_period():
        whole = joined(list(gathering.batches(progress)))
        return rate_in_sequence(month, whole, keep, keep_sides=job.games)
    if job.runner == "spark" and calculations is not None:
        from arrocco.runs.spark import rate_with_spark

        return rate_with_spark(job, context, month, gathering, calculations, progress)
    batches: Iterator[ReportBatch] = gathering.batches(progress)
    if context.law.RATES_ROUND_ROBINS or context.enters_by_start:
        batches = iter([joined(list(batches))])
    return rate_month(month, _rated(context, batches, job), keep)


def _rated(
    context: PeriodContext, batches: Iterator[ReportBatch], job: PeriodJob
) -> Iterator[RatedBatch]:
    """Rates batches on all cores, a few at a time, and hands them on in their order."""
    workers = job.workers or os.cpu_count() or 1
    if workers == 1:
        yield from (rate_batch(context, batch, keep_sides=job.games) for batch in batches)
        return
    waiting: deque[Future[RatedBatch]] = deque()
    with ThreadPoolExecutor(workers) as pool:
        for batch in batches:
            waiting.append(pool.submit(rate_batch, context, batch, keep_sides=job.games))
            while len(waiting) > workers:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


def _write(
    job: PeriodJob, folder: Path, outcome: Outcome, listed: RatingList, after: Any, summary: Any
) -> None:
    import msgspec

    from arrocco.formats.lists import formats, write_list

    printed = listed if job.format == 1 else as_published(outcome.law, listed)
    # Each file is its own, and writing them leaves the interpreter free most of the time.
    with ThreadPoolExecutor(job.workers or os.cpu_count() or 1) as pool:
        writing: list[Future[Any]] = [
            pool.submit(write_list, printed, folder / each.list_file, each.name)
            for each in formats()
            if each.name in job.formats
        ]
        if printed is not listed and job.formats:
            titled = titled_without_rating(outcome.law, listed)
            writing.append(pool.submit(write_list, titled, folder / TITLED, "csv"))
        writing.append(pool.submit(write_list, listed, folder / LIST, "parquet"))
        writing.append(pool.submit(write_players, folder / PLAYERS, outcome, job.format))
        writing.append(pool.submit(write_state, folder / STATE, after, job.format))
        write_pools(folder / POOLS, outcome.pools)
        for written in writing:
            written.result()
    text = msgspec.json.format(msgspec.json.encode(summary), indent=2)
    (folder / SUMMARY).write_bytes(text + b"\n")
