"""What an event asks of its own games: a result is decided where the game is, and rounds wait.

There is one truth about a game that was played in the hall: its log. Who corrects a result on the
event's page corrects it in the game, and the event takes it from there, like any other.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import NamedTuple, Protocol

from arrocco.findings import Finding, Severity
from arrocco.hall import event as ev
from arrocco.hall.event.acts import Command
from arrocco.hall.event.acts.results import CorrectResult, TakeResult
from arrocco.hall.event.acts.rounds import CloseRound
from arrocco.hall.event.acts.sanctions import CarryOut, Impose
from arrocco.hall.event.authority import objection_to_act
from arrocco.hall.event.games import act_in_game, board_of, game_id
from arrocco.hall.game import Phase, State, kind
from arrocco.hall.game.acts import ArbiterCommand
from arrocco.live.receipts import Receipt
from arrocco.live.room import Room

FindRoom = Callable[[str], Awaitable[Room | None]]


class Game(Protocol):
    """A game as it stands: who is told of it late sees what it has come to by then."""

    @property
    def state(self) -> State: ...


class GameRead(NamedTuple):
    """A game that was read from its log only to tell of it."""

    state: State


class Event(Protocol):
    """The live event, as far as its games are told of it."""

    state: ev.State

    async def take(self, game: Game) -> None: ...

    async def tell(self, command: Command) -> tuple[Finding, ...]:
        """What the hall itself asks of the event; what stands against it."""
        ...


class EventGames:
    """The games of a live event, for the event itself."""

    def __init__(
        self, rooms: dict[str, Room], find_room: FindRoom, forget: Callable[[Room], None]
    ) -> None:
        self._rooms, self._find_room, self._forget = rooms, find_room, forget

    def objection(self, state: ev.State, command: Command) -> Finding | None:
        """Why something waits for a game that goes on: its result by hand, the end of its round."""
        by_hand = command if isinstance(command, TakeResult) and command.by else None
        if by_hand is not None and self._is_on(state, by_hand.round, by_hand.board):
            where = {"round": by_hand.round, "board": by_hand.board}
            key = "hall_live.game_goes_on"
            return Finding(Severity.ERROR, key, article="6.3", details=where)
        last = state.last_round
        if isinstance(command, CloseRound) and last is not None:
            boards = range(1, len(last.boards) + 1)
            going = tuple(board for board in boards if self._is_on(state, last.number, board))
            if going:
                missing = {"round": last.number, "boards": going}
                return Finding(Severity.ERROR, "event.results_missing", details=missing)
        return None

    def _is_on(self, state: ev.State, round_number: int, board: int) -> bool:
        room = self._rooms.get(game_id(state, round_number, board))
        return room is not None and room.state.phase is not Phase.ENDED

    async def take_first(self, event: Event, command: CorrectResult | Impose) -> None:
        """What the game of a board has come to and the event may not have heard yet.

        Players see the end of a game before its event is told: who decides on it has seen it too.
        """
        number = board_of(event.state, command)
        if number is None:
            return
        room = self._rooms.get(game_id(event.state, *number))
        if room is not None:
            await event.take(room)

    async def decide(
        self,
        event: Event,
        command: CorrectResult | Impose,
        receipt: Receipt | None,
        *,
        is_carried_out: bool = False,
    ) -> tuple[tuple[Finding, ...], bool] | None:
        """Decides on points in their game, and what stands against it; `None` where none is.

        The second is whether it had been decided before. `is_carried_out` is what the committee
        has decided.
        """
        game = await self._game_of(event.state, command)
        if game is None or game[0].state.outcome is None:
            return None
        room, act = game
        objection = _objection_to_kind(command, room.state) or objection_to_act(
            event.state, room.state, command.by, act, is_carried_out=is_carried_out
        )
        if objection is not None:
            return (objection,), False
        answer = await room.answer(act, receipt=receipt)
        if answer.refusal is not None:
            return (answer.refusal,), False
        await event.take(room)
        against: tuple[Finding, ...] = ()
        if isinstance(command, Impose) and not answer.again:
            carry = CarryOut(by="", game=room.id, act=_number(room.state, act), impose=command)
            against = await event.tell(carry)
        self._forget(room)
        return against, answer.again

    async def repeated(
        self, state: ev.State, command: CorrectResult | Impose, receipt: Receipt | None
    ) -> tuple[tuple[Finding, ...], bool] | None:
        """The answer of a game that decided the same message before: it keeps the receipt."""
        game = await self._game_of(state, command)
        if game is None:
            return None
        answer = game[0].repeated(receipt)
        self._forget(game[0])
        if answer is None:
            return None
        return (() if answer.refusal is None else (answer.refusal,)), answer.again

    async def _game_of(
        self, state: ev.State, command: CorrectResult | Impose
    ) -> tuple[Room, ArbiterCommand] | None:
        """The game whose points a command decides, and the act there."""
        asked = act_in_game(state, command)
        room = None if asked is None else await self._find_room(asked[0])
        return None if asked is None or room is None else (room, asked[1])


def _objection_to_kind(command: CorrectResult | Impose, game: State) -> Finding | None:
    """Whether a game was played its log tells, and no correction."""
    given = command.kind if isinstance(command, CorrectResult) else None
    if given is None or given is kind(game):
        return None
    return Finding(Severity.ERROR, "hall_live.kind_of_game", article="3.1")


def _number(game: State, act: ArbiterCommand) -> int:
    """The number of an act that was granted just now; others may have come behind it."""
    return next(
        one.number
        for one in reversed(game.acts)
        if (one.act.by, one.act.article, one.act.reason)
        == (act.by, act.article, act.reason.strip())
    )
