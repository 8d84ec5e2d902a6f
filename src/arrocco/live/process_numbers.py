"""What a process costs and how it stands with time: memory, processor, files, clocks, its loop."""

from __future__ import annotations

import os
import resource
import time
from pathlib import Path

from msgspec import Struct

_STARTED = time.time()
_PAGE = resource.getpagesize()


class ProcessNumbers(Struct, frozen=True, kw_only=True):
    """One process at one moment."""

    name: str
    pid: int
    started: float
    cpu_seconds: float
    memory_bytes: int
    open_files: int
    max_open_files: int
    loop_lag_seconds: float = 0.0
    """How long the event loop last kept somebody waiting; the longest of the last minute."""
    clock_jumps: int = 0
    last_jump_seconds: float = 0.0
    """By how much the date was last set, forwards or back; 0 where it never was."""
    last_jump_ago: float | None = None
    """Seconds since then."""
    clock_offset_seconds: float = 0.0
    """By how much the date has moved against the steady clock since the process started."""


def process_numbers(name: str) -> ProcessNumbers:
    """This process, without what a watch of its clocks knows."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    resident = int(Path("/proc/self/statm").read_text().split()[1]) * _PAGE
    return ProcessNumbers(
        name=name,
        pid=os.getpid(),
        started=_STARTED,
        cpu_seconds=used.ru_utime + used.ru_stime,
        memory_bytes=resident,
        open_files=len(os.listdir("/proc/self/fd")),  # noqa: PTH208 (names are enough)
        max_open_files=resource.getrlimit(resource.RLIMIT_NOFILE)[0],
    )
