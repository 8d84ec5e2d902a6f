"""Reads files from disk into batches, in parallel and always in the same order."""

from __future__ import annotations

import multiprocessing
import os
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from arrocco.formats.trf.document import MOST_BYTES
from arrocco.formats.trf_columnar.batch import BLOCK_BYTES, read_batch
from arrocco.reportbatch import ReportBatch, joined

BATCH_BYTES = 32 << 20

PROCESSES_PAY = 2.0
"""The seconds of work from which other processes are worth their start."""


@dataclass(frozen=True)
class _Stretch:
    """Files that one process reads at a time, and the bytes they had when they were listed."""

    paths: tuple[Path, ...]
    size: int


def read_files(
    paths: Sequence[Path],
    *,
    workers: int = 1,
    progress: Callable[[int], None] | None = None,
    batch_bytes: int = BATCH_BYTES,
) -> Iterator[ReportBatch]:
    """Reads files into batches of about so many bytes, in the order of `paths`.

    What comes out does not depend on `workers`, the number of processes. `progress` is told how
    many more files are read. A file that cannot be opened is refused with the reason.
    """
    stretches = _stretches(paths, min(BLOCK_BYTES, batch_bytes))
    parts: list[ReportBatch] = []
    size = 0
    for stretch, part in _read(stretches, len(paths), workers):
        parts.append(part)
        size += stretch.size
        if progress is not None:
            progress(len(stretch.paths))
        if size >= batch_bytes:
            yield joined(parts)
            parts, size = [], 0
    if parts:
        yield joined(parts)


def _stretches(paths: Sequence[Path], most: int) -> Iterator[_Stretch]:
    """The paths in stretches that end with the file that makes up so many bytes."""
    first, size = 0, 0
    for index, path in enumerate(paths):
        with suppress(OSError):  # the reading will say why
            size += path.stat().st_size
        if size >= most:
            yield _Stretch(tuple(paths[first : index + 1]), size)
            first, size = index + 1, 0
    if first < len(paths):
        yield _Stretch(tuple(paths[first:]), size)


def _read(
    stretches: Iterator[_Stretch], files: int, workers: int
) -> Iterator[tuple[_Stretch, ReportBatch]]:
    """Reads here, until it is seen that the rest takes long enough to share it out."""
    for stretch in stretches:
        started = time.perf_counter()
        batch = _read_stretch(stretch)
        seconds = time.perf_counter() - started
        files -= len(stretch.paths)
        yield stretch, batch
        if workers > 1 and seconds / len(stretch.paths) * files > PROCESSES_PAY:
            yield from _read_in_processes(stretches, workers)


def _read_in_processes(
    stretches: Iterator[_Stretch], workers: int
) -> Iterator[tuple[_Stretch, ReportBatch]]:
    """Reads in other processes, in order.

    Processes, not threads: the careful reader holds the interpreter, and takes most of the time as
    soon as one file in fifty needs it.
    """
    with ProcessPoolExecutor(workers, mp_context=_context()) as pool:
        waiting: deque[tuple[_Stretch, Future[ReportBatch]]] = deque()
        try:
            for stretch in stretches:
                waiting.append((stretch, pool.submit(_read_stretch, stretch)))
                if len(waiting) > 2 * workers:
                    done, future = waiting.popleft()
                    yield done, future.result()
            while waiting:
                done, future = waiting.popleft()
                yield done, future.result()
        finally:
            for _, future in waiting:
                future.cancel()


def _context() -> multiprocessing.context.BaseContext:
    """Processes that share nothing with this one, which may have threads of its own."""
    methods = multiprocessing.get_all_start_methods()
    context = multiprocessing.get_context("forkserver" if "forkserver" in methods else "spawn")
    context.set_forkserver_preload([__name__])
    return context


def _read_stretch(stretch: _Stretch) -> ReportBatch:
    files: list[tuple[str, bytes]] = []
    unread: list[tuple[str, str]] = []
    for path in stretch.paths:
        try:
            files.append((str(path), _bytes(path)))
        except OSError as error:
            unread.append((str(path), error.strerror or str(error)))
    batch = read_batch(files)
    if unread:
        place = {str(path): index for index, path in enumerate(stretch.paths)}
        batch.refused = sorted(batch.refused + unread, key=lambda pair: place[pair[0]])
    return batch


def _bytes(path: Path) -> bytes:
    """The bytes of a file; of one beyond all bounds only so many that it is refused."""
    with path.open("rb", buffering=0) as stream:
        if os.fstat(stream.fileno()).st_size > MOST_BYTES:
            return stream.read(MOST_BYTES + 1)
        return stream.read()
