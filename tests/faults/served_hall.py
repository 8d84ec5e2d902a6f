"""The program itself, `arrocco serve`, with an event under way, and pages that talk to it."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

from arrocco.desk import Office
from arrocco.hall.event import Rules
from arrocco.hall.event.acts import Command
from arrocco.hall.event.acts.entries import Enter
from arrocco.hall.event.acts.officials import AppointArbiter, SetRules
from arrocco.hall.event.acts.pairing import PairByHand
from arrocco.hall.event.acts.rounds import OpenRound
from arrocco.hall.event.creation import Create
from arrocco.hall.event.records import Arbiter, PairingSystem, Person
from arrocco.live.opening import open_hall
from arrocco.office.roles import Role
from arrocco.store.sql import accounts, sessions

EVENT = "prova"
COMMAND = [sys.executable, "-c", "from arrocco.cli.main import main; main()"]
CHIEF = 1
"""The account of the organiser, who is the chief arbiter too; players follow from 2 on."""
MAX_WAIT = 90.0


def game_of(board: int) -> str:
    return f"{EVENT}-1-{board}"


def make_office(folder: Path, boards: int, control: str, url: str = "") -> list[str]:
    """An office whose hall has a round open; the sessions of all accounts, that of number 1 first.

    Accounts 2 and 3 have board 1, and so on. The games wait for the arbiter to start them.
    """
    with closing(Office.open(folder, database=url)) as office:
        at = office.desk.now()
        tokens = []
        with office.desk.database.writing() as connection:
            for number in range(CHIEF, 2 * boards + 2):
                role = Role.ARBITER if number == CHIEF else Role.PLAYER
                account = accounts.add(
                    connection,
                    email=f"p{number}@example.org",
                    name=f"Persona {number}",
                    password_hash="-",
                    role=role,
                    created_at=at,
                )
                assert account.id == number
                tokens.append(sessions.start(connection, number, at, at + timedelta(hours=2)))
        asyncio.run(_open_round(folder, office, boards, control))
    return tokens


async def _open_round(folder: Path, office: Office, boards: int, control: str) -> None:
    hall = open_hall(folder, office.desk.database)
    await hall.start()
    by, day = str(CHIEF), date(2026, 11, 16)
    await hall.create_event(Create(by=by, event=EVENT, name="Prova", start=day, end=day))
    rules = Rules(
        system=PairingSystem.MANUAL,
        rounds=1,
        time_control=control,
        tolerance=timedelta(hours=1),
        disconnection_rule="The clock runs on.",
        federation_id_required=False,
        rated=False,
    )
    commands: list[Command] = [
        SetRules(by=by, rules=rules),
        AppointArbiter(by=by, arbiter=Arbiter(account=by, name="Capo", chief=True)),
        *(
            Enter(by=by, person=Person(account=str(n), surname=f"Persona{n}", name="Nome"))
            for n in range(2, 2 * boards + 2)
        ),
        PairByHand(
            by=by, boards=tuple((n, n + 1) for n in range(1, 2 * boards, 2)), reason="by hand"
        ),
        OpenRound(by=by),
    ]
    for command in commands:
        outcome = await hall.events[EVENT].ask(command)
        assert not outcome.objections, outcome.objections
    await hall.stop()


@dataclass(frozen=True)
class Answer:
    """What the site answered."""

    status: int
    headers: dict[str, str]
    text: str


@dataclass(frozen=True)
class Server:
    """A running server."""

    process: subprocess.Popen[str]
    port: int
    log: Path

    def get(self, path: str, token: str = "") -> Answer:
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}")
        if token:
            request.add_header("Cookie", f"arrocco_session={token}")
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return Answer(answer.status, _lower(answer.headers), answer.read().decode())
        except urllib.error.HTTPError as error:
            with error:
                return Answer(error.code, _lower(error.headers), error.read().decode())


def _lower(headers: Any) -> dict[str, str]:
    return {name.lower(): value for name, value in headers.items()}


@contextmanager
def serving(folder: Path, log: Path, **environment: str) -> Iterator[Server]:
    """A server on a free port until the block is over; what it says goes to a file."""
    inherited = {key: value for key, value in os.environ.items() if key != "ARROCCO_DATABASE"}
    with log.open("w") as said:
        process = subprocess.Popen(
            [*COMMAND, "serve", "--office", str(folder), "--port", "0", "--json"],
            stdout=subprocess.PIPE,
            stderr=said,
            text=True,
            env={**inherited, "PYTHONPATH": os.pathsep.join(sys.path), **environment},
        )
    assert process.stdout is not None
    first = process.stdout.readline()
    assert first.startswith("{"), first + log.read_text()
    lines = [first]
    while not lines[-1].startswith("}") and not lines[-1].rstrip().endswith("}"):
        lines.append(process.stdout.readline())
    address = json.loads("".join(lines))["address"]
    try:
        yield Server(process, int(address.rpartition(":")[2].strip("/")), log)
    finally:
        process.terminate()
        try:
            process.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise


class Page:
    """A socket of somebody, as the script of a page has one."""

    def __init__(self, socket: ClientConnection, name: str) -> None:
        self._socket, self._name, self._count = socket, name, 0
        self._unread: list[dict[str, Any]] = []
        self.heard: list[dict[str, Any]] = []

    @classmethod
    async def open(cls, server: Server, token: str) -> Page:
        socket = await connect(
            f"ws://127.0.0.1:{server.port}/hall/socket?lang=en",
            additional_headers={"Cookie": f"arrocco_session={token}"},
            origin=f"http://127.0.0.1:{server.port}",  # type: ignore[arg-type]
            compression=None,
            ping_interval=None,
        )
        return cls(socket, token[:6])

    async def close(self) -> None:
        await self._socket.close()

    async def hear(self, seconds: float = MAX_WAIT) -> dict[str, Any]:
        """The next message; a frame has one in each line."""
        if not self._unread:
            data = await asyncio.wait_for(self._socket.recv(), seconds)
            self._unread = [json.loads(line) for line in str(data).split("\n")]
        message = self._unread.pop(0)
        self.heard.append(message)
        return message

    async def view(self) -> dict[str, Any]:
        """The next whole view of a game."""
        while (message := await self.hear())["type"] != "view":
            pass
        view: dict[str, Any] = message["view"]
        return view

    async def join(self, game: str) -> dict[str, Any]:
        await self._socket.send(json.dumps({"type": "join", "game": game}))
        return await self.view()

    async def send(self, game: str, kind: str, **fields: Any) -> str:
        """Asks for something; gives the number of the message."""
        self._count += 1
        name = f"{self._name}{self._count}"
        wish = {"type": kind, **fields}
        message = {"type": "wish", "id": name, "game": game, "wish": wish}
        await self._socket.send(json.dumps(message))
        return name

    async def answer(self, name: str) -> dict[str, Any]:
        """What became of a message."""
        while (message := await self.hear()).get("id") != name:
            pass
        return message

    async def ask(self, game: str, kind: str, **fields: Any) -> dict[str, Any]:
        return await self.answer(await self.send(game, kind, **fields))


async def seated(server: Server, tokens: list[str], board: int = 1) -> tuple[Page, Page, Page]:
    """The two players of a board and the arbiter; the game runs."""
    game = game_of(board)
    white, black, chief = [
        await Page.open(server, tokens[n]) for n in (2 * board - 1, 2 * board, 0)
    ]
    for page in (white, black, chief):
        await page.join(game)
    started = await chief.ask(game, "start")
    assert started["type"] == "done", started
    while (await white.view())["phase"] != "running":
        pass
    return white, black, chief
