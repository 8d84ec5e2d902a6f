"""One live game: its state, who is there, one alarm; one thing is done after the other.

What is asked is decided on the state as it is, written, and only then applied and told. Who asks is
stamped with the moment of asking. A game that waits for the server longer than it may has its
clocks stopped from that moment on, and the time is given back (11.6).
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter, deque
from collections.abc import Callable, Sequence
from enum import Enum, auto
from typing import NamedTuple

import chess

from arrocco.findings import Finding, Severity
from arrocco.hall.game import (
    Command,
    Decision,
    Phase,
    Role,
    State,
    apply,
    clocks_held,
    decide,
    fold,
    next_deadline,
    on_deadline,
    time_given_back,
)
from arrocco.hall.game import commands as c
from arrocco.hall.game.endings import ended_on_board
from arrocco.hall.game.held import HELD_AFTER
from arrocco.hall.game.recovery import handed_over, taken_over
from arrocco.hall.log import decode
from arrocco.hall.log import events as e
from arrocco.hall.log.records import Reason
from arrocco.laws.online.game import End
from arrocco.laws.online.side import Side
from arrocco.store.faults import Fault, unavailable
from arrocco.wiring.hall.audience import Listener
from arrocco.wiring.hall.chat import Pace
from arrocco.wiring.hall.happening import (
    Answer,
    Happening,
    happening_of,
    records_of,
    with_clocks_stopped,
    with_receipt,
)
from arrocco.wiring.hall.journal import MAYBE_WRITTEN, NotWritten
from arrocco.wiring.hall.receipts import Receipt, Receipts
from arrocco.wiring.hall.services import Policy, Services
from arrocco.wiring.hall.taking_over import TakingOver
from arrocco.wiring.hall.telling import Audiences, close
from arrocco.wiring.hall.wakeup import Wakeup

log = logging.getLogger(__name__)

MOST_ASKED = 64
"""Wishes that may wait for one game; more are refused, so that a flood ends at its own board."""
RETRY = 1000
"""Milliseconds after which a game whose log could not be written is looked at again."""


_BY_FLAG = (Reason.TIME, Reason.TIME_WITHOUT_MATE)
_QUICK = (c.Move, c.SetPremove)
"""What waits for no answer of anybody who thinks about mate."""


Then = Callable[[Answer], None]


class Turn(Enum):
    """A game changes from one process to the next."""

    HAND_OVER = auto()
    TAKE_OVER = auto()


class _Asked(NamedTuple):
    command: Command | None
    """`None` where time itself asks."""
    at: int
    receipt: Receipt | None
    ply: int | None
    then: Then | None
    is_dead: bool = False
    """Whether the position was found to be dead."""
    turn: Turn | None = None
    """What the server itself does with the game."""

    @property
    def is_of_the_server(self) -> bool:
        """Whether nobody waits for an answer: it is done as soon as it can be."""
        return self.then is None


class Room:
    """A game that somebody can walk into."""

    def __init__(
        self,
        events: Sequence[e.Event],
        services: Services,
        receipts: Receipts | None = None,
        policy: Policy = Policy(),  # noqa: B008 (it is a value)
    ) -> None:
        self.state: State
        created = events[0]
        assert isinstance(created, e.Created)
        self.id = created.game
        self.stream = f"game:{created.game}"
        self.services = services
        self.policy = policy
        self.refused: Counter[str] = Counter()
        """How many messages of each player were refused."""
        self.on_change: Callable[[Room, tuple[e.Event, ...]], None] | None = None
        self._audiences = Audiences(policy.name_of)
        self._receipts = receipts or Receipts()
        self._asked: deque[_Asked] = deque()
        self._is_busy = False
        self._task: asyncio.Task[None] | None = None
        self._settling: list[asyncio.Future[None]] = []
        self._wakeup = Wakeup(services, lambda: self.state, self._ring)
        self._pace = Pace()
        self.held_since: int | None = None
        """11.6 — since when the server holds the clocks; `None` while it does not."""
        self._is_in_doubt = False
        self._is_stuck = False
        """Whether the log could not be written: nothing is done until it is tried again."""
        self._is_closed = False
        self._is_handed_over = False
        self._taking_over: TakingOver | None = None
        self._held: list[_Asked] = []
        self._read(events)

    # --- asking --------------------------------------------------------------------------------

    def ask(
        self,
        command: Command,
        *,
        at: int | None = None,
        receipt: Receipt | None = None,
        ply: int | None = None,
        then: Then | None = None,
    ) -> None:
        """Has a wish decided after all those before it; `then` hears what became of it."""
        if len(self._asked) + len(self._held) >= MOST_ASKED:
            if then is not None:
                then(Answer(_refusal("hall_live.too_many_waiting")))
            return
        now = self.services.time.now() if at is None else at
        self._is_stuck = False
        self._enqueue(_Asked(command, now, receipt, ply, then))

    async def answer(self, command: Command, *, receipt: Receipt | None = None) -> Answer:
        """What becomes of a wish."""
        answered: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self.ask(command, receipt=receipt, then=answered.set_result)
        return await answered

    async def settled(self) -> None:
        """Waits until all that was asked so far is done."""
        while self._is_busy:
            idle = asyncio.get_running_loop().create_future()
            self._settling.append(idle)
            await idle

    # --- being there ---------------------------------------------------------------------------

    def join(self, listener: Listener, person: str, role: Role) -> None:
        """Lets somebody in and shows them the game; a player's first socket connects them."""
        state, audiences = self.state, self._audiences
        if not audiences.holds(listener, state, role):
            self.leave(listener)
        side = role.side
        is_first = side is not None and not audiences.is_there(state.seat(side).player.id)
        now, shown, held = self.services.time.now(), self.shown, self.held_since
        audiences.let_in(listener, person, shown, role, now, held)
        if is_first:
            self._come_or_go(c.Connect(by=person))

    def leave(self, listener: Listener) -> None:
        """Somebody is gone; with the last socket of a player, so is the player."""
        for player in self._audiences.let_out(listener):
            self._come_or_go(c.Disconnect(by=player))

    def _come_or_go(self, command: c.Connect | c.Disconnect) -> None:
        if self.state.phase is Phase.ENDED:
            return  # who looks at a finished game is no part of it
        self._enqueue(_Asked(command, self.services.time.now(), None, None, None))

    def side_of(self, person: str) -> Side | None:
        return self.state.side_of(person)

    def send_away(self, may_stay: Callable[[str], bool]) -> None:
        """Shows the game no longer to arbiters who are not its arbiters any more."""
        self._audiences.send_arbiters_away(may_stay, self.id)

    def count_refused(self, person: str) -> None:
        """A message of a player was refused; the arbiter sees how many were."""
        side = self.state.side_of(person)
        if side is not None:
            self.refused[self.state.seat(side).player.id] += 1
            if self.on_change is not None:
                self.on_change(self, ())

    @property
    def queued(self) -> int:
        """Commands that wait for their turn."""
        return len(self._asked)

    @property
    def is_empty(self) -> bool:
        """Whether nobody looks on and nothing is left to do."""
        return not self._is_busy and self._audiences.is_empty

    def close(self) -> None:
        """Rings no alarm any more."""
        self._is_closed = True
        if self._taking_over is not None:
            self._taking_over.close()
        self._wakeup.close()
        self.services.thinking.stop_wondering(self)

    # --- from one process to the next ----------------------------------------------------------

    async def hand_over(self, at: int, *, starts: bool) -> None:
        """11.6 — stops the game at a moment, for the process that takes it over.

        What was asked before is done; what is asked later is for the next process. Raises
        `NotWritten` where the log cannot be written: the game is then as after a crash.
        """
        handed: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        starting = c.Start(by="") if starts else None
        asked = _Asked(starting, at, None, None, handed.set_result, turn=Turn.HAND_OVER)
        self._enqueue(asked)
        answer = await handed
        if answer.refusal is not None:
            raise NotWritten.of("hall_live.not_written")

    def take_over(self) -> None:
        """Has a game that was handed over go on by itself, once its players are back."""

        def go_on() -> None:
            now = self.services.time.now()
            self._enqueue(_Asked(None, now, None, None, None, turn=Turn.TAKE_OVER))

        self._taking_over = TakingOver(self.state, self.services.time, go_on)

    async def _turn(self, asked: _Asked) -> None:
        if asked.turn is Turn.HAND_OVER:
            if self.state.phase is Phase.RUNNING:
                await self._let_time_pass(asked.at)
            events = handed_over(self.state, asked.at, starts=asked.command is not None)
            self._is_handed_over = True
            await self._happen(Happening(events, records_of(self.state, events)), asked.at)
            return
        events = taken_over(self.state, asked.at)
        await self._happen(Happening(events, records_of(self.state, events)), asked.at)
        if events:
            self._wonder(self.state.board)  # the process before may have died over it
        self._taking_over = None
        held, self._held = self._held, []
        self._asked.extend(one._replace(at=max(one.at, self.state.last_at)) for one in held)

    # --- one after the other -------------------------------------------------------------------

    def _enqueue(self, asked: _Asked) -> None:
        if self._is_handed_over:
            return
        if self._taking_over is not None and self._taking_over.holds(asked.command):
            self._held.append(asked)
            return
        self._asked.append(asked)
        if not self._is_busy:
            self._go_on()

    def _go_on(self) -> None:
        """Does what was asked until something has to be waited for."""
        while not self._is_busy and not self._is_stuck and not self._is_handed_over:
            if self.held_since is not None:
                self._is_busy = True
                self._task = asyncio.get_running_loop().create_task(self._let_go())
                break
            if not self._asked:
                break
            self._is_busy = True
            asked = self._asked.popleft()
            if self._is_quick(asked):
                self._do_at_once(asked)
            else:
                self._task = asyncio.get_running_loop().create_task(self._take_time(asked))
        if not self._is_busy:
            for idle in self._settling:
                idle.set_result(None)
            self._settling.clear()

    def _is_quick(self, asked: _Asked) -> bool:
        """Whether nothing has to be waited for but the disk: a move before anything is due.

        That is nearly all that is ever asked, so it goes without a task of its own.
        """
        if self._is_in_doubt or not isinstance(asked.command, _QUICK):
            return False
        due = next_deadline(self.state, asked.at)
        return due is None or due.at > asked.at

    def _do_at_once(self, asked: _Asked) -> None:
        assert asked.command is not None
        try:
            answer = self._known_answer(asked, asked.command)
            if answer is None:
                decision = self._decide_now(asked.command, asked.at)
                happening = self._happening(asked, decision)
                if happening.records:
                    self.services.journal.put(
                        happening.records,
                        lambda failure: self._written(asked, happening, failure),
                    )
                    self.services.waits.begin(self, asked.at)
                    return
                self._so_it_is(happening, asked.at)
                answer = happening.answer
        except Exception as error:
            self._failed(asked, error)
            return
        self._answer(asked, answer)

    def _written(self, asked: _Asked, happening: Happening, failure: NotWritten | None) -> None:
        self.services.waits.end(self)
        try:
            if failure is not None:
                raise failure
            self._so_it_is(happening, asked.at)
        except Exception as error:
            self._failed(asked, error)
        else:
            self._answer(asked, happening.answer)
        self._go_on()
        self.services.outbox.empty()  # before the next board of the same commit has its turn

    async def _take_time(self, asked: _Asked) -> None:
        try:
            if self._is_in_doubt:
                await self._read_again()
            answer = await self._do(asked)
        except Exception as error:
            self._failed(asked, error)
        else:
            self._answer(asked, answer)
        self._go_on()

    def _failed(self, asked: _Asked | None, error: Exception) -> None:
        """Nothing has happened: the game is read again before anything else is done.

        Whatever is wrong with one game must not end the others. Where the log cannot be written
        the clocks stand, all who wait are refused, and what the server itself has to do is done
        once it can be.
        """
        refusal = unavailable(error)
        if refusal is None:
            log.error("game %s", self.id, exc_info=error, extra={"game": self.id})
        waiting = [] if asked is None else [asked]
        self._is_in_doubt = True
        if refusal is not None or asked is None:
            self._is_stuck = True
            waiting.extend(self._asked)
            self._asked.clear()
            self._asked.extend(one for one in waiting if one.is_of_the_server)
        if refusal is not None and asked is not None:
            self.hold(asked.at)
        if not self._is_closed:
            self._wakeup.ring_at(self.services.time.now() + RETRY)
        self._is_busy = False
        key = "hall_live.not_written" if refusal is None else refusal.key
        for one in waiting:
            # Only of what was tried can it be unknown whether it was written.
            is_unknown = key == MAYBE_WRITTEN and one is not asked
            self._answer(one, Answer(_refusal(Fault.DATABASE_LOST.key if is_unknown else key)))

    def _answer(self, asked: _Asked, answer: Answer) -> None:
        """Something is done: whoever asked hears of it, and the next one can have its turn."""
        self._is_busy = False
        if asked.then is not None:
            try:
                asked.then(answer)
            except Exception:  # whoever waits behind them must have their turn
                log.exception("answering in game %s", self.id, extra={"game": self.id})

    # --- deciding ------------------------------------------------------------------------------

    async def _do(self, asked: _Asked) -> Answer:
        command = asked.command
        if asked.turn is not None:
            await self._turn(asked)
            return Answer()
        if command is None:
            await self._let_time_pass(asked.at)
            if asked.is_dead:
                await self._end_dead_game(asked.at)
            return Answer()
        known = self._known_answer(asked, command)
        if known is not None:
            return known
        decision = await self._decide(command, asked.at)
        if isinstance(command, c.CallArbiter) and self.policy.call_stops_clocks:
            decision = with_clocks_stopped(self.state, decision)
        happening = self._happening(asked, decision)
        await self._happen(happening, asked.at)
        return happening.answer

    def _known_answer(self, asked: _Asked, command: Command) -> Answer | None:
        """What is answered before the game itself is asked."""
        if asked.receipt is not None and asked.receipt in self._receipts:
            if self._receipts.is_of_another(asked.receipt):
                return Answer(_refusal("hall_live.id_reused"))
            return Answer(again=True)
        if asked.ply is not None and asked.ply != self.state.ply and _is_about_now(command):
            return Answer(_refusal("hall_live.position_has_changed", "2.3"))
        if isinstance(command, c.SetPremove) and not self.policy.premoves:
            return Answer(_refusal("hall_live.no_premoves", "1.2a"))
        if isinstance(command, c.Say) and self.state.side_of(command.by) is not None:
            objection = self.policy.chat(command.by) or self._pace.objection(command.by, asked.at)
            if objection is not None:
                return Answer(objection)
        return None

    async def _decide(self, command: Command, at: int) -> Decision:
        if isinstance(command, _QUICK):
            due = next_deadline(self.state, at)
            if due is None or due.at > at:
                return self._decide_now(command, at)
        state = self.state
        return await self.services.thinking.decide(lambda judge: decide(state, command, at, judge))

    def _decide_now(self, command: Command, at: int) -> Decision:
        state = self.state
        decided, position = self.services.thinking.decide_now(
            lambda judge: decide(state, command, at, judge)
        )
        if position is not None and decided.refusal is None:
            self._wonder(position)
        return decided

    def _wonder(self, position: chess.Board) -> None:
        """2.2d — finds out behind a move whether its position was dead."""
        self.services.thinking.wonder(self, position, self._found_dead)

    def _found_dead(self) -> None:
        self._enqueue(_Asked(None, self.services.time.now(), None, None, None, True))

    async def _end_dead_game(self, now: int) -> None:
        """2.2d — ends a game whose position is dead; it may be another one than was asked about."""
        state, thinking = self.state, self.services.thinking
        if not state.is_on or not await thinking.is_dead(state.board):
            return
        at, mover = max(now, state.last_at), state.turn.other
        end = await thinking.decide(
            lambda judge: ended_on_board(state, End.DEAD_POSITION, mover, state.board, at, judge)
        )
        await self._happen(Happening((end,), records_of(self.state, (end,))), at)

    async def _let_time_pass(self, now: int) -> None:
        state = self.state
        events = await self.services.thinking.decide(lambda judge: on_deadline(state, now, judge))
        await self._happen(Happening(events, records_of(self.state, events)), now)
        self._audiences.show_spectators(self.shown, now)
        self._wakeup.set()

    # --- what happens --------------------------------------------------------------------------

    def _happening(self, asked: _Asked, decision: Decision) -> Happening:
        """What comes of a decision, still to be written."""
        happening = happening_of(self.state, decision)
        if asked.receipt is None or asked.command is None or decision.refusal is not None:
            return happening
        stream, written = f"receipts:{self.id}", self._receipts.written
        return with_receipt(happening, asked.command, asked.receipt, stream, written)

    async def _happen(self, happening: Happening, at: int) -> None:
        """Writes events, then lets them be so; what they come of had arrived at that moment."""
        if happening.records:
            await self._write(happening, at)
        self._so_it_is(happening, at)

    async def _write(self, happening: Happening, at: int) -> None:
        self.services.waits.begin(self, at)
        try:
            await self.services.journal.write(happening.records)
        finally:
            self.services.waits.end(self)

    def _so_it_is(self, happening: Happening, at: int) -> None:
        """What was written has happened; `at` is since when it was waited for."""
        events = happening.events
        if happening.receipt is not None:
            self._receipts.keep(happening.receipt, is_written=happening.writes_receipt)
        if events:
            for event in events:
                self._take(event)
            self._look_how_late(at)
            self._wakeup.set()
            if self._taking_over is not None:
                self._taking_over.look(self.state)
            try:
                self._tell(events)
            except Exception:  # it is written, so it has happened, whoever could not be told
                log.exception("telling of game %s", self.id, extra={"game": self.id})

    def _tell(self, events: tuple[e.Event, ...]) -> None:
        self._audiences.tell(self.shown, events, self.services.time.now(), self.held_since)
        if any(isinstance(event, e.Act) for event in events):
            for listener in self._audiences.no_longer_players(self.state):
                self.leave(listener)
                close(listener, self.id)
            self._look_who_is_there()  # a game that was over may be on again (6.8)
        if self.on_change is not None:
            self.on_change(self, events)

    # --- state ---------------------------------------------------------------------------------

    def _read(self, events: Sequence[e.Event]) -> None:
        """Takes a whole log: the state, and how much each audience was told."""
        self.state = fold(events)
        self._audiences.begin(events)

    def _take(self, event: e.Event) -> None:
        if type(event) is e.Moved:
            self.services.tally.moves += 1
        elif type(event) is e.Ended and event.reason in _BY_FLAG:
            late = self.services.time.now() - event.at
            self.services.tally.flags.add(late / 1000)
        self._audiences.count(event, self.state.white.player.id, self.state.black.player.id)
        self.state = apply(self.state, event)

    async def _read_again(self) -> None:
        lines = await self.services.journal.read(self.stream)
        receipts = await self.services.journal.read(f"receipts:{self.id}")
        known, events = self.state.number, [decode(line) for line in lines]
        self._read(events)
        self._receipts = Receipts(receipts)
        self._is_in_doubt = False
        if events[known:]:  # a database that went away had written it after all
            self._tell(tuple(events[known:]))
        self._look_who_is_there()

    def _look_who_is_there(self) -> None:
        """Writes down who has come or gone while that was not written down."""
        for side in Side:
            seat = self.state.seat(side)
            is_there = self._audiences.is_there(seat.player.id)
            if is_there is not seat.platform.on:
                kind = c.Connect if is_there else c.Disconnect
                self._come_or_go(kind(by=seat.player.id))

    # --- the server's own faults ---------------------------------------------------------------

    @property
    def shown(self) -> State:
        """The game as it is to be shown: its clocks stand while the server holds them."""
        held = self.held_since
        return self.state if held is None else clocks_held(self.state, held)

    def hold(self, since: int) -> None:
        """11.6 — the server keeps this game waiting: its clocks stand from that moment on."""
        if self.held_since is not None or self.state.phase is not Phase.RUNNING:
            return
        self.held_since = since
        self._audiences.show(self.shown, self.services.time.now(), since)
        if self.on_change is not None:
            self.on_change(self, ())

    def _look_how_late(self, since: int) -> None:
        """Holds the clocks where something was written later than it may be."""
        if self.state.phase is not Phase.RUNNING:
            self.held_since = None
        elif self.held_since is None and self.services.time.now() - since >= HELD_AFTER:
            self.held_since = since

    async def _let_go(self) -> None:
        """11.6 — gives back the time for which the server held the clocks, and has them run."""
        held = self.held_since
        try:
            if self._is_in_doubt:
                await self._read_again()
            now = self.services.time.now()
            assert held is not None
            events = time_given_back(self.state, held, now)
            happening = Happening(events, records_of(self.state, events))
            if events:
                await self._write(happening, now)
            self.held_since = None
            self._so_it_is(happening, now)
            if not events:  # no clock is to run on, and nobody was told that none is held
                self._audiences.show(self.state, now, None)
            self._is_busy = False
        except Exception as error:
            self.held_since = held
            self._failed(None, error)
        self._go_on()

    # --- time ----------------------------------------------------------------------------------

    def _ring(self) -> None:
        now = self.services.time.now()
        self._is_stuck = False
        if self.held_since is not None:  # no flag falls, but it is tried again to write
            self._go_on()
            return
        deadline = next_deadline(self.state, now)
        if self._is_in_doubt or (deadline is not None and deadline.at <= now):
            self._enqueue(_Asked(None, now, None, None, None))
        else:
            self._audiences.show_spectators(self.shown, now)
            self._wakeup.set()


def _is_about_now(command: Command) -> bool:
    return isinstance(command, c.OfferDraw | c.AcceptDraw)


def _refusal(key: str, article: str = "") -> Finding:
    return Finding(Severity.ERROR, key, article=article)
