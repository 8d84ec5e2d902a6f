"""One live event: its state, who follows it, and the games of its rounds.

A round opens with all its games in one transaction. What becomes of a game is told to the event by
the hall itself, again after a crash; an event that knows it already takes nothing twice.
"""

from __future__ import annotations

import asyncio
import dataclasses
import logging
from collections.abc import Callable
from datetime import datetime, tzinfo
from typing import NamedTuple

import msgspec

from arrocco.findings import Finding, Severity
from arrocco.hall import event as ev
from arrocco.hall.chain import receipts_of_event
from arrocco.hall.event.acts import Command
from arrocco.hall.event.acts.chat import Said, Say, reads
from arrocco.hall.event.acts.committee import CarryOutDecision
from arrocco.hall.event.acts.entries import CorrectPerson, Enter, EnterMany
from arrocco.hall.event.acts.pairing import PairByHand, PairRound
from arrocco.hall.event.acts.results import CorrectResult
from arrocco.hall.event.acts.rounds import RoundOpened
from arrocco.hall.event.acts.sanctions import Impose
from arrocco.hall.event.games import game_id
from arrocco.hall.event.record import Record as EventRecord
from arrocco.hall.event.records import EventRole, Person, Result
from arrocco.hall.event.state import Board, Entry
from arrocco.hall.game import State as GameState
from arrocco.hall.game import create
from arrocco.hall.game.events import Created as GameCreated
from arrocco.hall.game.log import encode as encode_game
from arrocco.live.chat import MAX_SHOWN, Pace, event_lines
from arrocco.live.entering import enters_themselves, objection_to_entry
from arrocco.live.event_games import EventGames, Game
from arrocco.live.event_people import EventPeople, accounts_of
from arrocco.live.exclusions import Exclusions
from arrocco.live.game_messages import Listener
from arrocco.live.journal import NotWritten, Record
from arrocco.live.messages import (
    ChatShown,
    EntriesChanged,
    EventBoard,
    EventShown,
    encode,
)
from arrocco.live.receipts import Receipt, Receipts, read_of_event
from arrocco.live.server_time import as_datetime
from arrocco.live.services import Known, Services
from arrocco.live.subscriptions import Followers
from arrocco.office.roles import Asker

log = logging.getLogger(__name__)


class CommandOutcome(NamedTuple):
    """What became of a command."""

    events: tuple[EventRecord, ...] = ()
    objections: tuple[Finding, ...] = ()
    again: bool = False


class EventRoom(EventPeople):
    """An event that is under way, or was."""

    def __init__(
        self, state: ev.State, services: Services, zone: tzinfo, receipts: Receipts | None = None
    ) -> None:
        super().__init__(state)
        self.exclusions: Exclusions | None = None
        self.games: EventGames | None = None
        """Its games, where they are in this hall."""
        self.on_games: Callable[[EventRoom, list[GameCreated]], None] | None = None
        self.on_change: Callable[[EventRoom, tuple[EventRecord, ...]], None] | None = None
        self._services, self._zone = services, zone
        self._receipts = receipts or Receipts()
        self._lock, self._telling = asyncio.Lock(), asyncio.Lock()
        self._is_in_doubt = False
        self._pace = Pace()
        self._followers = Followers(self.id, services.time, self.delay_for, self.takes_part)

    # --- commands ------------------------------------------------------------------------------

    async def ask(self, command: Command, receipt: Receipt | None = None) -> CommandOutcome:
        """What becomes of a command; raises `NotWritten` where the log cannot be written.

        Whoever asks may go away meanwhile: what was begun is finished all the same.
        """
        objection = await self._objection_to_number(command)
        if objection is None:
            objection = await self._objection_to_excluded(command)
        if objection is None and self.games is not None:
            objection = self.games.objection(self.state, command)
        if objection is not None:
            return CommandOutcome(objections=(objection,))
        if self.games is not None and isinstance(
            command, CorrectResult | Impose | CarryOutDecision
        ):
            decided = await self._decide_in_game(self.games, command, receipt)
            if decided is not None:
                return decided
        asked = asyncio.get_running_loop().create_task(self._ask(command, receipt))
        return await asyncio.shield(asked)

    async def tell(self, command: Command) -> tuple[Finding, ...]:
        """What the hall itself asks of the event; what stands against it."""
        return (await self.ask(command)).objections

    async def _decide_in_game(
        self,
        games: EventGames,
        command: CorrectResult | Impose | CarryOutDecision,
        receipt: Receipt | None,
    ) -> CommandOutcome | None:
        """Points are decided where the game is; first comes what the event has against it."""
        asked: CorrectResult | Impose | None
        if isinstance(command, CarryOutDecision):
            asked = command.correct or command.impose
        else:
            asked = command
        if asked is not None:
            await games.take_first(self, asked)
        async with self._lock:  # an end that is just being written counts
            if self._is_in_doubt:
                await self._read_again()
            now = as_datetime(self._services.time.now()).astimezone(self._zone)
            decision = ev.decide(self.state, command, now)
            repeated = self._repeated(receipt)
        if decision.refusal is not None:
            # Asked a second time it could be granted, and the game would not hear of it.
            before = None if asked is None else await games.repeated(self.state, asked, receipt)
            if before is not None:
                return CommandOutcome((), *before)
            return repeated or CommandOutcome(objections=decision.objections or (decision.refusal,))
        if asked is None:
            return None
        is_carried_out = isinstance(command, CarryOutDecision)
        decided = await games.decide(self, asked, receipt, is_carried_out=is_carried_out)
        return None if decided is None else CommandOutcome((), *decided)

    async def ask_as(
        self, asker: Asker, command: Command, receipt: Receipt | None = None
    ) -> CommandOutcome:
        """The same for a command whose fields somebody has written themselves."""
        objection = objection_to_entry(self.state, asker, command)
        if command.FROM_PAGES:
            key, article = command.REFUSED_ELSEWHERE
            objection = Finding(Severity.ERROR, key, article=article)
        if objection is not None:
            return CommandOutcome(objections=(objection,))
        known = self._services.known
        if (
            known is not None
            and isinstance(command, Enter)
            and enters_themselves(self.state, command)
        ):
            # Names, titles and ratings are those of the lists, whatever the message says.
            said, person = (
                command.person,
                await asyncio.to_thread(known, asker, self.state.time_class),
            )
            person = msgspec.structs.replace(
                person,
                federation=person.federation or said.federation,
                sex=person.sex or said.sex,
                birth=person.birth or said.birth,
            )
            command = msgspec.structs.replace(command, person=person)
        return await self.ask(command, receipt)

    async def _objection_to_excluded(self, command: Command) -> Finding | None:
        """13.5c — who is excluded for a time, or from the championship, enters nowhere in it."""
        if self.exclusions is None:
            return None
        now = as_datetime(self._services.time.now())
        for place, person in enumerate(_entered(command)):
            objection = await self.exclusions.objection(
                self.id, self.state.championship, person, now
            )
            if objection is not None:
                return _of_place(objection, command, place)
        if isinstance(command, PairRound | PairByHand):
            return await self._objection_to_field(self.exclusions, now)
        return None

    async def _objection_to_field(self, exclusions: Exclusions, now: datetime) -> Finding | None:
        """13.5c — who was excluded elsewhere since entering is not paired: they are taken out."""
        for entry in self.state.entries:
            if entry.withdrawn or self.state.is_expelled(entry.id):
                continue
            objection = await exclusions.objection(
                self.id, self.state.championship, entry.person, now
            )
            if objection is not None:
                details = {"name": entry.person.full_name, "event": objection.details["event"]}
                return Finding(
                    Severity.ERROR,
                    "event.excluded_in_field",
                    article=objection.article,
                    details=details,
                )
        return None

    async def _objection_to_number(self, command: Command) -> Finding | None:
        """5.4 — nobody seats an account under another's number: games would be another's rating."""
        known = self._services.known
        if known is None or not isinstance(command, Enter | EnterMany | CorrectPerson):
            return None
        if isinstance(command, EnterMany):
            return await asyncio.to_thread(_objection_to_numbers, known, command)
        person = command.person
        entry = self.state.entry(command.entry) if isinstance(command, CorrectPerson) else None
        if entry is not None:
            before = entry.person
            if (before.account, before.id) == (person.account, person.id):
                return None
        if person.id is None or await asyncio.to_thread(
            known.may_have_number, person.account, person.id
        ):
            return None
        return Finding(Severity.ERROR, "event.number_of_another", article="5.4")

    async def _ask(self, command: Command, receipt: Receipt | None) -> CommandOutcome:
        async with self._lock:
            if self._is_in_doubt:
                await self._read_again()
            repeated = self._repeated(receipt)
            if repeated is not None:
                return repeated
            moment = self._services.time.now()
            if isinstance(command, Say) and self.state.arbiter(command.by) is None:
                objection = self._pace.objection(command.by, moment)
                if objection is not None:
                    return CommandOutcome(objections=(objection,))
            now = as_datetime(moment).astimezone(self._zone)
            decision = await self._decide(command, lambda: ev.decide(self.state, command, now))
            if decision.refusal is not None:
                return CommandOutcome(objections=decision.objections or (decision.refusal,))
            if decision.events or receipt is not None:
                await self._happen(decision.events, receipt, moment)
            return CommandOutcome(decision.events)

    def _repeated(self, receipt: Receipt | None) -> CommandOutcome | None:
        """The answer to what was asked before, or under the id of something else."""
        if receipt is None or receipt not in self._receipts:
            return None
        if self._receipts.is_of_another(receipt):
            return CommandOutcome(objections=(Finding(Severity.ERROR, "hall_live.id_reused"),))
        return CommandOutcome(again=True)

    async def _read_again(self) -> None:
        """After a write that failed nobody knows what is in the log but the log."""
        lines = await self._services.journal.read(f"event:{self.id}")
        receipts = await read_of_event(self._services.journal, self.id)
        self.state = ev.fold(ev.decode(line) for line in lines)
        self._receipts = receipts
        self._accounts = accounts_of(self.state)
        self._is_in_doubt = False

    async def _decide(self, command: Command, decision: Callable[[], ev.Decision]) -> ev.Decision:
        if command.IS_SLOW:
            return await asyncio.get_running_loop().run_in_executor(None, decision)
        return decision()

    async def _happen(
        self, events: tuple[EventRecord, ...], receipt: Receipt | None, moment: int
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
            stream = receipts_of_event(self.id)
            records.append(Record(stream, self._receipts.written, body))
        try:
            await self._services.journal.write(records)
        except NotWritten:
            self._is_in_doubt = True
            raise
        if receipt is not None:
            self._receipts.keep(receipt, is_written=True)
        self.state = state
        if any(event.CHANGES_PEOPLE for event in events):
            self._accounts = accounts_of(state)
        if games and self.on_games is not None:
            self.on_games(self, games)
        self._notify(events, moment)
        if self.on_change is not None:
            self.on_change(self, events)

    def _games(self, state: ev.State, events: tuple[EventRecord, ...]) -> list[GameCreated]:
        """The games of a round that was opened just now."""
        opened = next((event for event in events if isinstance(event, RoundOpened)), None)
        if opened is None:
            return []
        games = [
            create_game.created for create_game in ev.create_games(state, opened.round, opened.at)
        ]
        for game in games:
            decision = create(game)
            assert decision.refusal is None, f"{game.game}: {decision.refusal}"
        return games

    # --- what comes back from games ------------------------------------------------------------

    async def take(self, game: Game) -> None:
        """Tells the event how a game ended or that it goes on, and what its arbiter imposed.

        However often it is told, each thing enters the event once: its log knows what it has.
        One game after the other, each as it stands when its turn comes: what is told late must not
        put an earlier result in the place of a later one.
        """
        async with self._telling:
            await self._take(game.state)

    async def _take(self, game: GameState) -> None:
        created = game.created
        told = (
            ev.taken_back(self.state, game),
            ev.result_of(game, created.round, created.board),
        )
        commands: list[Command] = [command for command in told if command is not None]
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
        self._show_chat(listener, account, MAX_SHOWN, is_whole=True)

    def listeners_of(self, account: str) -> set[Listener]:
        """The sockets over which somebody follows."""
        return {listener for listener, own in self._followers if own == account}

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
            role=state.role(account).value if account else EventRole.NOBODY.value,
            closed=state.closed is not None,
            written=state.number if self.takes_part(account) else 0,
        )

    def _notify(self, events: tuple[EventRecord, ...], moment: int) -> None:
        for event in events:
            if isinstance(event, Said):
                for listener, account in self._followers:
                    if reads(self.state, account, event.entry):
                        self._show_chat(listener, account, 1)
            for entry in self._its_players(event):
                news = (EntriesChanged(at=event.at, by=""),)
                self._followers.notify_one(entry.person.account, news, moment)
        told = tuple(_without_reasons(event) for event in events if event.IS_PUBLIC)
        entered = next((event for event in events if event.CHANGES_ENTRIES), None)
        if entered is not None:
            told += (EntriesChanged(at=entered.at, by=""),)
        if told:
            has_results = any(event.IS_RESULT for event in events)
            self._followers.notify(told, moment, has_results=has_results)

    def _its_players(self, event: EventRecord) -> list[Entry]:
        """Whom a record is about, where they are told of it."""
        if not event.IS_FOR_ITS_PLAYER:
            return []
        numbers = (*getattr(event, "entries", ()), getattr(event, "entry", 0))
        return [entry for number in numbers if (entry := self.state.entry(number)) is not None]

    def _show_chat(
        self, listener: Listener, account: str, last: int, *, is_whole: bool = False
    ) -> None:
        lines = event_lines(self.state, account)
        if lines:
            now = self._services.time.now()
            shown = ChatShown(event=self.id, now=now, whole=is_whole, lines=tuple(lines[-last:]))
            listener.send(encode(shown))


def _entered(command: Command) -> tuple[Person, ...]:
    """Whom a command enters."""
    if isinstance(command, EnterMany):
        return command.people
    return (command.person,) if isinstance(command, Enter) else ()


def _of_place(objection: Finding, command: Command, place: int) -> Finding:
    """What stands against one of many, with the place of that one in the list."""
    if not isinstance(command, EnterMany):
        return objection
    return dataclasses.replace(objection, details={**objection.details, "place": place})


def _objection_to_numbers(known: Known, command: EnterMany) -> Finding | None:
    """5.4 — the same for each of a list."""
    for place, person in enumerate(command.people):
        if person.id is not None and not known.may_have_number(person.account, person.id):
            key, details = "event.number_of_another", {"place": place}
            return Finding(Severity.ERROR, key, article="5.4", details=details)
    return None


def _seen(board: Board, until: datetime) -> Result | None:
    seen = [one.result for one in board.settled if one.at <= until]
    return seen[-1] if seen else None


def _without_reasons(event: EventRecord) -> EventRecord:
    changes = {"by": ""}
    if hasattr(event, "reason"):
        changes["reason"] = ""
    return msgspec.structs.replace(event, **changes)
