"""Whatever strangers do to the site, boards are played as if nobody did, and nobody pays for it.

Phases: quiet, one for each attack, quiet again. The soak has fifty boards and holds every phase to
twice the quiet value. `make test` shares its machine with other tests: its sample of eight boards
asks only that attacks reach the server, that all moves are acknowledged and that no clock pays.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import pytest

from arrocco.hall.game import events as e
from arrocco.hall.game.held import HELD_AFTER
from arrocco.hall.game.log import decode
from arrocco.live.sqlite_log import SqliteLog
from arrocco.store.hall_file import hall_file
from tests.faults.attacked_boards import Board
from tests.faults.attacks import ATTACKS
from tests.faults.served_hall import Page, Server, game_of, make_office, serving

ROOT = Path(__file__).parents[2]
QUIET = "quiet"
FLOOR = 5.0
"""Milliseconds: a quiet value below is taken for this, since nothing smaller can be told apart."""


class Phase(NamedTuple):
    """What happened in one phase; times are milliseconds."""

    name: str
    took: list[float]
    attack: dict[str, int]
    plies: dict[int, tuple[int, int]]
    """Of each board, its moves from and to."""

    def __str__(self) -> str:
        p50, p99, longest = (percentile(self.took, share) for share in (0.5, 0.99, 1))
        figures = f"p50 {p50:.1f}, p99 {p99:.1f}, max {longest:.0f} ms"
        return f"{self.name:<10} {len(self.took):>6} moves  {figures}  {self.attack or ''}"


def percentile(values: Iterable[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(int(len(ordered) * share), len(ordered) - 1)]


async def phase(
    name: str, server: Server, boards: list[Board], seconds: float, pace: float
) -> Phase:
    """Plays on while somebody attacks, or nobody does."""
    attacker = None
    if name in ATTACKS:
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}
        attacker = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "tests.faults.attacks",
            name,
            str(server.port),
            str(seconds),
            stdout=subprocess.PIPE,
            env=environment,
            cwd=ROOT,
        )
        assert attacker.stdout is not None
        assert await attacker.stdout.readline() == b"ready\n"
    before = [len(board.moves) for board in boards]
    until = time.monotonic() + seconds
    made = await asyncio.gather(*(board.play(pace, until) for board in boards))
    answers: dict[str, int] = {}
    if attacker is not None:
        out, _ = await asyncio.wait_for(attacker.communicate(), seconds + 90)
        assert attacker.returncode == 0
        answers = json.loads(out)
    plies = {
        board.number: (first, len(board.moves)) for board, first in zip(boards, before, strict=True)
    }
    took = [1000 * move.took for moves in made for move in moves]
    return Phase(name, took, answers, plies)


async def play_all(
    server: Server, tokens: list[str], count: int, seconds: float, pace: float
) -> tuple[list[Board], list[Phase]]:
    boards = [Board(number) for number in range(1, count + 1)]
    for board in boards:
        await board.sit_down(server, tokens)
    chief = await Page.open(server, tokens[0])
    for board in boards:
        started = await chief.ask(board.game, "start")
        assert started["type"] == "done", started
        await board.begin()
        await asyncio.sleep(0.06)  # no faster than one connection may ask
    await chief.close()
    phases = []
    for name in (QUIET, *ATTACKS, QUIET):
        phases.append(await phase(name, server, boards, seconds, pace))
        print(phases[-1], flush=True)
    for board in boards:
        await board.get_up()
    return boards, phases


def read_logs(folder: Path, count: int) -> dict[int, list[e.Event]]:
    store = SqliteLog(hall_file(folder))
    try:
        return {
            number: [decode(line) for line in store.read(f"game:{game_of(number)}")]
            for number in range(1, count + 1)
        }
    finally:
        store.close()


def overcharged(folder: Path, boards: list[Board], phases: list[Phase]) -> dict[str, list[float]]:
    """By how many milliseconds moves cost more than was used, by phase, from the logs."""
    logs = read_logs(folder, len(boards))
    found: dict[str, list[float]] = defaultdict(list)
    for board in boards:
        moved = [event for event in logs[board.number] if isinstance(event, e.Moved)]
        assert [event.uci for event in moved] == board.planned[: len(board.moves)]
        more = dict(board.overcharged(logs[board.number]))
        for one in phases:
            first, last = one.plies[board.number]
            # The first move of a phase began in the one before.
            found[one.name].extend(more[ply] for ply in range(first + 1, last))
    return found


def attacked(
    tmp_path: Path, count: int, seconds: float, pace: float
) -> tuple[list[Phase], dict[str, list[float]]]:
    folder = tmp_path / "office"
    tokens = make_office(folder, count, "7200+0")
    with serving(folder, tmp_path / "log") as server:
        boards, phases = asyncio.run(play_all(server, tokens, count, seconds, pace))
        answer = server.get("/en")
        assert answer.status == 200, "the site is still there"
    assert not any(board.refused for board in boards)
    more = overcharged(folder, boards, phases)
    for name, values in more.items():
        p50, p99, most = (percentile(values, share) for share in (0.5, 0.99, 1))
        print(f"{name:<10} charged more than used: p50 {p50:.1f}, p99 {p99:.1f}, max {most:.0f} ms")
    for one in phases:
        if one.name != QUIET:
            assert sum(one.attack.values()) > 0, f"{one.name} reached nothing"
    return phases, more


def test_boards_are_played_through_attacks(tmp_path: Path) -> None:
    """A small sample; how long moves take is not judged while other tests have the machine."""
    _, more = attacked(tmp_path, count=8, seconds=1.5, pace=0.25)
    for name, values in more.items():
        assert percentile(values, 0.5) < HELD_AFTER, f"{name} costs players time"


@pytest.mark.soak
def test_fifty_boards_keep_their_pace_through_attacks(tmp_path: Path) -> None:
    phases, more = attacked(tmp_path, count=50, seconds=20, pace=0.4)
    quiet = max(FLOOR, *(percentile(one.took, 0.99) for one in phases if one.name == QUIET))
    slow = [str(one) for one in phases if percentile(one.took, 0.99) > 2 * quiet]
    assert not slow, f"slower than twice {quiet:.1f} ms: {slow}"
    allowed = max(FLOOR, percentile(more[QUIET], 0.99))
    for name, values in more.items():
        assert max(values) <= HELD_AFTER, f"{name} cost a player {max(values):.0f} ms"
        assert percentile(values, 0.99) <= 2 * allowed, f"{name} costs players time"
