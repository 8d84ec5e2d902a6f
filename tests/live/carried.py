"""A round under way in which arbiters act, and what its event has of that."""

from __future__ import annotations

from typing import Any

from arrocco.hall import event as ev
from arrocco.hall.event.record import Record
from arrocco.live.event_room import EventRoom
from tests.live.stage import (
    CHIEF,
    Client,
    Stage,
    event,
    open_round,
    start_round,
)

FIRST, SECOND = "open-1-1", "open-1-2"


async def playing(stage: Stage, **rules: Any) -> tuple[EventRoom, Client, Client]:
    """A round under way: White and the chief arbiter are at the first board."""
    room = await event(stage, **rules)
    await open_round(stage, room)
    white, black, chief = (stage.connect(one) for one in ("1", "2", CHIEF))
    for client in (white, black, chief):
        await client.join(FIRST)
    await start_round(stage)
    return room, white, chief


def points(room: EventRoom) -> dict[int, int]:
    return {standing.entry: standing.points for standing in ev.standings(room.state)}


def records(stage: Stage, kind: type[Record]) -> list[Record]:
    log = [ev.decode(line) for line in stage.store.read("event:open")]
    return [one for one in log if isinstance(one, kind)]


async def restarted(stage: Stage) -> Stage:
    after = Stage(stage.store, stage.time)
    await after.hall.start()
    return after


def act_number(stage: Stage, game: str = FIRST) -> int:
    return stage.hall.rooms[game].state.acts[-1].number
