"""Whole processes measured from outside: processor time and time on the clock."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median
from tempfile import TemporaryDirectory
from typing import NamedTuple

PROGRAM = "from arrocco.cli.main import main; main()"


class Cost(NamedTuple):
    """Seconds: of the processor, and on the clock. The median of some runs."""

    processor: float
    clock: float


def cost_of(arguments: list[str], runs: int = 7) -> Cost:
    """What `python arguments...` costs from start to end; the first run only warms the caches."""
    with TemporaryDirectory() as compiled:
        # As installed: compiled modules are kept, whatever this environment says about it.
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": compiled}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        command = [sys.executable, *arguments]
        costs = [_once(command, environment) for _ in range(runs + 1)][1:]
    return Cost(median(cost.processor for cost in costs), median(cost.clock for cost in costs))


def arrocco(*arguments: str, runs: int = 7) -> Cost:
    """What a command of the program costs, cold start included."""
    return cost_of(["-c", PROGRAM, *arguments], runs)


def _once(command: list[str], environment: dict[str, str]) -> Cost:
    before, started = getrusage(RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(
        command, env=environment, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    clock, after = time.perf_counter() - started, getrusage(RUSAGE_CHILDREN)
    used = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return Cost(used, clock)


def milliseconds(seconds: float) -> str:
    return f"{seconds * 1000:.0f} ms"
