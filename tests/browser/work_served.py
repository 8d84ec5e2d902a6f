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

from arrocco.web.app import create_app
from arrocco.wiring.office import Office
from tests.browser.conftest import Served
from tests.web.work_office import clock, worked
from tests.wiring.office.offices import Clock

__all__ = ["answering", "clock", "served", "work", "worked"]


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
    with closing(socket.create_server(("127.0.0.1", 0))) as listening:
        config = uvicorn.Config(
            create_app(office, secure=False), log_level="error", lifespan="off", access_log=False
        )
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        yield Served(f"http://127.0.0.1:{listening.getsockname()[1]}", office.folder)
        server.should_exit = True
        thread.join(10)
