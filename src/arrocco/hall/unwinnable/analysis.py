"""The plan of an analysis: what is cheap and settles much comes first.

First bare material, then a short search, then the squares that pieces could ever reach, now and
after forced moves. What is left is searched again in different ways, since each way of judging what
looks near to a mate gets stuck elsewhere. Every step either proves something or leaves the question
to the next.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from arrocco.hall.unwinnable.forced import Forced
from arrocco.hall.unwinnable.material import cannot_mate
from arrocco.hall.unwinnable.mates import may_be_mated
from arrocco.hall.unwinnable.opening import Opening
from arrocco.hall.unwinnable.position import PAWNS, TURN, Move, Position, in_check, successors
from arrocco.hall.unwinnable.potential import NEAR_THE_KING, TO_THE_CORNER, TOGETHER, Potential
from arrocco.hall.unwinnable.reach import Reach, saturate
from arrocco.hall.unwinnable.roaming import Roaming
from arrocco.hall.unwinnable.search import Budget, Rater, Search, search
from arrocco.hall.unwinnable.targets import find_goals
from arrocco.hall.unwinnable.tempo import Tempo
from arrocco.hall.unwinnable.walks import Walk

WORK = 32_000
"""All searches for a verdict, in moves looked at; on our machine 700 take about a millisecond."""
FIRST_LOOK = 3_000
FRAMES = 600
CROWDED = 9
"""New positions after each position, on average, from which on a board is crowded."""


class Reason(StrEnum):
    """Why a side can or cannot mate: the key of a sentence."""

    LINE = "line"
    MATE = "mate"
    MATERIAL = "material"
    SQUARES = "squares"
    FORCED = "forced"
    EXHAUSTED = "exhausted"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Outcome:
    """What was found out about White's mate: the line, or why there is none."""

    reason: Reason
    line: tuple[Move, ...] = ()
    positions: int = 0

    @property
    def can_mate(self) -> bool | None:
        if self.reason is Reason.UNKNOWN:
            return None
        return self.reason in (Reason.LINE, Reason.MATE)


def analyse(position: Position) -> Outcome:
    """Whether White can mate from a position, with both sides helping."""
    if cannot_mate(position):
        return Outcome(Reason.MATERIAL)
    at_once = _mate_at_once(position)
    if at_once is not None:
        return at_once
    tempo = Tempo()
    first = search(position, Potential(TO_THE_CORNER), Budget(FIRST_LOOK), tempo)
    settled = _settled(first)
    if settled is not None:
        return settled
    reach = saturate(position)
    if not may_be_mated(reach) or not Roaming(position, reach, tempo).may_be_mated(FRAMES):
        return Outcome(Reason.SQUARES)
    if not Forced(tempo).may_mate(position):
        return Outcome(Reason.FORCED)
    crowded = len(first.parents) >= CROWDED * first.positions
    whole = Budget(WORK - FIRST_LOOK)
    for rater, work in _other_ways(position, reach, crowded, whole):
        budget = Budget(min(work, whole.left))
        whole.spend(budget.left)
        settled = _settled(search(position, rater, budget, tempo))
        if settled is not None:
            return settled
    return Outcome(Reason.UNKNOWN)


def _other_ways(
    position: Position, reach: Reach, crowded: bool, whole: Budget
) -> Iterator[tuple[Rater, int]]:
    """Guides for further searches, each with its work, those that suit the position."""
    if not position[PAWNS]:
        yield from _walks(reach, 4, 4_500, whole)
        yield Potential(TO_THE_CORNER), 7_000
        yield Potential(NEAR_THE_KING), 4_000
    elif crowded:
        yield Potential(NEAR_THE_KING), 9_000
        yield from _walks(reach, 1, 4_000, whole)
        yield Potential(TOGETHER), 15_000
    else:
        yield from _walks(reach, 1, 3_500, whole)
        yield Opening(reach, white=True), 8_000
        yield Potential(TOGETHER), 14_000


def _walks(reach: Reach, goals: int, work: int, whole: Budget) -> Iterator[tuple[Rater, int]]:
    for goal in find_goals(reach, whole, goals):
        yield Walk(goal, reach), work


def _mate_at_once(position: Position) -> Outcome | None:
    """A mate that is on the board or takes one move: what holds for longer lines need not here."""
    if not position[TURN]:
        return Outcome(Reason.MATE) if _is_mate(position) else None
    for move, after in successors(position):
        if _is_mate(after):
            return Outcome(Reason.LINE, (move,))
    return None


def _is_mate(position: Position) -> bool:
    return in_check(position) and not successors(position)


def _settled(found: Search) -> Outcome | None:
    if found.line is not None:
        return Outcome(Reason.LINE, tuple(found.line))
    if found.exhausted:
        return Outcome(Reason.EXHAUSTED, positions=found.positions)
    return None
