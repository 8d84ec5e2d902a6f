"""How long a move takes with hundreds of boards: sent, judged, on the disk, back at the player.

A server process (`hall_server`) and this one, on loopback. Each board plays random legal games; the
time of a move runs from the player's message to its acknowledgement, after the commit. In the same
run: the echo of a bare socket of the same stack, and one durable commit alone. The target is four
times their sum. Flags are those of short games: how long after its moment a flag's end arrives.

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
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import chess
import msgspec
from websockets.asyncio.client import ClientConnection, connect

EVENT = "load"
SECONDS = 4
"""How long moves are sent at each pace."""
LOADS = ((50, 250), (500, 250), (500, 1000), (1000, 1000))
"""Boards, and moves in a second over all of them."""
FLAG_BOARDS = 50
MOST_WAIT = 120
"""Seconds after which whatever is waited for will not come: a start, an answer, a flag."""
MOST_TIMES_THE_SUM, MOST_LATE = 4, 100
"""The targets: times the sum of echo and commit, and milliseconds of a flag."""

decode = msgspec.json.Decoder().decode


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


@contextmanager
def server(boards: int, control: str = "3600+0") -> Iterator[int]:
    """A server with a round of so many boards; its port."""
    with tempfile.TemporaryDirectory(prefix="hall-load-") as folder:
        process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.hall_server", folder, str(boards), control],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            yield int(process.stdout.readline())
        finally:
            process.stdin.close()
            process.wait(30)
            process.stdout.close()


def memory(port: int) -> int:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/memory") as answer:
        return int(answer.read())


def commit_times(count: int = 300) -> list[float]:
    """One record, one durable commit, nothing else."""
    times = []
    with tempfile.TemporaryDirectory(prefix="hall-load-") as folder:
        connection = sqlite3.connect(Path(folder) / "one.sqlite", isolation_level=None)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("CREATE TABLE log (number INTEGER PRIMARY KEY, body TEXT)")
        for number in range(count):
            began = time.perf_counter()
            connection.execute("INSERT INTO log VALUES (?, ?)", (number, "x" * 150))
            times.append(time.perf_counter() - began)
        connection.close()
    return times


async def echo_times(port: int, sockets: int, pace: int) -> list[float]:
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

    await _paced(pace, 2, [lambda page=page: one(page) for page in pages])
    for page in pages:
        await page.close()
    return times


async def _paced(pace: int, seconds: float, jobs: list[object]) -> None:
    """Starts jobs at a steady pace, one of them after the other, each again when it is done."""
    loop = asyncio.get_running_loop()
    began = loop.time()
    busy: dict[int, asyncio.Task[None]] = {}
    sent = 0
    while loop.time() - began < seconds:
        due = int((loop.time() - began) * pace)
        while sent < due:
            place = sent % len(jobs)
            sent += 1
            if place not in busy or busy[place].done():
                busy[place] = asyncio.create_task(jobs[place]())  # type: ignore[operator]
        await asyncio.sleep(0.001)
    await asyncio.gather(*busy.values())


class Board:
    """Two players at a board, who play random legal moves."""

    def __init__(self, port: int, number: int, rng: random.Random) -> None:
        self._port, self._rng = port, rng
        self._game = f"{EVENT}-1-{number}"
        self._accounts = (2 * number - 1, 2 * number)
        self._pages: list[ClientConnection] = []
        self._readers: list[asyncio.Task[None]] = []
        self._board = chess.Board()
        self._answers: dict[str, asyncio.Future[float]] = {}
        self._count = 0
        self.started = asyncio.Event()
        self.times: list[float] = []
        self.refused: list[str] = []
        self.is_over = False
        self.late: list[float] = []
        self.flag_at = 0.0

    async def sit_down(self) -> None:
        for account in self._accounts:
            page = await connect(
                f"ws://127.0.0.1:{self._port}/hall/socket",
                additional_headers={"Cookie": f"arrocco_session={account}"},
                compression=None,
                ping_interval=None,
            )
            await page.send(f'{{"type":"join","game":"{self._game}"}}')
            self._pages.append(page)
            self._readers.append(asyncio.create_task(self._read(page)))

    async def get_up(self) -> None:
        for page in self._pages:
            await page.close()
        await asyncio.gather(*self._readers, return_exceptions=True)

    async def _read(self, page: ClientConnection) -> None:
        async for data in page:
            message = decode(data)
            now = time.perf_counter()
            if message["type"] in ("done", "refused"):
                waiting = self._answers.pop(message["id"], None)
                if waiting is not None:
                    waiting.set_result(now)
                if message["type"] == "refused":
                    self.refused.append(message["key"])
            elif message["type"] == "view":
                view = message["view"]
                if view["phase"] == "running":
                    if not self.started.is_set():
                        left = view["clock"]["white"] / 1000
                        self.flag_at = now + left
                    self.started.set()
                elif view["phase"] == "ended" and not self.is_over:
                    self.is_over = True
                    if view["result"]["reason"] == "time":
                        self.late.append(now - self.flag_at)

    async def move(self) -> None:
        """The player to move plays something."""
        legal = list(self._board.legal_moves)
        if self.is_over or not legal:
            return
        move = self._rng.choice(legal)
        self._count += 1
        name = f"m{self._count}"
        answered: asyncio.Future[float] = asyncio.get_running_loop().create_future()
        self._answers[name] = answered
        page = self._pages[0 if self._board.turn else 1]
        wish = {"type": "move", "uci": move.uci(), "ply": self._board.ply()}
        message = {"type": "wish", "id": name, "game": self._game, "wish": wish}
        data = msgspec.json.encode(message).decode()
        began = time.perf_counter()
        await page.send(data)
        self.times.append(await answered - began)
        self._board.push(move)


async def load(port: int, boards: int, pace: int, seconds: float) -> tuple[list[float], int, int]:
    """The times of moves, what was refused, and how many games have ended."""
    rng = random.Random(boards * pace)
    tables = [Board(port, number, random.Random(rng.random())) for number in range(1, boards + 1)]
    async with asyncio.timeout(MOST_WAIT + seconds):
        for table in tables:
            await table.sit_down()
        await asyncio.gather(*(table.started.wait() for table in tables))
        await asyncio.sleep(0.5)
        await _paced(pace, seconds, [table.move for table in tables])
    times = [one for table in tables for one in table.times]
    refused = sum(len(table.refused) for table in tables)
    over = sum(table.is_over for table in tables)
    for table in tables:
        await table.get_up()
    return times, refused, over


async def flags(port: int, boards: int) -> list[float]:
    """How late the ends of games lost on time arrive, in seconds."""
    tables = [Board(port, number, random.Random(number)) for number in range(1, boards + 1)]
    async with asyncio.timeout(MOST_WAIT):
        for table in tables:
            await table.sit_down()
        await asyncio.gather(*(table.started.wait() for table in tables))
        while not all(table.is_over for table in tables):
            await asyncio.sleep(0.05)
    late = [one for table in tables for one in table.late]
    for table in tables:
        await table.get_up()
    return late


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
        rows.append((f"flags (at most {MOST_LATE} ms late)", shown(_flags())))
        rows.append(("the machine, at the end", _machine(goes_first)))
    return rows


def _machine(goes_first: bool) -> str:
    load_average = ", ".join(f"{one:.1f}" for one in os.getloadavg())
    priority = "real-time" if goes_first else "usual"
    return f"{os.cpu_count()} cores, load {load_average}, {priority} priority"


def _one_load(boards: int, pace: int, seconds: float) -> list[tuple[str, str]]:
    """One load, with the echo and the commit it is compared with, of the same moment."""
    import uvloop

    commits = commit_times()
    with server(boards) as port:
        empty = memory(port)
        echoes = uvloop.run(echo_times(port, min(2 * boards, 1000), pace))
        times, refused, over = uvloop.run(load(port, boards, pace, seconds))
        grown = memory(port) - empty
    name = f"{boards} boards, {pace} moves/s"
    together = figures(echoes)[1] + figures(commits)[1]
    ratio = figures(times)[1] / together
    return [
        (f"{name}: one durable commit alone", shown(commits)),
        (f"{name}: bare echo", shown(echoes)),
        (f"{name}: move", shown(times)),
        (f"{name}: p99 by echo + commit (at most {MOST_TIMES_THE_SUM})", f"{ratio:.1f} times"),
        (f"{name}: refused, ended, memory", f"{refused}, {over}, +{grown / 1024:.0f} MB"),
    ]


def _flags() -> list[float]:
    import uvloop

    with server(FLAG_BOARDS, "3+0") as port:
        return uvloop.run(flags(port, FLAG_BOARDS))


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
