"""What the site shows of its own operation: one object for pages, programs and logs."""

from __future__ import annotations

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor

from arrocco import __version__
from arrocco.desk.desk import Desk
from arrocco.live.numbers import HallLink
from arrocco.operation.metrics import PageNumbers, metrics_text
from arrocco.operation.observation import Observation
from arrocco.operation.settings import OperationSettings
from arrocco.operation.state_file import remove_state
from arrocco.operation.watch import FRESH, Watch

PATIENCE = 7.0
"""Seconds for a look: more than the database and the hall together are given."""


class Operation:
    """The watch and the numbers of one site."""

    version = __version__

    def __init__(self, desk: Desk, settings: OperationSettings | None = None) -> None:
        self.settings = settings or OperationSettings()
        self.pages = PageNumbers()
        self.watch = Watch(desk, self.settings)
        self._folder = desk.folder
        # Threads of its own: those of the pages may all wait for a database that hangs.
        self._executor = ThreadPoolExecutor(2, thread_name_prefix="operation")
        self._looking: asyncio.Future[Observation] | None = None

    def start(self, link: HallLink | None) -> None:
        """Begins to watch, where an event loop runs."""
        self.watch.start(link)

    def stop(self) -> None:
        self.watch.stop()
        self._executor.shutdown(wait=False, cancel_futures=True)
        remove_state(self._folder)

    async def observe(self) -> Observation:
        """What there is to see now; however many ask, one looks. Raises `TimeoutError`."""
        last = self.watch.last
        if last is not None and last.steady > time.monotonic() - FRESH:
            return last
        loop = asyncio.get_running_loop()
        if self._looking is None or self._looking.done():
            self._looking = loop.run_in_executor(self._executor, self.watch.look)
        async with asyncio.timeout(PATIENCE):
            return await asyncio.shield(self._looking)

    async def metrics(self) -> bytes:
        """All numbers in the text format of Prometheus. Raises `TimeoutError`."""
        seen = await self.observe()
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(
            self._executor, metrics_text, self.pages, seen, self.watch.alarms
        )
