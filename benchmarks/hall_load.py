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
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import chess
import msgspec
from websockets.asyncio.client import ClientConnection, connect

SECONDS = 4
"""How long moves are sent at each pace, and echoes before them."""
MOST_ALONE = 20
"""Seconds after which echo and commit alone are known well enough."""
PLIES = 100
"""Half moves that each game has at least, by far most times: games that have ended are followed by
others, so that as many moves are asked for at the end as at the beginning."""
LOADS = ((50, 250), (500, 250), (500, 1000), (1000, 1000))
"""Boards, and moves in a second over all of them."""
FLAG_BOARDS = 50
MOST_WAIT = 120
"""Seconds after which whatever is waited for will not come: a start, an answer, a flag."""
MOST_TIMES_THE_SUM, MOST_LATE = 4, 100
"""The targets: times the sum of echo and commit, and milliseconds of a flag."""

decode = msgspec.json.Decoder().decode


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


class Server(NamedTuple):
    """A running server."""

    port: int
    process: int

    def memory(self) -> int:
        """What it holds now, in kilobytes."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/memory") as answer:
            return int(answer.read())

    def commits(self) -> int:
        """How often it has written to the disk."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/commits") as answer:
            return int(answer.read())

    def processor(self) -> tuple[float, float]:
        """The seconds of processor time of all its threads: its own, and the system's for it."""
        fields = Path(f"/proc/{self.process}/stat").read_text("ascii").rsplit(")", 1)[1].split()
        ticks = os.sysconf("SC_CLK_TCK")
        return int(fields[11]) / ticks, int(fields[12]) / ticks


@contextmanager
def server(boards: int, control: str = "14400+0", rounds: int = 1) -> Iterator[Server]:
    """A server with rounds of so many boards."""
    folder = _folder()
    process = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "benchmarks.hall_server",
            folder,
            str(boards),
            control,
            str(rounds),
        ],
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

    await _paced(pace, seconds, [lambda page=page: one(page) for page in pages])
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

    def __init__(self, port: int, number: int, rng: random.Random, rounds: int = 1) -> None:
        self._port, self._rng, self._number, self._rounds = port, rng, number, rounds
        self._game = ""
        self._accounts = (2 * number - 1, 2 * number)
        self._pages: list[ClientConnection] = []
        self._readers: list[asyncio.Task[None]] = []
        self._board = chess.Board()
        self._moves: list[str] = []
        self._ply = 0
        self._answers: dict[str, asyncio.Future[float]] = {}
        self._count = 0
        self.started = asyncio.Event()
        self.times: list[float] = []
        self.refused: list[str] = []
        self.is_over = False
        self.over = 0
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
            self._pages.append(page)
            self._readers.append(asyncio.create_task(self._read(page)))
        await self._begin(1)

    async def _begin(self, round_: int) -> None:
        """The game of the next round: the same people at the same board."""
        self._game = f"load{round_}-1-{self._number}"
        if round_ > 1:
            self._board, self._moves = chess.Board(), []
        self._ply, self._round, self.is_over = 0, round_, False
        self.started.clear()
        for page in self._pages:
            await page.send(f'{{"type":"join","game":"{self._game}"}}')

    async def get_up(self) -> None:
        for page in self._pages:
            await page.close()
        await asyncio.gather(*self._readers, return_exceptions=True)

    async def _read(self, page: ClientConnection) -> None:
        async for data in page:
            now = time.perf_counter()
            for line in str(data).split("\n"):
                self._take(decode(line), now)

    def _take(self, message: dict[str, Any], now: float) -> None:
        if message["type"] in ("done", "refused"):
            waiting = self._answers.pop(message["id"], None)
            if waiting is not None:
                waiting.set_result(now)
            if message["type"] == "refused":
                self.refused.append(message["key"])
        elif message["type"] == "view" and message["game"] == self._game:
            view = message["view"]
            if view["phase"] == "running":
                if not self.started.is_set():
                    self.flag_at = now + view["clock"]["white"] / 1000
                self.started.set()
            elif view["phase"] == "ended" and not self.is_over:
                self.is_over = True
                self.over += 1
                if view["result"]["reason"] == "time":
                    self.late.append(now - self.flag_at)

    def think_ahead(self, plies: int) -> None:
        """Chooses the first moves of the game, so that no time of the server goes by with it."""
        while len(self._moves) < plies:
            legal = list(self._board.legal_moves)
            if not legal:
                return
            move = self._rng.choice(legal)
            self._moves.append(move.uci())
            self._board.push(move)

    async def move(self) -> None:
        """The player to move plays something."""
        if self.is_over and self._round < self._rounds:
            await self._begin(self._round + 1)
            await self.started.wait()
        self.think_ahead(self._ply + 1)
        if self.is_over or self._ply == len(self._moves):
            return
        self._count += 1
        name = f"m{self._count}"
        answered: asyncio.Future[float] = asyncio.get_running_loop().create_future()
        self._answers[name] = answered
        page = self._pages[self._ply % 2]
        wish = {"type": "move", "uci": self._moves[self._ply], "ply": self._ply}
        message = {"type": "wish", "id": name, "game": self._game, "wish": wish}
        data = msgspec.json.encode(message).decode()
        began = time.perf_counter()
        await page.send(data)
        self.times.append(await answered - began)
        self._ply += 1


class Loaded(NamedTuple):
    """What a load has shown."""

    times: list[float]
    refused: int
    over: int
    processor: tuple[float, float]
    """Seconds of the server's processor while moves were sent: its own, the system's."""
    commits: int
    memory: tuple[int, int]
    """Kilobytes, after a third of the time and at its end."""


async def load(server: Server, boards: int, pace: int, seconds: float) -> Loaded:
    """Games at all boards, with moves at a steady pace."""
    rng, rounds = random.Random(boards * pace), rounds_of(boards, pace, seconds)
    tables = [
        Board(server.port, number, random.Random(rng.random()), rounds)
        for number in range(1, boards + 1)
    ]
    for table in tables:
        table.think_ahead(min(1 + int(pace * seconds / boards), PLIES))
    async with asyncio.timeout(MOST_WAIT + 2 * seconds):
        for table in tables:
            await table.sit_down()
        await asyncio.gather(*(table.started.wait() for table in tables))
        await asyncio.sleep(0.5)
        commits = await asyncio.to_thread(server.commits)
        before = server.processor()
        await _paced(pace, seconds / 3, [table.move for table in tables])
        early = await asyncio.to_thread(server.memory)
        await _paced(pace, 2 * seconds / 3, [table.move for table in tables])
        after = server.processor()
        commits = await asyncio.to_thread(server.commits) - commits
        late = await asyncio.to_thread(server.memory)
    for table in tables:
        await table.get_up()
    return Loaded(
        times=[one for table in tables for one in table.times],
        refused=sum(len(table.refused) for table in tables),
        over=sum(table.over for table in tables),
        processor=(after[0] - before[0], after[1] - before[1]),
        commits=commits,
        memory=(early, late),
    )


def rounds_of(boards: int, pace: int, seconds: float) -> int:
    """How many rounds last so long."""
    return 1 + int(pace * seconds / boards / PLIES)


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

    alone = min(seconds, MOST_ALONE)
    commits = commit_times(pace, alone)
    with server(boards, rounds=rounds_of(boards, pace, seconds)) as here:
        echoes = uvloop.run(echo_times(here.port, min(2 * boards, 1000), pace, alone))
        loaded = uvloop.run(load(here, boards, pace, seconds))
    name, times = f"{boards} boards, {pace} moves/s", loaded.times
    ratio = figures(times)[1] / (figures(echoes)[1] + figures(commits)[1])
    early, late = (kilobytes / 1024 for kilobytes in loaded.memory)
    own, of_system = (1000 * seconds / len(times) for seconds in loaded.processor)
    return [
        (f"{name}: one durable commit alone", shown(commits)),
        (f"{name}: bare echo", shown(echoes)),
        (f"{name}: move", shown(times)),
        (f"{name}: p99 by echo + commit (at most {MOST_TIMES_THE_SUM})", f"{ratio:.1f} times"),
        (
            f"{name}: processor of a move",
            f"{own + of_system:.2f} ms, of these {of_system:.2f} the system's",
        ),
        (f"{name}: moves a commit", f"{len(times) / max(loaded.commits, 1):.1f}"),
        (f"{name}: refused, ended", f"{loaded.refused}, {loaded.over}"),
        (f"{name}: memory after a third, at the end", f"{early:.0f}, {late:.0f} MB"),
    ]


def _flags() -> list[float]:
    import uvloop

    with server(FLAG_BOARDS, "3+0") as here:
        return uvloop.run(flags(here.port, FLAG_BOARDS))


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
