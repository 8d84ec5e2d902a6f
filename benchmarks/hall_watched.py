"""60 players over nine rounds, watched live on the same two cores: what a move then takes.

    python -m benchmarks.hall_watched [--rounds 9] [--plies 80] [--pace 30] [--sample 200] [--first]
    python -m benchmarks.hall_watched --whole [--rounds 9] [--plies 80] [--nodes 100000]

The load of `hall_load` alone and with a watch beside it, by turns, a round each: server and players
as there, the watch a process of its own at the lowest priority with one engine, which looks at the
games while they run. The target is at most twice the p99 without it. Then what an engine takes for
a position at 100,000 nodes, of a sample: how long the whole event takes after its end.

With `--whole` nothing is computed from a sample: the event is played, as fast as the hall takes it,
and then the watch empties its queue with two engines at 100,000 nodes, at the lowest priority.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import subprocess
import sys
import tempfile
import time
from datetime import UTC, date, datetime
from pathlib import Path

import chess

from arrocco.fairplay.decisions import FIRST_PLY
from arrocco.fairplay.engine import Analyser, find_engine
from arrocco.live.log_reader import SqliteLogReader
from arrocco.office.roles import Role
from arrocco.priority import step_back
from arrocco.store.sql import accounts, hall_events, watched_games
from arrocco.store.sql.database import Database, sqlite_url
from arrocco.store.sql.hall_events import HallEvent
from arrocco.store.sql.migrate import migrate
from arrocco.store.sql.watched_games import QueuedGame
from arrocco.watch.games import games_of
from arrocco.watch.settings import WatchSettings
from arrocco.watch.watch import NICE, Watch
from arrocco.watch.worker import read_positions
from benchmarks.hall_load import (
    MAX_WAIT,
    Loaded,
    Server,
    _going_first,
    figures,
    load,
    server,
    shown,
)
from benchmarks.hall_players import Table, random_game
from benchmarks.hall_server import EVENT

BOARDS, GAMES, PLIES = 30, 270, 80
"""60 players, nine rounds; half moves of a game."""
NODES = 100_000
HOUR = 3600
ENGINES = 2
WHOLE_PACE = 300
"""Moves a second while the event is only played: nothing is timed then."""

Row = tuple[str, str]


def run(
    rounds: int = 2, plies: int = 20, pace: int = 30, sample: int = 20, *, first: bool = False
) -> list[Row]:
    """A first look for `make bench`; the whole is what the command line has by itself."""
    rows = [("the machine", f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")]
    with _going_first(first):
        alone, watched = list[float](), list[float]()
        positions = 0
        for number in range(rounds):
            alone += _one(number, plies, pace, watch=False)[0]
            times, looked = _one(number, plies, pace, watch=True)
            watched, positions = watched + times, positions + looked
    rows += [
        (f"{rounds} rounds, {BOARDS} boards, {pace} moves/s, alone", shown(alone)),
        ("the same, watched", shown(watched)),
        (
            "p99 watched by alone (at most 2)",
            f"{figures(watched)[1] / figures(alone)[1]:.2f} times",
        ),
        ("half moves looked at meanwhile", f"{positions:,}"),
    ]
    return rows + _afterwards(sample)


def _one(seed: int, plies: int, pace: int, *, watch: bool) -> tuple[list[float], int]:
    """A round; the times of its moves, and how many half moves were looked at."""
    import uvloop

    rng = random.Random(seed)
    games = [[random_game(rng, plies)] for _ in range(BOARDS)]

    async def bounded(port: int, here: object) -> Loaded:
        tables = [Table(port, number, mine) for number, mine in enumerate(games, start=1)]
        async with asyncio.timeout(MAX_WAIT + 4 * plies * BOARDS / pace):
            return await load(here, tables, pace, 0.5, 1)  # type: ignore[arg-type]

    with tempfile.TemporaryDirectory(prefix="hall-watched-") as folder:
        prepare(Path(folder))
        command = [sys.executable, "-m", "benchmarks.hall_watched", "--watch", folder]
        with server(BOARDS, rounds=1, folder=folder) as here:
            process = (
                subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
                if watch
                else None
            )
            loaded = uvloop.run(bounded(here.port, here))
            told = process.communicate("", timeout=60)[0] if process is not None else "0"
    return loaded.moves, int(told or 0)


def run_whole(rounds: int, plies: int, nodes: int) -> list[Row]:
    """Every game of an event analysed after its end; the target is an hour."""
    import uvloop

    rng = random.Random(17)
    games = [[random_game(rng, plies) for _ in range(rounds)] for _ in range(BOARDS)]

    async def played(port: int, here: object) -> Loaded:
        tables = [Table(port, number, mine) for number, mine in enumerate(games, start=1)]
        return await load(here, tables, WHOLE_PACE, 0.1, rounds)  # type: ignore[arg-type]

    with tempfile.TemporaryDirectory(prefix="hall-watched-") as folder:
        prepare(Path(folder))
        with server(BOARDS, rounds=rounds, folder=folder) as here:
            loaded = uvloop.run(played(here.port, here))
        command = [sys.executable, "-m", "benchmarks.hall_watched", "--empty", folder]
        began, before = time.perf_counter(), os.times()
        told = subprocess.run(
            [*command, "--nodes", str(nodes)], capture_output=True, text=True, check=True
        )
        minutes, after = (time.perf_counter() - began) / 60, os.times()
    wanted, analysed, positions = (int(word) for word in told.stdout.split())
    processor = sum(after[2:4]) - sum(before[2:4])
    return [
        ("the machine", f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the end"),
        (f"{rounds} rounds, {BOARDS} boards", f"{len(loaded.moves):,} moves"),
        (
            f"analysed whole at {nodes:,} nodes with {ENGINES} engines",
            (
                f"{analysed} of {wanted} games, {positions:,} positions in {minutes:.1f} minutes "
                f"(at most {HOUR // 60}), {processor / 60:.1f} of the processor"
            ),
        ),
    ]


def empty(folder: Path, nodes: int) -> None:
    """Watches the games of an event that has ended until none waits."""
    step_back(NICE)
    database, logs = Database(sqlite_url(folder)), SqliteLogReader(folder / "hall.sqlite")
    settings = WatchSettings(engine=find_engine(), nodes=nodes, processes=ENGINES)
    watch = Watch(database, logs, settings, lambda: datetime.now(UTC))
    watch.start()
    wanted = len(games_of(logs, EVENT))
    rows: list[QueuedGame] = []
    while len(rows) < wanted or not all(row.is_complete for row in rows):
        time.sleep(2)
        with database.reading() as connection:
            rows = watched_games.of_event(connection, EVENT, nodes)
    watch.stop()
    positions = sum(len(read_positions(row.positions)) for row in rows)
    print(wanted, sum(row.is_complete for row in rows), positions)


def prepare(folder: Path) -> None:
    """The database of an office that knows of the event, and nothing else."""
    database = Database(sqlite_url(folder))
    migrate(database)
    now = datetime.now(UTC)
    with database.writing() as connection:
        account = accounts.add(
            connection,
            email="load@example.org",
            name="Load",
            password_hash="x",
            role=Role.ARBITER,
            created_at=now,
        )
        hall_events.add(
            connection,
            HallEvent(
                id=EVENT,
                name="Load",
                owner=account.id,
                status="open",
                start=date(2026, 11, 16),
                created_at=now,
            ),
        )
    database.close()


def watch_until_told(folder: Path) -> None:
    """Watches as the server's own process does, until its input ends."""
    os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))  # `--first` is not for the watch
    step_back(NICE)
    database, logs = Database(sqlite_url(folder)), SqliteLogReader(folder / "hall.sqlite")
    settings = WatchSettings(engine=find_engine(), late=2)
    watch = Watch(database, logs, settings, lambda: datetime.now(UTC))
    watch.start()
    sys.stdin.read()
    watch.stop()
    with database.reading() as connection:
        done = connection.exec_driver_sql("SELECT coalesce(sum(done), 0) FROM watched_games")
        print(int(done.scalar_one()))


def _afterwards(sample: int) -> list[Row]:
    """A sample of positions of random games at 100,000 nodes, and what follows for an event."""
    rng = random.Random(1)
    began = time.perf_counter()
    with Analyser(NODES) as analyser:
        for _ in range(sample):
            moves = random_game(rng, rng.randrange(FIRST_PLY + 1, PLIES))
            board = chess.Board()
            for uci in moves[:-1]:
                board.push_uci(uci)
            analyser.position(board, chess.Move.from_uci(moves[-1]))
        clock = time.perf_counter() - began
        engine = analyser._engine.transport.get_pid()
        processor = sum(Server(0, engine).processor())
    wanted = GAMES * (PLIES - FIRST_PLY)
    minutes = wanted * processor / sample / 2 / 60
    return [
        (
            f"a position at {NODES:,} nodes, of {sample}",
            f"{1000 * processor / sample:.0f} ms of the processor, {1000 * clock / sample:.0f} ms",
        ),
        (
            f"{GAMES} games of {PLIES} half moves, {wanted:,} positions, two engines on two cores",
            f"{minutes:.0f} minutes (at most {HOUR // 60}) where nothing else runs",
        ),
    ]


def main() -> None:
    """Runs what the command line asks for."""
    asked = argparse.ArgumentParser(prog="python -m benchmarks.hall_watched")
    asked.add_argument("--rounds", type=int, default=9)
    asked.add_argument("--plies", type=int, default=PLIES)
    asked.add_argument("--pace", type=int, default=30)
    asked.add_argument("--sample", type=int, default=200)
    asked.add_argument("--first", action="store_true", help="real-time priority, where allowed")
    asked.add_argument("--whole", action="store_true", help="the event is analysed whole")
    asked.add_argument("--nodes", type=int, default=NODES, help="of the whole analysis")
    asked.add_argument("--watch", type=Path, help=argparse.SUPPRESS)
    asked.add_argument("--empty", type=Path, help=argparse.SUPPRESS)
    given = asked.parse_args()
    if given.empty is not None:
        empty(given.empty, given.nodes)
        return
    if given.watch is not None:
        watch_until_told(given.watch)
        return
    rows = (
        run_whole(given.rounds, given.plies, given.nodes)
        if given.whole
        else run(given.rounds, given.plies, given.pace, given.sample, first=given.first)
    )
    for what, figure in rows:
        print(f"{what:<72}  {figure}", flush=True)


if __name__ == "__main__":
    main()
