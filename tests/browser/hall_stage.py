"""A hall before a browser: a real server with its hall, and people with accounts.

Import the fixtures into a module of tests: `served` takes the place of the empty office.
"""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from playwright.sync_api import Page

from arrocco.office.roles import Asker, Role
from arrocco.store.sql import accounts, sessions
from arrocco.web.app import create_app
from arrocco.web.hall_app import SOCKETS
from arrocco.wiring.hall.hall import Hall
from arrocco.wiring.office import Office
from tests.browser.conftest import Served
from tests.web.offices import PASSWORD

__all__ = ["Running", "Signed", "hall_at_work", "hall_office", "running", "served", "signed"]

PEOPLE = {
    "arbiter": ("Dora Cedro", Role.ARBITER, None),
    "white": ("Bea Abete", Role.PLAYER, 99000011),
    "black": ("Carlo Betulla", Role.PLAYER, 99000012),
}
Signed = Callable[[Page, str], None]


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
        yield Running(Served(address, hall_office.folder), app.state.hall, run)
        server.should_exit = True
        thread.join(10)
        loop.close()


@pytest.fixture
def running(hall_office: Office) -> Iterator[Running]:
    """The site with its hall, and a hand in it, until the test is over."""
    with hall_at_work(hall_office) as running:
        yield running


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
    """The site with its hall on a free port until the test is over."""
    with closing(socket.create_server(("127.0.0.1", 0))) as listening:
        config = uvicorn.Config(
            create_app(hall_office, secure=False, with_hall=True),
            log_level="error", lifespan="on", access_log=False, **SOCKETS,
        )  # fmt: skip
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        while not server.started:
            time.sleep(0.02)
        yield Served(f"http://127.0.0.1:{listening.getsockname()[1]}", hall_office.folder)
        server.should_exit = True
        thread.join(10)


@pytest.fixture
def signed(hall_office: Office, served: Served) -> Signed:
    """Signs a browser in as one of the people, without the cost of a password."""

    def sign(page: Page, who: str) -> None:
        at = hall_office.desk.now()
        with hall_office.desk.database.writing() as connection:
            account = accounts.by_email(connection, f"{who}@example.org")
            assert account is not None
            token = sessions.start(connection, account.id, at, at + timedelta(hours=2))
        page.context.add_cookies(
            [{"name": "arrocco_session", "value": token, "url": served.address}]
        )

    return sign
