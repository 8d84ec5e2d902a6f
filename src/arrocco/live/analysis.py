"""Whether mate is possible, asked without holding up any board.

The question can take longer than a move may, so another process thinks about it. A decision that
needs the answer (a fallen flag) is tried again once it is there. A move does not wait: whether its
position is dead is found out behind it, and ends the game then; no move leads out of that.
"""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from typing import NamedTuple, TypeVar

import chess

from arrocco.hall.game import Judge
from arrocco.laws.online.law import OnlineLaw

MAX_KEPT = 4096
"""Answers kept: a few for each board of a large round."""
LONGEST = 5.0
"""Seconds after which an answer counts as not known."""

T = TypeVar("T")


class Answer(NamedTuple):
    """Whether a colour can mate, `None` where nobody knows, and why."""

    can_mate: bool | None
    proof: str = ""


Think = Callable[[str, chess.Color], Answer]
"""Answers for a position, as a FEN, and a colour; it may be asked in another process."""


def judged(fen: str, color: chess.Color) -> Answer:
    """The answer of the analysis of dead positions; its proof is a note, in no language.

    Where nobody doubts that there is a mate there is nothing to prove.
    """
    from arrocco.hall.unwinnable import is_plain, judge, noted

    verdict = judge(fen, color)
    in_doubt = not (verdict.can_mate and is_plain(chess.Board(fen), color))
    return Answer(verdict.can_mate, noted(verdict) if in_doubt else "")


QuickCheck = Callable[[chess.Board, chess.Color], bool]
"""Whether it is plain that a colour can mate; it is asked at once and takes less than asking."""


class _Asked(Exception):
    """A question nobody has answered yet."""

    def __init__(self, board: chess.Board, color: chess.Color) -> None:
        super().__init__()
        self.board, self.color = board, color


class Thinking:
    """Answers whether mate is possible, once for each position."""

    def __init__(
        self, think: Think, executor: Executor | None = None, quick_check: QuickCheck | None = None
    ) -> None:
        self._think, self._quick_check = think, quick_check
        self._executor = executor or ThreadPoolExecutor(1, thread_name_prefix="hall-thinking")
        self._known: OrderedDict[tuple[str, chess.Color], Answer] = OrderedDict()
        self._thoughts: dict[tuple[str, chess.Color], asyncio.Future[Answer]] = {}
        self._to_analyse: OrderedDict[object, tuple[chess.Board, Callable[[], None]]] = (
            OrderedDict()
        )
        self._analysing: asyncio.Task[None] | None = None

    async def decide(self, law: OnlineLaw, decision: Callable[[Judge], T]) -> T:
        """What comes of a decision under a law, once all it asks is answered."""
        patient = Judge(
            lambda board, color: self._recall(board, color).can_mate,
            law,
            lambda board, color: self._recall(board, color).proof,
        )
        while True:
            try:
                return decision(patient)
            except _Asked as question:
                await self.answer(question.board, question.color)

    def decide_now(
        self, law: OnlineLaw, decision: Callable[[Judge], T]
    ) -> tuple[T, chess.Board | None]:
        """What comes of a decision by what is known, and the position still to be thought about."""
        open_question: list[chess.Board] = []

        def can_mate(board: chess.Board, color: chess.Color) -> bool | None:
            known = self._known.get(_key(board, color))
            if known is None:
                open_question.append(board)
                return None
            return known.can_mate

        def proof_of(board: chess.Board, color: chess.Color) -> str:
            known = self._known.get(_key(board, color))
            return "" if known is None else known.proof

        decided = decision(Judge(can_mate, law, proof_of))
        return decided, open_question[-1] if open_question else None

    async def is_dead(self, board: chess.Board) -> bool:
        """2.2d — whether neither side can mate."""
        for color in chess.COLORS:
            if (await self.answer(board, color)).can_mate is not False:
                return False
        return True

    def analyse(self, who: object, board: chess.Board, then: Callable[[], None]) -> None:
        """2.2d — has it found out, when there is time, whether a position is dead, and told if so.

        One position is thought about at a time, and of each game only the last: no move leads out
        of a dead position. So a decision that waits for an answer has at most one before it.
        """
        quick_check = self._quick_check
        if quick_check is not None and any(quick_check(board, color) for color in chess.COLORS):
            self.stop_analysing(who)
            return
        self._to_analyse[who] = (board, then)
        if self._analysing is None:
            self._analysing = asyncio.get_running_loop().create_task(self._analyse())

    def stop_analysing(self, who: object) -> None:
        self._to_analyse.pop(who, None)

    async def _analyse(self) -> None:
        try:
            while self._to_analyse:
                _, (board, then) = self._to_analyse.popitem(last=False)
                if await self.is_dead(board):
                    then()
        finally:
            self._analysing = None

    def answer(self, board: chess.Board, color: chess.Color) -> Awaitable[Answer]:
        """The answer to a question, which is thought about once however often it is asked."""
        key = _key(board, color)
        thought = self._thoughts.get(key)
        if thought is None:
            loop = asyncio.get_running_loop()
            if key in self._known:
                thought = loop.create_future()
                thought.set_result(self._known[key])
                return thought
            thought = loop.create_task(self._find_out(key, board.fen()))
            self._thoughts[key] = thought
        return asyncio.shield(thought)

    @property
    def queued(self) -> int:
        """Positions that somebody waits to hear about, and those to be looked at behind moves."""
        return len(self._thoughts) + len(self._to_analyse)

    def close(self) -> None:
        self._to_analyse.clear()
        self._executor.shutdown(wait=False, cancel_futures=True)

    # --- within --------------------------------------------------------------------------------

    def _recall(self, board: chess.Board, color: chess.Color) -> Answer:
        known = self._known.get(_key(board, color))
        if known is None:
            raise _Asked(board, color)
        return known

    async def _find_out(self, key: tuple[str, chess.Color], fen: str) -> Answer:
        loop = asyncio.get_running_loop()
        try:
            thought = loop.run_in_executor(self._executor, self._think, fen, key[1])
            answer = await asyncio.wait_for(thought, LONGEST)
        except Exception:  # no answer is an answer too: mate counts as possible, and that is noted
            answer = Answer(None)
        self._known[key] = answer
        if len(self._known) > MAX_KEPT:
            self._known.popitem(last=False)
        del self._thoughts[key]
        return answer


def _key(board: chess.Board, color: chess.Color) -> tuple[str, chess.Color]:
    return board.epd(), color


# --- another process ------------------------------------------------------------------------------


def thinking_process() -> Thinking:
    """One that thinks in a process of its own, which ends with this one."""
    executor = ProcessPoolExecutor(
        1, mp_context=get_context("spawn"), initializer=_end_with, initargs=(os.getpid(),)
    )
    from arrocco.hall.unwinnable import mates_by_quick_check

    return Thinking(judged, executor, mates_by_quick_check)


def _end_with(parent: int) -> None:
    """Ends this process soon after its parent, however that ended."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()
    os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
    os.nice(10)  # moves go first
    judged(chess.STARTING_FEN, chess.WHITE)  # so that the first question finds all in place
