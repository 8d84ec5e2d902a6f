"""One socket's end of the server: what it may say, how much, and what waits to be sent to it.

Nothing a client sends can disturb another board: a message that is too long, too many, malformed or
not for this person to send is refused, counted, and shown to the arbiter. A client that does not
take what it is sent is dropped; it comes back and gets the whole view.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Coroutine
from functools import partial

import msgspec

from arrocco.errors import Refusal, Unavailable
from arrocco.findings import Finding, Severity
from arrocco.hall.chain import DAMAGED, DamagedLog
from arrocco.hall.event import read_command
from arrocco.hall.event.acts import Command as EventCommand
from arrocco.hall.event.acts.chat import Say as EventSay
from arrocco.hall.event.records import EventRole as EventRole
from arrocco.hall.game import Command, GameRole
from arrocco.hall.game import commands as c
from arrocco.hall.game.wire import read_arbiter_command, read_player_command
from arrocco.live import messages as m
from arrocco.live.bulk_acts import command_boards
from arrocco.live.event_room import EventRoom
from arrocco.live.hall import Hall
from arrocco.live.journal import MAYBE_WRITTEN
from arrocco.live.limits import Bucket
from arrocco.live.outcome import Answer
from arrocco.live.receipts import Receipt, digest_of
from arrocco.live.room import Room
from arrocco.live.seats import Seat
from arrocco.office.roles import Asker
from arrocco.store.faults import Fault, unavailable
from arrocco.words import Language, finding_advice, finding_text

log = logging.getLogger(__name__)

BURST, PER_SECOND = 40, 20
"""Messages a connection may send at once, and for each second."""
MAX_REFUSED = 300
"""Messages of one connection that are refused before it is closed."""
MAX_UNSENT = 512
MAX_UNSENT_BYTES = 2 * 1024 * 1024
"""What may wait for a slow client."""
MAX_ROOMS = 50
"""Boards one connection can look at."""
MAX_LOOKING = 8
"""Things one connection can have looked up at the same time."""

_OF_THE_SERVER = frozenset(
    {*(fault.key for fault in Fault), "hall_live.not_written", MAYBE_WRITTEN, *DAMAGED}
)
"""Refusals that nobody who sends a message can help: they count against nobody."""

GOING_AWAY, POLICY, TRY_AGAIN = 1001, 1008, 1013
"""Codes with which a socket is closed: by the server's end, for its conduct, for its slowness."""


class Connection:
    """A socket of somebody, signed in or not."""

    def __init__(self, hall: Hall, asker: Asker, language: Language = "en") -> None:
        self._hall, self.asker, self._language = hall, asker, language
        self._bucket = Bucket(BURST, PER_SECOND, hall.time.now())
        self._rooms: set[Room] = set()
        self._events: set[EventRoom] = set()
        self._unsent: list[bytes] = []
        self._unsent_bytes = 0
        self._on_unsent: Callable[[], None] | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._is_flooding = False
        self.refused: Counter[str] = Counter()
        self.close_code: int | None = None
        hall.sockets += 1
        welcome = m.Welcome(
            name=asker.name, signed_in=asker.account is not None, now=hall.time.now()
        )
        self.send(m.encode(welcome))

    # --- to the client -------------------------------------------------------------------------

    def send(self, message: bytes) -> None:
        """Takes a message for the client; too many that wait close the connection instead."""
        if self.close_code is not None:
            return
        self._unsent.append(message)
        self._unsent_bytes += len(message)
        if len(self._unsent) > MAX_UNSENT or self._unsent_bytes > MAX_UNSENT_BYTES:
            self.close(TRY_AGAIN)
        elif len(self._unsent) == 1 and self._on_unsent is not None:
            self._on_unsent()

    def call_when_unsent(self, what: Callable[[], None]) -> None:
        """Has something called whenever there is something to be sent, or the end has come."""
        self._on_unsent = what
        if self._unsent or self.close_code is not None:
            what()

    def take_unsent(self) -> list[bytes]:
        """What is to be sent now; nothing once the connection is to be closed."""
        taken, self._unsent = self._unsent, []
        self._unsent_bytes = 0
        return taken

    def close(self, code: int = GOING_AWAY) -> None:
        """Has the socket closed, and leaves everything it was at."""
        if self.close_code is not None:
            return
        self.close_code = code
        self._hall.sockets -= 1
        self._unsent.clear()
        if self._on_unsent is not None:
            self._on_unsent()
        self._hall.gone(self, self._rooms, self._events)
        self._rooms.clear()
        self._events.clear()
        for task in self._tasks:
            task.cancel()

    # --- from the client -----------------------------------------------------------------------

    def receive(self, data: bytes) -> None:
        """Takes a message at the moment it arrives; the answer is sent when there is one.

        While games are handed over nothing is taken: it was not answered, so it comes again.
        """
        if self.close_code is not None or self._hall.is_handing_over:
            return
        now = self._hall.time.now()
        if len(data) > m.MAX_BYTES:
            self._refuse(_finding("hall_live.message_too_long", most=m.MAX_BYTES))
            return
        if not self._bucket.take(now):
            # One answer is enough: more would only help the flood.
            self._refuse(_finding("hall_live.too_many_messages"), is_told=not self._is_flooding)
            self._is_flooding = True
            return
        self._is_flooding = False
        try:
            said = m.read(data)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            self._refuse(_finding("hall_live.not_a_message"))
            return
        self._do(said, now)

    def _do(self, said: m.Said, now: int) -> None:
        match said:
            case m.GameCommand():
                room = self._hall.rooms.get(said.game)
                if room is not None:
                    self._command_game(said, room, now)
                else:
                    self._later(self._look_up_command(said))
            case m.Ping():
                self.send(m.encode(m.Pong(id=said.id, now=now)))
            case m.Join():
                # A seat is taken at once: a command sent right after finds the player there.
                if said.game in self._hall.rooms:
                    self._enter(said, self._hall.rooms[said.game])
                else:
                    self._later(self._join(said))
            case m.Leave():
                self._leave(said.game)
            case m.WatchEvent():
                self._later(self._follow(said.event))
            case m.WatchWall():
                self._later(self._watch_wall(said.event))
            case m.WatchBoards():
                self._later(self._watch_boards(said))
            case m.WallCommand():
                self._later(self._command_wall(said, now))
            case m.Chat():
                self._chat(said, now)
            case m.Ask():
                read = partial(read_command, bytes(said.command))
                self._later(self._ask_event(said.id, said.event, read))

    # --- games ---------------------------------------------------------------------------------

    async def _join(self, said: m.Join) -> None:
        self._enter(said, await self._hall.find_room(said.game))

    def _enter(self, said: m.Join, room: Room | None) -> None:
        seat = None if room is None else self._hall.seat(room, self.asker)
        if room is None or seat is None:
            self._refuse(_finding("hall_live.no_such_game"))
            return
        if self.close_code is not None or len(self._rooms) >= MAX_ROOMS:
            return
        self._rooms.add(room)
        room.join(self, seat.person, GameRole.SPECTATOR if said.looking_on else seat.role)

    def _leave(self, game: str) -> None:
        for room in tuple(self._rooms):
            if room.id == game:
                self._rooms.discard(room)
                room.leave(self)
                self._hall.forget(room)

    async def _look_up_command(self, said: m.GameCommand) -> None:
        """A command for a game that is not in memory: one of an earlier round, or none at all."""
        room = await self._hall.find_room(said.game)
        if room is None:
            self._refuse(_finding("hall_live.no_such_game"), said.id)
        else:
            self._command_game(said, room, self._hall.time.now())

    def _command_game(self, said: m.GameCommand, room: Room, now: int) -> None:
        seat = self._hall.seat(room, self.asker)
        if seat is None or seat.role is GameRole.SPECTATOR:
            self._refuse(_finding("hall.not_seated"), said.id)
            return
        try:
            command = self._read_command(said, seat)
        except Refusal:
            self._refuse(_finding("hall_live.not_a_message"), said.id, room)
            return

        objection = self._hall.objection(room, seat, command)
        if objection is not None:
            self._refuse(objection, said.id, room)
        else:
            self._acknowledge(said.id, room, command, seat, now, said.ply)

    def _acknowledge(
        self, id: str, room: Room, command: Command, seat: Seat, now: int, ply: int | None = None
    ) -> None:
        def then(answer: Answer) -> None:
            if answer.refusal is not None:
                self._refuse(answer.refusal, id, room)
            else:
                self._done(id, answer.again)

        room.ask(
            command,
            at=now,
            receipt=Receipt(seat.person, id, digest_of(command)),
            ply=ply,
            then=then,
        )

    @staticmethod
    def _read_command(said: m.GameCommand, seat: Seat) -> Command:
        read = read_arbiter_command if seat.role is GameRole.ARBITER else read_player_command
        return read(bytes(said.command), seat.person)

    # --- the chat ------------------------------------------------------------------------------

    def _chat(self, said: m.Chat, now: int) -> None:
        """5.2 — a line for the arbiters, or from one of them; of a game or of an event."""
        if bool(said.game) is bool(said.event):
            self._refuse(_finding("hall_live.not_a_message"), said.id)
        elif said.event:
            line = partial(EventSay, text=said.text, entry=said.entry)
            self._later(self._ask_event(said.id, said.event, lambda by: line(by=by)))
        elif (room := self._hall.rooms.get(said.game)) is not None:
            self._say(said, room, now)
        else:
            self._later(self._look_up_chat(said))

    async def _look_up_chat(self, said: m.Chat) -> None:
        room = await self._hall.find_room(said.game)
        if room is None:
            self._refuse(_finding("hall_live.no_such_game"), said.id)
        else:
            self._say(said, room, self._hall.time.now())

    def _say(self, said: m.Chat, room: Room, now: int) -> None:
        seat = self._hall.seat(room, self.asker)
        if seat is None or seat.role is GameRole.SPECTATOR:
            self._refuse(_finding("hall_live.no_chat", article="5.14"), said.id)
            return
        command = c.Say(by=seat.person, text=said.text, to=said.to)
        self._acknowledge(said.id, room, command, seat, now)

    # --- events --------------------------------------------------------------------------------

    async def _follow(self, name: str) -> None:
        event = await self._hall.find_event(name)
        if event is None:
            self._refuse(_finding("hall_live.no_such_event"))
        elif self.close_code is None:
            self._events.add(event)
            event.follow(self, event.account_of(self.asker))

    async def _watch_wall(self, name: str) -> None:
        event = await self._hall.find_event(name)
        account = "" if event is None else event.account_of(self.asker)
        if event is None or event.state.role(account) not in (EventRole.CHIEF, EventRole.ASSISTANT):
            self._refuse(_finding("hall_live.not_the_arbiter"))
        elif self.close_code is None:
            self._events.add(event)
            self._hall.wall(event).join(
                self, account, lambda board: event.is_arbiter(account, board)
            )

    async def _watch_boards(self, said: m.WatchBoards) -> None:
        event = await self._hall.find_event(said.event)
        if event is None or not event.may_look_on(event.account_of(self.asker)):
            self._refuse(_finding("hall_live.no_such_event"))
        elif self.close_code is None:
            self._events.add(event)
            self._hall.public_boards(event).join(self, said.first, said.last)

    async def _command_wall(self, said: m.WallCommand, now: int) -> None:
        """6.3 — one act at many boards: at each by the same rules as at that board alone."""
        event = await self._hall.find_event(said.event)
        if event is None or event.state.arbiter(event.account_of(self.asker)) is None:
            self._refuse(_finding("hall_live.not_the_arbiter"), said.id)
            return
        try:
            told = await command_boards(self._hall, event, self.asker, said, now)
        except Refusal as refusal:
            self._refuse(Finding(Severity.ERROR, refusal.key, details=refusal.details), said.id)
            return
        refused = tuple((board, finding_text(self._language, why)) for board, why in told.refused)
        done = m.WallDone(id=said.id, now=self._hall.time.now(), done=told.done, refused=refused)
        self.send(m.encode(done))

    async def _ask_event(
        self, id: str, name: str, command_of: Callable[[str], EventCommand]
    ) -> None:
        """Asks an event for a command, which is made for the account that asks."""
        if self.asker.account is None:
            self._refuse(_finding("hall_live.sign_in"), id)
            return
        event = await self._hall.find_event(name)
        if event is None:
            self._refuse(_finding("hall_live.no_such_event"), id)
            return
        account = event.account_of(self.asker)
        try:
            command = command_of(account)
            receipt = Receipt(account, id, digest_of(command))
            outcome = await event.ask_as(self.asker, command, receipt)
        except Refusal as refusal:
            self._refuse(Finding(Severity.ERROR, refusal.key, details=refusal.details), id)
            return
        if outcome.objections:
            self._refuse(outcome.objections[0], id)
        else:
            self._done(id, outcome.again)

    # --- answers -------------------------------------------------------------------------------

    def _done(self, message: str, again: bool) -> None:
        self.send(m.encode(m.Done(id=message, again=again, now=self._hall.time.now())))

    def _refuse(
        self, why: Finding, message: str = "", room: Room | None = None, *, is_told: bool = True
    ) -> None:
        is_own_fault = why.key not in _OF_THE_SERVER
        if is_own_fault:
            self._count_refused(why, room)
            if self.refused.total() > MAX_REFUSED:
                self.close(POLICY)
                return
        if is_told:
            refused = m.Refused(
                id=message,
                key=why.key,
                article=why.article,
                text=finding_text(self._language, why),
                do=finding_advice(self._language, why),
                field=str(why.details.get("field", "")),
                now=self._hall.time.now(),
                retry_after=None if is_own_fault else Unavailable.RETRY_AFTER,
            )
            self.send(m.encode(refused))

    def _count_refused(self, why: Finding, room: Room | None) -> None:
        self.refused[why.key] += 1
        for one in (room,) if room is not None else tuple(self._rooms):
            seat = self._hall.seat(one, self.asker)
            if seat is not None:
                one.count_refused(seat.person)

    def _later(self, what: Coroutine[None, None, None]) -> None:
        if len(self._tasks) >= MAX_LOOKING:
            what.close()
            self._refuse(_finding("hall_live.too_many_messages"))
            return
        task = asyncio.get_running_loop().create_task(what)
        self._tasks.add(task)
        task.add_done_callback(self._looked_up)

    def _looked_up(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            self._failed(task.exception())

    def _failed(self, error: BaseException | None) -> None:
        """Something could not be looked up or done, and not by the fault of who asked."""
        if isinstance(error, DamagedLog):  # those who run the server were told when it was found
            self._refuse(Finding(Severity.ERROR, error.key, details=error.details))
            return
        refusal = None if error is None else unavailable(error)
        if refusal is None:
            log.error("a message failed", exc_info=error)
        else:
            self._hall.journal.faults.failed(error)
        self._refuse(_finding("hall_live.not_written" if refusal is None else refusal.key))


def _finding(key: str, article: str = "", **details: object) -> Finding:
    return Finding(Severity.ERROR, key, article=article, details=details)
