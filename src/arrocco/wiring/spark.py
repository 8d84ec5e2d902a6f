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
from arrocco.engine.month import Month, rate_month
from arrocco.engine.outcome import Outcome
from arrocco.errors import Refusal
from arrocco.formats.report_parquet import read_batches, read_row_groups
from arrocco.reportbatch import joined
from arrocco.store.calculations import Calculations
from arrocco.wiring.spark_session import spark_context
from arrocco.wiring.spark_tasks import Piece, Texts, TextsRead, rate_piece, read_texts

if TYPE_CHECKING:
    from arrocco.wiring.gathering import Gathering, Progress
    from arrocco.wiring.period import PeriodJob

MOST_BYTES_PER_TASK, FEWEST_BYTES_PER_TASK = 32 << 20, 1 << 20
MOST_GAMES_PER_TASK, FEWEST_GAMES_PER_TASK = 400_000, 20_000
"""A task has enough to do to be worth its start, and little enough to be run again."""
TASKS_PER_CORE = 3
"""A slow task leaves the other cores with something to do."""

Work = TypeVar("Work")
Found = TypeVar("Found")


def rate_with_spark(
    job: PeriodJob,
    context: PeriodContext,
    month: Month,
    gathering: Gathering,
    calculations: Calculations,
    progress: Progress,
) -> Outcome:
    """Rates the reports of a job on the master it names and settles the period here."""
    from arrocco.wiring.gathering import LeftOut, each_once, report_files

    files, repeated = each_once(report_files(job.reports, job.out))
    gathering.left_out += [LeftOut(str(path), "twice") for path in repeated]
    parquet = [path for path in files if path.suffix == ".parquet"]
    texts = [path for path in files if path.suffix != ".parquet"]
    with spark_context(job.master) as spark, _scratch(calculations.folder) as scratch:
        run = _Runner(spark, progress)
        reports = [*_laid_out(run, texts, scratch, gathering), *parquet]
        if context.law.RATES_ROUND_ROBINS:
            return _rate_here(reports, context, month, gathering, calculations)
        pieces, starts = _cut(run, reports, job, gathering, scratch)
        shared = spark.broadcast(travelling(context, starts))
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
                    found: list[Found] = future.result(timeout=0.2)
                except TimeoutError:
                    self.progress("reports", self._done(), len(pieces))
                else:
                    self.progress("reports", len(pieces), len(pieces))
                    return found

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
    from arrocco.wiring.gathering import LeftOut

    sizes = [path.stat().st_size for path in texts]
    limit = _share(sum(sizes), run.cores, FEWEST_BYTES_PER_TASK, MOST_BYTES_PER_TASK)
    work = [
        Texts(
            tuple((str(texts[i]), texts[i].resolve()) for i in rows),
            scratch / f"reports-{number:06d}.parquet",
        )
        for number, rows in enumerate(stretches(sizes, limit))
    ]
    read: list[TextsRead] = run(read_texts, work)
    for found in read:
        gathering.findings += found.findings
        gathering.left_out += [LeftOut(source, reason) for source, reason in found.refused]
    return [part.target for part in work]


def _rate_here(
    reports: Sequence[Path],
    context: PeriodContext,
    month: Month,
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
    keep: list[bool]
    games: int


def _cut(
    run: _Runner, reports: Sequence[Path], job: PeriodJob, gathering: Gathering, scratch: Path
) -> tuple[list[Piece], set[date]]:
    """Chooses tournaments and cuts them into pieces; also the days they started."""
    from arrocco.wiring.gathering import rows_at_a_time

    groups: list[_Group] = []
    starts: set[date] = set()
    for path in reports:
        for number, group in enumerate(read_row_groups(path)):
            keep = gathering.choose(group.heads)
            starts |= {head.start for head, kept in zip(group.heads, keep, strict=True) if kept}
            if any(keep):
                groups.append(_Group(path.resolve(), number, keep, group.games))
    sizes = [group.games for group in groups]
    limit = _share(sum(sizes), run.cores, FEWEST_GAMES_PER_TASK, MOST_GAMES_PER_TASK)
    pieces: list[Piece] = []
    first = 0
    for rows in stretches(sizes, limit, [group.path for group in groups]):
        mine = [groups[i] for i in rows]
        keep = [kept for group in mine for kept in group.keep]
        piece = Piece(
            mine[0].path, tuple(group.number for group in mine), tuple(keep), first,
            rows_at_a_time(job.memory, run.cores), job.games, scratch / f"{len(pieces):06d}",
            dict(job.keys),
        )  # fmt: skip
        pieces.append(piece)
        first += sum(keep)
    return pieces, starts


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
