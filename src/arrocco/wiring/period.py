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
from arrocco.engine.batch import ListColumns, PeriodContext, RatedBatch, rate_batch
from arrocco.engine.month import Month, rate_month
from arrocco.engine.outcome import Outcome
from arrocco.engine.printed_k import k_left_to_law, past_told_by_k
from arrocco.engine.publish import next_list
from arrocco.errors import Illegal, Inconsistent, NoLawInForce
from arrocco.findings import Finding
from arrocco.laws.registry import edition_in_force
from arrocco.ratinglist import RatingList
from arrocco.reportbatch import ReportBatch, TournamentHead, joined, selected
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
from arrocco.words import Phrase

KINDS = {"fide": "standard", "fide-rapid": "rapid", "fide-blitz": "blitz", "uisp": "uisp"}
"""The kind of list each law rates; RIO has three, named by the caller."""
RIO_KINDS = ("rapid", "blitz", "bullet")
ENTRY_KINDS = {
    "fide": "standard", "fide-rapid": "rapid", "fide-blitz": "blitz",
    "fsi": "standard", "fsi-rapid": "rapid",
}  # fmt: skip
"""The lists that RIO 14.2 and UISP I.5 ask about a new player, and the kind of each."""
LIST_FILES = {"fide_txt": "list.txt", "fide_xml": "list.xml", "csv": "list.csv"}
BYTES_PER_GAME = 600
"""What a game costs while its batch is rated, measured; `--memory` divides by it."""

GAMES_PER_TOURNAMENT = 400
"""What a large tournament has; most have fewer."""


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

    @property
    def rating_kind(self) -> str:
        return self.kind or KINDS.get(self.law, "")


REASONS = {
    "not_yet", "too_late", "twice", "no_time_control", "other_kind", "unreadable", "no_law",
    "no_coefficient",
}  # fmt: skip


@dataclass
class LeftOut:
    """A report that is not on this list, and why.

    `words` are what the reader or the system said of a file that cannot be taken.
    """

    report: str
    reason: str
    words: str = ""

    def __post_init__(self) -> None:
        if self.reason not in REASONS:
            self.reason, self.words = "unreadable", self.reason


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


Progress = Callable[[str, int, int], None]
"""Called with the stage, what is done and what there is to do (0: not known)."""


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
    law = edition_in_force(job.law, job.period.first_day)(**job.readings)
    _check_kind(job)
    opened_on, list_date = law.period_of(job.period.first_day)
    folder = ListFolder(job.lists, job.rating_kind)
    stored = folder.read(opened_on)
    if not stored.has_state:
        stored.players = past_told_by_k(law, stored.players, opened_on)
    stored.players = k_left_to_law(law, stored.players, opened_on)
    context = PeriodContext(
        job.law, job.readings, opened_on, list_date, stored.columns, EarlierLists(folder),
        entry_lists=_entry_lists(job, stored.findings), kind=job.rating_kind,
    )  # fmt: skip
    if law.STANDARD_STANDS_IN and job.standard_lists is not None:
        standards = ListFolder(job.standard_lists, "standard")
        context.standard = standards.read_columns(opened_on)
        context.earlier_standard = EarlierLists(standards)
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


class Gathering:
    """Reads batches and keeps those tournaments that belong on the list."""

    def __init__(
        self,
        job: PeriodJob,
        context: PeriodContext,
        reading: Iterable[ReportBatch] | None = None,
    ) -> None:
        self.job, self.context, self.reading = job, context, reading
        self.left_out: list[LeftOut] = []
        self.findings: list[Finding] = []
        self.reports = 0
        self.seen: set[str] = set()

    def batches(self, progress: Progress) -> Iterator[ReportBatch]:
        files = report_files(self.job.reports, self.job.out)
        parquet = [path for path in files if path.suffix == ".parquet"]
        texts = [path for path in files if path.suffix != ".parquet"]
        done = 0
        for batch in _text_batches(texts, self.job) if self.reading is None else self.reading:
            done += len(batch.tournaments) + len(batch.refused)
            progress("reports", done, len(texts))
            yield self.chosen(batch)
        rows = rows_at_a_time(self.job.memory, self._workers())
        for path in parquet:
            from arrocco.formats.report_parquet import read_batches

            for batch in read_batches(path, rows=rows):
                done += len(batch.tournaments)
                progress("reports", done, 0)
                yield self.chosen(batch)

    def _workers(self) -> int:
        return self.job.workers or os.cpu_count() or 1

    def chosen(self, batch: ReportBatch) -> ReportBatch:
        """The tournaments of a batch that go on this list; the others leave with a reason."""
        self.findings += batch.findings
        self.left_out += [LeftOut(source, reason) for source, reason in batch.refused]
        return selected(batch, self.choose(batch.tournaments))

    def choose(self, heads: Iterable[TournamentHead]) -> list[bool]:
        """Which tournaments go on this list; they must come in the order of their reports."""
        keep = []
        for head in heads:
            reason = self._refusal(head.key, head)
            keep.append(reason is None)
            if reason is not None:
                self.left_out.append(LeftOut(head.key, reason))
        self.reports += sum(keep)
        return keep

    def _refusal(self, key: str, head: TournamentHead) -> str | None:
        context = self.context
        if key in self.seen:
            return "twice"
        self.seen.add(key)
        if head.end >= context.list_date:
            return "not_yet"
        try:
            law = context.law_at(head.start)
        except NoLawInForce:
            return "no_law"
        if law.K_FROM_TOURNAMENT:
            if head.control is None:
                return "no_time_control"
            if not law.is_of_kind(head.control, context.kind):
                return "other_kind"
            try:
                law.tournament_coefficient(head.control, online=head.facts.online)
            except Illegal:
                return "no_coefficient"
        return law.list_refusal(head.end, context.list_date, official=head.facts.official)


def rows_at_a_time(memory: int, workers: int) -> int:
    """How many tournaments each worker may hold for all batches to fit into memory."""
    return max(1, memory // (BYTES_PER_GAME * GAMES_PER_TOURNAMENT * max(1, workers)))


def report_files(paths: Iterable[Path], out: Path | None = None) -> list[Path]:
    """The report files that paths, folders and patterns name, in order of name, each once.

    In a folder hidden files are no reports, nor is anything in `out`, where lists are written.
    """
    found: set[Path] = set()
    for path in paths:
        if path.is_dir():
            found |= {file for file in path.rglob("*") if _is_report(file, path, out)}
        elif path.is_file():  # asked before patterns: a file may be called "open [1].trf"
            found.add(path)
        elif any(mark in path.name for mark in "*?["):
            found |= {file for file in path.parent.glob(path.name) if file.is_file()}
        else:
            raise Inconsistent.of("period.refused.no_such_report", path=path)
    if not found:
        raise Inconsistent.of("period.refused.no_reports")
    by_place = {os.path.realpath(path): path for path in sorted(found, reverse=True)}
    return sorted(by_place.values())


def _is_report(file: Path, folder: Path, out: Path | None) -> bool:
    hidden = any(part.startswith(".") for part in file.relative_to(folder).parts)
    written = out is not None and out != folder and out in file.parents
    return not hidden and not written and file.is_file()


def read_texts(job: PeriodJob) -> Iterable[ReportBatch] | None:
    """Begins to read the report files, so that it goes on while the lists are read.

    Where there is nothing to read, what is wrong with the lists is said first.
    """
    try:
        files = [path for path in report_files(job.reports, job.out) if path.suffix != ".parquet"]
    except Inconsistent:
        return None
    batches = _text_batches(files, job)
    return Ahead(batches) if files and job.workers != 1 else batches


def _text_batches(files: list[Path], job: PeriodJob) -> Iterator[ReportBatch]:
    if not files:
        return iter(())
    from arrocco.formats.trf_columnar import read_files

    return read_files(files, workers=job.workers or os.cpu_count() or 1)


def _rate(
    job: PeriodJob,
    context: PeriodContext,
    month: Month,
    gathering: Gathering,
    calculations: Calculations,
    progress: Progress,
) -> Outcome:
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


def summarise(
    outcome: Outcome, month: Month, listed: RatingList, gathering: Gathering
) -> dict[str, Any]:
    """The period in numbers: who came and went, what was excluded, where points came from."""
    change = outcome.change
    before, after = outcome.players.rating, outcome.new_rating
    first = outcome.first_ratings
    played = outcome.totals.games > 0
    stood_in = outcome.players.stands_in & played
    entering = sum(first.published.values()) + int(before[stood_in].sum())
    reasons: dict[str, int] = {}
    for report in gathering.left_out:
        reasons[report.reason] = reasons.get(report.reason, 0) + 1
    return {
        "law": outcome.law.law,
        "edition": outcome.law.edition,
        "readings": dict(outcome.law.readings),
        "opened_on": outcome.opened_on.isoformat(),
        "list": outcome.list_date.isoformat(),
        "reports": gathering.reports,
        "reports_left_out": dict(sorted(reasons.items())),
        "players": len(listed),
        "rated_before": int((before > 0).sum() - outcome.players.stands_in.sum()),
        "rated": int((after > 0).sum()),
        "played": int(played.sum()),
        "entries": month.entries,
        "entries_without_id": month.without_id,
        "games": month.games,
        "games_excluded": dict(sorted(month.excluded.items())),
        "new": len(first.published) + int(stood_in.sum()),
        "newcomers": len(month.newcomers),
        "in_pools": len(outcome.pools.tranches),
        "delisted": int(outcome.delisted.sum()),
        "inactive": int(((listed.flag == "i") | (listed.flag == "wi")).sum()),
        "k_limited": int((played & (outcome.k_applied < outcome.k)).sum()),
        "points_gained": int(change[change > 0].sum()),
        "points_lost": int(change[change < 0].sum()),
        "points_entering": entering,
        "points_leaving": int(outcome.rounded_rating[outcome.delisted].sum()),
    }
