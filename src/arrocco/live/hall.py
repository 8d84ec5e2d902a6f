"""The hall of one process: its events and games, who may be where, and how it starts again.

A game that is in memory is the only one that writes its log. Games of rounds that are over are read
again when somebody asks for them.
"""

from __future__ import annotations

import asyncio
import logging
import re
import sqlite3
from functools import cached_property, partial

import msgspec

from arrocco.errors import Malformed, Refusal, Unavailable
from arrocco.hall import event as ev
from arrocco.hall.chain import ALONE, recordings_of_event
from arrocco.hall.event.acts.announcements import Announced
from arrocco.hall.event.acts.championship import ChampionshipJoined
from arrocco.hall.event.acts.closing import Closed
from arrocco.hall.event.acts.rounds import RoundClosed
from arrocco.hall.event.acts.sanctions import Sanctioned, SanctionLifted
from arrocco.hall.event.creation import Create
from arrocco.hall.event.games import game_id
from arrocco.hall.event.record import Created
from arrocco.hall.event.record import Record as EventRecord
from arrocco.hall.game import Phase, fold
from arrocco.hall.game import commands as c
from arrocco.hall.game import events as e
from arrocco.hall.game.acts.withdraw import Withdraw
from arrocco.hall.game.log import decode
from arrocco.hall.presence import HeadsKept, RecordingHead
from arrocco.laws.online.side import Side
from arrocco.live.attendance import attendance
from arrocco.live.event_games import EventGames, GameRead
from arrocco.live.event_room import CommandOutcome, EventRoom
from arrocco.live.game_messages import EXPELLED
from arrocco.live.hall_rooms import HallRooms
from arrocco.live.index import CLOSED
from arrocco.live.interpreter import collect_now
from arrocco.live.journal import Record
from arrocco.live.messages import AnnouncementShown, encode
from arrocco.live.public_boards import PublicBoards
from arrocco.live.receipts import Receipts, read_of_event
from arrocco.live.room import Room
from arrocco.live.round_starts import RoundStarts
from arrocco.live.seats import is_arbiter_at, policy_of
from arrocco.live.server_time import as_datetime
from arrocco.live.services import EventMails
from arrocco.live.takeover import goes_on_by_itself
from arrocco.live.wall import ArbiterWall

log = logging.getLogger(__name__)

TO_THE_SEATS = 7000
"""Milliseconds from the opening of a round to its start, for everybody to come to their board."""

HAND_OVER_WITHIN = 1.0
"""Seconds in which all games are handed over; the others wait for the arbiter."""

GRACE = 5.0
"""Seconds that a server which stops gives to what it has begun."""

MAX_NAME = 32
_NAME = re.compile(rf"[a-z0-9](?:[a-z0-9-]{{0,{MAX_NAME - 2}}}[a-z0-9])?")
"""The name of an event stands in addresses, headers and names of files, and before those of its
games: none has a dot, as the names of games without an event do."""

_TAKEN = frozenset({"new", "game", "championships"})
"""What addresses of the hall's own pages have where an event has its name."""


class Hall(HallRooms):
    """All live games and events."""

    to_the_seats = TO_THE_SEATS

    @cached_property
    def starts(self) -> RoundStarts:
        """The stated starts of rounds, each of which starts its round."""
        return RoundStarts(self.time, self._do)

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
        self.starts.close()
        for room in self.rooms.values():
            room.close()
            await room.settled()
        for wall in self._walls.values():
            wall.close()
        for boards in self._public_boards.values():
            boards.close()
        self.presence.close()
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
        self.starts.close()
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
        for boards in self._public_boards.values():
            boards.close()
        self.presence.close()
        self.services.waits.close()
        await self.journal.close()
        self.services.thinking.close()
        self._is_handed_over = True
        return len(written)

    async def keep_heads(self, event: str, heads: list[RecordingHead]) -> None:
        """Enters the last slices of an event's recordings in its log, for their verification."""
        if await self.find_event(event) is None:
            raise Refusal.of("hall_live.no_such_event")
        stream = recordings_of_event(event)
        async with self._opening:
            number = self._kept_heads.get(event)
            if number is None:
                number = len(await self.journal.read(stream))
            kept = HeadsKept(at=self.time.now(), heads=tuple(heads))
            await self.journal.write([Record(stream, number, msgspec.json.encode(kept))])
            self._kept_heads[event] = number + 1

    # --- events --------------------------------------------------------------------------------

    async def create_event(self, command: Create) -> CommandOutcome:
        """A new event, or why there can be none."""
        if not _NAME.fullmatch(command.event):
            raise Malformed.of("hall_live.event_name", most=MAX_NAME)
        now = as_datetime(self.time.now()).astimezone(self._zone)
        decision = ev.create(command, now)
        if decision.refusal is not None:
            return CommandOutcome(objections=decision.objections)
        created = decision.events[0]
        assert isinstance(created, Created)
        if created.event in _TAKEN or await self.find_event(created.event) is not None:
            raise Refusal.of("hall_live.event_there_already", event=created.event)
        await asyncio.to_thread(self._index.add, created)
        await self.journal.write([Record(f"event:{created.event}", 0, ev.encode(created))])
        self._add_event(ev.begin(created), Receipts())
        return CommandOutcome(decision.events)

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
            receipts = await read_of_event(self.journal, name)
            room = self._add_event(state, receipts)
            await self._open_games_of(room)
            self.starts.look_at(room)
            return room

    def _add_event(self, state: ev.State, receipts: Receipts) -> EventRoom:
        room = EventRoom(state, self.services, self._zone, receipts)
        room.exclusions = self.exclusions
        room.games = EventGames(self.rooms, self.find_room, self.forget)
        room.on_games = self._games_created
        room.on_change = self._event_changed
        self.events[room.id] = room
        self._walls[room.id] = ArbiterWall(
            room.id,
            lambda: self.rooms_of(room),
            self.time,
            partial(attendance, room, self.presence.told),
        )
        boards = PublicBoards(room.id, lambda: self.rooms_of(room), self.time)
        self._public_boards[room.id] = boards
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
                await room.take(game)
                if game.state.phase is Phase.WAITING and goes_on_by_itself(
                    game.state, self.time.now()
                ):
                    to_start.append(game)
        if to_start:  # a round that was about to begin when the server handed it over
            begins = max(game.state.created.at for game in to_start) + self.to_the_seats
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
                    await room.take(GameRead(fold(decode(line) for line in lines)))
            except Unavailable:
                raise
            except Exception as error:
                self.damaged.note(f"game:{name}", error)

    def _games_created(self, event: EventRoom, games: list[e.Created]) -> None:
        for created in games:
            self._add_room(Room([created], self.services, policy=policy_of(event)), event)
        self._walls[event.id].begin_anew()
        self._public_boards[event.id].begin_anew()
        self._start_at(self.time.now() + self.to_the_seats, [created.game for created in games])

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

    def _event_changed(self, event: EventRoom, events: tuple[EventRecord, ...]) -> None:
        self.starts.look_at(event)
        self._walls[event.id].attendance_changed()
        if self._mails is not None:
            self._do(self._write_mails(self._mails, event.state, events))
        for one in events:
            if one.CHANGES_ARBITERS:
                self._look_at_arbiters(event)
            elif isinstance(one, ChampionshipJoined):
                self.exclusions.changed(event.id)
            elif isinstance(one, Sanctioned):
                self.exclusions.changed(event.id)
                self._carry_out_expulsion(event, one)
            elif isinstance(one, SanctionLifted):
                self.exclusions.changed(event.id)
                self._do(self._withdraw_in_game(event, one))
            elif isinstance(one, Announced):
                self._announce(event, one)
            elif isinstance(one, RoundClosed):
                self._forget_round(event, one.round)
            elif isinstance(one, Closed):
                self._do(asyncio.to_thread(self._index.set_status, event.id, CLOSED))

    async def _write_mails(
        self, mails: EventMails, state: ev.State, events: tuple[EventRecord, ...]
    ) -> None:
        """Mail is a courtesy: an office whose database is away does not keep a round waiting."""
        try:
            async with self._mailing:  # in the order in which it happened
                await asyncio.to_thread(mails, state, events)
        except Unavailable as refusal:
            log.warning("%s: no mail: %s", state.created.event, refusal.key)

    def _announce(self, event: EventRoom, record: Announced) -> None:
        """Tells everybody who sits at a board of the event; followers are told as of any record."""
        shown = encode(AnnouncementShown(event=event.id, now=self.time.now(), text=record.text))
        for room in self.rooms_of(event):
            for side in Side:
                for listener in room.listeners_of(room.state.seat(side).player.id):
                    listener.send(shown)

    def _carry_out_expulsion(self, event: EventRoom, record: Sanctioned) -> None:
        """6.9j, 13.5c — who is expelled while playing plays no more, and is shown nothing."""
        sanction = record.sanction
        last, entry = event.state.last_round, event.state.entry(sanction.entry)
        if entry is None or not event.state.is_expelled(entry.id):
            return
        board = None if last is None else last.board_of(entry.id)
        account = entry.person.account
        listeners = event.listeners_of(account)
        if last is not None and board is not None:
            room = self.rooms.get(game_id(event.state, last.number, board))
            if room is not None:
                room.ask(c.Expel(player=account, article=sanction.article))
                listeners |= room.listeners_of(account)
        for listener in listeners:
            listener.close(EXPELLED)

    async def _withdraw_in_game(self, event: EventRoom, lifted: SanctionLifted) -> None:
        """A sanction that the event lifts holds no more in the game where it was imposed."""
        sanction = event.state.sanctions[lifted.number - 1]
        room = await self.find_room(sanction.game) if sanction.game else None
        if room is None or sanction.act in room.state.withdrawn:
            return
        withdraw = Withdraw(by=lifted.by, reason=lifted.reason, corrects=sanction.act)
        answer = await room.answer(withdraw)
        if answer.refusal is not None:
            log.warning(
                "%s: %s", room.id, answer.refusal, extra={"game": room.id, "event": event.id}
            )
        self.forget(room)

    def _look_at_arbiters(self, event: EventRoom) -> None:
        """6.3 — who is no longer an arbiter of a board sees it no longer as one."""
        self._walls[event.id].remove_arbiters(
            lambda person: event.state.arbiter(person) is not None
        )
        for room in self.rooms_of(event):
            board = room.state.created.board
            room.remove_arbiters(partial(is_arbiter_at, event, board))

    def _forget_round(self, event: EventRoom, number: int) -> None:
        """Games of a round that is over leave the memory, unless somebody still looks at them."""
        round_ = event.state.round(number)
        for board in range(1, 1 + (0 if round_ is None else len(round_.boards))):
            room = self.rooms.get(game_id(event.state, number, board))
            if room is not None:
                self.forget(room)
        if not any(room.state.phase is Phase.RUNNING for room in self.rooms.values()):
            collect_now()
