"""Whether mate is possible, asked without holding up the other boards.

The question can take longer than a move may. `decide` is pure, so it is tried with what is known
already; where something is not, the question is answered in a thread and `decide` is tried again.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple, TypeVar

import chess

from arrocco.hall.game import CanMate, Judge
from arrocco.hall.game.decision import ProofOf, no_proof

MOST_KEPT = 4096
"""Answers kept: a few for each board of a large round."""
LONGEST = 2.0
"""Seconds after which an answer counts as not known."""

T = TypeVar("T")


class Answer(NamedTuple):
    """Whether a colour can mate, `None` where nobody knows, and why."""

    can_mate: bool | None
    proof: str = ""


class _Asked(Exception):
    """A question nobody has answered yet."""

    def __init__(self, board: chess.Board, color: chess.Color) -> None:
        super().__init__()
        self.board, self.color = board, color


class Thinking:
    """Answers whether mate is possible, once for each position."""

    def __init__(self, can_mate: CanMate, proof_of: ProofOf = no_proof) -> None:
        self._can_mate, self._proof_of = can_mate, proof_of
        self._known: OrderedDict[tuple[str, chess.Color], Answer] = OrderedDict()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="hall-thinking")
        self.judge = Judge(
            lambda board, color: self._recall(board, color).can_mate,
            lambda board, color: self._recall(board, color).proof,
        )

    async def decide(self, decision: Callable[[Judge], T]) -> T:
        """What comes of a decision, once all it asks is answered."""
        while True:
            try:
                return decision(self.judge)
            except _Asked as question:
                await self._answer(question.board, question.color)

    def close(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)

    # --- within --------------------------------------------------------------------------------

    def _recall(self, board: chess.Board, color: chess.Color) -> Answer:
        known = self._known.get((board.epd(), color))
        if known is None:
            raise _Asked(board, color)
        return known

    async def _answer(self, board: chess.Board, color: chess.Color) -> None:
        loop = asyncio.get_running_loop()
        thought = loop.run_in_executor(self._thread, self._think, board, color)
        try:
            answer = await asyncio.wait_for(thought, LONGEST)
        except TimeoutError:
            answer = Answer(None)
        self._known[board.epd(), color] = answer
        if len(self._known) > MOST_KEPT:
            self._known.popitem(last=False)

    def _think(self, board: chess.Board, color: chess.Color) -> Answer:
        can_mate = self._can_mate(board.copy(stack=False), color)
        return Answer(can_mate, self._proof_of(board.copy(stack=False), color))
