"""A locked file, a full disk and a lost database, for real: no player pays, and each is named."""

from __future__ import annotations

import asyncio
import os
import resource
import shutil
import sqlite3
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path

import pytest

from arrocco.hall.game import events as e
from arrocco.hall.game.acts.pause import Paused
from arrocco.hall.game.held import HELD, HELD_AFTER
from arrocco.hall.game.log import decode
from arrocco.live.database_log import DatabaseLog
from arrocco.live.sqlite_log import SqliteLog
from arrocco.store.hall_file import hall_file
from arrocco.store.sql.database import Database
from tests.databases import Cluster, _binaries
from tests.faults.served_hall import (
    COMMAND,
    Answer,
    Page,
    Server,
    game_of,
    make_office,
    seated,
    serving,
)

GAME = game_of(1)
CONTROL = "60+0"
SLACK = HELD_AFTER
"""Milliseconds by which what a client measures may differ: what the bound allows the server."""

Fault = Callable[[], AbstractContextManager[None]]


class Timed:
    """What a player really used, by the player's own watch."""

    def __init__(self) -> None:
        self.used = 0.0

    @contextmanager
    def thinking(self) -> Iterator[None]:
        began = time.monotonic()
        yield
        self.used += time.monotonic() - began


async def play_through(
    server: Server, tokens: list[str], fault: Fault, seconds: float
) -> tuple[Timed, list[str], list[Page]]:
    """White moves while the log cannot be written; what White used and how it was answered."""
    pages = await seated(server, tokens)
    white, black, _ = pages
    timed, answers = Timed(), []
    begun = fault()
    with timed.thinking():
        await asyncio.sleep(0.2)
        await asyncio.to_thread(begun.__enter__)
    name = await white.send(GAME, "move", uci="e2e4", ply=0)
    await asyncio.sleep(seconds)
    # The players look on while it is put right: nobody else takes their time.
    ending = asyncio.create_task(asyncio.to_thread(begun.__exit__, None, None, None))
    answer = await white.answer(name)
    answers.append(answer.get("key", answer["type"]))
    while answer["type"] == "refused":
        held = next(one for one in reversed(white.heard) if one["type"] == "view")["view"]
        while held["held"] is not None or held["phase"] != "running":
            held = await white.view()
        with timed.thinking():
            answer = await white.ask(GAME, "move", uci="e2e4", ply=0)
        answers.append(answer.get("key", answer["type"]))
    held = [one for one in black.heard if one["type"] == "view"]
    began = time.monotonic()
    while not held or len(held[-1]["view"]["moves"]) < 1:
        await black.hear()
        held = [one for one in black.heard if one["type"] in ("view", "update")]
        if held and held[-1]["type"] == "update":
            break
    assert time.monotonic() - began < 10
    answer = await black.ask(GAME, "move", uci="e7e5", ply=1)
    assert answer["type"] == "done", answer
    await ending
    for page in pages:
        await page.close()
    return timed, answers, list(pages)


def check_log(log: list[e.Event], timed: Timed, fault_ms: float) -> None:
    """Nobody was charged for more than they used, and the log says from when to when."""
    moves = [event for event in log if isinstance(event, e.Moved)]
    assert len(moves) >= 2
    charged = 60_000 - moves[0].white
    assert charged <= timed.used * 1000 + SLACK, f"White used {timed.used:.3f} s"
    assert 60_000 - moves[1].black <= SLACK + HELD_AFTER, "Black could not move before"
    held = [event for event in log if isinstance(event, Paused) and event.reason == HELD]
    assert held, "the log says that the clocks stood"
    assert sum(event.at - event.stopped for event in held) >= fault_ms - SLACK
    assert not any(isinstance(event, e.Ended) for event in log)


def sqlite_log(folder: Path) -> list[e.Event]:
    store = SqliteLog(hall_file(folder))
    try:
        return [decode(line) for line in store.read(f"game:{GAME}")]
    finally:
        store.close()


def tells_nothing_of_the_database(answer: Answer, *secrets: str) -> None:
    assert answer.status == 503, answer.text
    assert int(answer.headers["retry-after"]) > 0
    for secret in ("sqlite", "postgresql", "psycopg", "Errno", *secrets):
        assert secret not in answer.text, secret


# --- a locked file --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [
        pytest.param(2.0, ["done"], marks=pytest.mark.soak),
        (6.5, ["faults.database_locked"]),
    ],
)
def test_a_locked_log_costs_the_mover_nothing(
    tmp_path: Path, seconds: float, expected: list[str]
) -> None:
    folder, log = tmp_path / "office", tmp_path / "log"
    tokens = make_office(folder, 1, CONTROL)

    @contextmanager
    def locked() -> Iterator[None]:
        other = sqlite3.connect(
            hall_file(folder), isolation_level=None, timeout=10, check_same_thread=False
        )
        other.execute("BEGIN EXCLUSIVE")
        try:
            yield
        finally:
            other.execute("ROLLBACK")
            other.close()

    with serving(folder, log) as server:
        timed, answers, _ = asyncio.run(play_through(server, tokens, locked, seconds))
    assert answers[:1] == expected
    assert answers[-1] == "done"
    check_log(sqlite_log(folder), timed, seconds * 1000)
    if expected != ["done"]:
        assert log.read_text().count("database is locked") == 1, "one line for one fault"


# --- a full disk ----------------------------------------------------------------------------------


@contextmanager
def small_disk(megabytes: int) -> Iterator[Path]:
    """A disk of its own where one can be had; else a folder."""
    folder = Path(tempfile.mkdtemp(prefix="arrocco-disk-"))
    mount = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", str(folder)]
    is_mounted = False
    if os.geteuid() == 0:
        is_mounted = subprocess.run(mount, capture_output=True, check=False).returncode == 0
    try:
        yield folder
    finally:
        if is_mounted:
            subprocess.run(["umount", "-l", str(folder)], check=False)
        shutil.rmtree(folder, ignore_errors=True)


def processes_of(process: int) -> list[int]:
    """A process and all that it has started."""
    found = [process]
    with suppress(OSError):
        for task in Path(f"/proc/{process}/task").iterdir():
            for child in (task / "children").read_text("ascii").split():
                found.extend(processes_of(int(child)))
    return found


@contextmanager
def filled(folder: Path, server: Server) -> Iterator[None]:
    """Not a byte is left on the disk; where it is none of its own, no file can grow."""
    if os.path.ismount(folder):
        ballast = folder / "ballast"
        with ballast.open("wb", buffering=0) as file, suppress(OSError):
            while True:
                file.write(bytes(4096))
        try:
            yield
        finally:
            ballast.unlink()
        return
    limits: dict[int, tuple[int, int]] = {}
    for process in processes_of(server.process.pid):
        limits[process] = resource.prlimit(process, resource.RLIMIT_FSIZE)
        resource.prlimit(process, resource.RLIMIT_FSIZE, (4096, limits[process][1]))
    try:
        yield
    finally:
        for process, limit in limits.items():
            resource.prlimit(process, resource.RLIMIT_FSIZE, limit)


def test_a_full_disk_costs_the_mover_nothing_and_says_so(tmp_path: Path) -> None:
    log = tmp_path / "log"
    with small_disk(24) as disk:
        folder = disk / "office"
        tokens = make_office(folder, 1, CONTROL)
        with serving(folder, log) as server:
            timed, answers, _ = asyncio.run(
                play_through(server, tokens, lambda: filled(disk, server), 3)
            )
        assert answers[0] == "faults.disk_full"
        assert answers[-1] == "done"
        check_log(sqlite_log(folder), timed, 3000)
        said = log.read_text()
        assert said.count("writing the hall's log fails") == 1, said[-2000:]
        assert "works again after" in said


# --- a lost database ------------------------------------------------------------------------------


@pytest.fixture
def own_postgres() -> Iterator[Cluster]:
    """A PostgreSQL of this test alone, to be stopped and started."""
    binaries = _binaries()
    if binaries is None:
        pytest.skip("NOT TESTED ON POSTGRESQL: there is no initdb here; install postgresql")
    folder = Path(tempfile.mkdtemp(prefix="arrocco-pg-"))
    try:
        if os.geteuid() == 0:
            shutil.chown(folder, "postgres")
        cluster = Cluster(folder, binaries)
        cluster.start()
        try:
            yield cluster
        finally:
            with suppress(RuntimeError):
                cluster.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def test_a_lost_database_costs_the_mover_nothing_and_says_so(
    own_postgres: Cluster, tmp_path: Path
) -> None:
    folder, log = tmp_path / "office", tmp_path / "log"
    cluster = own_postgres
    cluster.create("faults", "template0")
    # Other tests do without: but what this one was told is written must be there afterwards.
    cluster.administer("ALTER DATABASE faults SET synchronous_commit = on")
    url = cluster.url("faults")
    tokens = make_office(folder, 1, CONTROL, url)
    seen: list[Answer] = []

    with serving(folder, log, ARROCCO_DATABASE=url) as server:

        @contextmanager
        def stopped() -> Iterator[None]:
            cluster.stop()
            seen.append(server.get("/it/players", tokens[1]))
            seen.append(server.get("/en/account", tokens[1]))
            seen.append(server.get("/api/v1/players?q=a", tokens[1]))
            try:
                yield
            finally:
                cluster.launch()

        timed, answers, pages = asyncio.run(play_through(server, tokens, stopped, 1))
        assert server.get("/en/players", tokens[1]).status == 200
    assert answers[0] == "faults.database_lost"
    assert answers[-1] == "done"
    refused = next(one for one in pages[0].heard if one["type"] == "refused")
    assert refused["retry_after"]
    for answer in seen:
        if answer.status == 503:
            tells_nothing_of_the_database(answer, str(cluster.folder), "faults?host")
    assert [answer.status for answer in seen][1] == 503, "nobody is asked to log in again"
    assert str(cluster.folder) in log.read_text(), "the log has the details"
    database = Database(url)
    store = DatabaseLog(database)
    check_log([decode(line) for line in store.read(f"game:{GAME}")], timed, 1000)
    database.close()


def test_commands_say_which_fault_it_is(tmp_path: Path) -> None:
    url = f"postgresql://somebody@/office?host={tmp_path}"
    done = subprocess.run(
        [*COMMAND, "office", "status", "--office", str(tmp_path / "office"), "--lang", "en"],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "ARROCCO_DATABASE": url},
    )
    assert done.returncode == 1, done.stderr
    assert "The database does not answer." in done.stderr
    assert str(tmp_path) in done.stderr, "who runs it is told which one"
    assert "Traceback" not in done.stderr
