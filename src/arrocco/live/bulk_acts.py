"""One act of an arbiter at many boards: clocks stopped, resumed, or given time, all at once."""

from __future__ import annotations

import asyncio
from typing import NamedTuple

from arrocco.errors import Malformed
from arrocco.findings import Finding
from arrocco.hall.game.acts import ArbiterCommand
from arrocco.hall.game.acts.clock_time import AddTime
from arrocco.hall.game.acts.pause import Pause, Resume
from arrocco.hall.game.state import Phase
from arrocco.hall.game.wire import read_arbiter_command
from arrocco.live import messages as m
from arrocco.live.event_room import EventRoom
from arrocco.live.hall import Hall
from arrocco.live.outcome import Answer
from arrocco.live.receipts import Receipt, digest_of
from arrocco.live.room import Room
from arrocco.live.seats import Seat
from arrocco.office.roles import Asker

IN_BULK = (Pause, Resume, AddTime)
"""What makes sense for many boards; whatever is decided about a player is decided at a board."""

Told = tuple[int, Finding | None]


class BulkOutcome(NamedTuple):
    """At how many boards an act was done, and at which it was refused."""

    done: int
    refused: tuple[tuple[int, Finding], ...]


async def command_boards(
    hall: Hall, event: EventRoom, asker: Asker, said: m.WallCommand, now: int
) -> BulkOutcome:
    """Asks every board that is meant; boards in another phase are left as they are.

    All boards are asked at the same moment, so that all clocks stop together. Raises `Malformed`
    for what is no act of this kind.
    """
    answers: list[asyncio.Future[Told]] = []
    for room in list(hall.rooms_of(event)):
        board, seat = room.state.created.board, hall.seat(room, asker)
        if seat is None or not event.is_arbiter(seat.person, board):
            continue
        if said.boards is not None and board not in said.boards:
            continue
        command = read_arbiter_command(bytes(said.command), seat.person)
        if not isinstance(command, IN_BULK):
            raise Malformed.of("hall_live.not_in_bulk")
        receipt = Receipt(seat.person, f"{said.id}/{board}", digest_of(command))
        # What was sent again after a lost line was done where it has left its receipt.
        if _is_meant(room, command) or room.repeated(receipt) is not None:
            answers.append(_ask(hall, room, seat, command, receipt, now))
    told = await asyncio.gather(*answers)
    refused = tuple((board, why) for board, why in told if why is not None)
    return BulkOutcome(len(told) - len(refused), refused)


def _is_meant(room: Room, command: ArbiterCommand) -> bool:
    phase = room.state.phase
    return phase is not Phase.ENDED and (not command.PHASES or phase in command.PHASES)


def _ask(
    hall: Hall, room: Room, seat: Seat, command: ArbiterCommand, receipt: Receipt, now: int
) -> asyncio.Future[Told]:
    told: asyncio.Future[Told] = asyncio.get_running_loop().create_future()
    board = room.state.created.board

    def then(answer: Answer) -> None:
        if not told.done():
            told.set_result((board, answer.refusal))

    objection = hall.objection(room, seat, command)
    if objection is not None:
        told.set_result((board, objection))
    else:
        room.ask(command, at=now, receipt=receipt, then=then)
    return told
