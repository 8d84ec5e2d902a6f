"""The socket of the video conference: slices and stills come in, live pictures go out.

Who asks is the account of the session cookie; a phone has none and shows a code (10.3). Slices
come over a socket and not as requests of their own: who they are from is asked once, a page that is
closed is seen at once, and a message that is too long is refused by its head alone.
"""

from __future__ import annotations

import asyncio
import random
from contextlib import suppress
from typing import Any

import msgspec
from anyio import to_thread
from litestar import WebSocket, websocket
from msgspec import Struct

from arrocco.errors import Refusal, Unavailable
from arrocco.live.limits import MS, Bucket
from arrocco.office.roles import Asker, Permission
from arrocco.video import messages as m
from arrocco.video.phones import LASTS
from arrocco.video.session import Session
from arrocco.video.settings import BURST, BYTES_PER_SECOND, MAX_SLICE, MAX_STILL
from arrocco.video.stream import OF_PAGE, OF_PHONE, SLICE, STILL, TRIAL, SliceRefused, unframed
from arrocco.web.guard import ASKER, asker_of
from arrocco.web.language import preferred_language
from arrocco.web.qr_code import qr_code
from arrocco.web.routes import PERMISSION
from arrocco.web.video_service import POLICY, VideoService
from arrocco.words import Language

PATH = "/video/socket"
TRY_LATER, SIGNED_OUT, TOO_SLOW = 1013, 4401, 1013
LOOK_AGAIN = 60.0
"""Seconds after which, at most, the session of an open socket is looked at again."""
MAX_WAITING = 8 * 1024 * 1024
"""Bytes that wait for a slow client; then it is closed, and comes back to the present."""
MAX_REFUSED = 200
"""Refused messages of a socket, after which it is closed."""
MAX_SOCKETS = 8
"""Open sockets of one account."""
MAX_PHONES = 2_000
"""Open sockets of all phones."""
PHONE = "phone"
"""What the query of a socket names that a phone opens."""
ATTACH_WITHIN = 10.0
"""Seconds that a phone has to show its code."""
UNIT = 1024
VIDEO_SOCKETS: dict[str, Any] = {
    "ws": "websockets-sansio",
    "ws_max_size": MAX_SLICE + 4096,
    "ws_ping_interval": 2.0,
    "ws_ping_timeout": 4.0,
    "ws_per_message_deflate": False,
}
"""How uvicorn serves these sockets: a dead connection is found within six seconds, and sooner by
the slices that do not come."""

Socket = WebSocket[Any, Any, Any]


@websocket(PATH, opt={PERMISSION: Permission.LOOK_UP})
async def video_socket(socket: Socket) -> None:
    """Lets a page into the video conference until either goes away."""
    service: VideoService | None = socket.app.state.video
    asker: Asker = socket.state[ASKER]
    if service is None:
        await socket.close(TRY_LATER)
        return
    await socket.accept()
    is_phone = PHONE in socket.query_params
    if asker.account is None and not is_phone:
        await socket.close(SIGNED_OUT)
        return
    places: dict[int | None, int] = socket.app.state.video_places
    place = None if is_phone else asker.account
    places[place] = places.get(place, 0) + 1
    peer = PhonePeer(socket, service, asker) if is_phone else SocketPeer(socket, service, asker)
    work = (peer.receive, peer.send_waiting, peer.look_again)
    tasks: list[asyncio.Task[None]] = [asyncio.create_task(one()) for one in work]
    ends: list[asyncio.Future[Any]] = [*tasks, peer.closed]
    try:
        if places[place] > (MAX_PHONES if is_phone else MAX_SOCKETS):
            peer.close(POLICY)
        await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
    finally:
        places[place] -= 1
        service.leave(peer, peer.session)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if peer.closed.done():
            with suppress(Exception):  # it may be gone already
                await socket.close(peer.closed.result())


class SocketPeer:
    """One socket: a player's, or an arbiter's."""

    kinds: tuple[str, ...] = OF_PAGE
    """Of streams that it may send."""

    def __init__(self, socket: Socket, service: VideoService, asker: Asker) -> None:
        loop = asyncio.get_running_loop()
        self.session: Session | None = None
        self.closed: asyncio.Future[int] = loop.create_future()
        self._socket, self._service, self._asker = socket, service, asker
        self._language: Language = preferred_language(
            str(socket.query_params.get("lang", "")), socket.headers.get("accept-language", "")
        )
        self._waiting: asyncio.Queue[str | bytes] = asyncio.Queue()
        self._unsent = 0
        self._refused = 0
        now = service.engine.now()
        self._bytes = Bucket(BURST // UNIT, BYTES_PER_SECOND // UNIT, now)
        self._messages = Bucket(60, 20, now)

    # --- out -----------------------------------------------------------------------------------

    def tell(self, message: Struct) -> None:
        self._queue(msgspec.json.encode(message).decode())

    def send(self, data: bytes) -> None:
        self._queue(data)

    def close(self, code: int) -> None:
        if not self.closed.done():
            self.closed.set_result(code)

    def _queue(self, message: str | bytes) -> None:
        self._unsent += len(message)
        if self._unsent > MAX_WAITING:
            self.close(TOO_SLOW)
        else:
            self._waiting.put_nowait(message)

    async def send_waiting(self) -> None:
        while True:
            message = await self._waiting.get()
            if isinstance(message, str):
                await self._socket.send_text(message)
            else:
                await self._socket.send_bytes(message)
            self._unsent -= len(message)

    # --- in ------------------------------------------------------------------------------------

    async def receive(self) -> None:
        while True:
            message: Any = await self._socket.receive()
            if message["type"] != "websocket.receive":
                return
            text, data = message.get("text"), message.get("bytes")
            try:
                self._pay(len(text or "") + len(data or b""))
                if data is not None:
                    self._take(data)
                elif text is not None:
                    await self._asked(text)
            except Refusal as refusal:
                self.refuse(refusal)

    def _pay(self, size: int) -> None:
        """Raises `SliceRefused` for what is more than a player's share."""
        now = self._service.engine.now()
        enough = self._messages.take(now)
        for _ in range(size // UNIT):
            enough = enough and self._bytes.take(now)
        if not enough:
            raise SliceRefused.of("video.too_fast", most=BYTES_PER_SECOND * 8 // MS)

    def _take(self, data: bytes) -> None:
        if data[:1] == TRIAL:
            self.tell(m.Tried(bytes=len(data)))
            return
        session = self._joined()
        kind, engine = data[:1], self._service.engine
        header, body = unframed(data)
        if kind == SLICE:
            engine.take(session, header, bytes(body), self.kinds)
        elif kind == STILL and len(body) <= MAX_STILL and self is session.peer:
            engine.still(session, bytes(body))
        else:
            raise SliceRefused.of("video.not_a_message")

    def _joined(self) -> Session:
        """The player whose socket this is. Raises `SliceRefused` where it is not, or no more."""
        if self.session is None or self not in self.session.peers:
            raise SliceRefused.of("video.not_joined")
        return self.session

    async def _asked(self, text: str) -> None:
        try:
            asked = m.read_asked(text)
        except (msgspec.DecodeError, RecursionError):
            raise SliceRefused.of("video.not_a_message") from None
        self._service.rates.take(self._account, asked, self._service.engine.now())
        await self._answer(asked)

    @property
    def _account(self) -> str:
        """Whose budget pays: a phone's is that of the player who invited it."""
        return str(self._asker.account) if self.session is None else self.session.account

    async def _answer(self, asked: m.AnyAsked) -> None:
        service, engine = self._service, self._service.engine
        match asked:
            case m.Join():
                if self.session is not None and self.session.event != asked.event:
                    raise SliceRefused.of("video.not_joined")
                self.session, joined = await service.join(self._asker, asked.event, self)
                self.tell(joined)
                self.tell(self.session.status(engine.now()))
            case m.Reach():
                await service.reach(self._asker, asked.event, asked.offer, self)
            case m.Follow():
                await service.follow(self._asker, asked.event, self)
            case m.Watch():
                await service.watch(self._asker, asked.event, asked.entry, asked.kind, self)
            case m.Answer():
                engine.answer(self, asked.entry, asked.kind, asked.answer)
            case m.Unwatch():
                engine.unwatch(self, asked.entry, asked.kind)
            case m.Converse():
                self.tell(await service.converse(self._asker, asked, self))
            case m.Talk():
                await service.talk(self._asker, asked.event, asked.entry, asked.offer, self)
            case m.Hush():
                engine.hush(self, asked.entry)
            case m.Invite():
                self._invite(self._joined())
            case m.Attach():
                raise SliceRefused.of("video.no_such_code")
            case m.Begin():
                self._begin(asked)
            case m.Hear():
                engine.hear(self._joined(), asked.voice, asked.answer)
            case m.Read():
                engine.read(self._joined(), asked.reading)
            case m.Rest():
                engine.rest(self._joined())
                service.changed()

    def _begin(self, asked: m.Begin) -> None:
        session = self._joined()
        if asked.kind not in self.kinds:
            raise SliceRefused.of("video.not_joined")
        begun = self._service.engine.begin(session, asked.kind, asked.offer)
        if begun is not None:
            self.tell(begun)

    def _invite(self, session: Session) -> None:
        """10.3 — the code for a phone: behind `#`, so that no server and no log has it."""
        token = self._service.engine.phones.invite(session)
        headers = self._socket.headers
        site = headers.get("origin") or f"https://{headers.get('host', '')}"
        address = f"{site}/{self._language}/hall/{session.event}/phone#{token}"
        minutes = LASTS // (60 * MS)
        self.tell(m.Invited(address=address, picture=qr_code(address), minutes=minutes))

    def refuse(self, refusal: Refusal) -> None:
        self._refused += 1
        text, advice = refusal.said(self._language)
        self.tell(m.Refused(key=refusal.key, text=text, do=advice))
        if self._refused > MAX_REFUSED:
            self.close(POLICY)

    async def look_again(self) -> None:
        """Ends when the account is no longer the one that came in."""
        while True:
            await asyncio.sleep(LOOK_AGAIN * random.uniform(0.1, 1.0))
            self._socket.state[ASKER] = None  # so that the session itself is asked
            try:
                asker = await to_thread.run_sync(asker_of, self._socket)
            except Unavailable:  # nobody is signed out by a fault of the server
                continue
            if asker.account != self._asker.account:
                self.close(SIGNED_OUT)
                return
            self._asker = asker


class PhonePeer(SocketPeer):
    """The socket of a phone: it shows the code of a player, and sends the room."""

    kinds = OF_PHONE

    async def _answer(self, asked: m.AnyAsked) -> None:
        match asked:
            case m.Attach() if self.session is None:
                self.session, attached = await self._service.attach(
                    self._asker, asked.event, asked.token, self
                )
                self.tell(attached)
                self.tell(self.session.status(self._service.engine.now()))
            case m.Begin():
                self._begin(asked)
            case m.Read():
                self._service.engine.read_room(self._joined(), asked.reading)
            case _:
                raise SliceRefused.of("video.not_joined")

    async def look_again(self) -> None:
        """Ends where no code was shown; whose session a browser has is of no concern."""
        await asyncio.sleep(ATTACH_WITHIN)
        if self.session is None:
            self.close(POLICY)
        await self.closed
