"""The video conference of a server as a process of its own: a full disk or a flood of slices
touches no clock.

Started by `arrocco serve` when the first player comes, with its settings as the one argument.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
import socket
import sys

from litestar import Litestar
from litestar.datastructures import State

from arrocco.desk import Office
from arrocco.live.remote import RemoteHall
from arrocco.operation.logs import OFF, Logs
from arrocco.priority import BESIDE_PLAY, step_back
from arrocco.video.engine import Engine
from arrocco.video.media import Media
from arrocco.video.recordings import FOLDER, Recordings
from arrocco.video.segments import Segments
from arrocco.video.settings import (
    EngineName,
    engine_from_environment,
    ice_from_environment,
    janus_from_environment,
    settings_from_environment,
)
from arrocco.web import child
from arrocco.web.adopted_sockets import Sockets
from arrocco.web.client_address import Proxies, RealAddress
from arrocco.web.cookies import CookieJar
from arrocco.web.guard import admit
from arrocco.web.hall_sockets import Adoption
from arrocco.web.part_settings import PartSettings, decode
from arrocco.web.video_service import VideoService
from arrocco.web.video_socket import VIDEO_SOCKETS, video_socket
from arrocco.wiring import reader_elsewhere

log = logging.getLogger(__name__)

NICE = BESIDE_PLAY
"""Behind the hall and the site; Janus inherits it."""


def video_app(office: Office, service: VideoService, *, secure: bool, proxies: Proxies) -> Litestar:
    """The application of the video's process: the socket and what guards it."""
    state = State(
        {
            "office": office,
            "video": service,
            "cookies": CookieJar(secure=secure),
            "video_places": {},
        }
    )
    app = Litestar(
        [video_socket], guards=[admit], state=state, openapi_config=None, logging_config=None
    )
    app.asgi_handler = RealAddress(app.asgi_handler, proxies)
    return app


def media_of(settings: PartSettings, recordings: Recordings) -> Media:
    """The engine that the environment states, or segments where Janus is not installed.

    Janus is configured in the office's folder.
    """
    if engine_from_environment() is EngineName.SEGMENTS:
        return Segments(recordings, ice_from_environment())
    from arrocco.video.janus import Janus, JanusPlaces, is_installed  # only where it is chosen

    if not is_installed():
        log.warning("no media server: Janus is not installed, so the video goes over segments")
        return Segments(recordings, ice_from_environment())
    places = JanusPlaces(settings.office / "janus", settings.video_sockets.with_name(".janus-api"))
    return Janus(recordings, janus_from_environment(), places)


async def run(settings: PartSettings) -> None:
    """Is there for players and arbiters until it is told to stop."""
    orders = child.Orders(settings.orders)
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGTERM, orders.put, child.STOP)
    office = Office.attach(settings.office, now=settings.office_clock())
    time = settings.server_time()
    with contextlib.closing(office):
        recordings = await asyncio.to_thread(
            Recordings, office.folder / FOLDER, settings_from_environment()
        )
        reader = reader_elsewhere(office, settings.hall_requests, time)
        with contextlib.closing(reader):
            hall = RemoteHall(settings.hall_requests)
            media = media_of(settings, recordings)
            service = VideoService(Engine(media, time.now), reader, hall)
            await service.start()
            app = video_app(office, service, secure=settings.secure, proxies=settings.proxies())
            sockets = Sockets(app, VIDEO_SOCKETS)
            adoption = Adoption(socket.socket(fileno=settings.sockets), sockets.adopt)
            orders.tell(child.READY)
            while await orders.next() != child.STOP:
                pass
            adoption.stop()
            await sockets.close()
            await service.stop()


def main() -> None:
    import uvloop

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the parent
    step_back(NICE)
    settings = decode(sys.argv[1])
    with contextlib.closing(Logs(settings.logs._replace(access=OFF), "video")):
        uvloop.run(run(settings))
