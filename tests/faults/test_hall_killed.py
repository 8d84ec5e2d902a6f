"""Whenever the hall is killed, what was acknowledged is in its logs and every game stands still."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

from arrocco.hall import event as ev
from arrocco.hall.game import Phase, fold
from arrocco.hall.game.log import decode
from arrocco.live.analysis import Thinking
from arrocco.live.hall import Hall
from arrocco.live.sqlite_log import SqliteLog
from tests.faults.hall_child import BOARDS
from tests.faults.kills import PARTS, PER_PART, note
from tests.faults.nursery import Nursery
from tests.live.stage import by_material

CHILD = "tests.faults.hall_child"
ROOT = Path(__file__).parents[2]
SAMPLE = 5


class Acknowledged(NamedTuple):
    """Something the server said was done: its game had then so many events."""

    game: str
    events: int
    asked: int
    kind: str


def killed(folder: Path, seed: int, seconds: float) -> list[Acknowledged]:
    """Lets a hall play for some time, kills it, and gives all that it had acknowledged."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}
    process = subprocess.Popen(
        [sys.executable, "-m", CHILD, str(folder), str(seed)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
        cwd=ROOT,
        bufsize=0,  # what a buffer took with the first line `communicate` would never see
    )
    assert process.stdout is not None
    ready = process.stdout.readline()
    time.sleep(seconds)
    process.send_signal(signal.SIGKILL)
    out, said = process.communicate()
    assert ready == b'"ready"\n', said.decode()
    assert process.returncode == -signal.SIGKILL, said.decode()
    whole = out[: out.rfind(b"\n") + 1]  # the last line may be cut
    return [Acknowledged(*json.loads(line)) for line in whole.splitlines()]


def check_logs(folder: Path, told: list[Acknowledged]) -> None:
    """Every log folds to a possible game and holds at least all that was acknowledged."""
    store = SqliteLog(folder / "hall.sqlite")
    most = {one.game: one for one in told}
    for game, last in most.items():
        log = [decode(line) for line in store.read(f"game:{game}")]
        fold(log)
        assert len(log) >= last.events, f"{game}: {last} is not in its log"
        kept = [json.loads(line)[1] for line in store.read(f"receipts:{game}")]
        acts = [str(one.asked) for one in told if one.game == game and one.kind != "Move"]
        assert set(acts) <= set(kept), f"{game}: an act could be done twice"
    ev.fold(ev.decode(line) for line in store.read("event:open"))
    games = store.streams("game:")
    opened = any(b'"round_opened"' in line for line in store.read("event:open"))
    assert len(games) == (BOARDS if opened else 0), "a round has all its games or none"
    store.close()


async def check_next_start(folder: Path) -> None:
    """The next server has every game, standing still, and every end in its event, once."""
    for _ in range(2):
        hall = Hall(SqliteLog(folder / "hall.sqlite"), Thinking(by_material))
        await hall.start()
        for room in hall.rooms.values():
            assert room.state.phase is not Phase.RUNNING
            assert room.state.phase is Phase.ENDED or not room.state.white.platform.on
        ended = {r.state.created.board for r in hall.rooms.values() if r.state.outcome is not None}
        lines = await hall.journal.read("event:open")
        taken = [json.loads(x)["board"] for x in lines if json.loads(x)["type"] == "result_taken"]
        assert sorted(taken) == sorted(ended)
        await hall.stop()


def kill_and_check(folder: Path, seed: int, seconds: float) -> int:
    folder.mkdir()
    told = killed(folder, seed, seconds)
    check_logs(folder, told)
    asyncio.run(check_next_start(folder))
    return len(told)


def test_killed_at_any_time(tmp_path: Path) -> None:
    rng = Random(5)
    told = [
        kill_and_check(tmp_path / str(number), number, rng.uniform(0.05, 0.9))
        for number in range(SAMPLE)
    ]
    assert sum(told) > 100, "the halls were killed before they had done anything"


def killed_child(nursery: Nursery, folder: Path, seed: int, seconds: float) -> list[Acknowledged]:
    """The same with a child of the nursery."""
    child = nursery.start(CHILD, [folder, seed], folder / "said")
    child.wait_for('"ready"')
    time.sleep(seconds)
    assert child.kill() == -signal.SIGKILL, child.said
    said = child.said
    lines = said[: said.rfind("\n") + 1].splitlines()[1:]  # the last line may be cut
    return [Acknowledged(*json.loads(line)) for line in lines]


@pytest.mark.soak
@pytest.mark.parametrize("part", range(PARTS))
def test_killed_hundreds_of_times(part: int, nursery: Nursery, tmp_path: Path) -> None:
    rng, acknowledged = Random(100 + part), 0
    for number in range(PER_PART):
        folder = tmp_path / str(number)
        folder.mkdir()
        told = killed_child(nursery, folder, number, rng.uniform(0, 1.5))
        check_logs(folder, told)
        asyncio.run(check_next_start(folder))
        acknowledged += len(told)
        shutil.rmtree(folder)
    assert acknowledged > PER_PART
    note("hall", part, PER_PART, acknowledged)


def test_children_of_the_nursery_are_killed_like_others(nursery: Nursery, tmp_path: Path) -> None:
    for number in range(3):
        folder = tmp_path / str(number)
        folder.mkdir()
        told = killed_child(nursery, folder, number, 0.5)
        assert told
        check_logs(folder, told)
        asyncio.run(check_next_start(folder))
