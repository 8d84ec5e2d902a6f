"""A stated start starts its round, by the clock of the hall's own process."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from datetime import UTC, datetime, timedelta
from typing import Any

from arrocco.hall.event import Phase
from arrocco.hall.event.acts.entries import CheckIn
from arrocco.hall.event.acts.pairing import PairRound
from arrocco.hall.event.acts.schedule import HoldStart, ReleaseStart, SetSchedule
from arrocco.hall.event.records import PairingSystem
from arrocco.hall.event.schedule import Schedule
from arrocco.hall.game import commands as c
from arrocco.live.event_room import EventRoom
from arrocco.live.hall import TO_THE_SEATS
from arrocco.live.server_time import as_moment
from tests.live.stage import CHIEF, ORGANISER, MemoryLog, Stage, VirtualTime, event, settle

NOON = datetime(2026, 11, 16, 12, 0, tzinfo=UTC)
MINUTE = 60_000
SWISS = {"system": PairingSystem.SWISS}


def at_noon(play: Callable[[Stage], Coroutine[Any, Any, None]]) -> None:
    """Plays a scene on the day of the event."""

    async def scene() -> None:
        stage = Stage(time=VirtualTime(as_moment(NOON)))
        try:
            await play(stage)
        finally:
            await stage.hall.stop()

    asyncio.run(scene())


async def scheduled(stage: Stage, *minutes: int, **rules: Any) -> EventRoom:
    """An event whose rounds start so many minutes after noon."""
    room = await event(stage, **{**SWISS, **rules})
    starts = tuple(NOON + timedelta(minutes=minute) for minute in minutes)
    outcome = await room.ask(SetSchedule(by=ORGANISER, schedule=Schedule(starts=starts)))
    assert not outcome.objections
    return room


async def resign_all(stage: Stage, room: EventRoom) -> None:
    for game in list(stage.hall.rooms_of(room)):
        white = stage.connect(game.state.white.player.id)
        await white.join(game.id)
        game.ask(c.Resign(by=game.state.white.player.id))
    await settle()


def phases(room: EventRoom) -> list[str]:
    return [one.phase.value for one in room.state.rounds]


def test_the_hall_pairs_and_starts_each_round_at_its_stated_start() -> None:
    async def scene(stage: Stage) -> None:
        room = await scheduled(stage, 30, 60)
        await stage.time.pass_by(29 * MINUTE - 1)
        assert phases(room) == []
        await stage.time.pass_by(1)
        assert phases(room) == ["paired"]
        assert room.state.rounds[0].starts == NOON + timedelta(minutes=30)
        await stage.time.pass_by(MINUTE)
        assert phases(room) == ["open"]
        assert room.state.rounds[0].opened == NOON + timedelta(minutes=30)
        await stage.time.pass_by(TO_THE_SEATS)
        assert all(game.state.phase.value == "running" for game in stage.hall.rooms_of(room))
        await resign_all(stage, room)
        await stage.time.pass_by(30 * MINUTE)
        assert phases(room) == ["closed", "open"]

    at_noon(scene)


def test_a_round_waits_for_the_results_of_the_one_before_and_a_minute_more() -> None:
    async def scene(stage: Stage) -> None:
        room = await scheduled(stage, 1, 3, tolerance=timedelta(minutes=60))
        await stage.time.pass_by(MINUTE + TO_THE_SEATS)
        clients = [stage.connect(str(number)) for number in (1, 2, 3, 4)]
        for game in stage.hall.rooms_of(room):
            for client in clients:
                await client.join(game.id)
            game.ask(c.Move(by=game.state.white.player.id, uci="e2e4", ply=0))
        await stage.time.pass_by(2 * MINUTE)
        assert phases(room) == ["open"]
        await resign_all(stage, room)
        await stage.time.pass_by(0)
        assert phases(room) == ["closed", "paired"]
        await stage.time.pass_by(MINUTE)
        assert phases(room) == ["closed", "open"]

    at_noon(scene)


def test_3_1_who_is_paired_and_has_not_checked_in_forfeits_and_who_is_not_paired_rests() -> None:
    async def scene(stage: Stage) -> None:
        room = await scheduled(stage, 30, check_in=True)
        for number in (1, 2, 3):
            await room.ask(CheckIn(by=str(number), entry=number))
        await stage.time.pass_by(30 * MINUTE)
        last = room.state.last_round
        assert last is not None
        assert last.phase is Phase.OPEN
        assert last.byes[4].value == "zero_point"
        assert len(last.boards) == 1

    at_noon(scene)


def test_the_arbiter_holds_a_start_and_the_round_does_not_begin() -> None:
    async def scene(stage: Stage) -> None:
        room = await scheduled(stage, 30)
        await room.ask(HoldStart(by=CHIEF, reason="the stream is down"))
        await stage.time.pass_by(29 * MINUTE)
        assert phases(room) == []
        await room.ask(ReleaseStart(by=CHIEF))
        await stage.time.pass_by(2 * MINUTE)
        assert phases(room) == ["open"]

    at_noon(scene)


def test_what_keeps_a_round_from_starting_is_told_and_held() -> None:
    async def scene(stage: Stage) -> None:
        room = await scheduled(stage, 30, check_in=True)
        await stage.time.pass_by(31 * MINUTE)
        assert room.state.held == {1: "event.too_few_players"}

    at_noon(scene)


def test_a_confirmed_pairing_starts_as_stated_also_after_the_hall_has_been_restarted() -> None:
    async def scene(stage: Stage) -> None:
        room = await scheduled(stage, 30)
        await room.ask(PairRound(by=CHIEF))
        boards = [board.players for board in room.state.rounds[0].boards]
        after = Stage(stage.store, VirtualTime(as_moment(NOON) + 31 * MINUTE))
        await after.hall.start()
        await after.time.pass_by(0)
        opened = after.hall.events["open"]
        assert phases(opened) == ["open"]
        assert [board.players for board in opened.state.rounds[0].boards] == boards
        await after.hall.stop()

    at_noon(scene)


def test_a_start_that_was_missed_by_long_is_left_to_the_arbiter() -> None:
    async def scene(stage: Stage) -> None:
        await scheduled(stage, 30)
        after = Stage(stage.store, VirtualTime(as_moment(NOON) + 46 * MINUTE))
        await after.hall.start()
        await after.time.pass_by(0)
        assert after.hall.events["open"].state.held == {1: "event.start_missed"}
        await after.hall.stop()

    at_noon(scene)


def test_a_start_that_cannot_be_written_is_tried_again() -> None:
    async def scene(stage: Stage) -> None:
        room = await scheduled(stage, 30)
        assert isinstance(stage.store, MemoryLog)
        stage.store.is_full = True
        await stage.time.pass_by(29 * MINUTE + 2_000)
        assert phases(room) == []
        stage.store.is_full = False
        await stage.time.pass_by(2_000)
        assert phases(room) == ["paired"]

    at_noon(scene)
