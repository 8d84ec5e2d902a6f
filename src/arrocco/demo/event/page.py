"""One socket of somebody who has logged in: what a page in a browser is to the server."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from typing import Any, Protocol

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

Message = dict[str, Any]
LONGEST = 30
"""Seconds until an answer must have come."""
_decode = msgspec.json.Decoder().decode


class Where(Protocol):
    """The addresses of a server: for requests and for sockets."""

    @property
    def origin(self) -> str: ...

    @property
    def socket(self) -> str: ...


class Refused(Exception):
    """The server has refused a message."""

    def __init__(self, message: Message) -> None:
        self.key: str = message["key"]
        super().__init__(f"{self.key}: {message['text']}")


class Page:
    """A socket that can be lost and opened again; `heard` is called with whatever is no answer."""

    def __init__(self, site: Where, token: str, heard: Callable[[Message], None]) -> None:
        self._site, self._token, self._heard = site, token, heard
        self._socket: ClientConnection | None = None
        self._reader: asyncio.Task[None] | None = None
        self._answers: dict[str, asyncio.Future[Message]] = {}
        self._ids = count(1)

    async def open(self) -> None:
        self._socket = await connect(
            self._site.socket,
            additional_headers={"Cookie": f"arrocco_session={self._token}"},
            origin=self._site.origin,  # type: ignore[arg-type]
            compression=None,
            ping_interval=None,
            max_size=None,
        )
        self._reader = asyncio.create_task(self._read(self._socket))

    async def close(self) -> None:
        if self._socket is not None and self._reader is not None:
            await self._socket.close()
            await self._reader
            self._socket = None

    async def say(self, **message: Any) -> None:
        """Says something that is not answered as such."""
        assert self._socket is not None
        await self._socket.send(msgspec.json.encode(message).decode())

    async def command(self, event: str, kind: str, **fields: Any) -> None:
        """A command to an event. Raises `Refused`."""
        await self._ask(type="command", event=event, command={"type": kind, **fields})

    async def command_game(
        self, game: str, kind: str, fields: dict[str, Any], *, at: int | None = None
    ) -> None:
        """A command of a player or an arbiter; `at` binds it to a ply. Raises `Refused`."""
        bound = {} if at is None else {"ply": at}
        command = {"type": kind, **fields}
        await self._ask(type="game_command", game=game, command=command, **bound)

    async def _ask(self, **message: Any) -> None:
        name = f"m{next(self._ids)}"
        answered: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
        self._answers[name] = answered
        try:
            await self.say(id=name, **message)
            answer = await asyncio.wait_for(answered, LONGEST)
        finally:
            self._answers.pop(name, None)
        if answer["type"] == "refused":
            raise Refused(answer)

    async def _read(self, socket: ClientConnection) -> None:
        with suppress(ConnectionClosed):
            async for data in socket:
                for line in str(data).split("\n"):
                    self._take(_decode(line))

    def _take(self, message: Message) -> None:
        answered = self._answers.get(message.get("id", ""))
        if answered is not None and not answered.done():
            answered.set_result(message)
        else:
            self._heard(message)
