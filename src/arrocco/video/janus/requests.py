"""Requests to Janus: JSON over its own socket, each with an answer; and what it says by itself."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from websockets.asyncio.client import ClientConnection, unix_connect
from websockets.exceptions import ConnectionClosed

PLUGIN = "janus.plugin.videoroom"
ANSWER_WITHIN = 5.0
"""Seconds that Janus has to answer; it needs milliseconds."""
KEEP_ALIVE = 1.0
"""Seconds between two signs of life, each with an answer. Janus forgets a session after sixty."""
SILENT_AFTER, HUNG_AFTER = 2.0, 8.0
"""Seconds without an answer after which Janus counts as gone, and after which it is ended."""
MAX_UNANSWERED = 2
"""Requests in a row without an answer after which it counts as hung."""
_LONGEST = 1 << 20

Json = dict[str, Any]


class JanusRefused(Exception):
    """Janus does not do something, or is gone."""


class Answered(NamedTuple):
    """What Janus answers: data of its plugin, and a session description where there is one."""

    data: Json
    description: str


class Requests:
    """One session with a running Janus."""

    def __init__(
        self, socket: ClientConnection, secret: str, hears: Callable[[Json], None]
    ) -> None:
        self.is_silent = self.has_hung = False
        """Whether Janus answers nothing just now, and whether it was given up for that."""
        self._socket, self._secret, self._hears = socket, secret, hears
        self._alive = ("", asyncio.Event())
        self._unanswered = 0
        self._session: int | None = None
        self._numbers = itertools.count(1)
        self._waiting: dict[str, asyncio.Future[Json]] = {}

    @classmethod
    async def open(cls, path: Path, secret: str, hears: Callable[[Json], None]) -> Requests:
        """Opens a session; `hears` is told what Janus says by itself. Raises `OSError`."""
        socket = await unix_connect(
            str(path),
            "ws://localhost/",
            subprotocols=["janus-protocol"],
            max_size=_LONGEST,
            compression=None,
            ping_interval=None,
        )
        return cls(socket, secret, hears)

    async def run(self) -> None:
        """Listens until Janus is gone."""
        alive = asyncio.create_task(self._keep_alive())
        try:
            async for message in self._socket:
                self._hear(msgspec.json.decode(message))
        except ConnectionClosed:
            pass
        finally:
            alive.cancel()
            for future in self._waiting.values():
                if not future.done():
                    future.set_exception(JanusRefused("gone"))

    async def begin(self) -> None:
        """Begins the session, once `run` listens. Raises `JanusRefused`."""
        self._session = (await self._ask({"janus": "create"}))["data"]["id"]

    async def close(self) -> None:
        with suppress(ConnectionClosed, TimeoutError):
            async with asyncio.timeout(1):
                await self._socket.close()

    async def attach(self, name: str) -> int:
        """A new handle. Raises `JanusRefused`."""
        answer = await self._ask({"janus": "attach", "plugin": PLUGIN, "opaque_id": name})
        handle: int = answer["data"]["id"]
        return handle

    async def detach(self, handle: int) -> None:
        """Gives a handle back, with all that goes over it."""
        with suppress(JanusRefused):
            await self._ask({"janus": "detach", "handle_id": handle})

    async def ask(self, handle: int, body: Json, *, offer: str = "", answer: str = "") -> Answered:
        """Asks the plugin for something. Raises `JanusRefused`."""
        request: Json = {"janus": "message", "handle_id": handle, "body": body}
        if offer or answer:
            request["jsep"] = {"type": "offer" if offer else "answer", "sdp": offer or answer}
        told = await self._ask(request)
        data: Json = told.get("plugindata", {}).get("data", {})
        if "error_code" in data:
            raise JanusRefused(f"{data['error_code']} {data.get('error', '')}")
        return Answered(data, told.get("jsep", {}).get("sdp", ""))

    async def _ask(self, request: Json) -> Json:
        number = str(next(self._numbers))
        request |= {"transaction": number, "apisecret": self._secret}
        if self._session is not None:
            request["session_id"] = self._session
        future: asyncio.Future[Json] = asyncio.get_running_loop().create_future()
        self._waiting[number] = future
        try:
            async with asyncio.timeout(ANSWER_WITHIN):
                await self._socket.send(msgspec.json.encode(request).decode())
                told = await future
        except ConnectionClosed:
            raise JanusRefused("gone") from None
        except TimeoutError:
            self._unanswered += 1  # its core may live on while what carries streams has hung
            if self._unanswered >= MAX_UNANSWERED:
                self._give_up()
            raise JanusRefused("no answer") from None
        finally:
            del self._waiting[number]
        self._unanswered = 0
        if told["janus"] == "error":
            raise JanusRefused(str(told.get("error")))
        return told

    def _give_up(self) -> None:
        self.has_hung = True
        self._socket.transport.abort()

    def _hear(self, told: Json) -> None:
        kind = told.get("janus")
        if told.get("transaction") == self._alive[0]:
            self._alive[1].set()
            return
        future = self._waiting.get(told.get("transaction", ""))
        if future is not None and kind != "ack":  # what takes longer is acknowledged first
            if not future.done():
                future.set_result(told)
        elif kind not in ("ack", "success", "error"):
            self._hears(told)

    async def _keep_alive(self) -> None:
        """Asks for a sign of life again and again, until none comes: then Janus has hung."""
        while True:
            await asyncio.sleep(KEEP_ALIVE)
            number = str(next(self._numbers))
            answered = asyncio.Event()
            self._alive = (number, answered)
            request = {
                "janus": "keepalive",
                "transaction": number,
                "apisecret": self._secret,
                "session_id": self._session,
            }
            with suppress(ConnectionClosed, TimeoutError):
                async with asyncio.timeout(SILENT_AFTER):  # nobody may be reading
                    await self._socket.send(msgspec.json.encode(request).decode())
            self.is_silent = not await _within(SILENT_AFTER, answered)
            if self.is_silent and not await _within(HUNG_AFTER - SILENT_AFTER, answered):
                self._give_up()
                return
            self.is_silent = False


async def _within(seconds: float, event: asyncio.Event) -> bool:
    try:
        async with asyncio.timeout(seconds):
            return await event.wait()
    except TimeoutError:
        return False
