"""The plan of an analysis: what is cheap and settles much comes first.

First a mate on the board, then bare material, then a short search, then the squares that pieces
could ever reach, then more of that search, then those squares with pieces that wander, now and
after forced moves. What is left is searched again in different ways, since each way of judging what
looks near to a mate gets stuck elsewhere. Every step either proves something or leaves the question
to the next.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from arrocco.hall.unwinnable.forced import Forced
from arrocco.hall.unwinnable.guides import (
    NEAR_THE_KING,
    TO_THE_CORNER,
    Guide,
    Opening,
    Potential,
    Race,
    Walk,
)
from arrocco.hall.unwinnable.material import cannot_mate
from arrocco.hall.unwinnable.mates import may_be_mated
from arrocco.hall.unwinnable.position import PAWNS, TURN, Move, Position, in_check, successors
from arrocco.hall.unwinnable.reach import Reach, saturate
from arrocco.hall.unwinnable.roaming import Roaming
from arrocco.hall.unwinnable.search import Budget, Search, find_core
from arrocco.hall.unwinnable.targets import find_goals
from arrocco.hall.unwinnable.tempo import Tempo
from arrocco.hall.unwinnable.walks import Goal

WORK = 500_000
"""All searches for a verdict, in moves looked at: a thousand take a tenth of a millisecond."""
FIRST_LOOK, SECOND_LOOK = 3_000, 17_000
FRAMES = 600
CROWDED = 9
"""New positions after each position, on average, from which on a board is crowded."""

Plan = tuple[tuple[str, int], ...]
"""Guides in turn, each with its work: a guide that comes again goes on where it stopped."""
WITHOUT_PAWNS: Plan = (
    ("corner", 60_000),
    ("near", 40_000),
    ("goal 1", 90_000),
    ("goal 2", 60_000),
    ("corner", 60_000),
    ("goal 3", 40_000),
    ("goal 4", 40_000),
    ("goal 1", 90_000),
)
IN_A_CROWD: Plan = (
    ("corner", 90_000),
    ("near", 90_000),
    ("goal 1", 60_000),
    ("goal 2", 60_000),
    ("corner", 60_000),
    ("near", 60_000),
    ("goal 3", 40_000),
)
WITH_PAWNS: Plan = (
    ("race", 260_000),
    ("corner", 40_000),
    ("opening", 50_000),
    ("near", 10_000),
    ("goal 1", 10_000),
    ("opening", 50_000),
    ("race", 260_000),
    ("corner", 80_000),
)


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
class MateAnalysis:
    """What was found out about White's mate: the line, or why there is none."""

    reason: Reason
    line: tuple[Move, ...] = ()
    positions: int = 0

    @property
    def can_mate(self) -> bool | None:
        if self.reason is Reason.UNKNOWN:
            return None
        return self.reason in (Reason.LINE, Reason.MATE)


def analyse(position: Position) -> MateAnalysis:
    """Whether White can mate from a position, with both sides helping."""
    if _is_mate_on_board(position):
        return MateAnalysis(Reason.MATE)
    if cannot_mate(position):
        return MateAnalysis(Reason.MATERIAL)
    in_one = _mate_in_one(position)
    if in_one is not None:
        return in_one
    tempo = Tempo()
    if find_core() is None:
        return _without_search(position, tempo)
    first = Search(position, Potential(TO_THE_CORNER), tempo)
    first.go_on(Budget(FIRST_LOOK))
    settled = _settled(first)
    if settled is not None:
        return settled
    reach = saturate(position)
    if not may_be_mated(reach):
        return MateAnalysis(Reason.SQUARES)
    first.go_on(Budget(SECOND_LOOK))
    settled = _settled(first)
    if settled is not None:
        return settled
    if not Roaming(position, reach, tempo).may_be_mated(FRAMES):
        return MateAnalysis(Reason.SQUARES)
    if not Forced(tempo).may_mate(position):
        return MateAnalysis(Reason.FORCED)
    guides = _Guides(position, reach, tempo, first)
    for name, work in guides.plan():
        if guides.whole.is_spent:
            break
        settled = guides.follow(name, work)
        if settled is not None:
            return settled
    return MateAnalysis(Reason.UNKNOWN)


def _without_search(position: Position, tempo: Tempo) -> MateAnalysis:
    """What can be said where the core was not built: a no that is proved, and never a wrong yes."""
    reach = saturate(position)
    if not may_be_mated(reach) or not Roaming(position, reach, tempo).may_be_mated(FRAMES):
        return MateAnalysis(Reason.SQUARES)
    return MateAnalysis(Reason.UNKNOWN if Forced(tempo).may_mate(position) else Reason.FORCED)


class _Guides:
    """The searches of one position, each with its guide, begun when their turn comes."""

    def __init__(self, position: Position, reach: Reach, tempo: Tempo, first: Search) -> None:
        self.whole = Budget(WORK - FIRST_LOOK - SECOND_LOOK)
        self._position, self._reach, self._tempo = position, reach, tempo
        self._begun: dict[str, Search | None] = {"corner": first}
        self._crowded = first.seen >= CROWDED * first.positions

    def plan(self) -> Plan:
        """The plan that suits the position."""
        if not self._position[PAWNS]:
            return WITHOUT_PAWNS
        return IN_A_CROWD if self._crowded else WITH_PAWNS

    def follow(self, name: str, work: int) -> MateAnalysis | None:
        """Goes on with a guide; what it leaves of its work is left for others."""
        if name not in self._begun:
            guide = self._guide(name)
            self._begun[name] = (
                None if guide is None else Search(self._position, guide, self._tempo)
            )
        search = self._begun[name]
        if search is None or self.whole.is_spent:
            return None
        budget = Budget(min(work, self.whole.left))
        self.whole.spend(budget.left)
        search.go_on(budget)
        return _settled(search)

    def _guide(self, name: str) -> Guide | None:
        """The guide of that name; None where it does not suit the position."""
        if name.startswith("goal"):
            goals, number = self._goals, int(name.split()[1])
            return Walk(goals[number - 1], self._reach) if number <= len(goals) else None
        if name == "race":
            for side in (False, True):
                if self._tempo.is_locked(side):
                    return Race(self._position, side)
            return None
        if name == "opening":
            return Opening(self._reach, white=True)
        return Potential(NEAR_THE_KING)

    @cached_property
    def _goals(self) -> list[Goal]:
        most = max(int(name.split()[1]) for name, _ in self.plan() if name.startswith("goal"))
        return find_goals(self._reach, self.whole, most)


def _is_mate_on_board(position: Position) -> bool:
    """A mate that is there is a mate, also where no legal series of moves leads to it.

    What material can never do speaks of moves to come: two bishops of one square colour that check
    at once are a double check that no move gives, and a position set up by hand may have it.
    """
    return not position[TURN] and _is_mate(position)


def _mate_in_one(position: Position) -> MateAnalysis | None:
    """A mate that takes one move: what holds for longer lines need not hold here."""
    if not position[TURN]:
        return None
    for move, after in successors(position):
        if _is_mate(after):
            return MateAnalysis(Reason.LINE, (move,))
    return None


def _is_mate(position: Position) -> bool:
    return in_check(position) and not successors(position)


def _settled(search: Search) -> MateAnalysis | None:
    if search.line is not None:
        return MateAnalysis(Reason.LINE, tuple(search.line))
    if search.exhausted:
        return MateAnalysis(Reason.EXHAUSTED, positions=search.positions)
    return None
