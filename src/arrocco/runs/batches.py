"""Which reports go on a list: reads them in batches and says why the others are left out."""

from __future__ import annotations

import hashlib
import os
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from arrocco.engine.admission import Waived, waiver_key
from arrocco.engine.batch import PeriodContext
from arrocco.errors import Illegal, Inconsistent, NoLawInForce
from arrocco.findings import Finding, Severity
from arrocco.records.report import Report
from arrocco.records.reportbatch import (
    ReportBatch,
    TournamentHead,
    batch_of,
    cut,
    renamed,
    report_at,
    selected,
)
from arrocco.records.told_facts import with_facts
from arrocco.runs.gate import Gate
from arrocco.runs.job import PeriodJob
from arrocco.runs.prefetch import Ahead
from arrocco.runs.rated_before import RatedBefore
from arrocco.runs.same_games import CountedOnce, Marks, marks_of
from arrocco.runs.suspended import suspended_in
from arrocco.store.list_folder import ListFolder, StoredList

BYTES_PER_GAME = 600
"""What a game costs while its batch is rated, measured; `--memory` divides by it."""

GAMES_PER_TOURNAMENT = 400
"""What a large tournament has; most have fewer."""

REASONS = set(
    """
    not_yet too_late twice no_time_control other_kind unreadable no_law no_coefficient
    not_admitted
""".split()
)

Progress = Callable[[str, int, int], None]
"""Called with the stage, what is done and what there is to do (0: not known)."""


@dataclass
class LeftOut:
    """A report that is not on this list, and why.

    `words` are what the reader or the system said of a file that cannot be taken, `findings` the
    errors that the gate found.
    """

    report: str
    reason: str
    words: str = ""
    findings: tuple[Finding, ...] = ()

    def __post_init__(self) -> None:
        if self.reason not in REASONS:
            self.reason, self.words = "unreadable", self.reason

    @property
    def keys(self) -> tuple[str, ...]:
        """The errors that the gate found, each by its key and once."""
        return tuple(dict.fromkeys(map(waiver_key, self.findings)))

    @property
    def has_errors(self) -> bool:
        """Whether `report check` calls for an error, rather than the report being for elsewhere."""
        return self.reason in ("not_admitted", "unreadable")


class Gathering:
    """Reads batches and keeps those tournaments that belong on the list."""

    def __init__(
        self,
        job: PeriodJob,
        context: PeriodContext,
        stored: StoredList,
        sources: Sources | None = None,
    ) -> None:
        self.job, self.context, self.sources = job, context, sources
        self.left_out: list[LeftOut] = []
        self.findings: list[Finding] = []
        self.waived: list[Waived] = []
        self.waived_texts: list[Report] = []
        """Reports whose reading found errors that are all waived; they come after the others."""
        self._waived_in_reading: dict[str, tuple[Waived, ...]] = {}
        """By key of such a report: all that was let pass, of what reading and the law found."""
        self.reports = 0
        self.seen: set[str] = set()
        self.gate = Gate(job, context, stored)
        self.once = CountedOnce()
        self.lists = RatedBefore(context, ListFolder(job.lists, job.rating_kind))

    def batches(self, progress: Progress) -> Iterator[ReportBatch]:
        sources = self.sources or sources_of(self.job, ahead=False)
        self.left_out += [LeftOut(str(path), "twice") for path in sources.repeated]
        done = 0
        for batch in sources.batches:
            done += len(batch.tournaments) + len(batch.refused)
            progress("reports", done, len(sources.texts))
            yield self.chosen(batch)
        if self.waived_texts:
            yield self.chosen(batch_of(self.waived_texts))
        rows = rows_at_a_time(self.job.memory, self._workers())
        for path in sources.parquet:
            from arrocco.formats.report_parquet import read_batches

            for batch in read_batches(path, rows=rows):
                done += len(batch.tournaments)
                progress("reports", done, 0)
                yield self.chosen(batch)
        for given in self.job.reports:
            if isinstance(given, ReportBatch):
                for batch in cut(given, rows):
                    done += len(batch.tournaments)
                    progress("reports", done, 0)
                    yield self.chosen(batch, compares=self.job.compares_columns)

    def _workers(self) -> int:
        return self.job.workers or os.cpu_count() or 1

    def chosen(self, batch: ReportBatch, *, compares: bool = True) -> ReportBatch:
        """The tournaments of a batch that go on this list; the others leave with a reason.

        Reasons name the keys of the reports, the list those that the job has for them. Reports that
        an office has are not compared by their games: it did so as they were sent.
        """
        if self.job.facts:
            heads = [
                replace(head, facts=with_facts(head.facts, head.key, self.job.facts))
                for head in batch.tournaments
            ]
            batch = replace(batch, tournaments=heads)
        self.findings += batch.findings
        self.take_refused(batch.refused)
        chosen = selected(batch, self.choose(batch.tournaments))
        refused = self.judge(
            (chosen.tournaments[index].key, partial(report_at, chosen, index))
            for index in self.gate.suspects(chosen)
        )
        admitted = selected(chosen, [head.key not in refused for head in chosen.tournaments])
        if compares and (repeated := self.told_before(marks_of(admitted))):
            admitted = selected(admitted, [h.key not in repeated for h in admitted.tournaments])
        if compares and (rated := self.rated_before(admitted)):
            admitted = selected(admitted, [h.key not in rated for h in admitted.tournaments])
        if self.job.suspended:
            self.findings += suspended_in(admitted, self.context, self.job.suspended)
        return renamed(admitted, self.job.keys)

    def told_before(self, marks: Marks) -> set[str]:
        """9.1 — the keys of reports whose games are in earlier ones; each game counts once."""
        if all(self.job.is_decided(play.key) for play in marks.plays):
            return set()
        return self.once.repeated(marks, self._lets_pass)

    def rated_before(self, batch: ReportBatch) -> set[str]:
        """9.1 — the keys of reports whose games a list before has rated; each counts once."""
        if not self.job.looks_back:
            return set()
        return {
            finding.place.file
            for finding in self.lists.repeated(batch)
            if not self._lets_pass(finding)
        }

    def _lets_pass(self, finding: Finding) -> bool:
        if finding.severity is not Severity.ERROR:
            self.findings.append(finding)
            return True
        admission = self.job.waivers.admit([finding])
        self.waived += admission.waived
        if not admission.is_admitted:
            self.reports -= 1
            refused = LeftOut(finding.place.file, "not_admitted", findings=admission.refused)
            self.left_out.append(refused)
        return admission.is_admitted

    def judge(self, reports: Iterable[tuple[str, Callable[[], Report]]]) -> set[str]:
        """The keys of reports that are refused, of those that may have errors.

        A report is given by what makes it of its columns, for those that have no file.
        """
        refused = set()
        for key, report in reports:
            admission = self.gate.admission(key, report)
            if key not in self._waived_in_reading:
                self.waived += admission.waived
            if not admission.is_admitted and not self.job.is_decided(key):
                refused.add(key)
                self.reports -= 1
                self.left_out.append(LeftOut(key, "not_admitted", findings=admission.refused))
        return refused

    def take_refused(self, refused: Iterable[tuple[str, str]]) -> None:
        """Keeps those files for later which only errors kept out that are all waived."""
        for source, reason in refused:
            waived = self.gate.waived_report(source)
            if waived is None:
                self.left_out.append(LeftOut(source, reason))
            else:
                report, self._waived_in_reading[source] = waived
                self.waived_texts.append(report)

    def choose(self, heads: Iterable[TournamentHead]) -> list[bool]:
        """Which tournaments go on this list; they must come in the order of their reports."""
        keep = []
        for head in heads:
            reason = self._refusal(head.key, head)
            keep.append(reason is None)
            if reason is not None:
                self.left_out.append(LeftOut(head.key, reason))
            else:  # columns know nothing of what reading found
                self.waived += self._waived_in_reading.get(head.key, ())
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
            law = context.law_at(head.law_day)
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
    files: dict[str, Path] = {}

    def add(path: Path, place: str) -> None:
        files[place] = min(path, files.get(place, path))

    for path in paths:
        if path.is_dir():
            for file, place in _in_folder(path, os.path.realpath(path), out):
                add(file, place)
        elif path.is_file():  # asked before patterns: a file may be called "open [1].trf"
            add(path, os.path.realpath(path))
        elif any(mark in path.name for mark in "*?["):
            for file in path.parent.glob(path.name):
                if file.is_file():
                    add(file, os.path.realpath(file))
        else:
            raise Inconsistent.of("period.refused.no_such_report", path=path)
    if not files:
        raise Inconsistent.of("period.refused.no_reports")
    return sorted(files.values())


def _in_folder(folder: Path, place: str, out: Path | None) -> Iterator[tuple[Path, str]]:
    """The files of a folder and of those in it, hidden ones apart, and where each really is."""
    with os.scandir(folder) as entries:
        for entry in entries:
            path = folder / entry.name
            if entry.name.startswith(".") or path == out:
                continue
            if entry.is_file():
                link = entry.is_symlink()
                yield path, os.path.realpath(path) if link else f"{place}/{entry.name}"
            elif entry.is_dir(follow_symlinks=False):
                yield from _in_folder(path, f"{place}/{entry.name}", out)


def named_files(job: PeriodJob) -> tuple[list[Path], list[Path]]:
    """The report files of a job, each once, and those that repeat one of them."""
    paths = [given for given in job.reports if isinstance(given, Path)]
    if not paths:  # reports in columns, or a period without any
        return [], []
    return each_once(report_files(paths, job.out))


_LOOK_FIRST = 4096
"""Bytes by which nearly all files of equal length already differ."""


def each_once(files: list[Path]) -> tuple[list[Path], list[Path]]:
    """Files with different bytes, and those that repeat one of them: each report counts once.

    Files that cannot be read are left for the reading, which says why.
    """
    alike: dict[int, list[Path]] = defaultdict(list)
    for path in files:
        try:
            alike[path.stat().st_size].append(path)
        except OSError:
            continue
    repeated: set[Path] = set()
    for paths in alike.values():
        for more in _same_bytes(paths, _LOOK_FIRST):
            for same in _same_bytes(more, None):
                repeated.update(same[1:])
    return [path for path in files if path not in repeated], sorted(repeated)


def _same_bytes(paths: list[Path], most: int | None) -> list[list[Path]]:
    """Groups of several files that begin with the same bytes, or are the same throughout."""
    if len(paths) < 2:
        return []
    by_hash: dict[bytes, list[Path]] = defaultdict(list)
    for path in paths:
        try:
            with path.open("rb") as stream:
                by_hash[hashlib.sha256(stream.read(most)).digest()].append(path)
        except OSError:
            continue
    return [group for group in by_hash.values() if len(group) > 1]


@dataclass
class Sources:
    """Where the reports of a job come from, each file once; texts are being read."""

    texts: list[Path]
    parquet: list[Path]
    repeated: list[Path]
    """Files that repeat one of the others."""
    batches: Iterable[ReportBatch]

    def close(self) -> None:
        """Stops reading."""
        if isinstance(self.batches, Ahead):
            self.batches.close()


def sources_of(job: PeriodJob, *, ahead: bool = True) -> Sources:
    """Begins to read the report files, so that it goes on while the lists are read."""
    files, repeated = named_files(job)
    parquet = [path for path in files if path.suffix == ".parquet"]
    texts = [path for path in files if path.suffix != ".parquet"]
    batches: Iterable[ReportBatch] = text_batches(texts, job)
    if ahead and texts and job.workers != 1:
        batches = Ahead(iter(batches))
    return Sources(texts, parquet, repeated, batches)


def text_batches(files: list[Path], job: PeriodJob) -> Iterator[ReportBatch]:
    if not files:
        return iter(())
    from arrocco.formats.trf_columnar import read_files

    return read_files(files, workers=job.workers or os.cpu_count() or 1)
