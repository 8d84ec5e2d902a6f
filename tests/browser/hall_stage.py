"""A hall before a browser: a real server with its hall, and people with accounts.

Import the fixtures into a module of tests: `served` takes the place of the empty office.
"""

from __future__ import annotations

import asyncio
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
from playwright.sync_api import Page

from arrocco.hall.event import commands as ec
from arrocco.hall.game import State, fold
from arrocco.hall.log import decode
from arrocco.office.roles import Asker, Role
from arrocco.store.hall_file import hall_file
from arrocco.store.sql import accounts, sessions
from arrocco.web.app import create_app
from arrocco.web.hall_app import SOCKETS
from arrocco.wiring.hall.hall import Hall
from arrocco.wiring.hall.log_reader import SqliteLogReader
from arrocco.wiring.office import Office
from tests.browser.conftest import Served
from tests.serving import Page as SocketPage
from tests.serving import Server, serving
from tests.web.offices import PASSWORD

__all__ = [
    "Remote", "Running", "Signed", "hall_at_work", "hall_office", "remote", "running", "served",
    "session_of", "signed",
]  # fmt: skip

PEOPLE = {
    "arbiter": ("Dora Cedro", Role.ARBITER, None),
    "white": ("Bea Abete", Role.PLAYER, 99000011),
    "black": ("Carlo Betulla", Role.PLAYER, 99000012),
}
Signed = Callable[[Page, str], None]
T = TypeVar("T")


Run = Callable[[Coroutine[Any, Any, Any]], Any]


@dataclass
class Running:
    """A hall at work in a thread of its own, and how to have something done there."""

    served: Served
    hall: Hall
    run: Run


@contextmanager
def hall_at_work(hall_office: Office) -> Iterator[Running]:
    """The site and its hall on a free port until the block is over."""
    app = create_app(hall_office, secure=False, with_hall=True)
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

        address = f"http://127.0.0.1:{listening.getsockname()[1]}"
        yield Running(Served(address, hall_office.folder), app.state.live, run)
        server.should_exit = True
        thread.join(10)
        loop.close()


@dataclass
class Remote:
    """A server with its processes, and the ways into its hall that programs have."""

    served: Served
    server: Server
    arbiter: str
    """The arbiter's session."""

    def ask(self, event: str, *commands: ec.Command) -> None:
        """Has an event do something."""
        for command in commands:
            outcome = _run(self.server.hall.ask(event, command))
            assert not outcome.objections, outcome.objections

    def create_event(self, command: ec.Create) -> None:
        _run(self.server.hall.create_event(command))

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
    """The program itself with all its processes until the test is over."""
    with serving(hall_office.folder) as server:
        served = Served(server.address, hall_office.folder)
        yield Remote(served, server, session_of(hall_office, "arbiter"))


@pytest.fixture
def hall_office(tmp_path: Path) -> Iterator[Office]:
    """An office with an arbiter and two players."""
    with closing(Office.open(tmp_path / "office")) as office:
        desk = office.accounts
        desk.accept_invitation(desk.invite_first("admin@example.org"), "Ada Rossi", PASSWORD)
        admin = Asker(account=1, name="Ada Rossi", role=Role.SYSTEM_ADMINISTRATOR)
        for key, (name, role, player) in PEOPLE.items():
            token = desk.invite(admin, f"{key}@example.org", role, "", player)
            desk.accept_invitation(token, name, PASSWORD)
        yield office


@pytest.fixture
def served(hall_office: Office) -> Iterator[Served]:
    """The program itself with all its processes until the test is over."""
    with serving(hall_office.folder) as server:
        yield Served(server.address, hall_office.folder)


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
