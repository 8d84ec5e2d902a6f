"""What Spark's workers do: read files into columns, rate them, leave their rows in a part.

A task may run twice, or be cut off at any point: its files take their names once they are complete,
and whoever comes second leaves what the first one wrote, because it is the same.
"""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from arrocco.engine.admission_columns import suspects
from arrocco.engine.batch import PeriodContext, rate_batch
from arrocco.engine.month import BatchSums, sums_of
from arrocco.errors import Refusal
from arrocco.findings import Finding
from arrocco.formats.report_parquet import read_batches, write_batches
from arrocco.records.report import Report
from arrocco.records.reportbatch import ReportBatch, renamed, report_at, selected
from arrocco.runs.same_games import Marks, marks_of
from arrocco.store.calculations import Calculations


@dataclass(frozen=True)
class Texts:
    """Some report files, to be laid out as rows of one Parquet file."""

    files: tuple[tuple[str, Path], ...]
    """The name each report goes by, and where the file is."""
    target: Path


@dataclass(frozen=True)
class TextsRead:
    """What the reading of some report files found."""

    findings: list[Finding]
    refused: list[tuple[str, str]]


def read_texts(texts: Texts) -> TextsRead:
    """Reads report files and writes the reports as Parquet."""
    from arrocco.formats.trf_columnar import read_batch

    files, unread = [], []
    for name, path in texts.files:
        try:
            files.append((name, path.read_bytes()))
        except OSError as error:
            unread.append((name, error.strerror or str(error)))
    batch = read_batch(files)
    with _whole(texts.target) as target:
        write_batches(target, [batch])
    return TextsRead(batch.findings, sorted(batch.refused + unread))


@dataclass(frozen=True)
class Piece:
    """Some tournaments of a Parquet file of reports, to be rated by one task."""

    path: Path
    row_groups: tuple[int, ...]
    keep: tuple[bool, ...]
    """By tournament of these row groups: whether it goes on the list."""
    first: int
    """The number of the first tournament kept, counted over all pieces."""
    rows: int
    """How many tournaments are rated at a time."""
    games: bool
    """Whether every game is kept in the calculations."""
    target: Path
    """The folder that gets the rows of the calculations."""
    keys: Mapping[str, str] = field(default_factory=dict)
    """By the key of a report: that of its tournament on the list, where it is another."""


@dataclass(frozen=True)
class Group:
    """The tournaments of a row group that are chosen, for the gate to look at."""

    path: Path
    number: int
    keep: tuple[bool, ...]
    has_list: bool


@dataclass
class LookedAt:
    """What the gate is to know of the tournaments of a row group."""

    suspects: list[tuple[str, Report]] = field(default_factory=list)
    """Reports that may have errors, by their keys, for the driver to judge."""
    marks: list[Marks] = field(default_factory=list)
    """What tells their games apart, suspects included."""
    late: list[ReportBatch] = field(default_factory=list)
    """Tournaments that began before the period, which a list before may have rated."""


def look_at(shared: Any, group: Group) -> LookedAt | Refusal:
    """What the driver has to know of a row group before its tournaments are rated."""
    try:
        looked_at = LookedAt()
        done = 0
        for batch in read_batches(group.path, row_groups=[group.number]):
            keep = group.keep[done : done + len(batch.tournaments)]
            done += len(keep)
            chosen = selected(batch, list(keep))
            looked_at.marks.append(marks_of(chosen))
            is_late = [head.start < shared.value.opened_on for head in chosen.tournaments]
            if any(is_late):
                looked_at.late.append(selected(chosen, is_late))
            looked_at.suspects += [
                (chosen.tournaments[index].key, report_at(chosen, index))
                for index in suspects(shared.value, chosen, has_list=group.has_list)
            ]
        return looked_at
    except Refusal as refusal:
        return refusal


def rate_piece(shared: Any, piece: Piece) -> list[BatchSums] | Refusal:
    """Rates a piece: its rows go to the target, its sums go back.

    `shared` is Spark's broadcast of the `PeriodContext`. A refusal goes back as a value: running
    the task again would not change it.
    """
    try:
        with _whole(piece.target) as folder:
            folder.mkdir()
            return _rated(shared.value, piece, folder)
    except Refusal as refusal:
        return refusal


def _rated(context: PeriodContext, piece: Piece, folder: Path) -> list[BatchSums]:
    sums: list[BatchSums] = []
    done = 0
    with Calculations(folder, games=piece.games, first=piece.first) as calculations:
        for batch in read_batches(piece.path, rows=piece.rows, row_groups=piece.row_groups):
            keep = list(piece.keep[done : done + len(batch.tournaments)])
            done += len(keep)
            chosen = renamed(selected(batch, keep), piece.keys)
            rated = rate_batch(context, chosen, keep_sides=piece.games)
            calculations.add(rated)
            sums.append(sums_of(context, rated))
    return sums


@contextmanager
def _whole(target: Path) -> Iterator[Path]:
    """A path beside the target that takes its name at the end, unless the target is there."""
    beside = target.with_name(f"{target.name}.{secrets.token_hex(6)}.part")
    try:
        yield beside
        try:
            beside.rename(target)
        except OSError:
            if not target.exists():
                raise
    finally:
        if beside.is_dir():
            shutil.rmtree(beside, ignore_errors=True)
        else:
            beside.unlink(missing_ok=True)
