"""The feed of Janus' events: Janus connects here and tells of every track, every second."""

from __future__ import annotations

import logging
from collections.abc import Callable
from http import HTTPStatus
from typing import NamedTuple

import msgspec
from msgspec import Struct, field
from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

log = logging.getLogger(__name__)

_LONGEST = 4 << 20
MEDIA = 32
RECEIVING, STATISTICS = 1, 3
"""Janus' numbers of the events about media."""


class _Body(Struct, frozen=True):
    media: str = ""
    mid: str = ""
    receiving: bool | None = None
    packets: int | None = field(name="packets-received", default=None)


class _Event(Struct, frozen=True):
    type: int
    subtype: int = 0
    handle_id: int = 0
    event: _Body = _Body()


class TrackTold(NamedTuple):
    """What Janus says of a track of a handle: how many packets came in all, or that none come."""

    handle: int
    medium: str
    packets: int | None = None
    has_stopped: bool = False


_events = msgspec.json.Decoder(list[_Event] | _Event)


class EventFeed:
    """A small server on the loopback that only this program's own Janus knows the way to."""

    def __init__(self, hears: Callable[[TrackTold], None]) -> None:
        self._hears = hears
        self._server: Server | None = None
        self.secret = ""

    @property
    def port(self) -> int:
        assert self._server is not None
        port: int = next(iter(self._server.sockets)).getsockname()[1]
        return port

    async def start(self) -> None:
        self._server = await serve(
            self._take,
            "127.0.0.1",
            0,
            process_request=self._admit,
            max_size=_LONGEST,
            compression=None,
            ping_interval=None,
        )

    async def stop(self) -> None:
        if self._server is not None:
            self._server.close()
            await self._server.wait_closed()

    def _admit(self, connection: ServerConnection, request: Request) -> Response | None:
        if self.secret and request.path == f"/{self.secret}":
            return None
        return connection.respond(HTTPStatus.NOT_FOUND, "")

    async def _take(self, connection: ServerConnection) -> None:
        try:
            async for message in connection:
                for told in read_events(message):
                    self._hears(told)
        except ConnectionClosed:
            pass


def read_events(message: str | bytes) -> list[TrackTold]:
    """What of a message is about tracks."""
    try:
        decoded = _events.decode(message)
    except (msgspec.DecodeError, UnicodeDecodeError):
        log.warning("an event of Janus cannot be read")
        return []
    events = decoded if isinstance(decoded, list) else [decoded]
    return [told for event in events if (told := _told(event)) is not None]


def _told(event: _Event) -> TrackTold | None:
    if event.type != MEDIA:
        return None
    body = event.event
    if event.subtype == STATISTICS and body.packets is not None:
        return TrackTold(event.handle_id, body.media, packets=body.packets)
    if event.subtype == RECEIVING and body.receiving is False:
        return TrackTold(event.handle_id, body.media, has_stopped=True)
    return None
