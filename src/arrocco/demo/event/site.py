"""The server of the demo: the whole site on a free port of this machine, and its clock."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from datetime import datetime, timedelta

from arrocco.desk import Office, utc_now
from arrocco.live.hall import Hall
from arrocco.live.server_time import as_moment

HOST = "127.0.0.1"


class Clock:
    """The time of the office: that of the computer, until it is put ahead."""

    def __init__(self) -> None:
        self._ahead = timedelta(0)

    def __call__(self) -> datetime:
        return utc_now() + self._ahead

    def go_to(self, when: datetime) -> None:
        """Puts the clock ahead; it never goes back."""
        self._ahead += max(when - self(), timedelta(0))


class Site:
    """A running server."""

    def __init__(self, port: int, hall: Hall, clock: Clock) -> None:
        self.port, self.hall, self._clock = port, hall, clock
        self.origin = f"http://{HOST}:{port}"
        self.socket = f"ws://{HOST}:{port}/hall/socket?lang=en"

    def go_to(self, when: datetime) -> None:
        """Puts the clocks of hall and office ahead together."""
        self._clock.go_to(when)
        self.hall.time.not_before(as_moment(when))


@asynccontextmanager
async def serving(office: Office, clock: Clock) -> AsyncIterator[Site]:
    """A server for as long as the context lasts; Ctrl+C is left to whoever runs it."""
    import uvicorn

    from arrocco.web.app import create_app
    from arrocco.web.hall_app import SOCKETS

    class Server(uvicorn.Server):
        @contextlib.contextmanager
        def capture_signals(self) -> Iterator[None]:
            yield

    app = create_app(office, secure=False, with_hall=True)
    with contextlib.closing(socket.create_server((HOST, 0), backlog=2048)) as listening:
        config = uvicorn.Config(
            app,
            log_level="warning",
            lifespan="on",
            access_log=False,
            timeout_graceful_shutdown=2,
            **SOCKETS,
        )
        server = Server(config)
        running = asyncio.create_task(server.serve(sockets=[listening]))
        try:
            while not server.started:
                if running.done():
                    await running
                    raise RuntimeError("the server has not started")
                await asyncio.sleep(0.01)
            yield Site(listening.getsockname()[1], app.state.live, clock)
        finally:
            server.should_exit = True
            await running
