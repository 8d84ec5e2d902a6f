"""One live event: its state, who follows it, and the games of its rounds.

A round opens with all its games in one transaction. What becomes of a game is told to the event by
the hall itself, again after a crash; an event that knows it already takes nothing twice.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from datetime import datetime, tzinfo
from typing import NamedTuple

import msgspec

from arrocco.findings import Finding, Severity
from arrocco.hall import event as ev
from arrocco.hall.event import commands as c
from arrocco.hall.event import events as e
from arrocco.hall.event.chat import reads
from arrocco.hall.event.games import game_id
from arrocco.hall.event.records import Result, Role
from arrocco.hall.event.state import Board
from arrocco.hall.game import State as GameState
from arrocco.hall.game import create
from arrocco.hall.log import encode as encode_game
from arrocco.hall.log.events import Created as GameCreated
from arrocco.office.roles import Asker
from arrocco.wiring.hall.audience import Listener
from arrocco.wiring.hall.authority import enters_themselves, objection_to_entry
from arrocco.wiring.hall.chat import MOST_SHOWN, Pace, event_lines
from arrocco.wiring.hall.event_people import EventPeople, accounts_of
from arrocco.wiring.hall.followers import Followers
from arrocco.wiring.hall.journal import NotWritten, Record
from arrocco.wiring.hall.messages import (
    ChatShown,
    EventBoard,
    EventShown,
    encode,
)
from arrocco.wiring.hall.receipts import Receipt, Receipts
from arrocco.wiring.hall.server_time import as_datetime
from arrocco.wiring.hall.services import Services

log = logging.getLogger(__name__)

_PUBLIC = (
    e.RoundPaired, e.PairingWithdrawn, e.RoundOpened, e.RoundDelayed, e.RoundClosed,
    e.ResultTaken, e.ResultTakenBack, e.ResultCorrected, e.Closed, e.Validated,
)  # fmt: skip
"""Records that everybody who follows an event is told of; without who did it and why."""
_RESULTS = (e.ResultTaken, e.ResultTakenBack, e.ResultCorrected)
_PEOPLE = (e.Entered, e.PersonCorrected, e.ArbiterAppointed, e.ArbiterDismissed)
_SLOW = (c.PairRound, c.PairByHand)
"""What takes long enough to be thought about in a thread."""


class Outcome(NamedTuple):
    """What became of a command."""

    events: tuple[e.Event, ...] = ()
    objections: tuple[Finding, ...] = ()
    again: bool = False


class EventRoom(EventPeople):
    """An event that is under way, or was."""

    def __init__(
        self, state: ev.State, services: Services, zone: tzinfo, receipts: Receipts | None = None
    ) -> None:
        super().__init__(state)
        self.on_games: Callable[[EventRoom, list[GameCreated]], None] | None = None
        self.on_change: Callable[[EventRoom, tuple[e.Event, ...]], None] | None = None
        self._services, self._zone = services, zone
        self._receipts = receipts or Receipts()
        self._lock = asyncio.Lock()
        self._is_in_doubt = False
        self._pace = Pace()
        self._followers = Followers(self.id, services.time, self.delay_for)

    # --- commands ------------------------------------------------------------------------------

    async def ask(self, command: c.Command, receipt: Receipt | None = None) -> Outcome:
        """What becomes of a command; raises `NotWritten` where the log cannot be written.

        Whoever asks may go away meanwhile: what was begun is finished all the same.
        """
        objection = await self._objection_to_number(command)
        if objection is not None:
            return Outcome(objections=(objection,))
        asked = asyncio.get_running_loop().create_task(self._ask(command, receipt))
        return await asyncio.shield(asked)

    async def ask_as(
        self, asker: Asker, command: c.Command, receipt: Receipt | None = None
    ) -> Outcome:
        """The same for a command whose fields somebody has written themselves."""
        objection = objection_to_entry(self.state, asker, command)
        if objection is not None:
            return Outcome(objections=(objection,))
        known = self._services.known
        if (
            known is not None
            and isinstance(command, c.Enter)
            and enters_themselves(self.state, command)
        ):
            # Names, titles and ratings are those of the lists, whatever the message says.
            said, person = command.person, await asyncio.to_thread(known, asker, self.state.rules)
            person = msgspec.structs.replace(
                person,
                federation=person.federation or said.federation,
                sex=person.sex or said.sex,
                birth=person.birth or said.birth,
            )
            command = msgspec.structs.replace(command, person=person)
        return await self.ask(command, receipt)

    async def _objection_to_number(self, command: c.Command) -> Finding | None:
        """5.4 — nobody seats an account under another's number: games would be another's rating."""
        known = self._services.known
        if known is None or not isinstance(command, c.Enter | c.CorrectPerson):
            return None
        person = command.person
        entry = self.state.entry(command.entry) if isinstance(command, c.CorrectPerson) else None
        if entry is not None:
            before = entry.person
            if (before.account, before.id) == (person.account, person.id):
                return None
        if person.id is None or await asyncio.to_thread(
            known.may_have_number, person.account, person.id
        ):
            return None
        return Finding(Severity.ERROR, "event.number_of_another", article="5.4")

    async def _ask(self, command: c.Command, receipt: Receipt | None) -> Outcome:
        async with self._lock:
            if self._is_in_doubt:
                await self._read_again()
            if receipt is not None and receipt in self._receipts:
                if self._receipts.is_of_another(receipt):
                    reused = Finding(Severity.ERROR, "hall_live.id_reused")
                    return Outcome(objections=(reused,))
                return Outcome(again=True)
            moment = self._services.time.now()
            if isinstance(command, c.Say) and self.state.arbiter(command.by) is None:
                objection = self._pace.objection(command.by, moment)
                if objection is not None:
                    return Outcome(objections=(objection,))
            now = as_datetime(moment).astimezone(self._zone)
            decision = await self._decide(command, lambda: ev.decide(self.state, command, now))
            if decision.refusal is not None:
                return Outcome(objections=decision.objections or (decision.refusal,))
            if decision.events or receipt is not None:
                await self._happen(decision.events, receipt, moment)
            return Outcome(decision.events)

    async def _read_again(self) -> None:
        """After a write that failed nobody knows what is in the log but the log."""
        lines = await self._services.journal.read(f"event:{self.id}")
        receipts = await self._services.journal.read(f"receipts:{self.id}")
        self.state = ev.fold(ev.decode(line) for line in lines)
        self._receipts = Receipts(receipts)
        self._accounts = accounts_of(self.state)
        self._is_in_doubt = False

    async def _decide(self, command: c.Command, decision: Callable[[], ev.Decision]) -> ev.Decision:
        if isinstance(command, _SLOW):
            return await asyncio.get_running_loop().run_in_executor(None, decision)
        return decision()

    async def _happen(
        self, events: tuple[e.Event, ...], receipt: Receipt | None, moment: int
    ) -> None:
        state = self.state
        records = []
        for event in events:
            records.append(Record(f"event:{self.id}", state.number, ev.encode(event)))
            state = ev.apply(state, event)
        games = self._games(state, events)
        records.extend(Record(f"game:{game.game}", 0, encode_game(game)) for game in games)
        if receipt is not None:
            body = msgspec.json.encode(receipt)
            records.append(Record(f"receipts:{self.id}", self._receipts.written, body))
        try:
            await self._services.journal.write(records)
        except NotWritten:
            self._is_in_doubt = True
            raise
        if receipt is not None:
            self._receipts.keep(receipt, is_written=True)
        self.state = state
        if any(isinstance(event, _PEOPLE) for event in events):
            self._accounts = accounts_of(state)
        if games and self.on_games is not None:
            self.on_games(self, games)
        self._tell(events, moment)
        if self.on_change is not None:
            self.on_change(self, events)

    def _games(self, state: ev.State, events: tuple[e.Event, ...]) -> list[GameCreated]:
        """The games of a round that was opened just now."""
        opened = next((event for event in events if isinstance(event, e.RoundOpened)), None)
        if opened is None:
            return []
        games = [one.created for one in ev.create_games(state, opened.round, opened.at)]
        for game in games:
            decision = create(game)
            assert decision.refusal is None, f"{game.game}: {decision.refusal}"
        return games

    # --- what comes back from games ------------------------------------------------------------

    async def take(self, game: GameState) -> None:
        """Tells the event how a game ended or that it goes on, and what its arbiter imposed.

        However often it is told, each thing enters the event once: its log knows what it has.
        """
        created = game.created
        told = (
            ev.taken_back(self.state, game),
            ev.result_of(game, created.round, created.board),
        )
        commands: list[c.Command] = [command for command in told if command is not None]
        commands.extend(ev.sanctions_of(self.state, game))
        for command in commands:
            outcome = await self.ask(command)
            if outcome.objections:
                log.warning(
                    "%s: %s",
                    created.game,
                    outcome.objections[0],
                    extra={"game": created.game, "event": self.id},
                )

    # --- followers -----------------------------------------------------------------------------

    def follow(self, listener: Listener, account: str) -> None:
        """Tells somebody of the event as it stands, and from now on of what happens."""
        number = self._followers.add(listener, account)
        listener.send(encode(self._shown(account, number)))
        self._show_chat(listener, account, MOST_SHOWN, is_whole=True)

    def unfollow(self, listener: Listener) -> None:
        self._followers.remove(listener)

    def _shown(self, account: str, told: int) -> EventShown:
        state, last = self.state, self.state.last_round
        now = self._services.time.now()
        seen_until = as_datetime(now) - self.delay_for(account)
        entry = state.entry_of(account)
        own = None if entry is None or last is None else last.board_of(entry.id)
        number = 0 if last is None else last.number
        return EventShown(
            event=self.id,
            name=state.created.name,
            now=now,
            number=told,
            round=number,
            phase="" if last is None else last.phase.value,
            starts="" if last is None or last.starts is None else last.starts.isoformat(),
            boards=tuple(
                EventBoard(
                    board=place,
                    game=game_id(state, number, place),
                    white=board.white,
                    black=board.black,
                    result=_seen(board, seen_until),
                )
                for place, board in enumerate(() if last is None else last.boards, start=1)
            ),
            entry=None if entry is None else entry.id,
            game="" if own is None else game_id(state, number, own),
            role=state.role(account).value if account else Role.NOBODY.value,
            closed=state.closed is not None,
        )

    def _tell(self, events: tuple[e.Event, ...], moment: int) -> None:
        for event in events:
            if isinstance(event, e.Said):
                for listener, account in self._followers:
                    if reads(self.state, account, event.entry):
                        self._show_chat(listener, account, 1)
        told = tuple(_without_reasons(event) for event in events if isinstance(event, _PUBLIC))
        if told:
            has_results = any(isinstance(event, _RESULTS) for event in events)
            self._followers.tell(told, moment, has_results=has_results)

    def _show_chat(
        self, listener: Listener, account: str, last: int, *, is_whole: bool = False
    ) -> None:
        lines = event_lines(self.state, account)
        if lines:
            now = self._services.time.now()
            shown = ChatShown(event=self.id, now=now, whole=is_whole, lines=tuple(lines[-last:]))
            listener.send(encode(shown))


def _seen(board: Board, until: datetime) -> Result | None:
    seen = [one.result for one in board.settled if one.at <= until]
    return seen[-1] if seen else None


def _without_reasons(event: e.Event) -> e.Event:
    changes = {"by": ""}
    if hasattr(event, "reason"):
        changes["reason"] = ""
    return msgspec.structs.replace(event, **changes)
