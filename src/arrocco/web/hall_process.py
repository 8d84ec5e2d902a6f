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

import chess
from litestar import Litestar
from litestar.datastructures import State

from arrocco.desk import Office
from arrocco.live.analysis import thinking_process
from arrocco.live.damage import HallDamaged
from arrocco.live.hall import Hall
from arrocco.live.interpreter import serve_boards
from arrocco.live.request_server import RequestServer
from arrocco.live.time_watch import TimeWatch
from arrocco.operation.logs import OFF, Logs
from arrocco.web import child
from arrocco.web.adopted_sockets import GRACE, Sockets
from arrocco.web.client_address import Proxies, RealAddress
from arrocco.web.cookies import CookieJar
from arrocco.web.guard import admit
from arrocco.web.hall_app import SOCKETS
from arrocco.web.hall_socket import hall_socket
from arrocco.web.hall_sockets import Adoption
from arrocco.web.part_settings import PartSettings, decode
from arrocco.wiring import hall_of, warm_up

log = logging.getLogger(__name__)

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


async def run(settings: PartSettings) -> None:
    """Gets ready, opens the hall when told to, and plays until told to stop."""
    orders = child.Orders(settings.orders)
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGTERM, orders.put, child.STOP)
    office = Office.attach(settings.office, now=settings.office_clock())
    with contextlib.closing(office):
        app = hall_app(office, secure=settings.secure, proxies=settings.proxies())
        sockets = Sockets(app, SOCKETS)
        thinking = thinking_process()
        await thinking.answer(chess.Board(), chess.WHITE)  # so that its process is there
        with contextlib.suppress(Exception):  # what cannot be read is told when it is opened
            await warm_up(office, settings.hall_requests, settings.server_time())
        serve_boards()  # looks at all that is loaded now, and not again when games wait
        orders.tell(child.WARM)
        if await orders.next() == child.OPEN:
            try:
                hall = hall_of(office, time=settings.server_time(), thinking=thinking)
            except HallDamaged as damaged:  # the office works without its hall, and says why
                thinking.close()
                await play(damaged, app, sockets, settings, orders)
            else:
                await hall.start()
                await play(hall, app, sockets, settings, orders)
        else:
            thinking.close()


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
