"""How long a move takes with hundreds of boards: sent, judged, on the disk, back at the player.

A server process (`hall_server`) and this one (`hall_players`), on loopback. An event of several
rounds is played: each game is random, of at most so many half moves, then somebody resigns; when
all have ended the round is closed and the next one begins. An arbiter looks at the wall of all
boards. The time of a move runs from the player's message to its acknowledgement, after the commit.

Before each round, at the same pace: the echo of a bare socket of the same stack, and one durable
commit alone. The target is four times the sum of their 99th percentiles. Flags are those of short
games: how long after its moment a flag's end arrives.

``python -m benchmarks.hall_load --seconds 10 --repeat 3 --load 500x250`` runs one load three times;
``--first`` asks the system to let server and clients go before all other programs, where other work
has part of the machine. Every run ends: what takes longer than it can is an error.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import os
import random
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections import deque
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager, suppress
from functools import cache, partial
from math import ceil, inf
from pathlib import Path
from typing import Any, NamedTuple

from websockets.asyncio.client import ClientConnection, connect

from benchmarks.hall_players import Table, Wall, random_game
from benchmarks.hall_server import CHIEF

SECONDS = 4
"""How long moves are sent at each pace."""
MAX_ALONE = 10
"""Seconds of echoes, and of commits, before each round; no more than the round itself has."""
PLIES = 100
"""The most half moves of a game; one of a real tournament has eighty."""
LOADS = ((50, 250), (500, 250), (500, 1000), (1000, 1000))
"""Boards, and moves in a second over all of them."""
FLAG_BOARDS = 50
MAX_WAIT = 120
"""Seconds after which whatever is waited for will not come: a start, an answer, a flag."""
MAX_TIMES_THE_SUM, MAX_LATE = 4, 100
"""The targets: times the sum of echo and commit, and milliseconds of a flag."""

Job = Callable[[], Coroutine[Any, Any, None] | None]
"""Begins the next of many alike; `None` where there is none left."""


@cache
def _scratch() -> tempfile.TemporaryDirectory[str]:
    """Where everything is written; removed at the end, since a disk that discards files is slow."""
    return tempfile.TemporaryDirectory(prefix="hall-load-")


def _folder() -> str:
    return tempfile.mkdtemp(dir=_scratch().name)


def figures(times: list[float]) -> tuple[float, float, float]:
    """The median, the 99th percentile and the longest, in milliseconds."""
    ordered = sorted(times) or [0.0]
    return (
        1000 * ordered[len(ordered) // 2],
        1000 * ordered[min(len(ordered) * 99 // 100, len(ordered) - 1)],
        1000 * ordered[-1],
    )


def shown(times: list[float]) -> str:
    median, p99, longest = figures(times)
    return f"p50 {median:.2f}, p99 {p99:.2f}, max {longest:.1f} ms of {len(times):,}"


# --- the server -----------------------------------------------------------------------------------


class Server(NamedTuple):
    """A running server."""

    port: int
    process: int

    async def ask(self, what: str) -> int:
        """What it says of itself: its `memory` in kilobytes, its `commits`, the `next` round."""
        return int(await asyncio.to_thread(self._get, what))

    def _get(self, what: str) -> bytes:
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/{what}") as answer:
            got: bytes = answer.read()
        return got

    def processor(self) -> tuple[float, float]:
        """The seconds of processor time of all its threads: its own, and the system's for it."""
        fields = Path(f"/proc/{self.process}/stat").read_text("ascii").rsplit(")", 1)[1].split()
        ticks = os.sysconf("SC_CLK_TCK")
        return int(fields[11]) / ticks, int(fields[12]) / ticks


@contextmanager
def server(
    boards: int, control: str = "14400+0", rounds: int = 1, delay: int = 0, folder: str = ""
) -> Iterator[Server]:
    """A server with an event of so many boards and rounds, shown so many seconds late."""
    command = [sys.executable, "-m", "benchmarks.hall_server", folder or _folder()]
    process = subprocess.Popen(
        [*command, str(boards), control, str(rounds), str(delay)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        yield Server(int(process.stdout.readline()), process.pid)
    finally:
        process.stdin.close()
        process.wait(30)
        process.stdout.close()


# --- alone ----------------------------------------------------------------------------------------


def commit_times(pace: int, seconds: float) -> list[float]:
    """One record, one durable commit, nothing else, at the same pace.

    Each is measured from the moment it was due, as moves wait for a disk that is slow, too.
    """
    times: list[float] = []
    connection = sqlite3.connect(Path(_folder()) / "one.sqlite", isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("CREATE TABLE log (number INTEGER PRIMARY KEY, body TEXT)")
    start = time.perf_counter()
    for number in range(int(pace * seconds)):
        due = start + number / pace
        time.sleep(max(0.0, due - time.perf_counter()))
        connection.execute("INSERT INTO log VALUES (?, ?)", (number, "x" * 150))
        times.append(time.perf_counter() - due)
    connection.close()
    return times


async def echo_times(port: int, sockets: int, pace: int, seconds: float) -> list[float]:
    """A bare socket's round trip at the same pace, over as many sockets."""
    pages = [
        await connect(f"ws://127.0.0.1:{port}/echo", compression=None, ping_interval=None)
        for _ in range(sockets)
    ]
    times: list[float] = []
    message = '{"type":"wish","id":"m","game":"load-1-1","wish":{"type":"move","uci":"e2e4"}}'

    async def one(page: ClientConnection) -> None:
        began = time.perf_counter()
        await page.send(message)
        await page.recv()
        times.append(time.perf_counter() - began)

    await _paced(pace, [partial(one, page) for page in pages], seconds)
    for page in pages:
        await page.close()
    return times


async def _paced(pace: int, jobs: list[Job], seconds: float = inf) -> None:
    """Starts jobs at a steady pace, one after the other, until the time or all of them are over."""
    waiting, busy = deque(jobs), set[asyncio.Task[None]]()

    def done(job: Job, task: asyncio.Task[None]) -> None:
        busy.discard(task)
        task.result()
        waiting.append(job)

    loop = asyncio.get_running_loop()
    began, sent = loop.time(), 0
    while (busy or waiting) and loop.time() - began < seconds:
        due = int((loop.time() - began) * pace)
        while sent < due and waiting:
            job = waiting.popleft()
            begun = job()
            if begun is not None:
                sent += 1
                task = loop.create_task(begun)
                busy.add(task)
                task.add_done_callback(partial(done, job))
        await asyncio.sleep(0.001)
    await asyncio.gather(*busy)


# --- moves ----------------------------------------------------------------------------------------


class Loaded(NamedTuple):
    """What a load has shown."""

    moves: list[float]
    echoes: list[float]
    commits: list[float]
    refused: int
    processor: tuple[float, float]
    """Seconds of the server's processor while moves were sent: its own, the system's."""
    written: int
    """How often the server wrote to the disk meanwhile."""
    memory: list[int]
    """Kilobytes after each round's moves."""
    wall: tuple[int, int]
    """Boards that the arbiter's wall was shown, and the bytes of that."""
    seconds: float
    """How long moves were sent."""


async def load(server: Server, tables: list[Table], pace: int, alone: float, rounds: int) -> Loaded:
    """Games at all boards, with moves at a steady pace, and an arbiter who sees all of them."""
    echoes, commits, memory = list[float](), list[float](), list[int]()
    own = of_system = took = 0.0
    written = 0
    wall = Wall(server.port, CHIEF)
    await wall.look()
    for table in tables:
        await table.sit_down()
    for number in range(1, rounds + 1):
        commits += await asyncio.to_thread(commit_times, pace, alone)
        echoes += await echo_times(server.port, min(2 * len(tables), 1000), pace, alone)
        await server.ask("next")
        for table in tables:
            await table.begin(number)
        await asyncio.gather(*(table.started.wait() for table in tables))
        await asyncio.sleep(0.5)
        before, already = server.processor(), await server.ask("commits")
        began = time.perf_counter()
        await _paced(pace, [table.next_move for table in tables])
        took += time.perf_counter() - began
        after = server.processor()
        own, of_system = own + after[0] - before[0], of_system + after[1] - before[1]
        written += await server.ask("commits") - already
        memory.append(await server.ask("memory"))
        for table in tables:
            await table.resign()
    await wall.look_away()
    for table in tables:
        await table.get_up()
    return Loaded(
        moves=[one for table in tables for one in table.times],
        echoes=echoes,
        commits=commits,
        refused=sum(len(table.refused) for table in tables),
        processor=(own, of_system),
        written=written,
        memory=memory,
        wall=(wall.boards, wall.bytes),
        seconds=took,
    )


async def flags(server: Server, boards: int) -> list[float]:
    """How late the ends of games lost on time arrive, in seconds."""
    tables = [Table(server.port, number, []) for number in range(1, boards + 1)]
    async with asyncio.timeout(MAX_WAIT):
        for table in tables:
            await table.sit_down()
        await server.ask("next")
        for table in tables:
            await table.begin(1)
        await asyncio.gather(*(table.over.wait() for table in tables))
    for table in tables:
        await table.get_up()
    return [one for table in tables for one in table.late]


# --- one run --------------------------------------------------------------------------------------


@contextmanager
def _going_first(wanted: bool) -> Iterator[bool]:
    """Lets other programs wait, where that is wanted and allowed; the server inherits it."""
    allowed = False
    if wanted:
        with suppress(PermissionError):
            os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(10))
            allowed = True
    gc.disable()  # what this process collects is not to be measured
    try:
        yield allowed
    finally:
        gc.enable()
        if allowed:
            os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))


def run(
    loads: tuple[tuple[int, int], ...] = LOADS,
    seconds: float = SECONDS,
    *,
    repeat: int = 1,
    first: bool = False,
) -> list[tuple[str, str]]:
    """What was measured, and the figures, with how busy the machine was."""
    with _going_first(first) as goes_first:
        rows = [("the machine", _machine(goes_first))]
        for boards, pace in loads:
            for _ in range(repeat):
                rows += _one_load(boards, pace, seconds)
        rows.append((f"flags (at most {MAX_LATE} ms late)", shown(_flags())))
        rows.append(("the machine, at the end", _machine(goes_first)))
    return rows


def _machine(goes_first: bool) -> str:
    load_average = ", ".join(f"{one:.1f}" for one in os.getloadavg())
    priority = "real-time" if goes_first else "usual"
    return f"{os.cpu_count()} cores, load {load_average}, {priority} priority"


def _one_load(boards: int, pace: int, seconds: float) -> list[tuple[str, str]]:
    """One load, with the echo and the commit it is compared with, of the same minutes."""
    import uvloop

    plies = max(1, round(pace * seconds / boards))
    rounds = ceil(plies / PLIES)
    rng = random.Random(boards * pace)
    games = [[random_game(rng, ceil(plies / rounds)) for _ in range(rounds)] for _ in range(boards)]
    alone = min(seconds / rounds, MAX_ALONE)

    async def bounded(here: Server) -> Loaded:
        tables = [Table(here.port, number, mine) for number, mine in enumerate(games, start=1)]
        async with asyncio.timeout(MAX_WAIT + 3 * seconds + 3 * alone * rounds):
            return await load(here, tables, pace, alone, rounds)

    with server(boards, rounds=rounds) as here:
        loaded = uvloop.run(bounded(here))
    return _rows(f"{boards} boards, {pace} moves/s", loaded)


def _rows(name: str, loaded: Loaded) -> list[tuple[str, str]]:
    moves = len(loaded.moves)
    p99, of_echo, of_commit = (
        figures(times)[1] for times in (loaded.moves, loaded.echoes, loaded.commits)
    )
    own, of_system = (1000 * seconds / moves for seconds in loaded.processor)
    tiles, size = (count / loaded.seconds for count in loaded.wall)
    memory = ", ".join(f"{kilobytes / 1024:.0f}" for kilobytes in loaded.memory)
    return [
        (f"{name}: one durable commit alone", shown(loaded.commits)),
        (f"{name}: bare echo", shown(loaded.echoes)),
        (f"{name}: move", shown(loaded.moves)),
        (
            f"{name}: p99 by echo + commit (at most {MAX_TIMES_THE_SUM})",
            f"{p99 / (of_echo + of_commit):.1f} times",
        ),
        (
            f"{name}: processor of a move",
            f"{own + of_system:.2f} ms, of these {of_system:.2f} the system's",
        ),
        (f"{name}: moves a commit", f"{moves / max(loaded.written, 1):.1f}"),
        (f"{name}: the arbiter's wall", f"{tiles:.0f} boards, {size / 1000:.0f} kB a second"),
        (f"{name}: refused", str(loaded.refused)),
        (f"{name}: memory after each round", f"{memory} MB"),
    ]


def _flags() -> list[float]:
    import uvloop

    with server(FLAG_BOARDS, "3+0") as here:
        return uvloop.run(flags(here, FLAG_BOARDS))


def _load_of(text: str) -> tuple[int, int]:
    boards, _, pace = text.partition("x")
    return int(boards), int(pace)


def main() -> None:
    """Runs what the command line asks for."""
    asked = argparse.ArgumentParser(prog="python -m benchmarks.hall_load")
    asked.add_argument("--load", type=_load_of, action="append", help="boards x moves a second")
    asked.add_argument("--seconds", type=float, default=SECONDS)
    asked.add_argument("--repeat", type=int, default=1)
    asked.add_argument("--first", action="store_true", help="real-time priority, where allowed")
    given = asked.parse_args()
    loads = tuple(given.load or LOADS)
    for what, figure in run(loads, given.seconds, repeat=given.repeat, first=given.first):
        print(f"{what:<60}  {figure}", flush=True)


if __name__ == "__main__":
    main()
