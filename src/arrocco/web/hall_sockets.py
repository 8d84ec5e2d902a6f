"""How a socket of the hall, or of the video, gets from the public port to its own process.

The site reads the head of a request that asks for a WebSocket, sends the connection itself with
that head over a Unix-domain socket, and closes its copy. The hall adopts the connection. From then
on nothing that the site does, or suffers, can touch it.
"""

from __future__ import annotations

import array
import asyncio
import logging
import os
import socket
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar, cast

from arrocco.web.socket_admission import Admission

log = logging.getLogger(__name__)

HALL_SOCKET, VIDEO_SOCKET = b"/hall/socket", b"/video/socket"
MAX_HEAD = 32 * 1024
"""Bytes of a request's head; longer ones are refused."""
HOLD = 5.0
"""Seconds that a connection is kept for a hall that is starting."""
MAX_HELD = 2_000
"""Connections that are kept so at the same time."""
BACKLOG = 1_024
_RETRY = 0.1
_RECEIVE_WITHIN = 5.0

Adopt = Callable[[socket.socket, bytes], None]


# --- in the site ----------------------------------------------------------------------------------


class HandOff(asyncio.Protocol):
    """What uvicorn gives a connection to that asks for a WebSocket."""

    places: ClassVar[dict[bytes, Path]]
    """The process that listens for each address."""
    admission: ClassVar[Admission]
    held: ClassVar[int] = 0

    def __init__(self, config: Any, server_state: Any, app_state: Any, _loop: Any = None) -> None:
        self._loop = _loop or asyncio.get_event_loop()
        self._transport: asyncio.Transport | None = None
        self._until = 0.0
        self._place: Path | None = None

    @classmethod
    def to(cls, places: dict[bytes, Path], admission: Admission) -> type[HandOff]:
        """The protocol that hands admitted connections to whoever listens for their address."""
        shared = {"places": places, "admission": admission, "held": 0}
        return cast(type[HandOff], type("HandOffToHall", (cls,), shared))

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        transport = self._transport
        if transport is None or transport.is_closing():
            return
        if self._until:  # a client that talks before it is answered
            transport.abort()
            return
        self._until = self._loop.time() + HOLD
        self._place = self.places.get(data.split(b" ", 2)[1].partition(b"?")[0])
        if self._place is None:
            self._refuse(b"404 Not Found")
        elif len(data) > MAX_HEAD:
            self._refuse(b"431 Request Header Fields Too Large")
        elif not self.admission.admits(_peer(transport), data):
            self._refuse(b"429 Too Many Requests")
        elif transport.get_write_buffer_size():
            transport.abort()  # it has not taken the answer to what it asked before
        else:
            transport.pause_reading()
            if not self._try(data):
                self._hold(data)

    def _try(self, head: bytes) -> bool:
        """Whether the hall has the connection now."""
        transport = self._transport
        assert transport is not None
        connection = transport.get_extra_info("socket")
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as way:
                way.setblocking(False)
                way.connect(str(self._place))
                socket.send_fds(way, [head], [connection.fileno()])
        except OSError:
            return False
        transport.abort()  # closes this process's copy; the connection lives on in the hall
        return True

    def _hold(self, head: bytes) -> None:
        kind = type(self)
        if kind.held >= MAX_HELD:
            self._refuse(b"503 Service Unavailable")
            return
        kind.held += 1
        self._loop.call_later(_RETRY, self._again, head)

    def _again(self, head: bytes) -> None:
        type(self).held -= 1
        assert self._transport is not None
        if self._transport.is_closing() or self._try(head):
            return
        if self._loop.time() >= self._until:
            self._refuse(b"503 Service Unavailable")
        else:
            self._hold(head)

    def _refuse(self, status: bytes) -> None:
        assert self._transport is not None
        self._transport.write(
            b"HTTP/1.1 " + status + b"\r\ncontent-length: 0\r\nretry-after: 1\r\n"
            b"connection: close\r\n\r\n"
        )
        self._transport.close()


def _peer(transport: asyncio.Transport) -> str:
    peer = transport.get_extra_info("peername")
    return str(peer[0]) if isinstance(peer, tuple) else ""


# --- in the hall ----------------------------------------------------------------------------------


class Adoption:
    """Takes connections that the site hands over; `adopt` gets each with its request's head."""

    def __init__(self, listening: socket.socket, adopt: Adopt) -> None:
        self._listening, self._adopt = listening, adopt
        self._ways: dict[socket.socket, asyncio.TimerHandle] = {}
        self._loop = asyncio.get_running_loop()
        listening.setblocking(False)
        self._loop.add_reader(listening.fileno(), self._accept)

    def stop(self) -> None:
        """Takes no more; those that come now wait in the system for whoever listens next."""
        self._loop.remove_reader(self._listening.fileno())
        for way in tuple(self._ways):
            self._receive(way)
        for way in tuple(self._ways):
            self._close(way)

    def _accept(self) -> None:
        while True:
            try:
                way, _ = self._listening.accept()
            except OSError:  # nobody more waits
                return
            way.setblocking(False)
            self._ways[way] = self._loop.call_later(_RECEIVE_WITHIN, self._close, way)
            self._loop.add_reader(way.fileno(), self._receive, way)
            self._receive(way)

    def _receive(self, way: socket.socket) -> None:
        descriptors: list[int] = []
        try:
            head, descriptors = _received(way)
        except BlockingIOError:
            return
        except OSError:
            head = b""
        self._close(way)
        if not head or len(head) > MAX_HEAD or len(descriptors) != 1:
            for descriptor in descriptors:
                os.close(descriptor)
            return
        connection = socket.socket(fileno=descriptors[0])
        connection.setblocking(False)
        self._adopt(connection, head)

    def _close(self, way: socket.socket) -> None:
        timer = self._ways.pop(way, None)
        if timer is not None:
            timer.cancel()
            self._loop.remove_reader(way.fileno())
            way.close()


def _received(way: socket.socket) -> tuple[bytes, list[int]]:
    """A head and the descriptors that came with it; they are not given on to other programs."""
    size = array.array("i").itemsize
    flags = socket.MSG_CMSG_CLOEXEC
    head, ancillary, _, _ = way.recvmsg(MAX_HEAD + 1, socket.CMSG_SPACE(4 * size), flags)
    descriptors = array.array("i")
    for level, kind, data in ancillary:
        if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
            descriptors.frombytes(data[: len(data) - len(data) % size])
    return head, list(descriptors)


# --- where they meet ------------------------------------------------------------------------------


def listen_at(path: Path, kind: socket.SocketKind) -> socket.socket:
    """A Unix-domain socket that only this user can open; one left by a server that died goes."""
    with suppress(FileNotFoundError):
        path.unlink()
    listening = socket.socket(socket.AF_UNIX, kind)
    try:
        before = os.umask(0o177)
        try:
            listening.bind(str(path))
        finally:
            os.umask(before)
        listening.listen(BACKLOG)
    except BaseException:
        listening.close()
        raise
    return listening
