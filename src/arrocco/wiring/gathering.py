"""Which reports go on a list: reads them in batches and says why the others are left out."""

from __future__ import annotations

import hashlib
import os
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from arrocco.engine.batch import PeriodContext
from arrocco.errors import Illegal, Inconsistent, NoLawInForce
from arrocco.findings import Finding
from arrocco.reportbatch import ReportBatch, TournamentHead, renamed, selected
from arrocco.wiring.ahead import Ahead

if TYPE_CHECKING:
    from arrocco.wiring.period import PeriodJob

BYTES_PER_GAME = 600
"""What a game costs while its batch is rated, measured; `--memory` divides by it."""

GAMES_PER_TOURNAMENT = 400
"""What a large tournament has; most have fewer."""

REASONS = {
    "not_yet", "too_late", "twice", "no_time_control", "other_kind", "unreadable", "no_law",
    "no_coefficient",
}  # fmt: skip

Progress = Callable[[str, int, int], None]
"""Called with the stage, what is done and what there is to do (0: not known)."""


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
        files, repeated = each_once(report_files(self.job.reports, self.job.out))
        self.left_out += [LeftOut(str(path), "twice") for path in repeated]
        parquet = [path for path in files if path.suffix == ".parquet"]
        texts = [path for path in files if path.suffix != ".parquet"]
        done = 0
        for batch in text_batches(texts, self.job) if self.reading is None else self.reading:
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
        """The tournaments of a batch that go on this list; the others leave with a reason.

        Reasons name the keys of the reports, the list those that the job has for them.
        """
        self.findings += batch.findings
        self.left_out += [LeftOut(source, reason) for source, reason in batch.refused]
        return renamed(selected(batch, self.choose(batch.tournaments)), self.job.keys)

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
    found: dict[bytes, list[Path]] = defaultdict(list)
    for path in paths:
        try:
            with path.open("rb") as stream:
                found[hashlib.sha256(stream.read(most)).digest()].append(path)
        except OSError:
            continue
    return [group for group in found.values() if len(group) > 1]


def _is_report(file: Path, folder: Path, out: Path | None) -> bool:
    hidden = any(part.startswith(".") for part in file.relative_to(folder).parts)
    written = out is not None and out != folder and out in file.parents
    return not hidden and not written and file.is_file()


def read_texts(job: PeriodJob) -> Iterable[ReportBatch] | None:
    """Begins to read the report files, so that it goes on while the lists are read.

    Where there is nothing to read, what is wrong with the lists is said first.
    """
    try:
        files = each_once(report_files(job.reports, job.out))[0]
        files = [path for path in files if path.suffix != ".parquet"]
    except Inconsistent:
        return None
    batches = text_batches(files, job)
    return Ahead(batches) if files and job.workers != 1 else batches


def text_batches(files: list[Path], job: PeriodJob) -> Iterator[ReportBatch]:
    if not files:
        return iter(())
    from arrocco.formats.trf_columnar import read_files

    return read_files(files, workers=job.workers or os.cpu_count() or 1)
