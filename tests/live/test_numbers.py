"""What a hall counts: moves, commits, flags and what waits, as it really went."""

from __future__ import annotations

import threading

import msgspec

from arrocco.live.numbers import HallNumbers, hall_numbers
from arrocco.live.time_watch import TimeWatch
from tests.live.stage import GAME, Stage, run, seated, settle


def test_moves_commits_and_sockets_are_counted() -> None:
    async def play(stage: Stage) -> None:
        _room, white, black, arbiter = await seated(stage)
        before = hall_numbers(stage.hall)
        assert (before.moves, before.sockets, before.games) == (0, 3, {"running": 1})
        assert (await white.wish("move", uci="e2e4", ply=0))["type"] == "done"
        assert (await black.wish("move", uci="e7e5", ply=1))["type"] == "done"
        assert (await white.wish("move", uci="e4e6", ply=2))["type"] == "refused"
        after = hall_numbers(stage.hall)
        assert after.moves == 2
        assert after.records > before.records
        assert after.commit_seconds.total == after.commits
        assert 0 < after.commit_seconds.sum < 10
        arbiter.connection.close()
        assert hall_numbers(stage.hall).sockets == 2

    run(play)


def test_what_waits_is_counted() -> None:
    async def play(stage: Stage) -> None:
        _room, white, _black, _ = await seated(stage)
        stage.store.gate = threading.Event()
        for number in range(3):
            wish = {"type": "move", "uci": "e2e4", "ply": 0}
            white.say(type="wish", id=f"x{number}", game=GAME, wish=wish)
        await settle()
        waiting = hall_numbers(stage.hall)
        assert (waiting.room_queue, waiting.longest_room_queue) == (2, 2)
        stage.store.gate.set()
        await white.hear()
        assert hall_numbers(stage.hall).room_queue == 0
        assert hall_numbers(stage.hall).journal_queue == 0

    run(play)


def test_a_flag_is_late_by_what_the_server_took() -> None:
    async def play(stage: Stage) -> None:
        await seated(stage, control="60")
        stage.store.gate = threading.Event()
        await stage.time.pass_by(60_000)
        await stage.time.pass_by(700)  # the disk takes its time
        stage.store.gate.set()
        await settle()
        flags = hall_numbers(stage.hall).flag_lateness
        assert flags.total == 1
        assert flags.largest == 0.7

    run(play)


def test_records_that_could_not_be_written_are_counted() -> None:
    async def play(stage: Stage) -> None:
        _room, white, _black, _ = await seated(stage)
        stage.store.is_full = True
        assert (await white.wish("move", uci="e2e4", ply=0))["type"] == "refused"
        assert hall_numbers(stage.hall).failed_writes >= 1
        stage.store.is_full = False

    run(play)


def test_the_numbers_can_be_sent_to_another_process() -> None:
    async def play(stage: Stage) -> None:
        await seated(stage)
        numbers = hall_numbers(stage.hall, TimeWatch("hall"))
        sent = msgspec.json.encode(numbers)
        assert msgspec.json.decode(sent, type=HallNumbers) == numbers

    run(play)
