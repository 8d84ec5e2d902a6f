"""The hall of one process: its events and games, who may be where, and how it starts again.

A game that is in memory is the only one that writes its log. Games of rounds that are over are read
again when somebody asks for them.
"""

from __future__ import annotations

import asyncio
import logging
import re
import sqlite3
from collections.abc import Coroutine, Iterator
from datetime import UTC, tzinfo
from functools import partial
from typing import NamedTuple

from arrocco.errors import Malformed, Refusal, Unavailable
from arrocco.findings import Finding
from arrocco.hall import acts
from arrocco.hall import event as ev
from arrocco.hall.event import commands as ec
from arrocco.hall.event import events as ee
from arrocco.hall.event.chat import objection_to_chat
from arrocco.hall.event.games import event_of_game, game_id
from arrocco.hall.game import Command, Phase, Role, State, fold
from arrocco.hall.game import commands as c
from arrocco.hall.log import decode, encode
from arrocco.hall.log import events as e
from arrocco.office.roles import Asker
from arrocco.wiring.hall.audience import Listener
from arrocco.wiring.hall.authority import objection_to_act
from arrocco.wiring.hall.chat import arbiter_name
from arrocco.wiring.hall.damage import DamagedLogs
from arrocco.wiring.hall.event_people import EventPeople
from arrocco.wiring.hall.event_room import EventRoom, Outcome
from arrocco.wiring.hall.happening import recovery
from arrocco.wiring.hall.index import CLOSED, EventIndex, LogIndex
from arrocco.wiring.hall.interpreter import collect_now
from arrocco.wiring.hall.journal import Journal, LogStore, NotWritten, Record
from arrocco.wiring.hall.outbox import Outbox
from arrocco.wiring.hall.receipts import Receipts
from arrocco.wiring.hall.room import Room
from arrocco.wiring.hall.server_time import ServerTime, Time, as_datetime
from arrocco.wiring.hall.services import Known, Policy, Services
from arrocco.wiring.hall.taking_over import goes_on_by_itself
from arrocco.wiring.hall.tally import HallTally
from arrocco.wiring.hall.thinking import Thinking
from arrocco.wiring.hall.waits import Waits
from arrocco.wiring.hall.wall import ArbiterWall

log = logging.getLogger(__name__)

TO_THE_SEATS = 3000
"""Milliseconds from the opening of a round to its start, for everybody to come to their board."""
RETRY = 1000
"""Milliseconds until an event is told again of a game whose end it could not write down."""

HAND_OVER_WITHIN = 1.0
"""Seconds in which all games are handed over; the others wait for the arbiter."""

GRACE = 5.0
"""Seconds that a server which stops gives to what it has begun."""

MOST_NAME = 32
_NAME = re.compile(rf"[a-z0-9](?:[a-z0-9-]{{0,{MOST_NAME - 2}}}[a-z0-9])?")
"""The name of an event stands in addresses, headers and names of files, and before those of its
games: none has a dot, as the names of games without an event do."""

_TAKEN = frozenset({"new", "game"})
"""What addresses of the hall's own pages have where an event has its name."""

_FOR_THE_EVENT = (e.Ended, e.Act)
"""What a game's event must hear of: an end, and whatever an arbiter did about it."""
_CHANGES_ARBITERS = (ee.ArbiterDismissed, ee.ArbiterAppointed, ee.ZoneAssigned)


class Seat(NamedTuple):
    """What somebody is at a board."""

    person: str
    role: Role


class Hall:
    """All live games and events."""

    def __init__(
        self,
        store: LogStore,
        thinking: Thinking,
        *,
        time: Time | None = None,
        index: EventIndex | None = None,
        zone: tzinfo = UTC,
        arbiters: frozenset[str] = frozenset(),
        known: Known | None = None,
    ) -> None:
        """`arbiters` are those of games that belong to no event."""
        self.journal = Journal(store)
        self.time: Time = time or ServerTime()
        self.services = Services(
            self.journal, self.time, thinking, Outbox(), Waits(self.time), HallTally(), known
        )
        self._index: EventIndex = index or LogIndex(store)
        self._zone = zone
        self._arbiters = arbiters
        self.rooms: dict[str, Room] = {}
        self.events: dict[str, EventRoom] = {}
        self.sockets = 0
        """Connections that are open."""
        self._walls: dict[str, ArbiterWall] = {}
        self._event_of: dict[str, EventRoom] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._opening = asyncio.Lock()
        self.damaged = DamagedLogs()
        self._to_start: set[str] = set()
        self._is_handed_over = False
        self.is_handing_over = False
        """Whether whatever comes now is for the next process."""

    # --- starting and stopping -----------------------------------------------------------------

    async def start(self) -> int:
        """Opens every event under way with its games, each as its log left it; how many games.

        Games that were running stand still until the arbiter resumes them, those that were handed
        over go on by themselves (11.6). Ends that were written in a game and not in its event are
        taken now.
        """
        names = await asyncio.to_thread(self._index.under_way)
        for name in names:
            try:
                await self.find_event(name)
            except Unavailable:  # nothing can be read: better no hall than half of one
                raise
            except Exception as error:  # one damaged log must not keep the others from their games
                self.damaged.note(f"event:{name}", error)
        await self._open_games_alone()
        return len(self.rooms)

    async def _open_games_alone(self) -> None:
        """Opens the games that belong to no event."""
        try:
            streams = await self.journal.streams(f"game:{ALONE}")
        except sqlite3.DatabaseError as error:
            self.damaged.note(f"game:{ALONE}", error)
            return
        for stream in streams:
            try:
                await self._open_game(stream.removeprefix("game:"))
            except Unavailable:
                raise
            except Exception as error:
                self.damaged.note(stream, error)

    async def stop(self) -> None:
        """Writes what waits and rings no more alarms; one that was handed over has done so."""
        if self._is_handed_over:
            return
        for room in self.rooms.values():
            room.close()
            await room.settled()
        for wall in self._walls.values():
            wall.close()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=GRACE)
        self.services.waits.close()
        await self.journal.close()
        self.services.thinking.close()

    async def hand_over(self) -> int:
        """11.6 — stops every game for the process that takes over; how many were handed over.

        What was asked before is done first. A game whose hand-over cannot be written in time is
        for the next process as after a crash.
        """
        self.is_handing_over = True
        at = self.time.now()
        rooms = [room for room in self.rooms.values() if room.state.phase is not Phase.ENDED]
        tasks = [
            asyncio.ensure_future(room.hand_over(at, starts=room.id in self._to_start))
            for room in rooms
        ]
        if tasks:
            await asyncio.wait(tasks, timeout=HAND_OVER_WITHIN)
        written = [task for task in tasks if task.done() and task.exception() is None]
        if len(written) < len(rooms):
            log.error("%d games could not be handed over", len(rooms) - len(written))
        for room in self.rooms.values():
            room.close()
        for wall in self._walls.values():
            wall.close()
        self.services.waits.close()
        await self.journal.close()
        self.services.thinking.close()
        self._is_handed_over = True
        return len(written)

    # --- events --------------------------------------------------------------------------------

    async def create_event(self, command: ec.Create) -> Outcome:
        """A new event, or why there can be none."""
        if not _NAME.fullmatch(command.event):
            raise Malformed.of("hall_live.event_name", most=MOST_NAME)
        now = as_datetime(self.time.now()).astimezone(self._zone)
        decision = ev.create(command, now)
        if decision.refusal is not None:
            return Outcome(objections=decision.objections)
        created = decision.events[0]
        assert isinstance(created, ee.Created)
        if created.event in _TAKEN or await self.find_event(created.event) is not None:
            raise Refusal.of("hall_live.event_there_already", event=created.event)
        await asyncio.to_thread(self._index.add, created)
        await self.journal.write([Record(f"event:{created.event}", 0, ev.encode(created))])
        self._add_event(ev.begin(created), Receipts())
        return Outcome(decision.events)

    async def find_event(self, name: str) -> EventRoom | None:
        """An event by name, read from its log where it is not in memory."""
        known = self.events.get(name)
        if known is not None:
            return known
        async with self._opening:
            if name in self.events:
                return self.events[name]
            lines = await self.journal.read(f"event:{name}")
            if not lines:
                return None
            state = ev.fold(ev.decode(line) for line in lines)
            receipts = Receipts(await self.journal.read(f"receipts:{name}"))
            room = self._add_event(state, receipts)
            await self._open_games_of(room)
            return room

    def _add_event(self, state: ev.State, receipts: Receipts) -> EventRoom:
        room = EventRoom(state, self.services, self._zone, receipts)
        room.on_games = self._games_created
        room.on_change = self._event_changed
        self.events[room.id] = room
        self._walls[room.id] = ArbiterWall(room.id, lambda: self.rooms_of(room), self.time)
        return room

    async def _open_games_of(self, room: EventRoom) -> None:
        """The games of the round under way; the event is told again what it may have missed."""
        await self._look_at_earlier_rounds(room)
        last = room.state.last_round
        if last is None or last.phase is not ev.Phase.OPEN:
            return
        to_start: list[Room] = []
        for number in range(1, len(last.boards) + 1):
            name = game_id(room.state, last.number, number)
            try:
                game = await self._open_game(name, room)
            except Unavailable:
                raise
            except Exception as error:
                self.damaged.note(f"game:{name}", error)
                continue
            if game is not None:
                await room.take(game.state)
                if game.state.phase is Phase.WAITING and goes_on_by_itself(
                    game.state, self.time.now()
                ):
                    to_start.append(game)
        if to_start:  # a round that was about to begin when the server handed it over
            begins = max(game.state.created.at for game in to_start) + TO_THE_SEATS
            self._start_at(begins, [game.id for game in to_start])

    async def _look_at_earlier_rounds(self, room: EventRoom) -> None:
        """Results of rounds that are closed are in the event; acts after an end may not be."""
        names = [
            game_id(room.state, round_.number, number)
            for round_ in room.state.rounds
            if round_.phase is ev.Phase.CLOSED
            for number in range(1, len(round_.boards) + 1)
        ]
        for name in names:
            try:
                lines = await self.journal.read(f"game:{name}")
                if lines and not isinstance(decode(lines[-1]), e.Ended):
                    await room.take(fold(decode(line) for line in lines))
            except Unavailable:
                raise
            except Exception as error:
                self.damaged.note(f"game:{name}", error)

    def rooms_of(self, event: EventRoom) -> Iterator[Room]:
        """The games of an event's last round, by board."""
        last = event.state.last_round
        for number in range(1, 1 + (0 if last is None else len(last.boards))):
            assert last is not None
            room = self.rooms.get(game_id(event.state, last.number, number))
            if room is not None:
                yield room

    def wall(self, event: EventRoom) -> ArbiterWall:
        return self._walls[event.id]

    def _games_created(self, event: EventRoom, games: list[e.Created]) -> None:
        for created in games:
            self._add_room(Room([created], self.services, policy=policy_of(event)), event)
        self._walls[event.id].begin_anew()
        self._start_at(self.time.now() + TO_THE_SEATS, [created.game for created in games])

    def _start_at(self, moment: int, games: list[str]) -> None:
        self._to_start.update(games)
        self.time.call_at(moment, lambda: self._start_games(games))

    def _start_games(self, games: list[str]) -> None:
        """1.3.5 — all games of a round begin at the same moment."""
        now = self.time.now()
        self._to_start.difference_update(games)
        for game in games:
            if game in self.rooms:
                self.rooms[game].ask(c.Start(by=""), at=now)

    def _event_changed(self, event: EventRoom, events: tuple[ee.Event, ...]) -> None:
        for one in events:
            if isinstance(one, _CHANGES_ARBITERS):
                self._look_at_arbiters(event)
            elif isinstance(one, ee.SanctionLifted):
                self._do(self._withdraw_in_game(event, one))
            elif isinstance(one, ee.RoundClosed):
                self._forget_round(event, one.round)
            elif isinstance(one, ee.Closed):
                self._do(asyncio.to_thread(self._index.set_status, event.id, CLOSED))

    async def _withdraw_in_game(self, event: EventRoom, lifted: ee.SanctionLifted) -> None:
        """A sanction that the event lifts holds no more in the game where it was imposed."""
        sanction = event.state.sanctions[lifted.number - 1]
        room = await self.find_room(sanction.game) if sanction.game else None
        if room is None or sanction.act in room.state.withdrawn:
            return
        withdraw = acts.Withdraw(by=lifted.by, reason=lifted.reason, corrects=sanction.act)
        answer = await room.answer(withdraw)
        if answer.refusal is not None:
            log.warning(
                "%s: %s", room.id, answer.refusal, extra={"game": room.id, "event": event.id}
            )
        self.forget(room)

    def _look_at_arbiters(self, event: EventRoom) -> None:
        """6.3 — who is no longer an arbiter of a board sees it no longer as one."""
        self._walls[event.id].send_away(lambda person: event.state.arbiter(person) is not None)
        for room in self.rooms_of(event):
            board = room.state.created.board
            room.send_away(partial(_is_arbiter, event, board))

    def _forget_round(self, event: EventRoom, number: int) -> None:
        """Games of a round that is over leave the memory, unless somebody still looks at them."""
        round_ = event.state.round(number)
        for board in range(1, 1 + (0 if round_ is None else len(round_.boards))):
            room = self.rooms.get(game_id(event.state, number, board))
            if room is not None:
                self.forget(room)
        if not any(room.state.phase is Phase.RUNNING for room in self.rooms.values()):
            collect_now()

    # --- games ---------------------------------------------------------------------------------

    async def create_game(self, created: e.Created) -> Room:
        """A game of no event; its name begins with `ALONE`."""
        await self.journal.write([Record(f"game:{created.game}", 0, encode(created))])
        return self._add_room(Room([created], self.services), None)

    async def find_room(self, game: str) -> Room | None:
        """A game by name, read from its log where it is not in memory."""
        known = self.rooms.get(game)
        if known is not None:
            return known
        event = await self.find_event(event_of_game(game))
        return self.rooms.get(game) or await self._open_game(game, event)

    async def _open_game(self, game: str, event: EventRoom | None = None) -> Room | None:
        lines = await self.journal.read(f"game:{game}")
        if game in self.rooms:  # somebody else was faster
            return self.rooms[game]
        if not lines:
            return None
        events = [decode(line) for line in lines]
        state = fold(events)
        self.time.not_before(state.last_at)
        records = recovery(state, self.time.now())
        if records:
            await self.journal.write(records)
            events.extend(decode(record.body) for record in records)
        receipts = Receipts(await self.journal.read(f"receipts:{game}"))
        if game in self.rooms:
            return self.rooms[game]
        room = self._add_room(Room(events, self.services, receipts, policy_of(event)), event)
        if room.state.phase is Phase.PAUSED and goes_on_by_itself(room.state, self.time.now()):
            room.take_over()
        return room

    def _add_room(self, room: Room, event: EventRoom | None) -> Room:
        self.rooms[room.id] = room
        if event is not None:
            self._event_of[room.id] = event
        room.on_change = self._game_changed
        return room

    def forget(self, room: Room) -> None:
        """Lets a finished game go that nobody looks at."""
        event = self._event_of.get(room.id)
        if event is None or room.state.phase is not Phase.ENDED or not room.is_empty:
            return
        round_ = event.state.round(room.state.created.round)
        if round_ is None or round_.phase is ev.Phase.CLOSED:
            room.close()
            self.rooms.pop(room.id, None)
            self._event_of.pop(room.id, None)

    def _game_changed(self, room: Room, events: tuple[e.Event, ...]) -> None:
        event = self._event_of.get(room.id)
        if event is None:
            return
        self._walls[event.id].changed(room)
        if any(isinstance(one, _FOR_THE_EVENT) for one in events):
            self._do(self._tell_event(event, room))

    async def _tell_event(self, event: EventRoom, room: Room) -> None:
        """Tells it, later again where it could not be written; the event takes nothing twice."""
        try:
            await event.take(room.state)
        except NotWritten:
            later = self.time.now() + RETRY
            self.time.call_at(later, lambda: self._do(self._tell_event(event, room)))

    def _do(self, what: Coroutine[None, None, None]) -> None:
        task = asyncio.get_running_loop().create_task(what)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            log.error("a task of the hall failed", exc_info=task.exception())

    # --- who may be where ----------------------------------------------------------------------

    def event_of(self, room: Room) -> EventRoom | None:
        return self._event_of.get(room.id)

    def seat(self, room: Room, asker: Asker) -> Seat | None:
        """What somebody is at a board: a player, its arbiter, a spectator; `None` if nothing."""
        return seat_at(room.state, self._event_of.get(room.id), asker, self._arbiters)

    def objection(self, room: Room, seat: Seat, command: Command) -> Finding | None:
        """6.3, 12.9 — why an act at a board is not this arbiter's to do, where it is not."""
        event = self._event_of.get(room.id)
        if event is None or seat.role is not Role.ARBITER:
            return None
        return objection_to_act(event.state, room.state, seat.person, command)

    def gone(self, listener: Listener, rooms: set[Room], events: set[EventRoom]) -> None:
        """A socket is closed: it leaves every board, event and wall it was at."""
        for room in rooms:
            room.leave(listener)
            self.forget(room)
        for event in events:
            event.unfollow(listener)
            self._walls[event.id].leave(listener)


ALONE = "alone."
"""How the names of games begin that belong to no event."""


def _is_arbiter(event: EventRoom, board: int, person: str) -> bool:
    return event.is_arbiter(person, board)


def seat_at(
    game: State, event: EventPeople | None, asker: Asker, arbiters: frozenset[str] = frozenset()
) -> Seat | None:
    """What somebody is at a board; `arbiters` are those of a game that belongs to no event."""
    if event is None:
        person = "" if asker.account is None else str(asker.account)
    else:
        person = event.account_of(asker)
    side = game.side_of(person)
    if side is not None:
        return Seat(person, Role.of(side))
    if event is None:
        return Seat(person, Role.ARBITER if person and person in arbiters else Role.SPECTATOR)
    if event.is_arbiter(person, game.created.board):
        return Seat(person, Role.ARBITER)
    return Seat(person, Role.SPECTATOR) if event.may_look_on(person) else None


def policy_of(event: EventPeople | None) -> Policy:
    """What an event's rules ask of whoever runs its games."""
    rules = None if event is None else event.state.rules
    if event is None or rules is None:
        return Policy()
    return Policy(
        premoves=rules.premoves,
        call_stops_clocks=rules.call_stops_clocks,
        chat=partial(_objection_to_chat, event),
        name_of=lambda person: arbiter_name(event.state, person),
    )


def _objection_to_chat(event: EventPeople, person: str) -> Finding | None:
    """5.2, 6.9k — as the event stands now: a block may come, or be lifted, during a game."""
    entry = event.state.entry_of(person)
    return None if entry is None else objection_to_chat(event.state, entry.id)
