"""The site of a server as a process of its own: pages, forms and the API, on an inherited port.

Started by `arrocco serve` with its settings as the one argument. Whoever asks for a socket of the
hall is handed on to the hall's process.
"""

from __future__ import annotations

import asyncio
import contextlib
import signal
import socket
import sys
from collections.abc import Iterator

import uvicorn

from arrocco.desk import Office
from arrocco.live.reader import HallReader
from arrocco.operation.logs import Logs
from arrocco.operation.settings import settings_from
from arrocco.priority import step_back
from arrocco.web import child
from arrocco.web.app import create_app
from arrocco.web.hall_sockets import HALL_SOCKET, VIDEO_SOCKET, HandOff
from arrocco.web.http_protocol import http_protocol
from arrocco.web.part_settings import PartSettings, decode
from arrocco.web.socket_admission import Admission
from arrocco.wiring import reader_elsewhere

NICE = 5
"""Behind the hall: where both want a processor, the clocks have it."""


class Server(uvicorn.Server):
    """uvicorn, which leaves signals to whoever runs it."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


async def run(settings: PartSettings) -> None:
    """Answers until it is told to stop; requests under way are answered first."""
    orders = child.Orders(settings.orders)
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGTERM, orders.put, child.STOP)
    office = Office.open(settings.office, now=settings.office_clock(), create=False)
    with contextlib.closing(office):
        hall = reader_elsewhere(office, settings.hall_requests, settings.server_time())
        with contextlib.closing(hall):
            server = server_of(settings, office, hall)
            listening = socket.socket(fileno=settings.listening)
            running = asyncio.create_task(server.serve([listening]))
            while not server.started and not running.done():
                await asyncio.sleep(0.01)
            orders.tell(child.READY)
            stopping = asyncio.create_task(_wait_for_stop(orders))
            await asyncio.wait([running, stopping], return_when=asyncio.FIRST_COMPLETED)
            server.should_exit = True
            await running
            stopping.cancel()


async def _wait_for_stop(orders: child.Orders) -> None:
    while await orders.next() != child.STOP:
        pass


def server_of(settings: PartSettings, office: Office, hall: HallReader) -> Server:
    app = create_app(
        office,
        secure=settings.secure,
        hall=hall,
        settings=settings_from(),
        logged_addresses=settings.logged_addresses,
        proxies=settings.proxies(),
    )
    admission = Admission(app.state.proxies, app.state.cookies.session)
    # uvicorn's own access log has whole addresses, and those may carry the token of an invitation.
    config = uvicorn.Config(
        app,
        loop="uvloop",
        http=http_protocol(app.state.proxies, app.state.http),
        lifespan="on",
        access_log=False,
        log_config=None,
        server_header=False,
        timeout_graceful_shutdown=10,
        proxy_headers=False,  # only the proxies that the operator names are believed
        ws=HandOff.to(
            {HALL_SOCKET: settings.hall_sockets, VIDEO_SOCKET: settings.video_sockets}, admission
        ),
    )
    return Server(config)


def main() -> None:
    import uvloop

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the parent
    step_back(NICE)
    settings = decode(sys.argv[1])
    with contextlib.closing(Logs(settings.logs, "site")):
        uvloop.run(run(settings))
