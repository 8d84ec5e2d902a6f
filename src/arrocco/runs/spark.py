"""Rates a period on Apache Spark: the same readers, the same kernel, the same list to the bit.

The driver reads what the reports say about themselves and chooses which go on the list, in their
order, as the local runner does. Spark hands pieces of tournaments to workers, which rate them and
send back sums. Sums are integers, so it does not matter who computed which, nor when, nor how often
a task had to be run. Report files in text are first laid out as Parquet, by the workers too.

Files are read by the workers themselves, at the paths given here: reports, lists and the folder of
the result must be at the same place on every machine.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from arrocco.engine.batch import PeriodContext, rate_batch
from arrocco.engine.month import PeriodBuilder, rate_month
from arrocco.engine.outcome import Outcome
from arrocco.errors import Refusal
from arrocco.formats.report_parquet import read_batches, read_row_groups, write_batches
from arrocco.records.report import Report
from arrocco.records.reportbatch import batch_of, joined, selected
from arrocco.runs.job import PeriodJob
from arrocco.runs.spark_session import spark_context
from arrocco.runs.spark_tasks import (
    Group,
    Piece,
    Texts,
    TextsRead,
    look_at,
    rate_piece,
    read_texts,
)
from arrocco.store.calculations import Calculations

if TYPE_CHECKING:
    from arrocco.runs.batches import Gathering, Progress

MAX_BYTES_PER_TASK, FEWEST_BYTES_PER_TASK = 32 << 20, 1 << 20
MAX_GAMES_PER_TASK, FEWEST_GAMES_PER_TASK = 400_000, 20_000
"""A task has enough to do to be worth its start, and little enough to be run again."""
TASKS_PER_CORE = 3
"""A slow task leaves the other cores with something to do."""

Work = TypeVar("Work")
Found = TypeVar("Found")


def rate_with_spark(
    job: PeriodJob,
    context: PeriodContext,
    month: PeriodBuilder,
    gathering: Gathering,
    calculations: Calculations,
    progress: Progress,
) -> Outcome:
    """Rates the reports of a job on the master it names and settles the period here."""
    from arrocco.runs.batches import LeftOut, named_files

    files, repeated = named_files(job)
    gathering.left_out += [LeftOut(str(path), "twice") for path in repeated]
    parquet = [path for path in files if path.suffix == ".parquet"]
    texts = [path for path in files if path.suffix != ".parquet"]
    with spark_context(job.master) as spark, _scratch(calculations.folder) as scratch:
        run = _Runner(spark, progress)
        reports = [*_laid_out(run, texts, scratch, gathering), *parquet]
        if context.law.RATES_ROUND_ROBINS or context.enters_by_start:
            return _rate_here(reports, context, month, gathering, calculations)
        groups, starts = _chosen(reports, gathering)
        shared = spark.broadcast(travelling(context, starts))
        _admit(run, shared, groups, gathering)
        pieces = _cut(run, groups, job, scratch)
        for sums in run(partial(rate_piece, shared), pieces):
            if isinstance(sums, Refusal):
                raise sums
            for part in sums:
                month.add(part)
        for piece in pieces:
            calculations.append(piece.target)
    progress("settling", 0, 1)
    return month.settle()


class _Runner:
    """Runs a function over pieces of work, one task each, and tells how far it is."""

    def __init__(self, spark: Any, progress: Progress) -> None:
        self.spark, self.progress = spark, progress
        self.cores: int = spark.defaultParallelism

    def __call__(self, work: Callable[[Work], Found], pieces: Sequence[Work]) -> list[Found]:
        """What the function makes of each piece, in their order."""
        if not pieces:
            return []
        tasks = self.spark.parallelize(pieces, len(pieces)).map(work)
        with ThreadPoolExecutor(1) as pool:
            future = pool.submit(tasks.collect)
            while True:
                try:
                    results: list[Found] = future.result(timeout=0.2)
                except TimeoutError:
                    self.progress("reports", self._done(), len(pieces))
                else:
                    self.progress("reports", len(pieces), len(pieces))
                    return results

    def _done(self) -> int:
        tracker = self.spark.statusTracker()
        stages = [tracker.getStageInfo(stage) for stage in tracker.getActiveStageIds()]
        return sum(stage.numCompletedTasks for stage in stages if stage is not None)


@contextmanager
def _scratch(folder: Path) -> Iterator[Path]:
    """A folder for what tasks leave behind; it goes away with the run."""
    scratch = folder.resolve() / "tasks"
    scratch.mkdir()
    try:
        yield scratch
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _laid_out(
    run: _Runner, texts: Sequence[Path], scratch: Path, gathering: Gathering
) -> list[Path]:
    """The reports of text files as Parquet, in their order."""
    sizes = [path.stat().st_size for path in texts]
    limit = _share(sum(sizes), run.cores, FEWEST_BYTES_PER_TASK, MAX_BYTES_PER_TASK)
    work = [
        Texts(
            tuple((str(texts[i]), texts[i].resolve()) for i in rows),
            scratch / f"reports-{number:06d}.parquet",
        )
        for number, rows in enumerate(stretches(sizes, limit))
    ]
    read: list[TextsRead] = run(read_texts, work)
    for texts_read in read:
        gathering.findings += texts_read.findings
        gathering.take_refused(texts_read.refused)
    files = [part.target for part in work]
    if gathering.waived_texts:
        files.append(scratch / "reports-waived.parquet")
        write_batches(files[-1], [batch_of(gathering.waived_texts)])
    return files


def _rate_here(
    reports: Sequence[Path],
    context: PeriodContext,
    month: PeriodBuilder,
    gathering: Gathering,
    calculations: Calculations,
) -> Outcome:
    """Rates everything as one batch on the driver, which is what round robins ask for.

    In FIDE's 2010 text what a player's first event is can decide about the games of others.
    """
    batches = [gathering.chosen(batch) for path in reports for batch in read_batches(path)]
    rated = rate_batch(context, joined(batches), keep_sides=gathering.job.games)
    return rate_month(month, [rated], calculations.add)


@dataclass
class _Group:
    """A row group with the tournaments of it that go on the list."""

    path: Path
    number: int
    keys: list[str]
    keep: list[bool]
    games: int


def _chosen(reports: Sequence[Path], gathering: Gathering) -> tuple[list[_Group], set[date]]:
    """The row groups with tournaments that go on the list; also the days these started."""
    groups: list[_Group] = []
    starts: set[date] = set()
    for path in reports:
        for number, group in enumerate(read_row_groups(path)):
            keep = gathering.choose(group.heads)
            starts |= {head.start for head, kept in zip(group.heads, keep, strict=True) if kept}
            if any(keep):
                keys = [head.key for head in group.heads]
                groups.append(_Group(path.resolve(), number, keys, keep, group.games))
    return groups, starts


def _same(report: Report) -> Report:
    """A report that a worker has made of its columns."""
    return report


def _admit(run: _Runner, shared: Any, groups: list[_Group], gathering: Gathering) -> None:
    """Asks the gate: workers find what may have errors, the driver judges it in its order."""
    work = [
        Group(group.path, group.number, tuple(group.keep), gathering.job.has_list)
        for group in groups
    ]
    for group, found in zip(groups, run(partial(look_at, shared), work), strict=True):
        if isinstance(found, Refusal):
            raise found
        refused = gathering.judge((key, partial(_same, report)) for key, report in found.suspects)
        for marks in found.marks:
            refused |= gathering.told_before(marks.without(refused))
        for late in found.late:
            kept = [head.key not in refused for head in late.tournaments]
            refused |= gathering.rated_before(selected(late, kept))
        group.keep = [
            kept and key not in refused for key, kept in zip(group.keys, group.keep, strict=True)
        ]


def _cut(run: _Runner, groups: Sequence[_Group], job: PeriodJob, scratch: Path) -> list[Piece]:
    """Cuts what goes on the list into pieces of work."""
    from arrocco.runs.batches import rows_at_a_time

    sizes = [group.games for group in groups]
    limit = _share(sum(sizes), run.cores, FEWEST_GAMES_PER_TASK, MAX_GAMES_PER_TASK)
    pieces: list[Piece] = []
    first = 0
    for rows in stretches(sizes, limit, [group.path for group in groups]):
        mine = [groups[i] for i in rows]
        keep = [kept for group in mine for kept in group.keep]
        piece = Piece(
            mine[0].path,
            tuple(group.number for group in mine),
            tuple(keep),
            first,
            rows_at_a_time(job.memory, run.cores),
            job.games,
            scratch / f"{len(pieces):06d}",
            dict(job.keys),
        )
        pieces.append(piece)
        first += sum(keep)
    return pieces


def _share(total: int, cores: int, fewest: int, most: int) -> int:
    """How much a task gets."""
    return min(max(total // (cores * TASKS_PER_CORE), fewest), most)


def stretches(
    sizes: Sequence[int], limit: int, places: Sequence[object] | None = None
) -> Iterator[range]:
    """Cuts rows into stretches that reach the limit, never across two places."""
    first = size = 0
    for row, more in enumerate(sizes):
        if row > first and (size >= limit or (places and places[row] != places[first])):
            yield range(first, row)
            first, size = row, 0
        size += more
    if first < len(sizes):
        yield range(first, len(sizes))


def travelling(context: PeriodContext, starts: set[date]) -> PeriodContext:
    """The context with just those earlier lists that tournaments started under."""
    earlier = {}
    for start in sorted(starts):
        listed = context.list_at(start)
        if listed is not context.current:
            earlier[context.law.period_of(start)[0]] = listed
    return replace(context, earlier=earlier)
