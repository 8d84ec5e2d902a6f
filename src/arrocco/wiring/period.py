"""The job of `arrocco period rate`: reports and lists in, the next list and its rows out."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np

from arrocco.dates import Month as CalendarMonth
from arrocco.engine.batch import ListColumns, PeriodContext, RatedBatch, law_on, rate_batch
from arrocco.engine.month import Month, rate_month
from arrocco.engine.outcome import Outcome
from arrocco.engine.printed_k import k_left_to_law, past_told_by_k
from arrocco.engine.publish import next_list
from arrocco.engine.sequence import rate_in_sequence
from arrocco.errors import Inconsistent
from arrocco.findings import Finding
from arrocco.ratinglist import RatingList
from arrocco.reportbatch import ReportBatch, joined
from arrocco.store.calculations import PLAYERS, SUMMARY, Calculations, write_players
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
from arrocco.wiring.ahead import Ahead
from arrocco.wiring.gathering import Gathering, LeftOut, Progress, read_texts, report_files
from arrocco.wiring.summary import summarise
from arrocco.words import Phrase

__all__ = ["PeriodJob", "RatedPeriod", "prepare", "rate_job", "report_files"]

KINDS = {"fide": "standard", "fide-rapid": "rapid", "fide-blitz": "blitz", "uisp": "uisp"}
"""The kind of list each law rates; RIO has three, named by the caller."""
RIO_KINDS = ("rapid", "blitz", "bullet")
ENTRY_KINDS = {
    "fide": "standard", "fide-rapid": "rapid", "fide-blitz": "blitz",
    "fsi": "standard", "fsi-rapid": "rapid",
}  # fmt: skip
"""The lists that RIO 14.2 and UISP I.5 ask about a new player, and the kind of each."""
LIST_FILES = {"fide_txt": "list.txt", "fide_xml": "list.xml", "csv": "list.csv"}


@dataclass
class PeriodJob:
    """What is to be rated, and how."""

    law: str
    period: CalendarMonth
    lists: Path
    reports: tuple[Path, ...]
    out: Path
    kind: str = ""
    readings: dict[str, str] = field(default_factory=dict)
    formats: tuple[str, ...] = ()
    games: bool = False
    entry_lists: Mapping[str, Path] = field(default_factory=dict)
    standard_lists: Path | None = None
    workers: int = 0
    memory: int = 2 << 30
    """Bytes that batches may take at a time."""
    runner: str = "local"
    master: str = ""
    edition: str = ""
    """An edition named to rate every tournament, in force on those days or not (for replays)."""
    keys: Mapping[str, str] = field(default_factory=dict)
    """By the key of a report: that of its tournament on the list, where it is another."""
    adjust: Callable[[StoredList], None] | None = None
    """Changes what the period opens with, for corrections and changes of players.

    `players` and `listed` keep the same rows; the ratings opponents had are those of `listed`.
    """

    @property
    def rating_kind(self) -> str:
        return self.kind or KINDS.get(self.law, "")


@dataclass
class RatedPeriod:
    """What a run did."""

    folder: Path
    outcome: Outcome
    month: Month
    listed: RatingList
    left_out: list[LeftOut]
    findings: list[Finding]
    summary: dict[str, Any]


class EarlierLists(Mapping[date, ListColumns]):
    """Older lists, read when a tournament that started under one comes along."""

    def __init__(self, folder: ListFolder) -> None:
        self.folder = folder
        self.days = folder.days()
        self.read: dict[date, ListColumns] = {}

    def __getitem__(self, day: date) -> ListColumns:
        if day not in self.read:
            if day not in self.days:
                raise KeyError(day)
            self.read[day] = self.folder.read_columns(day)
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
        from arrocco.wiring.spark_session import require_spark

        require_spark()
    progress("lists", 0, 1)
    reading = None if job.runner == "spark" else read_texts(job)
    try:
        return _rate_job(job, reading, progress)
    finally:
        if isinstance(reading, Ahead):
            reading.close()


def _rate_job(
    job: PeriodJob, reading: Iterable[ReportBatch] | None, progress: Progress
) -> RatedPeriod:
    context, stored = prepare(job)
    target = job.out / context.list_date.isoformat()
    if target.exists():
        raise Inconsistent.of("period.refused.there_already", folder=target)
    progress("lists", 1, 1)
    gathering = Gathering(job, context, reading)
    gathering.findings += stored.findings
    month = Month(context, stored.players, stored.pools)
    with new_folder(target) as folder:
        with Calculations(folder, games=job.games) as calculations:
            outcome = _rate(job, context, month, gathering, calculations, progress)
        progress("writing", 0, 1)
        listed, after = next_list(outcome, stored.listed, month.newcomers)
        summary = summarise(outcome, month, listed, gathering)
        _write(job, folder, outcome, listed, after, summary)
        progress("writing", 1, 1)
    return RatedPeriod(
        target, outcome, month, listed, gathering.left_out, gathering.findings, summary
    )


def prepare(job: PeriodJob) -> tuple[PeriodContext, StoredList]:
    """Reads the list that opens the period and what else the law asks for."""
    law = law_on(job.law, job.period.first_day, job.readings, job.edition)
    _check_kind(job)
    opened_on, list_date = law.period_of(job.period.first_day)
    folder = ListFolder(job.lists, job.rating_kind)
    stored = folder.read(opened_on)
    if not stored.has_state:
        stored.players = past_told_by_k(law, stored.players, opened_on)
    stored.players = k_left_to_law(law, stored.players, opened_on)
    context = PeriodContext(
        job.law, job.readings, opened_on, list_date, stored.columns, EarlierLists(folder),
        entry_lists=_entry_lists(job, stored.findings), kind=job.rating_kind, edition=job.edition,
    )  # fmt: skip
    if law.STANDARD_STANDS_IN and job.standard_lists is not None:
        standards = ListFolder(job.standard_lists, "standard")
        context.standard = standards.read_columns(opened_on)
        context.earlier_standard = EarlierLists(standards)
    if job.adjust is not None:
        job.adjust(stored)
        # Opponents find what is listed; an adjustment may move only what a change is added to.
        listed = stored.listed.rating.astype(np.int64)
        context.current = ListColumns(stored.players.id, listed)
    return context, stored


def _check_kind(job: PeriodJob) -> None:
    """RIO has three ratings, the others one."""
    kinds = RIO_KINDS if job.law == "rio" else (KINDS[job.law],)
    if job.rating_kind not in kinds:
        kind = job.kind or Phrase("period.single")
        raise Inconsistent.of("period.refused.no_kind", law=job.law, kind=kind, kinds=kinds)


def _entry_lists(job: PeriodJob, findings: list[Finding]) -> dict[str, ListColumns]:
    """The lists that give new players of RIO and UISP their ratings."""
    from arrocco.formats.lists import read_list

    found = {}
    for name, path in job.entry_lists.items():
        if name not in ENTRY_KINDS:
            raise Inconsistent.of(
                "period.refused.no_entry_list", name=name, known=tuple(ENTRY_KINDS)
            )
        listed, notes = read_list(path, ENTRY_KINDS[name])
        findings += notes
        found[name] = ListColumns(listed.id, listed.rating.astype(np.int64))
    return found


def _rate(
    job: PeriodJob,
    context: PeriodContext,
    month: Month,
    gathering: Gathering,
    calculations: Calculations,
    progress: Progress,
) -> Outcome:
    if not context.law.ratings_are_fixed_in_period():
        whole = joined(list(gathering.batches(progress)))
        return rate_in_sequence(month, whole, calculations.add, keep_sides=job.games)
    if job.runner == "spark":
        from arrocco.wiring.spark import rate_with_spark

        return rate_with_spark(job, context, month, gathering, calculations, progress)
    batches: Iterator[ReportBatch] = gathering.batches(progress)
    if context.law.RATES_ROUND_ROBINS:
        batches = iter([joined(list(batches))])
    return rate_month(month, _rated(context, batches, job), calculations.add)


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

    from arrocco.formats.lists import write_list

    # Each file is its own, and writing them leaves the interpreter free most of the time.
    with ThreadPoolExecutor(job.workers or os.cpu_count() or 1) as pool:
        writing = [
            pool.submit(write_list, listed, folder / LIST_FILES[name], name) for name in job.formats
        ]
        writing.append(pool.submit(write_list, listed, folder / LIST, "parquet"))
        write_state(folder / STATE, after)
        write_pools(folder / POOLS, outcome.pools)
        write_players(folder / PLAYERS, outcome)
        for written in writing:
            written.result()
    text = msgspec.json.format(msgspec.json.encode(summary), indent=2)
    (folder / SUMMARY).write_bytes(text + b"\n")
