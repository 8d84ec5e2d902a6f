"""What an application needs to have the hall in it: handlers, a life, and how sockets are served.

A server has its hall in another process (`hall_process`); here both are in one, for tests and the
demonstration of an event. Pages do not know: they read logs and send commands in either case.

Litestar([*HANDLERS, ...], lifespan=[hall_in(folder, database)], ...)
uvicorn.Config(app, **SOCKETS)
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

from litestar import Litestar
from litestar.handlers import BaseRouteHandler

from arrocco.store.sql.database import Database
from arrocco.web import hall_api
from arrocco.web.hall_socket import hall_socket
from arrocco.wiring.hall.damage import HallDamaged
from arrocco.wiring.hall.interpreter import as_usual, serve_boards
from arrocco.wiring.hall.numbers import LocalHall
from arrocco.wiring.hall.opening import log_reader, open_hall
from arrocco.wiring.hall.reader import HallReader
from arrocco.wiring.hall.request_server import LocalCommands
from arrocco.wiring.hall.services import Known

HANDLERS: list[BaseRouteHandler] = [hall_socket, *hall_api.HANDLERS]

SOCKETS: dict[str, Any] = {
    "ws": "websockets-sansio",
    "ws_max_size": 64 * 1024,
    "ws_ping_interval": 5.0,
    "ws_ping_timeout": 10.0,
    "ws_per_message_deflate": False,
}
"""How uvicorn serves sockets: a dead connection is found in 15 seconds; nothing is compressed,
since messages are small and their length tells nothing then that their content does not."""


def hall_in(
    folder: Path,
    database: Database,
    known: Known | None = None,
    now: Callable[[], datetime] | None = None,
) -> Callable[[Litestar], AbstractAsyncContextManager[None]]:
    """The life of a hall within that of an application: opened before anybody is let in."""

    @asynccontextmanager
    async def living(app: Litestar) -> AsyncIterator[None]:
        try:
            hall = open_hall(folder, database, known, now=now)
        except HallDamaged as damaged:  # the office works without its hall
            app.state.hall_damaged = damaged
            yield
            return
        await hall.start()
        reader = HallReader(
            log_reader(folder, database), hall.time, LocalCommands(hall), LocalHall(hall)
        )
        app.state.live, app.state.hall = hall, reader
        serve_boards()
        try:
            yield
        finally:
            as_usual()
            reader.close()
            await hall.stop()

    return living
