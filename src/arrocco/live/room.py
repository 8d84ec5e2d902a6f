"""One live game: its state, who is there, one alarm; one thing is done after the other.

What is asked is decided on the state as it is, written, and only then applied and told. Who asks is
stamped with the moment of asking. A game that waits for the server longer than it may has its
clocks stopped from that moment on, and the time is given back (11.6).
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import chess

from arrocco.hall.game import (
    Command,
    Decision,
    Phase,
    decide,
    next_deadline,
    on_deadline,
)
from arrocco.hall.game import commands as c
from arrocco.hall.game import events as e
from arrocco.hall.game.calls import with_clocks_stopped
from arrocco.hall.game.endings import ended_on_board
from arrocco.hall.game.recovery import handed_over, taken_over
from arrocco.laws.online.game import End
from arrocco.live.asked import Asked, Then, Turn, refusal_by_key
from arrocco.live.chat import Pace
from arrocco.live.game_queue import QUICK, GameQueue
from arrocco.live.journal import NotWritten
from arrocco.live.outcome import (
    Answer,
    Write,
    answer_of,
)
from arrocco.live.receipts import Receipt, Receipts
from arrocco.live.services import Policy, Services
from arrocco.live.takeover import TakingOver

MAX_QUEUED = 64
"""Commands that may wait for one game; more are refused, so that a flood ends at its own board."""


class Room(GameQueue):
    """A game that somebody can walk into."""

    def __init__(
        self,
        events: Sequence[e.Event],
        services: Services,
        receipts: Receipts | None = None,
        policy: Policy = Policy(),  # noqa: B008 (it is a value)
    ) -> None:
        super().__init__(events, services, receipts, policy)
        self._pace = Pace()

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
        """Has a command decided after all those before it; `then` hears what became of it."""
        if len(self._asked) + len(self._held) >= MAX_QUEUED:
            if then is not None:
                then(Answer(refusal_by_key("hall_live.too_many_waiting")))
            return
        now = self.services.time.now() if at is None else at
        self._is_stuck = False
        self._enqueue(Asked(command, now, receipt, ply, then))

    async def answer(self, command: Command, *, receipt: Receipt | None = None) -> Answer:
        """What becomes of a command."""
        answered: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self.ask(command, receipt=receipt, then=answered.set_result)
        return await answered

    def repeated(self, receipt: Receipt | None) -> Answer | None:
        """The answer to what was asked before, or under the id of something else."""
        if receipt is None or receipt not in self._receipts:
            return None
        if self._receipts.is_of_another(receipt):
            return Answer(refusal_by_key("hall_live.id_reused"))
        return Answer(again=True)

    def close(self) -> None:
        """Rings no alarm any more."""
        self._is_closed = True
        if self._taking_over is not None:
            self._taking_over.close()
        self._wakeup.close()
        self.services.thinking.stop_analysing(self)

    # --- from one process to the next ----------------------------------------------------------

    async def hand_over(self, at: int, *, starts: bool) -> None:
        """11.6 — stops the game at a moment, for the process that takes it over.

        What was asked before is done; what is asked later is for the next process. Raises
        `NotWritten` where the log cannot be written: the game is then as after a crash.
        """
        handed: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        starting = c.Start(by="") if starts else None
        asked = Asked(starting, at, None, None, handed.set_result, turn=Turn.HAND_OVER)
        self._enqueue(asked)
        answer = await handed
        if answer.refusal is not None:
            raise NotWritten.of("hall_live.not_written")

    def take_over(self) -> None:
        """Has a game that was handed over go on by itself, once its players are back."""

        def proceed() -> None:
            now = self.services.time.now()
            self._enqueue(Asked(None, now, None, None, None, turn=Turn.TAKE_OVER))

        self._taking_over = TakingOver(self.state, self.services.time, proceed)

    async def _turn(self, asked: Asked) -> None:
        if asked.turn is Turn.HAND_OVER:
            if self.state.phase is Phase.RUNNING:
                await self._let_time_pass(asked.at)
            events = handed_over(self.state, asked.at, starts=asked.command is not None)
            self._is_handed_over = True
            await self._happen(Write.of(self.state, events), asked.at)
            return
        events = taken_over(self.state, asked.at)
        await self._happen(Write.of(self.state, events), asked.at)
        if events:
            self._analyse(self.state.board)  # the process before may have died over it
        self._taking_over = None
        held, self._held = self._held, []
        self._asked.extend(
            request._replace(at=max(request.at, self.state.last_at)) for request in held
        )

    # --- deciding ------------------------------------------------------------------------------

    async def _do(self, asked: Asked) -> Answer:
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
        await self._happen(self._write_of(asked, decision), asked.at)
        return answer_of(decision)

    def _known_answer(self, asked: Asked, command: Command) -> Answer | None:
        """What is answered before the game itself is asked."""
        repeated = self.repeated(asked.receipt)
        if repeated is not None:
            return repeated
        if asked.ply is not None and asked.ply != self.state.ply and _is_about_now(command):
            return Answer(refusal_by_key("hall_live.position_has_changed", "2.3"))
        if isinstance(command, c.SetPremove) and not self.policy.premoves:
            return Answer(refusal_by_key("hall_live.no_premoves", "1.2a"))
        if isinstance(command, c.Say) and self.state.side_of(command.by) is not None:
            objection = self.policy.chat(command.by) or self._pace.objection(command.by, asked.at)
            if objection is not None:
                return Answer(objection)
        return None

    async def _decide(self, command: Command, at: int) -> Decision:
        if isinstance(command, QUICK):
            due = next_deadline(self.state, at)
            if due is None or due.at > at:
                return self._decide_now(command, at)
        state = self.state
        return await self.services.thinking.decide(
            self.law, lambda judge: decide(state, command, at, judge)
        )

    def _decide_now(self, command: Command, at: int) -> Decision:
        state = self.state
        decided, position = self.services.thinking.decide_now(
            self.law, lambda judge: decide(state, command, at, judge)
        )
        if position is not None and decided.refusal is None:
            self._analyse(position)
        return decided

    def _analyse(self, position: chess.Board) -> None:
        """2.2d — finds out behind a move whether its position was dead."""
        self.services.thinking.analyse(self, position, self._found_dead)

    def _found_dead(self) -> None:
        self._enqueue(Asked(None, self.services.time.now(), None, None, None, True))

    async def _end_dead_game(self, now: int) -> None:
        """2.2d — ends a game whose position is dead; it may be another one than was asked about."""
        state, thinking = self.state, self.services.thinking
        if not state.is_on or not await thinking.is_dead(state.board):
            return
        at, mover = max(now, state.last_at), state.turn.other
        end = await thinking.decide(
            self.law,
            lambda judge: ended_on_board(state, End.DEAD_POSITION, mover, state.board, at, judge),
        )
        await self._happen(Write.of(self.state, (end,)), at)

    async def _let_time_pass(self, now: int) -> None:
        state = self.state
        events = await self.services.thinking.decide(
            self.law, lambda judge: on_deadline(state, now, judge)
        )
        await self._happen(Write.of(self.state, events), now)
        self._show_spectators()

    def _ring(self) -> None:
        now = self.services.time.now()
        self._is_stuck = False
        if self.held_since is not None:  # no flag falls, but it is tried again to write
            self._process_queue()
            return
        deadline = next_deadline(self.state, now)
        if self._is_in_doubt or (deadline is not None and deadline.at <= now):
            self._enqueue(Asked(None, now, None, None, None))
        else:
            self._show_spectators()

    def _show_spectators(self) -> None:
        """Shows what has become old enough by now, and wakes up for what has not."""
        now = self.services.time.now()
        self._audiences.show_spectators(self.shown, now)
        self._wakeup.set(now)


def _is_about_now(command: Command) -> bool:
    return isinstance(command, c.OfferDraw | c.AcceptDraw)
