"""The hall as pages see it: events and games folded from their logs, and commands sent to the hall.

A page never touches a live game. What it shows it reads from the log, where everything is that was
ever acknowledged; what it wants done it sends to the hall, wherever that runs. So what came of an
acknowledged command is there for the next page that is read.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Protocol, TypeVar

from arrocco.errors import Refusal, Unavailable
from arrocco.hall import event as ev
from arrocco.hall.event.acts import Command
from arrocco.hall.event.creation import Create
from arrocco.hall.event.games import event_of_game, game_id
from arrocco.hall.event.state import Round
from arrocco.hall.game import State, apply, fold
from arrocco.hall.game.log import decode
from arrocco.live.event_people import EventPeople
from arrocco.live.event_room import CommandOutcome
from arrocco.live.log_reader import LogReader
from arrocco.live.numbers import HallLink
from arrocco.live.receipts import Receipt
from arrocco.live.seats import Seat, policy_of, seat_at
from arrocco.live.server_time import Time
from arrocco.office.roles import Asker

MAX_EVENTS = 100
MAX_GAMES = 500
"""States that are kept to be carried on; others are folded from their first record again."""

S = TypeVar("S", ev.State, State)


class HallCommands(Protocol):
    """The hall that plays, for whoever asks it to do something."""

    async def create_event(self, command: Create) -> CommandOutcome: ...

    async def ask(
        self,
        event: str,
        command: Command,
        receipt: Receipt | None = None,
        asker: Asker | None = None,
    ) -> CommandOutcome:
        """What becomes of a command; with `asker` its fields were written by somebody themselves.

        Raises what the event raises, and `HallAway` where no hall answers.
        """
        ...


class EventReader(EventPeople):
    """An event as it stood when it was read."""

    def __init__(self, state: ev.State, commands: HallCommands) -> None:
        super().__init__(state)
        self._commands = commands

    async def ask(self, command: Command, receipt: Receipt | None = None) -> CommandOutcome:
        """What becomes of a command; this event stays as it was read."""
        return await self._commands.ask(self.id, command, receipt)

    async def ask_as(
        self, asker: Asker, command: Command, receipt: Receipt | None = None
    ) -> CommandOutcome:
        """The same for a command whose fields somebody has written themselves."""
        return await self._commands.ask(self.id, command, receipt, asker)


class GameReader:
    """A game as it stood when it was read."""

    def __init__(self, state: State, event: EventReader | None) -> None:
        self.state, self.event = state, event
        self.policy = policy_of(event)

    @property
    def id(self) -> str:
        return self.state.created.game

    @property
    def stream(self) -> str:
        return f"game:{self.id}"


class HallReader:
    """The hall for pages: what it holds, and the way to have something done there."""

    def __init__(
        self,
        logs: LogReader,
        time: Time,
        commands: HallCommands,
        link: HallLink | None = None,
        arbiters: frozenset[str] = frozenset(),
    ) -> None:
        """`link` is how the hall is watched; `arbiters` those of games that belong to no event."""
        self.time = time
        self.link = link
        self._arbiters = arbiters
        self.commands = commands
        self._logs = logs
        self._events: OrderedDict[str, ev.State] = OrderedDict()
        self._games: OrderedDict[str, State] = OrderedDict()
        self._lock = Lock()

    async def create_event(self, command: Create) -> CommandOutcome:
        """A new event, or why there can be none."""
        return await self.commands.create_event(command)

    async def find_event(self, name: str) -> EventReader | None:
        """An event by name as it stands now."""
        state = await asyncio.to_thread(self._event, name)
        return None if state is None else EventReader(state, self.commands)

    async def find_game(self, game: str) -> GameReader | None:
        """A game by name as it stands now."""
        state = await asyncio.to_thread(self._game, game)
        if state is None:
            return None
        return GameReader(state, await self.find_event(event_of_game(game)))

    async def damaged_boards(self, event: EventReader) -> tuple[int, ...]:
        """The boards of an event's last round whose games cannot be read, and so not go on."""
        last = event.state.last_round
        return () if last is None else await asyncio.to_thread(self._damaged, event.state, last)

    def _damaged(self, state: ev.State, last: Round) -> tuple[int, ...]:
        damaged = []
        for board in range(1, len(last.boards) + 1):
            try:
                self._game(game_id(state, last.number, board))
            except Unavailable:
                raise
            except Refusal:
                damaged.append(board)
        return tuple(damaged)

    def seat(self, game: GameReader, asker: Asker) -> Seat | None:
        """What somebody is at a board: a player, its arbiter, a spectator; `None` if nothing."""
        return seat_at(game.state, game.event, asker, self._arbiters)

    async def read(self, stream: str) -> list[bytes]:
        """All records of a log."""
        return await asyncio.to_thread(self._logs.read, stream)

    async def streams(self, prefix: str) -> list[str]:
        """The names of all logs that begin so."""
        return await asyncio.to_thread(self._logs.streams, prefix)

    async def numbers(self, prefix: str) -> dict[str, int]:
        """The number of the last record of each log whose name begins so."""
        return await asyncio.to_thread(self._logs.numbers, prefix)

    def close(self) -> None:
        self._logs.close()

    # --- folding -------------------------------------------------------------------------------

    def _event(self, name: str) -> ev.State | None:
        def advance(state: ev.State | None, lines: list[bytes]) -> ev.State:
            records = [ev.decode(line) for line in lines]
            if state is None:
                return ev.fold(records)
            for record in records:
                state = ev.apply(state, record)
            return state

        with self._lock:
            return self._folded(self._events, MAX_EVENTS, f"event:{name}", advance)

    def _game(self, name: str) -> State | None:
        def advance(state: State | None, lines: list[bytes]) -> State:
            records = [decode(line) for line in lines]
            if state is None:
                return fold(records)
            for record in records:
                state = apply(state, record)
            return state

        with self._lock:
            state = self._folded(self._games, MAX_GAMES, f"game:{name}", advance)
        if state is not None:
            self.time.not_before(state.last_at)
        return state

    def _folded(
        self,
        kept: OrderedDict[str, S],
        most: int,
        stream: str,
        advance: Callable[[S | None, list[bytes]], S],
    ) -> S | None:
        """A state carried on from the last record that is known of it."""
        state = kept.get(stream)
        lines = self._logs.read(stream, 0 if state is None else state.number)
        if state is None and not lines:
            return None
        if lines:
            state = advance(state, lines)
        assert state is not None
        kept[stream] = state
        kept.move_to_end(stream)
        if len(kept) > most:
            kept.popitem(last=False)
        return state
