"""The video conference beside the hall: who may join and watch, and what the hall is told of it.

Who somebody is in an event is read from its log, as pages do. The hall hears every second who is
there; where it hears nothing it knows that the video is gone, and blames nobody.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable
from contextlib import suppress
from typing import Protocol

from arrocco.errors import Refusal, Unavailable
from arrocco.hall.event.acts import Command
from arrocco.hall.event.acts.chat import reads
from arrocco.hall.event.acts.talks import BeginTalk, EndTalk
from arrocco.hall.event.rules import Rules, Supervision
from arrocco.hall.event.state import Entry, State
from arrocco.hall.presence import PlayerPresence, RecordingHead
from arrocco.live.event_room import CommandOutcome
from arrocco.live.reader import EventReader, HallReader
from arrocco.live.server_time import as_datetime
from arrocco.office.roles import Asker
from arrocco.video.engine import Engine
from arrocco.video.messages import Attached, Converse, Conversing, Joined
from arrocco.video.session import Session
from arrocco.video.stream import Peer
from arrocco.video.talks import TalkOver
from arrocco.web.video_rates import BeginningRates

log = logging.getLogger(__name__)

LOOK = 0.25
"""Seconds between two looks at everybody."""
TELL = 1.0
"""Seconds after which the hall is told, also where nothing has changed."""
ANCHOR = 20.0
"""Seconds after which the last slices are entered in the hall's log."""
SPREAD = 5.0
"""Seconds over which what was recorded is put on the disk: play writes to the same one."""
READ_AGAIN = 5.0
"""Seconds after which it is looked at again who is an arbiter of what."""
TALK_BYTES = 8
LAST_WITHIN = 2.0
"""Seconds to enter the last slices when the server stops."""
POLICY = 1008


class NotAdmitted(Refusal):
    """Somebody may not join or watch."""

    http_status = 403


class HallLine(Protocol):
    """How the hall is reached."""

    async def tell_presence(self, players: list[PlayerPresence]) -> list[tuple[str, str]]:
        """Says who is there; the answer is who need not be. Raises `Unavailable`."""
        ...

    async def tell_away(self) -> None:
        """Says that nobody can be seen, by a fault of the server. Raises `Unavailable`."""
        ...

    async def ask(self, event: str, command: Command) -> CommandOutcome:
        """Has an event do something. Raises `Unavailable`."""
        ...

    async def keep_heads(self, event: str, heads: list[RecordingHead]) -> None:
        """Enters the last slices of recordings in the hall's log. Raises `Unavailable`."""
        ...


class VideoService:
    """The engine of a server, for sockets."""

    def __init__(self, engine: Engine, reader: HallReader, hall: HallLine) -> None:
        self.engine, self._reader, self._hall = engine, reader, hall
        self.rates = BeginningRates()
        self._states: dict[str, State] = {}
        self._arbiters: dict[Peer, dict[str, str]] = {}
        """Their accounts in the events that they follow or watch."""
        self._task: asyncio.Task[None] | None = None
        self._noting: asyncio.Task[None] | None = None
        self._anchoring: asyncio.Task[None] | None = None
        self._wake = asyncio.Event()

    # --- who may -------------------------------------------------------------------------------

    async def join(self, asker: Asker, event: str, peer: Peer) -> tuple[Session, Joined]:
        """9.1d — lets a player in. Raises `NotAdmitted`."""
        room = await self._event(event)
        account = room.account_of(asker)
        entry, rules = _player(room.state, account)
        session = self.engine.join(
            event,
            account,
            entry.id,
            entry.person.full_name,
            peer,
            needs_screen=rules.needs_screen,
            needs_room=rules.needs_second_camera,
        )
        self._wake.set()
        grace = int(rules.grace.total_seconds() * 1000)
        media = self.engine.media
        return session, Joined(
            entry=entry.id,
            screen=rules.needs_screen,
            grace=grace,
            media=media.name,
            ice=media.ice_servers(account),
        )

    async def attach(
        self, asker: Asker, event: str, token: str, phone: Peer
    ) -> tuple[Session, Attached]:
        """10.3 — takes a phone as the second camera of the player who showed it the code.

        Raises `NotAdmitted`, `SliceRefused`.
        """
        room = await self._event(event)
        session = self.engine.phones.use(token, event, room.account_of(asker))
        _player(room.state, session.account)
        media = self.engine.media
        return session, Attached(
            token=self.engine.attach(session, phone),
            media=media.name,
            ice=media.ice_servers(session.account),
        )

    async def reach(self, asker: Asker, event: str, offer: str, peer: Peer) -> None:
        """Lets a player try the connection; nothing is sent, so nothing is consented to.

        Raises `NotAdmitted`, `SliceRefused`.
        """
        room = await self._event(event)
        account = room.account_of(asker)
        _watched_player(room.state, account)
        self.engine.reach(peer, account, offer)

    async def follow(self, asker: Asker, event: str, peer: Peer) -> None:
        """Shows an arbiter who is there. Raises `NotAdmitted`."""
        account = await self._arbiter(asker, event)
        self._arbiters.setdefault(peer, {})[event] = account
        self.engine.follow(peer, event, self._sees(event, account))

    async def watch(self, asker: Asker, event: str, entry: int, kind: str, peer: Peer) -> None:
        """Shows an arbiter a player. Raises `NotAdmitted`."""
        await self._admit(asker, event, entry, peer)
        self.engine.watch(peer, event, entry, kind)

    async def converse(self, asker: Asker, asked: Converse, peer: Peer) -> Conversing:
        """Enters a talk of an arbiter with players in the event's log, before anybody hears it.

        Who is not in the conference is left out. Raises `NotAdmitted`, `Unavailable`.
        """
        event = asked.event
        for entry in asked.entries:
            account = await self._admit(asker, event, entry, peer)
        entries = tuple(entry for entry in asked.entries if self.engine.is_there(event, entry))
        if not entries:
            raise NotAdmitted.of("video.not_there")
        talk = secrets.token_hex(TALK_BYTES)
        begin = BeginTalk(by=account, talk=talk, entries=entries, why=asked.why, note=asked.note)
        outcome = await self._hall.ask(event, begin)
        if outcome.objections:
            objection = outcome.objections[0]
            raise NotAdmitted.of(objection.key, **objection.details)
        self.engine.talks.begin(peer, event, talk, entries)
        if peer not in self._arbiters:  # gone meanwhile
            self.engine.hush(peer)
        return Conversing(entries=entries, ice=self.engine.media.ice_servers(account))

    async def talk(self, asker: Asker, event: str, entry: int, offer: str, peer: Peer) -> None:
        """Lets an arbiter talk to a player. Raises `NotAdmitted`."""
        await self._admit(asker, event, entry, peer)
        self.engine.talk(peer, event, entry, offer)

    async def _admit(self, asker: Asker, event: str, entry: int, peer: Peer) -> str:
        account = await self._arbiter(asker, event)
        if not self._sees(event, account)(entry):
            raise NotAdmitted.of("video.not_your_zone")
        self._arbiters.setdefault(peer, {})[event] = account
        return account

    def leave(self, peer: Peer, session: Session | None) -> None:
        """A socket is closed."""
        self._arbiters.pop(peer, None)
        self.engine.leave(peer)
        if session is not None:
            self.engine.gone(session, peer)
            self._wake.set()

    async def _arbiter(self, asker: Asker, event: str) -> str:
        room = await self._event(event)
        account = room.account_of(asker)
        if room.state.arbiter(account) is None:
            raise NotAdmitted.of("video.not_an_arbiter")
        return account

    def _sees(self, event: str, account: str) -> Callable[[int], bool]:
        """6.3 — whether an arbiter watches a player, as the event stands then."""

        def sees(entry: int) -> bool:
            state = self._states[event]
            return state.arbiter(account) is not None and reads(state, account, entry)

        return sees

    def _sees_in(self, accounts: dict[str, str]) -> Callable[[str, int], bool]:
        return lambda event, entry: self._sees(event, accounts[event])(entry)

    async def _event(self, name: str) -> EventReader:
        room = await self._reader.find_event(name)
        if room is None:
            raise NotAdmitted.of("hall_live.no_such_event")
        if name not in self._states:  # what a process before this one left open
            left = [talk.id for talk in room.state.talks if not talk.is_over]
            self.engine.talks.put_back([TalkOver(name, talk, None, ()) for talk in left])
        self._states[name] = room.state
        return room

    # --- what the hall is told -----------------------------------------------------------------

    async def start(self) -> None:
        await self.engine.media.start()
        self._task = asyncio.get_running_loop().create_task(self._run())

    async def stop(self) -> None:
        """Enters what was recorded last, and ends."""
        for task in (self._task, self._anchoring):
            if task is not None:
                task.cancel()
                with suppress(asyncio.CancelledError):
                    await task
        self.engine.close()
        await self.engine.media.stop()
        with suppress(TimeoutError):
            async with asyncio.timeout(LAST_WITHIN):
                if self._noting is not None:
                    await self._noting
                await self._end_talks(self.engine.talks.take_over())
                await self._anchor()

    def changed(self) -> None:
        """Something is to be told at once."""
        self._wake.set()

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        told = anchored = read = loop.time()
        while True:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._wake.wait(), LOOK)
            is_urgent = self.engine.look() or self._wake.is_set()
            self._wake.clear()
            now = loop.time()
            if is_urgent or now - told >= TELL:
                told = now
                await self._tell()
            self._note_talks()
            if now - read >= READ_AGAIN:
                read = now
                await self._read_again()
            if now - anchored >= ANCHOR and (self._anchoring is None or self._anchoring.done()):
                anchored = now
                # Beside everything else: a slow disk must not look like a video that is gone.
                self._anchoring = asyncio.create_task(self._anchor(SPREAD))

    async def _tell(self) -> None:
        try:
            if not self.engine.media.is_up:
                await self._hall.tell_away()
                return
            self.engine.set_needed(await self._hall.tell_presence(self.engine.presence()))
        except Unavailable:  # it is starting: in a second it is told again
            log.debug("the hall was not told who is there")

    def _note_talks(self) -> None:
        """Beside everything else: who is there is told in time, however long the hall takes."""
        if self._noting is None or self._noting.done():
            over = self.engine.talks.take_over()
            if over:
                self._noting = asyncio.get_running_loop().create_task(self._end_talks(over))

    async def _end_talks(self, over: list[TalkOver]) -> None:
        """Has the log say which talks are over; what cannot be written now is tried again."""
        while over:
            event, talk, ended, reached = over[0]
            moment = None if ended is None else as_datetime(ended)
            try:
                await self._hall.ask(
                    event, EndTalk(by="", talk=talk, ended=moment, reached=reached)
                )
            except Unavailable:
                log.debug("the end of a talk was not entered in the log")
                self.engine.talks.put_back(over)
                return
            except Refusal:
                log.exception("the end of a talk cannot be entered in the log")
            over = over[1:]

    async def _read_again(self) -> None:
        for event in tuple(self._states):
            with suppress(Refusal):
                await self._event(event)
        for peer, accounts in tuple(self._arbiters.items()):
            if any(self._states[event].arbiter(one) is None for event, one in accounts.items()):
                peer.close(POLICY)
            self.engine.end_unseen(peer, self._sees_in(accounts))

    async def _anchor(self, spread: float = 0.0) -> None:
        """Puts what was recorded on the disk, and only then the last hashes into the hall's log.

        `spread` is the seconds over which it is done, one recording after the other.
        """
        heads = self.engine.take_heads()
        wait = spread / max(1, sum(map(len, heads.values())))
        recordings = self.engine.media.recordings
        try:
            for event, of_event in tuple(heads.items()):
                for head in of_event:
                    await asyncio.to_thread(recordings.sync, event, head.recording)
                    await asyncio.sleep(wait)
                await self._hall.keep_heads(event, of_event)
                del heads[event]
        except (Unavailable, OSError):
            log.warning("the last slices of recordings could not be entered in the log")
        finally:
            self.engine.put_back(heads)


def _player(state: State, account: str) -> tuple[Entry, Rules]:
    """12.3 — a player who may be seen, and the rules for it. Raises `NotAdmitted`."""
    entry, rules = _watched_player(state, account)
    if entry.id not in state.consents:
        raise NotAdmitted.of("video.no_consent")
    return entry, rules


def _watched_player(state: State, account: str) -> tuple[Entry, Rules]:
    """9.1 — a player of an event with a video conference. Raises `NotAdmitted`."""
    entry, rules = state.entry_of(account), state.rules
    if entry is None or entry.withdrawn or state.is_expelled(entry.id):
        raise NotAdmitted.of("video.not_a_player")
    if rules is None or rules.supervision is Supervision.NONE or state.closed is not None:
        raise NotAdmitted.of("video.not_supervised")
    return entry, rules
