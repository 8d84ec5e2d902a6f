"""The page of an invented player in the video conference: sends what a camera would."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from arrocco.demo.living.film import HEAD, SCREEN_HEAD, Film, dark_film
from arrocco.video.chain import slice_hash
from arrocco.video.messages import Begun
from arrocco.video.stream import SLICE, STILL, Header, framed
from arrocco.video.watching import Reading
from arrocco.video.webm_writer import cluster

_AGAIN = 2.0
"""Seconds after which a lost connection is tried again."""
_STILL_EVERY, _SCREEN_EVERY = 2, 4
"""Seconds."""
_LIGHT, _NOISE = 120, 40


class Fault(NamedTuple):
    """What is wrong with a player's devices, so that there is something to look at."""

    dark: float = 0.0
    """Seconds for which the camera is covered."""
    bright: float = 0.0
    """Seconds for which it is not, in turn."""
    has_second_monitor: bool = False

    def is_dark(self, seconds: float) -> bool:
        """Whether nothing is to be seen, so long after joining; it begins with that."""
        return self.dark > 0 and seconds % (self.dark + self.bright) < self.dark


class _StillHead(Struct, frozen=True):
    """Nothing is said before a still."""


class _Stream:
    """Slices of one stream, each chained to the one before."""

    def __init__(self, begun: Begun, head: bytes) -> None:
        self._recording, self._before, self._head = begun.recording, begun.before, head
        self._number = 0

    def slice(self, second: int, blocks: bytes) -> bytes:
        """The next message."""
        data = self._head + cluster(1000 * second, blocks)
        hashed = slice_hash(self._before, data)
        header = Header(
            recording=self._recording, number=self._number, before=self._before, hash=hashed
        )
        self._before, self._number, self._head = hashed, self._number + 1, b""
        return framed(SLICE, header, data)


class Devices(NamedTuple):
    """What a player has to show."""

    film: Film
    screen: bytes
    fault: Fault


class Camera:
    """What one player sends, from joining until it is cancelled."""

    def __init__(self, origin: str, token: str, event: str, devices: Devices) -> None:
        self._origin, self._token, self._event = origin, token, event
        self._film, self._screen, self._fault = devices
        self._is_needed = True
        self._told = asyncio.Event()
        self._answers: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._began = time.monotonic()

    async def run(self) -> None:
        """Joins, and joins again where the line or the video is lost."""
        while True:
            with suppress(OSError, WebSocketException, TimeoutError):
                async with connect(
                    f"ws{self._origin.removeprefix('http')}/video/socket?lang=en",
                    additional_headers={"Cookie": f"arrocco_session={self._token}"},
                    origin=self._origin,  # type: ignore[arg-type]
                    compression=None,
                ) as socket:
                    await self._take_part(socket)
            await asyncio.sleep(_AGAIN)

    async def _take_part(self, socket: ClientConnection) -> None:
        self._answers, self._is_needed = asyncio.Queue(), True
        reading = asyncio.create_task(self._read(socket))
        try:
            while not reading.done():
                await self._say(socket, type="join", event=self._event)
                await self._answer("joined")
                camera = _Stream(await self._begin(socket, "camera"), HEAD)
                screen = _Stream(await self._begin(socket, "screen"), SCREEN_HEAD)
                await self._send(socket, camera, screen)
                await self._say(socket, type="rest")  # 5.14: the game is over
                while not self._is_needed:
                    self._told.clear()
                    await self._told.wait()
        finally:
            reading.cancel()

    async def _begin(self, socket: ClientConnection, kind: str) -> Begun:
        await self._say(socket, type="begin", kind=kind)
        return msgspec.convert(await self._answer("begun"), Begun)

    async def _send(self, socket: ClientConnection, camera: _Stream, screen: _Stream) -> None:
        """A second of everything every second, as long as the player has to be there."""
        second, due = 0, time.monotonic()
        while self._is_needed:
            is_dark = self._fault.is_dark(time.monotonic() - self._began)
            film = dark_film() if is_dark else self._film
            await socket.send(camera.slice(second, film.blocks[second % len(film.blocks)]))
            if second % _SCREEN_EVERY == 0:
                await socket.send(screen.slice(second, self._screen))
            reading = Reading(
                light=0 if is_dark else _LIGHT,
                change=_NOISE,
                level=_NOISE,
                surface="monitor",
                extended=self._fault.has_second_monitor,
            )
            await self._say(socket, type="read", reading=msgspec.to_builtins(reading))
            if second % _STILL_EVERY == 0:
                still = film.stills[second % len(film.stills)]
                await socket.send(framed(STILL, _StillHead(), still))
            second, due = second + 1, due + 1
            await asyncio.sleep(max(0, due - time.monotonic()))

    async def _say(self, socket: ClientConnection, **message: Any) -> None:
        await socket.send(msgspec.json.encode(message).decode())

    async def _answer(self, kind: str) -> dict[str, Any]:
        """What the server answers. Raises `TimeoutError` where that is something else."""
        async with asyncio.timeout(30):
            while True:
                message = await self._answers.get()
                if message["type"] == kind:
                    return message

    async def _read(self, socket: ClientConnection) -> None:
        with suppress(WebSocketException):
            async for data in socket:
                message = msgspec.json.decode(data)
                if message["type"] == "status":
                    self._is_needed = message["needed"]
                    self._told.set()
                else:
                    self._answers.put_nowait(message)
        self._is_needed = True  # so that whoever rests sees that the line is gone
        self._told.set()
