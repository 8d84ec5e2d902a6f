"""12.1 — engines work behind everything else on the machine: at the lowest priority there is."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from arrocco.desk import Office
from arrocco.fairplay.engine import Analyser
from arrocco.live.index import OPEN, OfficeIndex
from arrocco.priority import BESIDE_PLAY
from tests.running_server import PROGRAM, running_server
from tests.serving import children, command_of
from tests.watch.played import EVENT, PlayedEvent
from tests.watch.test_watch import engine, office

__all__ = ["engine", "office"]

LOWEST = 19
SLOW = "2000000"
"""Nodes that keep an engine at work for as long as a test looks at it."""


def child_with(pid: int, command: str) -> int:
    """A process below another one, waited for."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        for child in children(pid):
            if command in command_of(child):
                return child
        time.sleep(0.05)
    raise AssertionError(f"no {command}")


def priorities(pid: int) -> set[int]:
    """Of all threads of a process: each has its own."""
    found = set()
    for task in Path(f"/proc/{pid}/task").iterdir():
        with suppress(ProcessLookupError):  # a thread may end while it is looked at
            found.add(os.getpriority(os.PRIO_PROCESS, int(task.name)))
    return found


@contextmanager
def command_at_work(office: Office, engine: str) -> Iterator[int]:
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, "fairplay", "watch", "--office", str(office.folder)],
        stdout=subprocess.DEVNULL,
        env=os.environ | {"ARROCCO_ENGINE": engine, "ARROCCO_ENGINE_NODES": SLOW},
    )
    try:
        yield process.pid
    finally:
        process.kill()
        process.wait()


def test_the_command_and_its_engines_have_the_lowest_priority(office: Office, engine: str) -> None:
    PlayedEvent(office, rounds=1, players=2)
    OfficeIndex(office.desk.database).set_status(EVENT, OPEN)
    with command_at_work(office, engine) as pid:
        working = child_with(pid, "stockfish")
        assert priorities(working) == {LOWEST}
        assert priorities(pid) == {LOWEST}


def test_the_watch_of_a_server_has_it_and_the_hall_has_not(office: Office, engine: str) -> None:
    PlayedEvent(office, rounds=1, players=2)
    OfficeIndex(office.desk.database).set_status(EVENT, OPEN)
    folder = office.folder
    office.close()
    environment = {"ARROCCO_ENGINE": engine, "ARROCCO_ENGINE_NODES": SLOW}
    with running_server(folder, environment=environment) as server:
        watch = child_with(server.pid, "watch_process")
        assert priorities(child_with(watch, "stockfish")) == {LOWEST}
        assert priorities(watch) == {LOWEST}
        own = os.getpriority(os.PRIO_PROCESS, 0)
        assert priorities(child_with(server.pid, "hall_process")) == {own}


def test_an_engine_that_a_command_starts_stands_behind_as_well(engine: str) -> None:
    """A baseline may be computed on the machine of a hall."""
    own = os.getpriority(os.PRIO_PROCESS, 0)
    with Analyser(1_000, path=engine):
        (working,) = [pid for pid in children(os.getpid()) if "stockfish" in command_of(pid)]
        assert priorities(working) == {max(own, BESIDE_PLAY)}
    assert os.getpriority(os.PRIO_PROCESS, 0) == own
