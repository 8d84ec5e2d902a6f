"""Priorities of processes: whatever is not live play stands behind it."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

BESIDE_PLAY = 10
"""The niceness of what works beside a hall without being asked by its clocks."""


def step_back(by: int) -> None:
    """Puts this process, all its threads, and whatever it starts behind others."""
    step_back_to(os.getpid(), os.nice(by))


def step_back_to(process: int, nice: int) -> None:
    """Gives a process at least this niceness; who has stepped back further stays there."""
    # Linux keeps a priority for each thread, and libraries may have started theirs already.
    tasks = Path(f"/proc/{process}/task")
    try:
        threads = [int(task.name) for task in tasks.iterdir()]
    except OSError:  # another system, or it has ended
        threads = [process]
    for thread in threads:
        with suppress(ProcessLookupError):
            now = os.getpriority(os.PRIO_PROCESS, thread)
            os.setpriority(os.PRIO_PROCESS, thread, max(now, nice))
