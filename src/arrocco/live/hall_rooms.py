"""The games of a hall that are in memory, read from their logs where they are not.

A game that is in memory is the only one that writes its log; its event hears of its end.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine, Iterator
from datetime import UTC, tzinfo

from arrocco.findings import Finding
from arrocco.hall import event as ev
from arrocco.hall.event.acts.joining import NoteJoined
from arrocco.hall.event.authority import objection_to_act
from arrocco.hall.event.games import event_of_game, game_id
from arrocco.hall.game import Command, GameRole, Phase, fold
from arrocco.hall.game import events as e
from arrocco.hall.game.log import decode, encode
from arrocco.live.analysis import Thinking
from arrocco.live.damage import DamagedLogs
from arrocco.live.event_room import EventRoom
from arrocco.live.exclusions import Exclusions
from arrocco.live.game_messages import Listener
from arrocco.live.index import EventIndex, LogIndex
from arrocco.live.journal import Journal, LogStore, NotWritten, Record
from arrocco.live.outbox import Outbox
from arrocco.live.outcome import recovery
from arrocco.live.presence import Presence
from arrocco.live.public_boards import PublicBoards
from arrocco.live.receipts import Receipts
from arrocco.live.room import Room
from arrocco.live.seats import Seat, policy_of, seat_at
from arrocco.live.server_time import ServerTime, Time
from arrocco.live.services import EventMails, Known, Services
from arrocco.live.takeover import goes_on_by_itself
from arrocco.live.tally import HallTally
from arrocco.live.waits import Waits
from arrocco.live.wall import ArbiterWall
from arrocco.office.roles import Asker

log = logging.getLogger(__name__)

RETRY = 1000
"""Milliseconds until an event is told again of a game whose end it could not write down."""
_FOR_THE_EVENT = (e.Ended, e.Act)
"""What a game's event must hear of: an end, and whatever an arbiter did about it."""


class HallRooms:
    """All live games; their events are for a subclass."""

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
        mails: EventMails | None = None,
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
        self._mails, self._mailing = mails, asyncio.Lock()
        self.exclusions = Exclusions(self.journal)
        self.rooms: dict[str, Room] = {}
        self.events: dict[str, EventRoom] = {}
        self.sockets = 0
        """Connections that are open."""
        self._walls: dict[str, ArbiterWall] = {}
        self._public_boards: dict[str, PublicBoards] = {}
        self._event_of: dict[str, EventRoom] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._opening = asyncio.Lock()
        self.damaged = DamagedLogs()
        self._to_start: set[str] = set()
        self._kept_heads: dict[str, int] = {}
        """How many records of recordings each event's log has."""
        self._is_handed_over = False
        self.presence = Presence(self.time, self.events.get, self.rooms_of, self._note_joined)
        self._to_note: set[tuple[str, int]] = set()
        self.is_handing_over = False
        """Whether whatever comes now is for the next process."""

    async def find_event(self, name: str) -> EventRoom | None:
        """An event by name, read from its log where it is not in memory."""
        raise NotImplementedError

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

    def public_boards(self, event: EventRoom) -> PublicBoards:
        return self._public_boards[event.id]

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
        if event is not None:
            self.presence.board_opened(room, event)
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
        self._public_boards[event.id].changed(room)
        if any(isinstance(event, _FOR_THE_EVENT) for event in events):
            self._do(self._notify_event(event, room))

    async def _notify_event(self, event: EventRoom, room: Room) -> None:
        """Tells it, later again where it could not be written; the event takes nothing twice."""
        try:
            await event.take(room)
        except NotWritten:
            later = self.time.now() + RETRY
            self.time.call_at(later, lambda: self._do(self._notify_event(event, room)))

    def _note_joined(self, event: EventRoom, entry: int) -> None:
        """9.1d — once; where it cannot be written now the video server tells it again."""
        if (event.id, entry) not in self._to_note:
            self._to_note.add((event.id, entry))
            self._do(self._enter_joined(event, entry))

    async def _enter_joined(self, event: EventRoom, entry: int) -> None:
        try:
            await event.tell(NoteJoined(by="", entry=entry))
        except NotWritten:
            log.warning("%s: that player %d has joined could not be written", event.id, entry)
        finally:
            self._to_note.discard((event.id, entry))

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
        if event is None or seat.role is not GameRole.ARBITER:
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
            self._public_boards[event.id].leave(listener)
