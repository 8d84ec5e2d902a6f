"""Whether players notice a crowd: the time of a move alone, and with thousands who look on.

The load of `hall_load`, with its arbiter's wall, three times on one server: alone, with so many
spectators, and alone again; each of them has a socket that follows the event and 48 of its boards,
as the page of all boards does. Once they see everything at once, and once as late as an event's
rules may say (5.17). Spectators live in a process of their own, behind all other programs, and read
and count what comes; they answer pings and take nothing apart.

``python -m benchmarks.hall_crowd --boards 100 --pace 250 --crowd 5000 --seconds 20 --delay 0 10``
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import os
import random
import resource
import subprocess
import sys
import time
from collections.abc import Sequence

from benchmarks.hall_load import (
    MAX_WAIT,
    Server,
    _going_first,
    _machine,
    _paced,
    commit_times,
    echo_times,
    figures,
    server,
    shown,
)
from benchmarks.hall_players import Table, Wall, random_game
from benchmarks.hall_server import CHIEF, EVENT

BOARDS, PACE, CROWD, SECONDS = 100, 250, 5000, 6.0
FIRST_ACCOUNT = 2_000_000
DELAYS = (0, 10)
"""Seconds after which spectators see what happens."""
ALONE = 3.0
"""Seconds for which an echo and a commit alone are measured."""
AT_ONCE = 100
"""Spectators who come at the same moment."""

PING, PONG, TEXT = 0x9, 0xA, 0x1


class Spectator(asyncio.Protocol):
    """A socket that follows an event and its boards, and counts what it is sent."""

    open = frames = size = lost = 0

    def __init__(self, account: int) -> None:
        self._account = account
        self._is_open = False
        self._head, self._left = b"", 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        key = base64.b64encode(os.urandom(16)).decode()
        transport.write(
            (
                "GET /hall/socket HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\n"
                f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
                "Sec-WebSocket-Version: 13\r\n"
                f"Cookie: arrocco_session={self._account}\r\n\r\n"
            ).encode()
        )

    def connection_lost(self, exc: Exception | None) -> None:
        Spectator.lost += self._is_open

    def data_received(self, data: bytes) -> None:
        if not self._is_open:
            self._head += data
            _, found, data = self._head.partition(b"\r\n\r\n")
            if not found:
                return
            self._is_open, self._head = True, b""
            Spectator.open += 1
            self._say(TEXT, f'{{"type":"event","event":"{EVENT}"}}'.encode())
            self._say(TEXT, f'{{"type":"boards","event":"{EVENT}","first":1,"last":48}}'.encode())
        Spectator.size += len(data)
        self._skip_frames(data)

    def _skip_frames(self, data: bytes) -> None:
        """Counts frames without looking into them; a ping is answered."""
        data, self._head = self._head + data, b""
        while data:
            if self._left:
                taken = min(self._left, len(data))
                self._left, data = self._left - taken, data[taken:]
                continue
            length = data[1] & 0x7F if len(data) > 1 else 0
            head = 2 + {126: 2, 127: 8}.get(length, 0)
            if len(data) < head:
                self._head = data
                return
            self._left = length if head == 2 else int.from_bytes(data[2:head], "big")
            Spectator.frames += 1
            if data[0] & 0xF == PING:
                self._say(PONG, data[head : head + self._left])
            data = data[head:]

    def _say(self, kind: int, payload: bytes) -> None:
        length = len(payload)
        size = bytes([0x80 | length]) if length < 126 else b"\xfe" + length.to_bytes(2, "big")
        self._transport.write(bytes([0x80 | kind]) + size + bytes(4) + payload)  # masked by nothing


async def look_on(port: int, crowd: int) -> None:
    """The crowd's own process: all come, say so, and stay until the input ends."""
    loop = asyncio.get_running_loop()
    for start in range(0, crowd, AT_ONCE):
        await asyncio.gather(
            *(
                loop.create_connection(lambda n=n: Spectator(FIRST_ACCOUNT + n), "127.0.0.1", port)  # type: ignore[misc]
                for n in range(start, min(start + AT_ONCE, crowd))
            )
        )
    while Spectator.open < crowd and Spectator.lost == 0:
        await asyncio.sleep(0.05)
    print(Spectator.open, flush=True)
    await asyncio.to_thread(sys.stdin.readline)
    print(Spectator.frames, Spectator.size, Spectator.lost, flush=True)
    os._exit(0)  # nobody waits for five thousand farewells


async def _played(here: Server, tables: list[Table], number: int, pace: int) -> None:
    await here.ask("next")
    for table in tables:
        await table.begin(number)
    await asyncio.gather(*(table.started.wait() for table in tables))
    await asyncio.sleep(0.5)
    await _paced(pace, [table.next_move for table in tables])
    for table in tables:
        await table.resign()


async def measure(
    here: Server, boards: int, pace: int, crowd: int, seconds: float
) -> tuple[list[list[float]], str, float]:
    """The times of moves alone, with the crowd, and alone again; what the crowd was sent."""
    plies = max(1, round(pace * seconds / boards))
    rng = random.Random(boards)
    games = [[random_game(rng, plies) for _ in range(3)] for _ in range(boards)]
    tables = [Table(here.port, number, mine) for number, mine in enumerate(games, start=1)]
    wall = Wall(here.port, CHIEF)
    await wall.look()
    for table in tables:
        await table.sit_down()
    times: list[list[float]] = []
    told, took = "", 0.0
    commits = await asyncio.to_thread(commit_times, pace, ALONE)
    echoes = await echo_times(here.port, min(2 * boards, 1000), pace, ALONE)
    for number in (1, 2, 3):
        people = None
        if number == 2:
            command = [sys.executable, "-m", "benchmarks.hall_crowd", "--look-on", str(crowd)]
            people = await asyncio.create_subprocess_exec(
                *command, "--port", str(here.port), stdin=subprocess.PIPE, stdout=subprocess.PIPE
            )
            assert people.stdout is not None
            assert int(await people.stdout.readline()) == crowd
        before, began = sum(len(one.times) for one in tables), time.perf_counter()
        starts = [len(one.times) for one in tables]
        await _played(here, tables, number, pace)
        assert sum(len(one.times) for one in tables) > before
        times.append(
            [each for one, start in zip(tables, starts, strict=True) for each in one.times[start:]]
        )
        if people is not None:
            took = time.perf_counter() - began
            assert people.stdin is not None
            assert people.stdout is not None
            people.stdin.write(b"\n")
            told = (await people.stdout.readline()).decode().strip()
            await people.wait()
            await asyncio.sleep(2)
    await wall.look_away()
    for table in tables:
        await table.get_up()
    return [*times, commits, echoes], told, took


def run(
    boards: int = BOARDS,
    pace: int = PACE,
    crowd: int = CROWD,
    seconds: float = SECONDS,
    *,
    delays: Sequence[int] = DELAYS,
    first: bool = False,
) -> list[tuple[str, str]]:
    """What was measured, and the figures."""
    with _going_first(first) as goes_first:
        rows = [("the machine", _machine(goes_first))]
        for delay in delays:
            rows += _one_crowd(boards, pace, crowd, seconds, delay)
        rows.append(("the machine, at the end", _machine(goes_first)))
    return rows


def _one_crowd(
    boards: int, pace: int, crowd: int, seconds: float, delay: int
) -> list[tuple[str, str]]:
    import uvloop

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = crowd + 4 * boards + 200
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(wanted, hard), hard))

    async def bounded(here: Server) -> tuple[list[list[float]], str, float]:
        async with asyncio.timeout(4 * MAX_WAIT + 6 * seconds):
            return await measure(here, boards, pace, crowd, seconds)

    with server(boards, rounds=3, delay=delay) as here:
        (alone, crowded, again, commits, echoes), told, took = uvloop.run(bounded(here))
    frames, size, lost = (int(word) for word in told.split())
    name = f"{boards} boards, {pace} moves/s, {delay} s late"
    quiet = max(figures(alone)[1], figures(again)[1])
    p99 = figures(crowded)[1]
    limit = 4 * (figures(echoes)[1] + figures(commits)[1])
    return [
        (f"{name}: echo", shown(echoes)),
        (f"{name}: commit", shown(commits)),
        (f"{name}: move, alone", shown(alone)),
        (f"{name}: move, {crowd:,} look on", shown(crowded)),
        (f"{name}: move, alone again", shown(again)),
        (f"{name}: p99 by the slower p99 alone (about 1)", f"{p99 / quiet:.2f} times"),
        (f"{name}: p99 by four times echo and commit (at most 1)", f"{p99 / limit:.2f} times"),
        (
            f"{name}: sent to those who look on",
            f"{frames / crowd / took:.2f} frames a second each, {size / took / 1e6:.1f} MB/s",
        ),
        (f"{name}: lost of {crowd:,}", str(lost)),
    ]


def main() -> None:
    """Runs what the command line asks for, or is the crowd."""
    asked = argparse.ArgumentParser(prog="python -m benchmarks.hall_crowd")
    asked.add_argument("--boards", type=int, default=BOARDS)
    asked.add_argument("--pace", type=int, default=PACE)
    asked.add_argument("--crowd", type=int, default=CROWD)
    asked.add_argument("--seconds", type=float, default=SECONDS)
    asked.add_argument("--delay", type=int, nargs="+", default=DELAYS, help="seconds, one or more")
    asked.add_argument("--first", action="store_true", help="real-time priority, where allowed")
    asked.add_argument("--look-on", type=int, default=0, help=argparse.SUPPRESS)
    asked.add_argument("--port", type=int, default=0, help=argparse.SUPPRESS)
    given = asked.parse_args()
    if given.look_on:
        os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))  # never before the players
        os.nice(10)
        asyncio.run(look_on(given.port, given.look_on))
        return
    for what, figure in run(
        given.boards, given.pace, given.crowd, given.seconds, delays=given.delay, first=given.first
    ):
        print(f"{what:<76}  {figure}", flush=True)


if __name__ == "__main__":
    main()
