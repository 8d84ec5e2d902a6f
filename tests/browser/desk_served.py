"""An office at work behind a real server, with a clock that tests can move.

Import the fixtures into a module of tests: `served` takes the place of the empty office.
"""

from __future__ import annotations

import shutil
import socket
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
import uvicorn
from litestar import Litestar

from arrocco.desk import Office
from tests.browser.conftest import Served
from tests.desk.offices import Clock
from tests.web.apps import app_of
from tests.web.desk_office import clock, worked

__all__ = ["answering", "clock", "served", "serving", "work", "worked"]


@pytest.fixture
def work(worked: Path, tmp_path: Path, clock: Clock) -> Iterator[Office]:
    """The office that is served."""
    folder = Path(shutil.copytree(worked, tmp_path / "office"))
    with closing(Office.open(folder, now=clock)) as opened:
        yield opened


@pytest.fixture
def served(work: Office) -> Iterator[Served]:
    """Answers on a free port until the test is over."""
    with answering(work) as server:
        yield server


@contextmanager
def answering(office: Office) -> Iterator[Served]:
    """A server of an office, on a free port."""
    with serving(app_of(office)) as address:
        yield Served(address, office.folder)


@contextmanager
def serving(app: Litestar) -> Iterator[str]:
    """The address at which an application answers, on a free port."""
    with closing(socket.create_server(("127.0.0.1", 0))) as listening:
        config = uvicorn.Config(app, log_level="error", lifespan="off", access_log=False)
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        server.should_exit = True
        thread.join(60)
