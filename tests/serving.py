"""The program itself, `arrocco serve`, with all its processes, and people who play there."""

from __future__ import annotations

import asyncio
import json
import os
import re
import secrets
import signal
import subprocess
import sys
import time
from collections import deque
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Any, Protocol

from websockets.asyncio.client import ClientConnection, connect

from arrocco.cli.serving.run import meeting_places
from arrocco.desk import DATABASE_VARIABLE, Office
from arrocco.hall.event import Rules
from arrocco.hall.event.acts.entries import Enter
from arrocco.hall.event.acts.officials import AppointArbiter, SetRules
from arrocco.hall.event.acts.pairing import PairByHand
from arrocco.hall.event.acts.rounds import OpenRound
from arrocco.hall.event.creation import Create
from arrocco.hall.event.records import Arbiter, PairingSystem, Person
from arrocco.hall.event.rules import Supervision
from arrocco.live.remote import RemoteHall
from arrocco.office.roles import Role
from arrocco.store.sql import accounts, sessions

EVENT = "prova"
COMMAND = [sys.executable, "-c", "from arrocco.cli.main import main; main()", "serve"]
_ADDRESS = re.compile(r"http://\S+")


@dataclass
class Server:
    """A running server: its parent process, where it answers, its office."""

    process: subprocess.Popen[str]
    address: str
    folder: Path

    @property
    def port(self) -> int:
        return int(self.address.rpartition(":")[2])

    @property
    def hall(self) -> RemoteHall:
        return RemoteHall(meeting_places(self.folder)[1])

    def pid(self, part: str, *, but: int = 0) -> int:
        """The process of a part, waited for where it is about to be started."""
        until = time.monotonic() + 20
        while time.monotonic() < until:
            for pid in children(self.process.pid):
                if f"{part}_process" in command_of(pid) and pid != but:
                    return pid
            time.sleep(0.02)
        raise AssertionError(f"no {part}")


def children(pid: int) -> list[int]:
    with suppress(OSError):
        return [
            int(child)
            for task in Path(f"/proc/{pid}/task").iterdir()
            for child in (task / "children").read_text("ascii").split()
        ]
    return []


def command_of(pid: int) -> str:
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace")
    return ""


def is_alive(pid: int) -> bool:
    with suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()[0] != "Z"
    return False


@contextmanager
def serving(folder: Path, *options: str, database: str = "") -> Iterator[Server]:
    """A server on a free port until the block is over; without a database it has its files."""
    process = subprocess.Popen(
        [*COMMAND, "--office", str(folder), "--port", "0", "--lang", "en", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | ({DATABASE_VARIABLE: database} if database else {}),
    )
    assert process.stdout is not None
    assert process.stderr is not None
    first = process.stdout.readline()
    found = _ADDRESS.search(first)
    assert found, f"the server did not start: {first}{process.stderr.read()}"
    try:
        yield Server(process, found[0], folder)
    finally:
        for pid in children(process.pid):
            with suppress(OSError):
                os.kill(pid, signal.SIGCONT)
        process.terminate()
        try:
            process.communicate(timeout=90)
        except subprocess.TimeoutExpired:
            process.kill()
            raise


def make_office(folder: Path, people: int, database: str = "") -> list[str]:
    """An office with an organiser (account 1) and players; the session of each, from account 1."""
    with closing(Office.open(folder, database=database)) as office:
        at = office.desk.now()
        tokens = []
        with office.desk.database.writing() as connection:
            for number in range(1, people + 2):
                role = Role.ARBITER if number == 1 else Role.PLAYER
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
    return tokens


async def open_round(
    hall: RemoteHall,
    boards: int,
    control: str = "300+0",
    supervision: Supervision = Supervision.NONE,
) -> None:
    """An event whose first round is open: accounts 2 and 3 at board 1, and so on."""
    day = date(2026, 11, 16)
    await hall.create_event(Create(by="1", event=EVENT, name="Prova", start=day, end=day))
    rules = Rules(
        system=PairingSystem.MANUAL,
        rounds=1,
        time_control=control,
        tolerance=timedelta(hours=1),
        disconnection_rule="The clock runs on.",
        federation_id_required=False,
        rated=False,
        supervision=supervision,
    )
    people = (
        Person(account=str(number), surname=f"Persona{number}", name="Nome")
        for number in range(2, 2 * boards + 2)
    )
    for command in (
        SetRules(by="1", rules=rules),
        AppointArbiter(by="1", arbiter=Arbiter(account="1", name="Capo", chief=True)),
        *(Enter(by="1", person=person) for person in people),
        PairByHand(
            by="1", boards=tuple((n, n + 1) for n in range(1, 2 * boards, 2)), reason="by hand"
        ),
        OpenRound(by="1"),
    ):
        outcome = await hall.ask(EVENT, command)
        assert not outcome.objections, outcome.objections


class Reached(Protocol):
    """What a socket needs to know of a server."""

    @property
    def address(self) -> str: ...

    @property
    def port(self) -> int: ...


class Page:
    """A socket of somebody, as the script of a page has one."""

    def __init__(self, server: Reached, token: str) -> None:
        self._server, self._token = server, token
        self._unread: deque[str] = deque()
        self._socket: ClientConnection | None = None
        self._name, self._count = secrets.token_hex(4), 0

    async def open(self) -> None:
        self._unread.clear()
        self._socket = await connect(
            f"ws://127.0.0.1:{self._server.port}/hall/socket?lang=en",
            additional_headers={"Cookie": f"arrocco_session={self._token}"},
            origin=self._server.address,  # type: ignore[arg-type]
            open_timeout=60,
        )

    async def close(self) -> None:
        if self._socket is not None:
            await self._socket.close()

    async def send(self, **message: Any) -> None:
        assert self._socket is not None
        await self._socket.send(json.dumps(message))

    async def receive(self) -> dict[str, Any]:
        """The next message; a frame has one in each line."""
        assert self._socket is not None
        while not self._unread:
            self._unread.extend(str(await self._socket.recv()).split("\n"))
        message: dict[str, Any] = json.loads(self._unread.popleft())
        return message

    async def hear(self, *kinds: str) -> dict[str, Any]:
        """The next message of a kind."""
        while (message := await self.receive())["type"] not in kinds:
            pass
        return message

    async def join(self, game: str) -> dict[str, Any]:
        await self.send(type="join", game=game)
        return await self.hear("view")

    async def ask(self, game: str, **wish: Any) -> dict[str, Any]:
        """What becomes of a wish."""
        self._count += 1
        name = f"{self._name}{self._count}"
        await self.send(type="wish", id=name, game=game, wish=wish)
        while (answer := await self.hear("done", "refused"))["id"] != name:
            pass
        return answer


async def seated(server: Server, tokens: list[str], board: int) -> tuple[str, Page, Page]:
    """The two players of a board at their game, once it runs."""
    game = f"{EVENT}-1-{board}"
    white, black = (Page(server, tokens[2 * board - 1 + n]) for n in (0, 1))
    for page in (white, black):
        await page.open()
    view = await white.join(game)
    await black.join(game)
    while view["view"]["phase"] == "waiting":
        view = await white.hear("view")
    return game, white, black


async def eventually(condition: Any, seconds: float = 20) -> None:
    """Waits until something is so."""
    until = asyncio.get_running_loop().time() + seconds
    while not condition():
        assert asyncio.get_running_loop().time() < until, "it never became so"
        await asyncio.sleep(0.02)
