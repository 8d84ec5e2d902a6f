"""What an application needs to have the hall in it: handlers, a life, and how sockets are served.

A server has its hall in another process (`hall_process`); here both are in one, for tests and the
demonstration of an event. Pages do not know: they read logs and send commands in either case.

Litestar([*HANDLERS, ...], lifespan=[hall_of_app], ...)
uvicorn.Config(app, **SOCKETS)
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from litestar import Litestar
from litestar.handlers import BaseRouteHandler

from arrocco.desk import Office
from arrocco.live.damage import HallDamaged
from arrocco.live.hall import Hall
from arrocco.live.interpreter import as_usual, serve_boards
from arrocco.live.reader import HallReader
from arrocco.live.request_server import LocalCommands
from arrocco.video.engine import Engine
from arrocco.video.recordings import FOLDER, Recordings
from arrocco.video.segments import Segments
from arrocco.video.settings import settings_from_environment
from arrocco.web import hall_api
from arrocco.web.hall_socket import hall_socket
from arrocco.web.video_service import VideoService
from arrocco.web.video_socket import video_socket
from arrocco.wiring import hall_of, reader_beside

HANDLERS: list[BaseRouteHandler] = [hall_socket, video_socket, *hall_api.HANDLERS]

SOCKETS: dict[str, Any] = {
    "ws": "websockets-sansio",
    "ws_max_size": 64 * 1024,
    "ws_ping_interval": 5.0,
    "ws_ping_timeout": 10.0,
    "ws_per_message_deflate": False,
}
"""How uvicorn serves sockets: a dead connection is found in 15 seconds; nothing is compressed,
since messages are small and their length tells nothing then that their content does not."""


@asynccontextmanager
async def hall_of_app(app: Litestar) -> AsyncIterator[None]:
    """The life of a hall within that of an application: opened before anybody is let in."""
    office: Office = app.state.office
    try:
        hall = hall_of(office)
    except HallDamaged as damaged:  # the office works without its hall
        app.state.hall_damaged = damaged
        yield
        return
    await hall.start()
    reader = reader_beside(office, hall)
    video = _video_beside(office, hall, reader)
    app.state.live, app.state.hall, app.state.video = hall, reader, video
    await video.start()
    serve_boards()
    try:
        yield
    finally:
        as_usual()
        app.state.video = None
        await video.stop()
        reader.close()
        await hall.stop()


def _video_beside(office: Office, hall: Hall, reader: HallReader) -> VideoService:
    """The video conference in the process of its hall; Janus is for servers with processes."""
    recordings = Recordings(office.folder / FOLDER, settings_from_environment())
    return VideoService(Engine(Segments(recordings), hall.time.now), reader, LocalCommands(hall))
