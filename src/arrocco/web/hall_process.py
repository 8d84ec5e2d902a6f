"""The live games of a server as a process of its own: nothing that a page does can touch a clock.

Started by `arrocco serve` with its settings as the one argument. It gets everything ready, says so,
and opens the logs once it is told to: until then the process before it may still play.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
import socket
import sys
from collections.abc import Callable
from typing import Any

import chess
import uvicorn
from litestar import Litestar
from litestar.datastructures import State
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState

from arrocco.web import child
from arrocco.web.client_address import Proxies, RealAddress
from arrocco.web.cookies import CookieJar
from arrocco.web.guard import admit
from arrocco.web.hall_app import SOCKETS
from arrocco.web.hall_socket import hall_socket
from arrocco.web.hall_sockets import Adoption
from arrocco.web.part_settings import PartSettings, decode
from arrocco.wiring.hall.damage import HallDamaged
from arrocco.wiring.hall.hall import Hall
from arrocco.wiring.hall.index import OfficeIndex
from arrocco.wiring.hall.interpreter import serve_boards
from arrocco.wiring.hall.opening import log_reader, open_hall
from arrocco.wiring.hall.reader import HallReader
from arrocco.wiring.hall.remote import RemoteHall
from arrocco.wiring.hall.request_server import RequestServer
from arrocco.wiring.hall.thinking import thinking_process
from arrocco.wiring.hall_people import who_asks
from arrocco.wiring.office import Office
from arrocco.wiring.operation.logs import OFF, Logs
from arrocco.wiring.operation.time_watch import TimeWatch

log = logging.getLogger(__name__)

GRACE = 5.0
"""Seconds that sockets and requests have to end."""
FINISH_WITHIN = 0.5
"""Seconds that requests have to be answered before games are handed over."""


def hall_app(office: Office, *, secure: bool, proxies: Proxies) -> Litestar:
    """The application of the hall's process: the socket and what guards it."""
    state = State({"office": office, "live": None, "cookies": CookieJar(secure=secure)})
    app = Litestar(
        [hall_socket], guards=[admit], state=state, openapi_config=None, logging_config=None
    )
    app.asgi_handler = RealAddress(app.asgi_handler, proxies)
    return app


class Sockets:
    """The sockets that this process has adopted."""

    def __init__(self, app: Litestar) -> None:
        self._config = uvicorn.Config(
            app, lifespan="off", access_log=False, log_config=None, proxy_headers=False, **SOCKETS
        )
        self._config.load()
        self._state = ServerState()
        self._adopting: set[asyncio.Task[Any]] = set()

    def __len__(self) -> int:
        return len(self._state.connections)

    def adopt(self, connection: socket.socket, head: bytes) -> None:
        """Serves a connection from here on; its request's head was read by another process."""
        loop = asyncio.get_running_loop()
        protocol = self._protocol(head)
        task = loop.create_task(loop.connect_accepted_socket(protocol, connection))
        self._adopting.add(task)
        task.add_done_callback(self._adopted)

    def _adopted(self, task: asyncio.Task[Any]) -> None:
        self._adopting.discard(task)
        if not task.cancelled() and task.exception() is not None:  # the client has gone meanwhile
            log.debug("a connection could not be adopted", exc_info=task.exception())

    def _protocol(self, head: bytes) -> Callable[[], asyncio.Protocol]:
        config, state = self._config, self._state

        class Adopted(WebSocketsSansIOProtocol):
            def connection_made(self, transport: asyncio.BaseTransport) -> None:
                super().connection_made(transport)
                self.data_received(head)  # before anything that the client has sent since

        return lambda: Adopted(config, state, {})

    async def close(self) -> None:
        """Closes all sockets with 1012, "the server restarts", and waits until they are."""
        for connection in tuple(self._state.connections):
            connection.shutdown()
        async with contextlib.AsyncExitStack() as stack:
            stack.enter_context(contextlib.suppress(TimeoutError))
            await stack.enter_async_context(asyncio.timeout(GRACE))
            while self._state.connections or self._state.tasks:
                await asyncio.sleep(0.01)


async def run(settings: PartSettings) -> None:
    """Gets ready, opens the hall when told to, and plays until told to stop."""
    orders = child.Orders(settings.orders)
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGTERM, orders.put, child.STOP)
    office = Office.attach(settings.office, now=settings.office_clock())
    with contextlib.closing(office):
        app = hall_app(office, secure=settings.secure, proxies=settings.proxies())
        sockets = Sockets(app)
        thinking = thinking_process()
        await thinking.answer(chess.Board(), chess.WHITE)  # so that its process is there
        with contextlib.suppress(Exception):  # what cannot be read is told when it is opened
            await warm_up(office, settings)
        serve_boards()  # looks at all that is loaded now, and not again when games wait
        orders.tell(child.WARM)
        if await orders.next() == child.OPEN:
            try:
                hall = open_hall(
                    office.folder, office.desk.database, who_asks(office),
                    time=settings.server_time(), thinking=thinking,
                )  # fmt: skip
            except HallDamaged as damaged:  # the office works without its hall, and says why
                thinking.close()
                await play(damaged, app, sockets, settings, orders)
            else:
                await hall.start()
                await play(hall, app, sockets, settings, orders)
        else:
            thinking.close()


async def warm_up(office: Office, settings: PartSettings) -> None:
    """Reads what will be opened, so that nothing is done for the first time while games wait."""
    database, time = office.desk.database, settings.server_time()
    with contextlib.closing(log_reader(office.folder, database)) as logs:
        reader = HallReader(logs, time, RemoteHall(settings.hall_requests))
        for name in await asyncio.to_thread(OfficeIndex(database).under_way):
            event = await reader.find_event(name)
            if event is not None:
                await reader.damaged_boards(event)


async def play(
    hall: Hall | HallDamaged,
    app: Litestar,
    sockets: Sockets,
    settings: PartSettings,
    orders: child.Orders,
) -> None:
    """Has the hall open until the parent says otherwise."""
    if isinstance(hall, Hall):
        app.state.live = hall
    serve_boards()
    watch = TimeWatch("hall")
    watch.start()
    requests = RequestServer(hall, watch)
    await requests.start(socket.socket(fileno=settings.requests))
    adoption = Adoption(socket.socket(fileno=settings.sockets), sockets.adopt)
    orders.tell(child.READY)
    while (order := await orders.next()) not in (child.STOP, child.HAND_OVER):
        pass
    watch.stop()
    adoption.stop()
    if order == child.HAND_OVER and isinstance(hall, Hall):
        await hand_over(hall, sockets, requests, orders)
        return
    await requests.stop(GRACE)
    await sockets.close()
    if isinstance(hall, Hall):
        await hall.stop()


async def hand_over(
    hall: Hall, sockets: Sockets, requests: RequestServer, orders: child.Orders
) -> None:
    """Leaves all games to the process that waits, as fast as can be: their clocks stand."""
    hall.is_handing_over = True
    await requests.stop(FINISH_WITHIN)
    games = await hall.hand_over()
    orders.tell(child.HANDED_OVER)
    log.info("%d games handed over", games)
    await sockets.close()


def main() -> None:
    import uvloop

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the parent
    settings = decode(sys.argv[1])
    with contextlib.closing(Logs(settings.logs._replace(access=OFF), "hall")):
        uvloop.run(run(settings))
