"""Reads files from disk into batches, in parallel and always in the same order."""

from __future__ import annotations

import multiprocessing
import os
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from arrocco.formats.trf.document import MAX_BYTES
from arrocco.formats.trf_columnar.batch import BLOCK_BYTES, read_block
from arrocco.records.reportbatch import ReportBatch, joined

BATCH_BYTES = 32 << 20
_READ = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)

PROCESSES_PAY = 2.0
"""The seconds of work from which other processes are worth their start."""


@dataclass(frozen=True)
class _Stretch:
    """Files that one process reads at a time, with the bytes they had when they were listed."""

    paths: tuple[str, ...]
    sizes: tuple[int, ...]


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
        size += sum(stretch.sizes)
        if progress is not None:
            progress(len(stretch.paths))
        if size >= batch_bytes:
            yield joined(parts)
            parts, size = [], 0
    if parts:
        yield joined(parts)


def _stretches(paths: Sequence[Path], most: int) -> Iterator[_Stretch]:
    """The paths in stretches that end with the file that makes up so many bytes."""
    size = 0
    names: list[str] = []
    sizes: list[int] = []
    for path in paths:
        names.append(str(path))
        try:
            sizes.append(os.stat(names[-1]).st_size)  # noqa: PTH116 - called for every file
        except OSError:
            sizes.append(0)  # the reading will say why
        size += sizes[-1]
        if size >= most:
            yield _Stretch(tuple(names), tuple(sizes))
            size, names, sizes = 0, [], []
    if names:
        yield _Stretch(tuple(names), tuple(sizes))


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
    unread: list[tuple[str, str]] = []
    batch = read_block(_files(stretch, unread))
    if unread:
        place = {path: index for index, path in enumerate(stretch.paths)}
        batch.refused = sorted(batch.refused + unread, key=lambda pair: place[pair[0]])
    return batch


def _files(stretch: _Stretch, unread: list[tuple[str, str]]) -> Iterator[tuple[str, bytes]]:
    """The files that can be read; the others go to `unread`."""
    for path, size in zip(stretch.paths, stretch.sizes, strict=True):
        try:
            data = _bytes(path, size)
        except OSError as error:
            unread.append((path, error.strerror or str(error)))
        else:
            yield path, data


def _bytes(path: str, size: int) -> bytes:
    """The bytes of a file; of one beyond all bounds only so many that it is refused.

    Three calls of the system where `Path.read_bytes` makes six: half of the time of small files.
    """
    file = os.open(path, _READ)
    try:
        data = os.read(file, min(size, MAX_BYTES) + 1)
        while size < len(data) <= MAX_BYTES:
            # the file has grown
            size, more = len(data), os.read(file, MAX_BYTES + 1 - len(data))
            data += more
        return data
    finally:
        os.close(file)
