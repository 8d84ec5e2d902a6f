"""The disk of an office: how much is free, and whether it will be full within a day."""

from __future__ import annotations

import os
import shutil
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

FULL = 64 * 2**20
"""Bytes below which a disk counts as full: a database needs some to write anything."""
SAMPLE_SECONDS = 60.0
_SAMPLES = 120
_LEAST_SECONDS = 1800.0
"""How long the disk is looked at before a trend counts: one large file is none."""
_LEAST_SHARE = 0.005
"""The part of the disk that must have gone in that time."""
DAY = 86_400.0


class Disk(NamedTuple):
    """A disk in bytes."""

    total: int
    free: int

    @property
    def is_full(self) -> bool:
        return self.free < min(FULL, self.total // 100)


def disk_of(folder: Path) -> Disk:
    """The disk a folder is on, as far as this user may fill it."""
    usage = shutil.disk_usage(folder)
    return Disk(usage.total, usage.free)


def gigabytes(size: int) -> str:
    """Gigabytes as a decimal for sentences: ``82.8``, and ``0.02`` where it is little."""
    amount = size / 1e9
    return f"{amount:.1f}" if amount >= 1 else f"{amount:.2f}"


def is_writable(folder: Path) -> bool:
    """Whether a file can be made in a folder, written and taken away again."""
    probe = folder / f".probe-{os.getpid()}"
    try:
        handle = os.open(probe, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        try:
            os.write(handle, b"probe")
        finally:
            os.close(handle)
    except OSError:
        return False
    finally:
        with suppress(OSError):
            probe.unlink()
    return True


class DiskTrend:
    """What was free each minute of the last two hours."""

    def __init__(self, steady: Callable[[], float] = time.monotonic) -> None:
        self._steady = steady
        self._samples: deque[tuple[float, int]] = deque(maxlen=_SAMPLES)

    def add(self, disk: Disk) -> None:
        now = self._steady()
        if not self._samples or now - self._samples[-1][0] >= SAMPLE_SECONDS:
            self._samples.append((now, disk.free))

    def seconds_until_full(self, disk: Disk) -> float | None:
        """When the disk is full if it goes on like this; `None` where it does not fill."""
        if len(self._samples) < 2:
            return None
        (began, before), (ended, after) = self._samples[0], self._samples[-1]
        seconds, gone = ended - began, before - after
        if seconds < _LEAST_SECONDS or gone < _LEAST_SHARE * disk.total:
            return None
        return after * seconds / gone
