"""The socket of the playing hall: one for each page, in the hall's own process.

Who asks is the account of the session cookie; the guard has checked it and the page's origin before
the socket is accepted. The account is looked at again while the socket is open, so that whoever is
signed out is out of the hall as well.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Coroutine, Generator
from contextlib import suppress
from types import coroutine
from typing import Any

from anyio import to_thread
from litestar import WebSocket, websocket
from litestar.types import WebSocketReceiveMessage

from arrocco.errors import Unavailable
from arrocco.live.connection import POLICY, Connection
from arrocco.live.hall import Hall
from arrocco.live.outbox import Outbox
from arrocco.office.networks import network_of
from arrocco.office.roles import Asker, Permission
from arrocco.web.guard import ASKER, asker_of
from arrocco.web.language import preferred_language
from arrocco.web.routes import PERMISSION
from arrocco.web.strangers_pace import StrangersPace
from arrocco.words import Language

PATH = "/hall/socket"
LOOK_AGAIN = 60.0
"""Seconds after which, at most, the session of an open socket is looked at again."""
MAX_SOCKETS = 12
"""Open sockets of one account."""
TRY_LATER = 1013
"""Closes a socket where the server has no hall now."""
SIGNED_OUT = 4401
"""Closes a socket whose account is no longer signed in."""

Socket = WebSocket[Any, Any, Any]


@websocket(PATH, opt={PERMISSION: Permission.LOOK_UP})
async def hall_socket(socket: Socket) -> None:
    """Lets a page talk to the hall until either goes away."""
    hall: Hall | None = socket.app.state.live
    if hall is None:
        await socket.close(TRY_LATER)
        return
    asker: Asker = socket.state[ASKER]
    await socket.accept()
    if not _take_place(socket, asker):
        await socket.close(POLICY)
        return
    connection = Connection(hall, asker, _language(socket))
    sender = _Sender(socket, connection, hall.services.outbox)
    tasks = [asyncio.create_task(work(socket, connection)) for work in (_receive, _look_again)]
    try:
        await asyncio.wait([*tasks, sender.over], return_when=asyncio.FIRST_COMPLETED)
    finally:
        code = connection.close_code
        connection.close()
        sender.stop()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        _give_place(socket, asker)
        if code is not None:
            with suppress(Exception):  # it may be gone already
                await socket.close(code)


class _Sender:
    """Sends what waits for a socket; `over` is done once nothing can be sent any more.

    Nearly always the system takes a frame at once. So a frame is sent where it is due, and only
    where that has to wait is there a task that does.
    """

    def __init__(self, socket: Socket, connection: Connection, outbox: Outbox) -> None:
        self.over: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._socket, self._connection, self._outbox = socket, connection, outbox
        self._slow: asyncio.Task[None] | None = None
        connection.call_when_unsent(self._due)

    def stop(self) -> None:
        if self._slow is not None:
            self._slow.cancel()
        self._end()

    def _due(self) -> None:
        self._outbox.add(self._send)

    def _send(self) -> None:
        if self._slow is not None or self.over.done():
            return
        messages = self._connection.take_unsent()
        if not messages:
            if self._connection.close_code is not None:
                self._end()
            return
        # A frame has a price of its own, so all that waits goes in one; a message has no newline.
        sending = self._send_frame(b"\n".join(messages).decode())
        try:
            waits_for = sending.send(None)
        except StopIteration:
            return
        except Exception:  # the client is gone
            self._end()
            return
        self._slow = asyncio.create_task(_rest(sending, waits_for))
        self._slow.add_done_callback(self._was_slow)

    async def _send_frame(self, text: str) -> None:
        await self._socket.send({"type": "websocket.send", "text": text, "bytes": None})

    def _was_slow(self, task: asyncio.Task[None]) -> None:
        self._slow = None
        if task.cancelled() or task.exception() is not None:
            self._end()
        else:
            self._send()

    def _end(self) -> None:
        if not self.over.done():
            self.over.set_result(None)


async def _rest(begun: Coroutine[Any, Any, None], waits_for: Any) -> None:
    """Goes on, in a task, with a coroutine that was begun outside of any and waits now."""
    await _resumed(begun, waits_for)


@coroutine
def _resumed(begun: Coroutine[Any, Any, None], waits_for: Any) -> Generator[Any, None, None]:
    try:
        yield waits_for  # for the task to wait for, as it would have had it begun this itself
    except BaseException:
        begun.close()
        raise
    yield from begun


async def _receive(socket: Socket, connection: Connection) -> None:
    receive = socket.receive
    is_stranger = connection.asker.account is None
    while True:
        if is_stranger:
            await _strangers_pace(socket).wait(network_of(connection.asker.address))
        message: WebSocketReceiveMessage = await receive()  # type: ignore[assignment]
        if message["type"] != "websocket.receive":
            return
        text = message.get("text")
        data = text.encode() if text is not None else message.get("bytes") or b""
        connection.receive(data)


async def _look_again(socket: Socket, connection: Connection) -> None:
    """Ends when the account is no longer the one that came in.

    A round brings all its players within a second; they are not looked at within one, too.
    """
    while True:
        await asyncio.sleep(LOOK_AGAIN * random.uniform(0.1, 1.0))
        socket.state[ASKER] = None  # so that the session itself is asked
        try:
            asker = await to_thread.run_sync(asker_of, socket)
        except Unavailable:  # nobody is signed out by a fault of the server
            continue
        if asker.account != connection.asker.account:
            connection.close(SIGNED_OUT)
            return
        connection.asker = asker


def _language(socket: Socket) -> Language:
    """The language of the page, as it says itself; else the browser's."""
    asked = str(socket.query_params.get("lang", ""))
    return preferred_language(asked, socket.headers.get("accept-language", ""))


# --- how many -------------------------------------------------------------------------------------


def _take_place(socket: Socket, asker: Asker) -> bool:
    """Whether an account may open one more socket; the public is counted by its address."""
    places = _places(socket)
    key = _place_of(asker)
    most = MAX_SOCKETS if asker.account is not None else 20 * MAX_SOCKETS
    places[key] = places.get(key, 0) + 1
    if places[key] <= most:
        return True
    _give_place(socket, asker)
    return False


def _give_place(socket: Socket, asker: Asker) -> None:
    places = _places(socket)
    key = _place_of(asker)
    places[key] -= 1
    if not places[key]:
        del places[key]


def _place_of(asker: Asker) -> int | str:
    return asker.account if asker.account is not None else network_of(asker.address)


def _strangers_pace(socket: Socket) -> StrangersPace:
    state = socket.app.state
    if "strangers_pace" not in state:
        state.strangers_pace = StrangersPace()
    pace: StrangersPace = state.strangers_pace
    return pace


def _places(socket: Socket) -> dict[int | str, int]:
    state = socket.app.state
    if "hall_places" not in state:
        state.hall_places = {}
    places: dict[int | str, int] = state.hall_places
    return places
