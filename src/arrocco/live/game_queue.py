"""What a game is asked is done one after the other; where its log cannot be written, later.

A move before anything is due waits for nothing but the disk, and goes without a task of its own.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Sequence
from functools import partial

from arrocco.hall.game import (
    Command,
    Decision,
    Phase,
    next_deadline,
    time_given_back,
)
from arrocco.hall.game import commands as c
from arrocco.hall.game import events as e
from arrocco.live.asked import Asked, refusal_by_key
from arrocco.live.journal import MAYBE_WRITTEN, NotWritten
from arrocco.live.live_game import LiveGame
from arrocco.live.outcome import (
    Answer,
    Write,
    answer_of,
)
from arrocco.live.receipts import Receipts
from arrocco.live.services import Policy, Services
from arrocco.store.faults import Fault, unavailable

log = logging.getLogger(__name__)

RETRY = 1000
"""Milliseconds after which a game whose log could not be written is looked at again."""
QUICK = (c.Move, c.SetPremove)
"""What waits for no answer of anybody who thinks about mate."""


class GameQueue(LiveGame):
    """A game with what it is asked, in order."""

    def __init__(
        self,
        events: Sequence[e.Event],
        services: Services,
        receipts: Receipts | None = None,
        policy: Policy = Policy(),  # noqa: B008 (it is a value)
    ) -> None:
        super().__init__(events, services, receipts, policy)
        self._asked: deque[Asked] = deque()
        self._held: list[Asked] = []
        self._is_busy = False
        self._task: asyncio.Task[None] | None = None
        self._settling: list[asyncio.Future[None]] = []
        self._is_stuck = False
        """Whether the log could not be written: nothing is done until it is tried again."""
        self._is_closed = False
        self._is_handed_over = False

    # --- what is done with each, by a subclass -------------------------------------------------

    async def _do(self, asked: Asked) -> Answer:
        raise NotImplementedError

    def _known_answer(self, asked: Asked, command: Command) -> Answer | None:
        """What is answered before the game itself is asked."""
        raise NotImplementedError

    def _decide_now(self, command: Command, at: int) -> Decision:
        raise NotImplementedError

    # --- in order ------------------------------------------------------------------------------

    def _come_or_go(self, command: c.Connect | c.Disconnect) -> None:
        if self.state.phase is Phase.ENDED:
            return  # who looks at a finished game is no part of it
        self._enqueue(Asked(command, self.services.time.now(), None, None, None))

    @property
    def queued(self) -> int:
        """Commands that wait for their turn."""
        return len(self._asked)

    @property
    def is_empty(self) -> bool:
        """Whether nobody looks on and nothing is left to do."""
        return not self._is_busy and self._audiences.is_empty

    async def settled(self) -> None:
        """Waits until all that was asked so far is done."""
        while self._is_busy:
            idle = asyncio.get_running_loop().create_future()
            self._settling.append(idle)
            await idle

    def _enqueue(self, asked: Asked) -> None:
        if self._is_handed_over:
            return
        if self._taking_over is not None and self._taking_over.holds(asked.command):
            self._held.append(asked)
            return
        self._asked.append(asked)
        if not self._is_busy:
            self._process_queue()

    def _process_queue(self) -> None:
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
                self._task = asyncio.get_running_loop().create_task(self._process_slowly(asked))
        if not self._is_busy:
            for idle in self._settling:
                idle.set_result(None)
            self._settling.clear()

    def _is_quick(self, asked: Asked) -> bool:
        """Whether nothing has to be waited for but the disk: a move before anything is due.

        That is nearly all that is ever asked, so it goes without a task of its own.
        """
        if self._is_in_doubt or not isinstance(asked.command, QUICK):
            return False
        due = next_deadline(self.state, asked.at)
        return due is None or due.at > asked.at

    def _do_at_once(self, asked: Asked) -> None:
        assert asked.command is not None
        try:
            answer = self._known_answer(asked, asked.command)
            if answer is None:
                decision = self._decide_now(asked.command, asked.at)
                write, answer = self._write_of(asked, decision), answer_of(decision)
                if write.records:
                    self.services.journal.put(
                        write.records,
                        partial(self._written, asked, write, answer),
                    )
                    self.services.waits.begin(self, asked.at)
                    return
                self._commit(write, asked.at)
        except Exception as error:
            self._failed(asked, error)
            return
        self._answer(asked, answer)

    def _written(
        self, asked: Asked, write: Write, answer: Answer, failure: NotWritten | None
    ) -> None:
        self.services.waits.end(self)
        try:
            if failure is not None:
                raise failure
            self._commit(write, asked.at)
        except Exception as error:
            self._failed(asked, error)
        else:
            self._answer(asked, answer)
        self._process_queue()
        self.services.outbox.empty()  # before the next board of the same commit has its turn

    async def _process_slowly(self, asked: Asked) -> None:
        try:
            if self._is_in_doubt:
                await self._read_again()
            answer = await self._do(asked)
        except Exception as error:
            self._failed(asked, error)
        else:
            self._answer(asked, answer)
        self._process_queue()

    def _write_of(self, asked: Asked, decision: Decision) -> Write:
        """What comes of a decision, still to be written."""
        write = Write.of(self.state, decision.events)
        if asked.receipt is None or asked.command is None or decision.refusal is not None:
            return write
        stream, written = f"receipts:{self.id}", self._receipts.written
        return write.with_receipt(asked.command, asked.receipt, stream, written)

    # --- what goes wrong -----------------------------------------------------------------------

    def _failed(self, asked: Asked | None, error: Exception) -> None:
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
            self._asked.extend(request for request in waiting if request.is_of_the_server)
        if refusal is not None and asked is not None:
            self.hold(asked.at)
        if not self._is_closed:
            self._wakeup.ring_at(self.services.time.now() + RETRY)
        self._is_busy = False
        key = "hall_live.not_written" if refusal is None else refusal.key
        for request in waiting:
            # Only of what was tried can it be unknown whether it was written.
            is_unknown = key == MAYBE_WRITTEN and request is not asked
            told = Fault.DATABASE_LOST.key if is_unknown else key
            self._answer(request, Answer(refusal_by_key(told)))

    def _answer(self, asked: Asked, answer: Answer) -> None:
        """Something is done: whoever asked hears of it, and the next one can have its turn."""
        self._is_busy = False
        if asked.then is not None:
            try:
                asked.then(answer)
            except Exception:  # whoever waits behind them must have their turn
                log.exception("answering in game %s", self.id, extra={"game": self.id})

    async def _let_go(self) -> None:
        """11.6 — gives back the time for which the server held the clocks, and has them run."""
        held = self.held_since
        try:
            if self._is_in_doubt:
                await self._read_again()
            now = self.services.time.now()
            assert held is not None
            events = time_given_back(self.state, held, now)
            write = Write.of(self.state, events)
            if events:
                await self._write(write, now)
            self.held_since = None
            self._commit(write, now)
            if not events:  # no clock is to run on, and nobody was told that none is held
                self._audiences.show(self.state, now, None)
                self._wakeup.set(now)
            self._is_busy = False
        except Exception as error:
            self.held_since = held
            self._failed(None, error)
        self._process_queue()
