"""The hall's socket in the site's own process: real sockets, session cookies, the page's origin."""

from __future__ import annotations

import asyncio
import json
import socket as sockets
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvicorn
from litestar import Litestar
from litestar.datastructures import State
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from arrocco.errors import Refusal
from arrocco.office.roles import Asker, Role
from arrocco.web import failures, hall_api, hall_socket
from arrocco.web.cookies import CookieJar, form_token
from arrocco.web.guard import admit
from arrocco.wiring.hall.hall import Hall
from arrocco.wiring.hall.sqlite_log import SqliteLog
from arrocco.wiring.hall.thinking import Thinking
from tests.wiring.hall.stage import ARBITER, BLACK, GAME, WHITE, by_material, created


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
    app = Litestar(
        [hall_socket.hall_socket, *hall_api.HANDLERS],
        guards=[admit],
        exception_handlers=failures.handlers(),
        state=State({"office": office, "hall": hall, "cookies": CookieJar(secure=False)}),
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
        await hall.stop()
        listening.close()


def with_site(folder: Path, play: Callable[[Site], Coroutine[Any, Any, None]]) -> None:
    async def scene() -> None:
        async with asyncio.timeout(20), site(folder) as here:
            await play(here)

    asyncio.run(scene())


async def hear(page: ClientConnection, kind: str) -> dict[str, Any]:
    """The next message of a kind."""
    while True:
        message: dict[str, Any] = json.loads(await page.recv())
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
        pages = [await here.page(WHITE) for _ in range(hall_socket.MOST_SOCKETS)]
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
        event = {"type": "create", "event": "prova", "name": "Prova", "start": "2026-11-16",
                 "end": "2026-11-16"}  # fmt: skip
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
