"""A hall before a browser: a site with its hall, and people with accounts.

Import the fixtures into a module of tests: `served` takes the place of the empty office.
"""

from __future__ import annotations

import asyncio
import shutil
import socket
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any, TypeVar

import pytest
import uvicorn
from litestar import Litestar
from playwright.sync_api import Page

from arrocco.desk import Office
from arrocco.hall.event.acts import Command
from arrocco.hall.event.creation import Create
from arrocco.hall.game import State, fold
from arrocco.hall.game.log import decode
from arrocco.live.hall import Hall
from arrocco.live.log_reader import SqliteLogReader
from arrocco.live.remote import RemoteHall
from arrocco.live.request_server import LocalCommands
from arrocco.office.roles import Asker, Role
from arrocco.store.hall_file import hall_file
from arrocco.store.sql import accounts, sessions
from arrocco.web.hall_app import SOCKETS
from tests.browser.conftest import Served
from tests.serving import Page as SocketPage
from tests.serving import Reached, Server, serving
from tests.web.apps import app_of
from tests.web.offices import PASSWORD

__all__ = [
    "Program",
    "Remote",
    "Running",
    "Signed",
    "hall_at_work",
    "hall_office",
    "program",
    "remote",
    "running",
    "served",
    "session_of",
    "signed",
]

PEOPLE = {
    "arbiter": ("Dora Cedro", Role.ARBITER, None),
    "white": ("Bea Abete", Role.PLAYER, 99000011),
    "black": ("Carlo Betulla", Role.PLAYER, 99000012),
}
TO_THE_SEATS = 1500
"""Milliseconds to the start of a round: here nobody has to be led to a board first."""
_STOP_SECONDS = 60
"""For a server that stops on a busy machine: its loop cannot be closed before."""
Signed = Callable[[Page, str], None]
T = TypeVar("T")


Run = Callable[[Coroutine[Any, Any, Any]], Any]


@dataclass
class Running:
    """A hall at work in a thread of its own, and how to have something done there."""

    served: Served
    hall: Hall
    run: Run
    app: Litestar


@contextmanager
def hall_at_work(hall_office: Office) -> Iterator[Running]:
    """The site and its hall on a free port until the block is over."""
    app = app_of(hall_office, with_hall=True)
    with closing(socket.create_server(("127.0.0.1", 0))) as listening:
        server = uvicorn.Server(
            uvicorn.Config(app, log_level="error", lifespan="on", access_log=False, **SOCKETS)
        )
        loop = asyncio.new_event_loop()
        thread = threading.Thread(
            target=loop.run_until_complete, args=(server.serve([listening]),), daemon=True
        )
        thread.start()
        while not server.started:
            time.sleep(0.02)

        def run(what: Coroutine[Any, Any, Any]) -> Any:
            return asyncio.run_coroutine_threadsafe(what, loop).result(60)

        app.state.live.to_the_seats = TO_THE_SEATS
        address = f"http://127.0.0.1:{listening.getsockname()[1]}"
        yield Running(Served(address, hall_office.folder), app.state.live, run, app)
        server.should_exit = True
        thread.join(_STOP_SECONDS)
        loop.close()


@dataclass
class Remote:
    """A server, and the ways into its hall that programs have."""

    served: Served
    server: Reached
    arbiter: str
    """The arbiter's session."""
    commands: RemoteHall | LocalCommands
    run: Run

    def ask(self, event: str, *commands: Command) -> None:
        """Has an event do something."""
        for command in commands:
            outcome = self.run(self.commands.ask(event, command))
            assert not outcome.objections, outcome.objections

    def create_event(self, command: Create) -> None:
        self.run(self.commands.create_event(command))

    def state(self, game: str) -> State:
        """A game as its log has it."""
        logs = SqliteLogReader(hall_file(self.served.folder))
        try:
            return fold([decode(line) for line in logs.read(f"game:{game}")])
        finally:
            logs.close()

    def act(self, game: str, **wish: Any) -> None:
        """The arbiter does something at a board."""

        async def done() -> None:
            page = SocketPage(self.server, self.arbiter)
            await page.open()
            await page.join(game)
            answer = await page.ask(game, **wish)
            assert answer["type"] == "done", answer
            await page.close()

        _run(done())


@dataclass
class Program(Remote):
    """The program itself with all its processes."""

    server: Server


def _run(what: Coroutine[Any, Any, T]) -> T:
    """In a thread: while a browser runs, its driver has a loop in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, what).result(60)


@pytest.fixture
def running(hall_office: Office) -> Iterator[Running]:
    """The site with its hall in one process, and a hand in it, until the test is over."""
    with hall_at_work(hall_office) as running:
        yield running


@pytest.fixture
def remote(hall_office: Office) -> Iterator[Remote]:
    """The same, for tests that could do with the program itself as well."""
    with hall_at_work(hall_office) as running:
        arbiter = session_of(hall_office, "arbiter")
        commands = LocalCommands(running.hall)
        yield Remote(running.served, running.served, arbiter, commands, running.run)


@pytest.fixture
def program(hall_office: Office) -> Iterator[Program]:
    """The program itself until the test is over: seconds of work before anything is shown."""
    with serving(hall_office.folder) as server:
        served = Served(server.address, hall_office.folder)
        yield Program(served, server, session_of(hall_office, "arbiter"), server.hall, _run)


_MADE: dict[str, Path] = {}


def _folder(temporary: pytest.TempPathFactory) -> Path:
    """The folder of an office with an arbiter and two players, copied for each test."""
    if "folder" in _MADE:
        return _MADE["folder"]
    folder = _MADE["folder"] = temporary.mktemp("hall") / "office"
    with closing(Office.open(folder)) as office:
        desk = office.accounts
        desk.accept_invitation(desk.invite_first("admin@example.org"), "Ada Rossi", PASSWORD)
        admin = Asker(account=1, name="Ada Rossi", role=Role.SYSTEM_ADMINISTRATOR)
        for key, (name, role, player) in PEOPLE.items():
            token = desk.invite(admin, f"{key}@example.org", role, "", player)
            desk.accept_invitation(token, name, PASSWORD)
    return folder


@pytest.fixture
def hall_office(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Office]:
    """An office with an arbiter and two players."""
    folder = Path(shutil.copytree(_folder(tmp_path_factory), tmp_path / "office"))
    with closing(Office.open(folder)) as office:
        yield office


@pytest.fixture
def served(hall_office: Office) -> Iterator[Served]:
    """The site with its hall in one process until the test is over."""
    with hall_at_work(hall_office) as running:
        yield running.served


def session_of(office: Office, who: str) -> str:
    """The cookie of somebody who is signed in, without the cost of a password."""
    at = office.desk.now()
    with office.desk.database.writing() as connection:
        account = accounts.by_email(connection, f"{who}@example.org")
        assert account is not None
        return sessions.start(connection, account.id, at, at + timedelta(hours=2))


@pytest.fixture
def signed(hall_office: Office, served: Served) -> Signed:
    """Signs a browser in as one of the people."""

    def sign(page: Page, who: str) -> None:
        token = session_of(hall_office, who)
        page.context.add_cookies(
            [{"name": "arrocco_session", "value": token, "url": served.address}]
        )

    return sign
