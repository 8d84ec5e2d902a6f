"""An office on the web, with one account for every role."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal
from litestar import Litestar
from litestar.testing import TestClient

from arrocco.desk import Office
from arrocco.office.roles import Role
from arrocco.web import heavy
from tests.web.apps import app_of
from tests.web.offices import fill, logged_in_cookie

Client = TestClient[Litestar]
LogIn = Callable[[Role], Client]


@pytest.fixture(scope="session")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an office with accounts, made once and copied for each test."""
    folder = tmp_path_factory.mktemp("filled") / "office"
    with closing(Office.open(folder)) as office:
        fill(office)
    return folder


@pytest.fixture
def office(filled: Path, tmp_path: Path) -> Iterator[Office]:
    """A real office with an account for every role."""
    folder = Path(shutil.copytree(filled, tmp_path / "office"))
    with closing(Office.open(folder)) as opened:
        yield opened


@pytest.fixture(autouse=True, scope="session")
def _patient() -> Iterator[None]:
    """Answers wait for heavy work however busy the machine is; waiting has tests of its own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(heavy, "ANSWER_SECONDS", 120.0)
        yield


@pytest.fixture
def app(office: Office) -> Iterator[Litestar]:
    made = app_of(office)
    yield made
    made.state.heavy.close()


@pytest.fixture(scope="session")
def portal() -> Iterator[BlockingPortal]:
    """The one event loop that all browsers of these tests share."""
    with start_blocking_portal() as made:
        yield made


Browser = Callable[..., Client]


@pytest.fixture
def browser(app: Litestar, portal: BlockingPortal) -> Browser:
    """Makes browsers. The application has no lifespan of its own, so none is run for them."""

    def made(**options: Any) -> Client:
        opened = TestClient(options.pop("app", app), **options)
        opened.blocking_portal = portal
        return opened

    return made


@pytest.fixture
def client(browser: Browser) -> Client:
    """A browser of the public."""
    return browser()


@pytest.fixture
def logged_in(browser: Browser, app: Litestar, office: Office) -> LogIn:
    """Gives the browser of somebody with a role; the public's is not logged in."""

    def log_in(role: Role) -> Client:
        made = browser()
        if role is not Role.PUBLIC:
            made.cookies.set(app.state.cookies.session, logged_in_cookie(office, role))
        return made

    return log_in
