"""A hall before a browser: a real server with its hall, and people with accounts.

Import the fixtures into a module of tests: `served` takes the place of the empty office.
"""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest
import uvicorn
from playwright.sync_api import Page

from arrocco.office.roles import Asker, Role
from arrocco.store.sql import accounts, sessions
from arrocco.web.app import create_app
from arrocco.web.hall_app import SOCKETS
from arrocco.wiring.office import Office
from tests.browser.conftest import Served
from tests.web.offices import PASSWORD

__all__ = ["Signed", "hall_office", "served", "signed"]

PEOPLE = {
    "arbiter": ("Dora Cedro", Role.ARBITER, None),
    "white": ("Bea Abete", Role.PLAYER, 99000011),
    "black": ("Carlo Betulla", Role.PLAYER, 99000012),
}
Signed = Callable[[Page, str], None]


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
