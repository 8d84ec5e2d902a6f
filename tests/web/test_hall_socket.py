"""The hall's socket in the site's own process: real sockets, session cookies, the page's origin."""

from __future__ import annotations

import asyncio
import json
import socket as sockets
from collections import deque
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast
from weakref import WeakKeyDictionary

import httpx
import pytest
import uvicorn
from litestar import Litestar
from litestar.datastructures import State
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from arrocco.errors import Refusal
from arrocco.hall.event.acts.entries import Enter
from arrocco.hall.event.acts.officials import AppointArbiter, AssignZone
from arrocco.hall.event.acts.rounds import CloseRound
from arrocco.hall.event.records import Arbiter, Person
from arrocco.hall.game import commands as c
from arrocco.live import connection as connection_module
from arrocco.live.analysis import Thinking
from arrocco.live.hall import Hall
from arrocco.live.log_reader import SqliteLogReader
from arrocco.live.reader import HallReader
from arrocco.live.request_server import LocalCommands
from arrocco.live.sqlite_log import SqliteLog
from arrocco.office.roles import Asker, Role
from arrocco.web import failures, hall_api, hall_socket
from arrocco.web.cookies import CookieJar, form_token
from arrocco.web.guard import admit
from tests.live.stage import (
    ARBITER,
    BLACK,
    CHIEF,
    GAME,
    HELPER,
    ORGANISER,
    WHITE,
    Stage,
    by_material,
    created,
    event,
    open_round,
)


class Accounts:
    """Whoever holds the token ``token-5`` is account 5."""

    def __init__(self) -> None:
        self.signed_out: set[str] = set()

    def asker_of(self, token: str, address: str) -> Asker:
        number = token.removeprefix("token-")
        if not number.isdigit() or token in self.signed_out:
            raise Refusal("nobody")
        return Asker(account=int(number), name=number, role=Role.ARBITER, address=address)


class Audit:
    def __init__(self) -> None:
        self.noted: list[tuple[str, str]] = []

    def note(self, asker: Asker, action: str, subject: str, refusal: Refusal) -> None:
        self.noted.append((subject, refusal.key))


class Office:
    def __init__(self) -> None:
        self.accounts = Accounts()
        self.audit = Audit()


class Site:
    """A running server with one game."""

    def __init__(self, port: int, hall: Hall, office: Office) -> None:
        self.port, self.hall, self.office = port, hall, office

    def cookie(self, account: str) -> dict[str, str]:
        return {"Cookie": f"arrocco_session=token-{account}"} if account else {}

    def page(self, account: str, **options: Any) -> connect:
        return connect(
            f"ws://127.0.0.1:{self.port}/hall/socket?lang=en",
            additional_headers=self.cookie(account),
            origin=options.pop("origin", f"http://127.0.0.1:{self.port}"),
            **options,
        )


@asynccontextmanager
async def site(folder: Path) -> AsyncIterator[Site]:
    hall = Hall(
        SqliteLog(folder / "hall.sqlite"), Thinking(by_material), arbiters=frozenset({ARBITER})
    )
    await hall.start()
    await hall.create_game(created())
    office = Office()
    logs = SqliteLogReader(folder / "hall.sqlite")
    reader = HallReader(logs, hall.time, LocalCommands(hall), arbiters=frozenset({ARBITER}))
    app = Litestar(
        [hall_socket.hall_socket, *hall_api.HANDLERS],
        guards=[admit],
        exception_handlers=failures.handlers(),
        state=State(
            {
                "office": office,
                "live": hall,
                "hall": reader,
                "cookies": CookieJar(secure=False),
            }
        ),
        openapi_config=None,
        logging_config=None,
    )
    listening = sockets.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(
        app, ws="websockets-sansio", log_level="critical", lifespan="off", ws_ping_interval=5
    )
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve(sockets=[listening]))
    while not server.started:
        await asyncio.sleep(0.01)
    try:
        yield Site(listening.getsockname()[1], hall, office)
    finally:
        server.should_exit = True
        server.force_exit = True
        await serving
        reader.close()
        await hall.stop()
        listening.close()


def with_site(folder: Path, play: Callable[[Site], Coroutine[Any, Any, None]]) -> None:
    async def scene() -> None:
        async with asyncio.timeout(20), site(folder) as here:
            await play(here)

    asyncio.run(scene())


_UNREAD: WeakKeyDictionary[ClientConnection, deque[str]] = WeakKeyDictionary()


async def receive(page: ClientConnection) -> dict[str, Any]:
    """The next message; a frame has one in each line."""
    unread = _UNREAD.setdefault(page, deque())
    while not unread:
        unread.extend(str(await page.recv()).split("\n"))
    message: dict[str, Any] = json.loads(unread.popleft())
    return message


async def hear(page: ClientConnection, kind: str) -> dict[str, Any]:
    """The next message of a kind."""
    while True:
        message: dict[str, Any] = await receive(page)
        if message["type"] == kind:
            return message


async def wish(page: ClientConnection, kind: str, **fields: Any) -> None:
    message = {"type": "wish", "id": kind, "game": GAME, "wish": {"type": kind, **fields}}
    await page.send(json.dumps(message))


async def join(page: ClientConnection) -> dict[str, Any]:
    await page.send(json.dumps({"type": "join", "game": GAME}))
    return await hear(page, "view")


def test_two_players_play_over_sockets_and_the_arbiter_looks_on(tmp_path: Path) -> None:
    async def play(here: Site) -> None:
        async with here.page(WHITE) as white, here.page(BLACK) as black, here.page(ARBITER) as boss:
            welcome = await hear(white, "welcome")
            assert (welcome["name"], welcome["signed_in"]) == (WHITE, True)
            assert (await join(white))["view"]["side"] == "white"
            assert (await join(black))["view"]["side"] == "black"
            assert (await join(boss))["view"]["role"] == "arbiter"
            await wish(boss, "start")
            await hear(boss, "done")
            await wish(white, "move", uci="e2e4", ply=0)
            await hear(white, "done")
            moved = await hear(black, "update")
            assert moved["events"][0]["uci"] == "e2e4"
            await white.close()
            while (shown := await hear(black, "view"))["view"]["opponent"]["connected"]:
                pass
            assert shown["view"]["opponent"]["connected"] is False

    with_site(tmp_path, play)


def test_nobody_without_a_session_plays_and_no_other_site_opens_a_socket(tmp_path: Path) -> None:
    async def play(here: Site) -> None:
        async with here.page("") as public:
            assert (await hear(public, "welcome"))["signed_in"] is False
            assert (await join(public))["view"]["role"] == "spectator"
            await wish(public, "resign")
            assert (await hear(public, "refused"))["key"] == "hall.not_seated"
        with pytest.raises((InvalidStatus, ConnectionClosed)):
            async with here.page(WHITE, origin="https://elsewhere.example") as stolen:
                await stolen.recv()

    with_site(tmp_path, play)


def test_a_session_that_ends_closes_its_sockets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hall_socket, "LOOK_AGAIN", 0.05)

    async def play(here: Site) -> None:
        async with here.page(WHITE) as white:
            await join(white)
            await asyncio.sleep(0.2)
            here.office.accounts.signed_out.add(f"token-{WHITE}")
            with pytest.raises(ConnectionClosed) as closed:
                await hear(white, "never")
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == hall_socket.SIGNED_OUT

    with_site(tmp_path, play)


def test_an_account_opens_so_many_sockets_and_no_more(tmp_path: Path) -> None:
    async def play(here: Site) -> None:
        pages = [await here.page(WHITE) for _ in range(hall_socket.MAX_SOCKETS)]
        for page in pages:
            await hear(page, "welcome")
        with pytest.raises(ConnectionClosed):
            async with here.page(WHITE) as one_more:
                await one_more.recv()
        await pages[0].close()
        await asyncio.sleep(0.1)
        async with here.page(WHITE) as again:
            await hear(again, "welcome")
        for page in pages:
            await page.close()

    with_site(tmp_path, play)


def test_a_message_far_too_long_ends_its_own_socket_only(tmp_path: Path) -> None:
    async def play(here: Site) -> None:
        async with here.page(WHITE) as white, here.page(BLACK) as black:
            await join(white)
            await join(black)
            await white.send("x" * 5000)
            assert (await hear(white, "refused"))["key"] == "hall_live.message_too_long"
            await black.send(json.dumps({"type": "ping", "id": "p"}))
            assert (await hear(black, "pong"))["id"] == "p"

    with_site(tmp_path, play)


def test_over_http_everybody_sees_what_they_may(tmp_path: Path) -> None:
    async def play(here: Site) -> None:
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{here.port}") as client:
            url = f"/api/v1/hall/games/{GAME}"
            public = await client.get(url)
            assert public.json()["role"] == "spectator"
            own = await client.get(url, headers=here.cookie(BLACK))
            assert (own.json()["side"], own.json()["number"]) == ("black", 0)
            assert (await client.get(f"{url}/pgn")).status_code == 404
            assert (await client.get(f"{url}/pgn", headers=here.cookie(WHITE))).status_code == 200
            log = await client.get(f"{url}/log", headers=here.cookie(ARBITER))
            assert json.loads(log.text.splitlines()[0])["type"] == "created"
            assert (await client.get(f"{url}/log", headers=here.cookie(WHITE))).status_code == 404
            assert (await client.get("/api/v1/hall/games/none")).status_code == 404
            assert (await client.get("/api/v1/hall/events/none")).status_code == 404

    with_site(tmp_path, play)


def test_an_event_is_made_and_asked_over_http(tmp_path: Path) -> None:
    async def play(here: Site) -> None:
        headers = here.cookie("9") | {"x-form-token": form_token("token-9")}
        event = {
            "type": "create",
            "event": "prova",
            "name": "Prova",
            "start": "2026-11-16",
            "end": "2026-11-16",
        }
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{here.port}") as client:
            made = await client.post("/api/v1/hall/events", json=event, headers=headers)
            assert made.json()["done"] is True, made.text
            url = "/api/v1/hall/events/prova"
            assert (await client.get(url)).json()["name"] == "Prova"
            refused = await client.post(
                f"{url}/commands", json={"type": "pair_round"}, headers=headers
            )
            assert refused.status_code == 409
            assert refused.json()["objections"][0]["key"] == "event.not_yours_to_do"
            unmeant = await client.post(
                f"{url}/commands", json={"type": "pair_round"}, headers=here.cookie("9")
            )
            assert unmeant.status_code == 403
            assert here.office.audit.noted == [(f"{url}/commands", "web.refused.not_meant")]

    with_site(tmp_path, play)


def test_looking_at_a_game_of_an_earlier_round_does_not_keep_it_in_memory(tmp_path: Path) -> None:
    async def play(here: Site) -> None:
        stage = cast("Stage", SimpleNamespace(hall=here.hall))
        room = await event(stage, players=2)
        (game,) = await open_round(stage, room)
        assert (await game.answer(c.Start(by=CHIEF))).refusal is None
        assert (await game.answer(c.Resign(by="1"))).refusal is None
        await room.take(game)
        assert not (await room.ask(CloseRound(by=CHIEF))).objections
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{here.port}") as client:
            for path in ("", "/pgn"):
                seen = await client.get(f"/api/v1/hall/games/{game.id}{path}")
                assert seen.status_code == 200, seen.text
                assert game.id not in here.hall.rooms

    with_site(tmp_path, play)


# --- several arbiters, dead networks, two tabs ----------------------------------------------------


async def say(page: ClientConnection, **message: Any) -> None:
    await page.send(json.dumps(message))


async def answer(page: ClientConnection, id: str) -> dict[str, Any]:
    """The answer to a message."""
    while True:
        message: dict[str, Any] = await receive(page)
        if message.get("id") == id:
            return message


async def act(page: ClientConnection, game: str, id: str, **wish: Any) -> dict[str, Any]:
    await say(page, type="wish", id=id, game=game, wish=wish)
    return await answer(page, id)


def test_6_3_each_assistant_acts_at_the_boards_of_their_zone_only(tmp_path: Path) -> None:
    async def play(here: Site) -> None:
        stage = cast("Stage", SimpleNamespace(hall=here.hall))
        room = await event(stage, players=6)
        appoint = AppointArbiter(
            by=CHIEF, arbiter=Arbiter(account="102", name="Terza", zone=(3, 3))
        )
        assert not (await room.ask(appoint)).objections
        games = await open_round(stage, room)
        for game in games:
            assert (await game.answer(c.Start(by=CHIEF))).refusal is None
        first, second, third = (game.id for game in games)
        async with here.page(CHIEF) as chief, here.page(HELPER) as helper, here.page("102") as last:
            pause = {"type": "pause", "reason": "a power cut"}
            for page, own in ((helper, {second}), (last, {third}), (chief, {first, second, third})):
                await say(page, type="wall", event="open")
                wall = await hear(page, "wall")
                assert {board["game"] for board in wall["boards"]} == own
            for page, mine in ((helper, second), (last, third)):
                for name in (first, second, third):
                    got = await act(page, name, f"p{name}", **pause)
                    expected = "done" if name == mine else "refused"
                    assert got["type"] == expected, (name, got)
                    if name != mine:
                        assert got["key"] == "hall.not_seated"
                    await say(page, type="chat", id=f"c{name}", game=name, text="x", to="white")
                    assert (await answer(page, f"c{name}"))["type"] == expected
                    log = await asyncio.to_thread(
                        httpx.get,
                        f"http://127.0.0.1:{here.port}/api/v1/hall/games/{name}/log",
                        headers=here.cookie(HELPER if page is helper else "102"),
                    )
                    assert log.status_code == (200 if name == mine else 404)
            warn = {"type": "warn", "side": "white", "reason": "noise"}
            assert (await act(chief, first, "w", **warn))["type"] == "done"
            move = AssignZone(by=CHIEF, account=HELPER, zone=(1, 1))
            assert not (await room.ask(move)).objections
            assert (await act(helper, second, "again", **pause))["key"] == "hall.not_seated"
            assert (await act(helper, first, "now", **pause))["type"] == "done"

    with_site(tmp_path, play)


def test_a_client_that_stops_reading_is_dropped_and_nobody_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection_module, "MAX_UNSENT", 8)
    monkeypatch.setattr(connection_module, "BURST", 1_000_000)
    codes: list[int] = []
    close = connection_module.Connection.close

    def noted(self: connection_module.Connection, code: int = 1001) -> None:
        if self.close_code is None:
            codes.append(code)
        close(self, code)

    monkeypatch.setattr(connection_module.Connection, "close", noted)

    async def play(here: Site) -> None:
        async with here.page(WHITE) as white, here.page(ARBITER) as boss:
            await join(white)
            await join(boss)
            await wish(boss, "start")
            await hear(boss, "done")
            state = here.hall.rooms[GAME].state
            assert not state.black.platform.on
            reader, writer = await dead_page(here, BLACK)
            while not here.hall.rooms[GAME].state.black.platform.on:
                await asyncio.sleep(0.01)
            # Whole views fill what the network holds, then what the server keeps for it.
            message = frame(json.dumps({"type": "join", "game": GAME}).encode())
            with suppress(ConnectionError):
                while here.hall.rooms[GAME].state.black.platform.on:
                    writer.write(message * 50)
                    await asyncio.sleep(0.01)
            assert codes == [connection_module.TRY_AGAIN]
            await wish(white, "move", uci="e2e4", ply=0)
            assert (await hear(white, "done"))["id"] == "move"
            writer.close()
            del reader

    with_site(tmp_path, play)


async def dead_page(here: Site, account: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A socket of somebody who says that they come and then never reads again."""
    raw = sockets.socket()
    raw.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, 4096)
    raw.setblocking(False)
    await asyncio.get_running_loop().sock_connect(raw, ("127.0.0.1", here.port))
    reader, writer = await asyncio.open_connection(sock=raw, limit=1024)
    writer.write(
        b"GET /hall/socket HTTP/1.1\r\n"
        + f"Host: 127.0.0.1:{here.port}\r\nOrigin: http://127.0.0.1:{here.port}\r\n".encode()
        + f"Cookie: arrocco_session=token-{account}\r\n".encode()
        + b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        + b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
    )
    assert b"101" in await reader.readline()
    writer.write(frame(json.dumps({"type": "join", "game": GAME}).encode()))
    return reader, writer


def frame(text: bytes) -> bytes:
    """A short text in one masked frame; the mask is zero."""
    assert len(text) < 126
    return bytes([0x81, 0x80 | len(text), 0, 0, 0, 0]) + text


def test_7_5_two_tabs_of_a_player_are_both_told_and_only_the_last_to_close_is_going(
    tmp_path: Path,
) -> None:
    async def play(here: Site) -> None:
        room = here.hall.rooms[GAME]
        async with here.page(BLACK) as black, here.page(ARBITER) as boss:
            await join(black)
            await join(boss)
            one, other = await here.page(WHITE), await here.page(WHITE)
            for tab in (one, other):
                assert (await join(tab))["view"]["side"] == "white"
            await wish(boss, "start")
            await hear(boss, "done")
            await wish(one, "move", uci="e2e4", ply=0)
            for tab in (one, other):
                update = await hear(tab, "update")
                assert update["events"][0]["uci"] == "e2e4"
            await one.close()
            await wish(black, "move", uci="e7e5", ply=1)
            assert (await hear(other, "update"))["events"][0]["uci"] == "e7e5"
            assert room.state.white.platform.on
            await other.close()
            while room.state.white.platform.on:
                await asyncio.sleep(0.01)
            assert [gap.start for gap in room.state.white.platform.gaps] == []
            back = await here.page(WHITE)
            assert (await join(back))["view"]["side"] == "white"
            while not room.state.white.platform.on:
                await asyncio.sleep(0.01)
            assert len(room.state.white.platform.gaps) == 1
            await back.close()

    with_site(tmp_path, play)


class Pipe:
    """A socket that takes a frame only while it is open."""

    def __init__(self) -> None:
        self.open = asyncio.Event()
        self.is_broken = False
        self.frames: list[list[str]] = []

    async def send(self, message: dict[str, Any]) -> None:
        if self.is_broken:
            raise ConnectionError
        await self.open.wait()
        self.frames.append([json.loads(line)["type"] for line in message["text"].split("\n")])


class TestSending:
    def test_what_is_told_in_one_turn_goes_in_one_frame_and_what_cannot_go_yet_goes_later(
        self,
    ) -> None:
        async def play() -> None:
            stage, pipe = Stage(), Pipe()
            connection = stage.connect(WHITE).connection
            sender = hall_socket._Sender(cast(Any, pipe), connection, stage.hall.services.outbox)
            connection.send(b'{"type":"a"}')
            await asyncio.sleep(0.01)
            for kind in (b"b", b"c"):
                connection.send(b'{"type":"%s"}' % kind)
                await asyncio.sleep(0)
            assert pipe.frames == []
            pipe.open.set()
            await asyncio.sleep(0.01)
            assert pipe.frames == [["welcome", "a"], ["b", "c"]]
            connection.send(b'{"type":"d"}')
            assert len(pipe.frames) == 2, "it is not sent before the turn is over"
            stage.hall.services.outbox.empty()
            assert pipe.frames[2:] == [["d"]]
            assert not sender.over.done()
            connection.close()
            await asyncio.wait_for(sender.over, 1)
            await stage.hall.stop()

        asyncio.run(play())

    @pytest.mark.parametrize("is_late", [False, True])
    def test_a_socket_that_breaks_is_over(self, is_late: bool) -> None:
        async def play() -> None:
            stage, pipe = Stage(), Pipe()
            pipe.is_broken = not is_late
            connection = stage.connect(WHITE).connection
            sender = hall_socket._Sender(cast(Any, pipe), connection, stage.hall.services.outbox)
            await asyncio.sleep(0.01)
            if is_late:
                assert not sender.over.done()
                connection.send(b'{"type":"a"}')
                pipe.is_broken = True
                pipe.open.set()
            await asyncio.wait_for(sender.over, 1)
            connection.send(b'{"type":"b"}')
            await asyncio.sleep(0.01)
            assert ["b"] not in pipe.frames
            await stage.hall.stop()

        asyncio.run(play())

    def test_a_socket_that_ends_while_something_waits_leaves_nothing_behind(self) -> None:
        async def play() -> None:
            stage, pipe = Stage(), Pipe()
            connection = stage.connect(WHITE).connection
            sender = hall_socket._Sender(cast(Any, pipe), connection, stage.hall.services.outbox)
            await asyncio.sleep(0.01)
            connection.close()
            sender.stop()
            await asyncio.sleep(0.01)
            assert asyncio.all_tasks() == {asyncio.current_task()}
            assert pipe.frames == []
            await stage.hall.stop()

        asyncio.run(play())


# --- commands over HTTP ---------------------------------------------------------------------------

PROVA = {
    "type": "create",
    "event": "prova",
    "name": "Prova",
    "start": "2026-11-16",
    "end": "2026-11-16",
}


def test_a_key_stands_for_one_command_only(tmp_path: Path) -> None:
    async def play(here: Site) -> None:
        headers = here.cookie("9") | {"x-form-token": form_token("token-9")}
        chief = {"account": "9", "name": "Nove", "chief": True}
        other = {"account": "8", "name": "Otto", "chief": False}
        async with httpx.AsyncClient(
            base_url=f"http://127.0.0.1:{here.port}/api/v1/hall/events", headers=headers
        ) as client:
            assert (await client.post("", json=PROVA)).json()["done"]

            async def appoint(arbiter: dict[str, Any], key: str) -> dict[str, Any]:
                answer = await client.post(
                    "/prova/commands",
                    json={"type": "appoint_arbiter", "arbiter": arbiter},
                    headers={"idempotency-key": key},
                )
                said: dict[str, Any] = answer.json()
                return said

            assert (await appoint(chief, "k"))["done"]
            again = await appoint(dict(reversed(chief.items())), "k")
            assert (again["done"], again["again"]) == (True, True)
            reused = await appoint(other, "k")
            assert reused["objections"][0]["key"] == "hall_live.id_reused"
            assert len(here.hall.events["prova"].state.arbiters) == 1
            assert (await appoint(other, "l"))["done"]

    with_site(tmp_path, play)


def test_commands_over_http_have_the_limit_of_a_socket(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arrocco.web.command_rate.BURST", 5)
    monkeypatch.setattr("arrocco.web.command_rate.PER_SECOND", 0)

    async def play(here: Site) -> None:
        async with httpx.AsyncClient(
            base_url=f"http://127.0.0.1:{here.port}/api/v1/hall/events"
        ) as client:

            async def ask(account: str) -> int:
                token = {"x-form-token": form_token(f"token-{account}")}
                answer = await client.post(
                    "/none/commands",
                    json={"type": "validate"},
                    headers=here.cookie(account) | token,
                )
                return answer.status_code

            assert [await ask("9") for _ in range(7)] == [404] * 5 + [429] * 2
            assert await ask("8") == 404, "each account has its own"

    with_site(tmp_path, play)


def test_an_officer_makes_events_of_their_own_federation_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def officer(self: Accounts, token: str, address: str = "") -> Asker:
        return Asker(account=9, name="Nove", role=Role.FEDERATION_OFFICER, federation="ITA")

    monkeypatch.setattr(Accounts, "asker_of", officer)

    async def play(here: Site) -> None:
        headers = here.cookie("9") | {"x-form-token": form_token("token-9")}
        async with httpx.AsyncClient(
            base_url=f"http://127.0.0.1:{here.port}/api/v1/hall/events", headers=headers
        ) as client:
            foreign = await client.post("", json=PROVA | {"federation": "FRA"})
            assert foreign.status_code == 403, foreign.text
            assert "prova" not in here.hall.events
            assert (await client.post("", json=PROVA)).json()["done"]
            assert here.hall.events["prova"].state.created.federation == "ITA"
            own = PROVA | {"event": "altra", "federation": "ITA"}
            assert (await client.post("", json=own)).json()["done"]

    with_site(tmp_path, play)


def test_5_17_spectators_get_no_account_numbers(tmp_path: Path) -> None:
    """Accounts of these games are numbers nobody would meet by chance."""
    accounts = {"81818181": "Bianca", "92929292": "Nera"}

    async def play(here: Site) -> None:
        stage = cast("Stage", SimpleNamespace(hall=here.hall))
        room = await event(stage, players=0)
        for account, surname in accounts.items():
            someone = Person(account=account, surname=surname, name="Finta")
            assert not (await room.ask(Enter(by=ORGANISER, person=someone))).objections
        (game,) = await open_round(stage, room)
        assert (await game.answer(c.Start(by=CHIEF))).refusal is None
        heard: list[dict[str, Any]] = []
        async with here.page("") as stranger:
            await say(stranger, type="join", game=game.id)
            await say(stranger, type="event", event="open")
            heard += [await hear(stranger, "view"), await hear(stranger, "event")]
            white = game.state.white.player.id
            async with here.page(white) as player:
                await say(player, type="join", game=game.id)
                await hear(player, "view")
                moved = await act(player, game.id, "m", type="move", uci="e2e4", ply=0)
                assert moved["type"] == "done", moved
            assert (await game.answer(c.Resign(by=white))).refusal is None
            await room.take(game)
            with suppress(TimeoutError):
                while True:
                    heard.append(await asyncio.wait_for(receive(stranger), 0.5))
        assert len(heard) > 2
        seen = json.dumps(heard)
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{here.port}") as client:
            for url in (f"games/{game.id}", f"games/{game.id}/pgn", "events/open"):
                answer = await client.get(f"/api/v1/hall/{url}")
                assert answer.status_code == 200, answer.text
                seen += answer.text
        assert "Bianca" in seen
        for account in accounts:
            assert account not in seen

    with_site(tmp_path, play)
