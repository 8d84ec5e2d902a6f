"""The watch of a server as a process of its own, behind all others: no clock waits for an engine.

Started by `arrocco serve` where there is an engine, with its settings as the one argument.
"""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sys

from arrocco.desk import Office
from arrocco.live.opening import log_reader
from arrocco.operation.logs import OFF, Logs
from arrocco.priority import step_back
from arrocco.watch.settings import watch_settings_from
from arrocco.watch.watch import NICE, Watch
from arrocco.web import child
from arrocco.web.part_settings import PartSettings, decode


async def run(settings: PartSettings) -> None:
    """Watches until it is told to stop."""
    orders = child.Orders(settings.orders)
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, orders.put, child.STOP)
    office = Office.attach(settings.office, now=settings.office_clock())
    database = office.desk.database
    with (
        contextlib.closing(office),
        contextlib.closing(log_reader(office.folder, database)) as logs,
    ):
        watch = Watch(database, logs, watch_settings_from(), office.desk.now, office.folder)
        watch.start()
        orders.tell(child.READY)
        while await orders.next() != child.STOP:
            pass
        await asyncio.to_thread(watch.stop)


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the parent
    step_back(NICE)
    settings = decode(sys.argv[1])
    with contextlib.closing(Logs(settings.logs._replace(access=OFF), "watch")):
        asyncio.run(run(settings))
