"""Sockets that a process was handed by the site, served from the head of their request on."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
from collections.abc import Callable
from typing import Any

import uvicorn
from litestar import Litestar
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState

log = logging.getLogger(__name__)

GRACE = 5.0
"""Seconds that sockets and requests have to end."""


class Sockets:
    """The sockets that this process has adopted."""

    def __init__(self, app: Litestar, options: dict[str, Any]) -> None:
        self._config = uvicorn.Config(
            app, lifespan="off", access_log=False, log_config=None, proxy_headers=False, **options
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
