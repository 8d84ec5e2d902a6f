"""Heavy work that never ends by itself: its deadline comes first, however busy the machine is."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from arrocco.operation.heavy import HeavyWork, Job


class SlowWork(HeavyWork):
    """Sleeps in place of every job, and is stopped at its deadline."""

    def __init__(self) -> None:
        super().__init__(workers=1, deadline=0.001)

    def submit(
        self, owner: str, function: Callable[..., Any], *args: Any, deadline: float | None = None
    ) -> Job:
        return super().submit(owner, time.sleep, 600, deadline=deadline)
