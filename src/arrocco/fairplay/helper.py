"""What the moves of a helper look like to the screen: how often they are its own choices.

Another engine, or the same with less time, agrees with the screen far less than the screen with
itself. The power of a screen hangs on how often, so it is counted and never supposed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from arrocco.fairplay.cells import (
    GAPS,
    MIN_IN_CELL,
    Cell,
    Expected,
    cell_of,
    difficulty_of,
    expected_in,
    total_of,
)
from arrocco.fairplay.decisions import NAMELESS, decisions_of
from arrocco.fairplay.power import Counted
from arrocco.fairplay.records import Decision, GameAnalysis
from arrocco.fairplay.spread import Between, SideSum, Spread, measure

MIN_HELPERS = 5
"""Players with help below which how they differ is not known at all."""
MIN_HELPED = 500
"""Decisions of a helper below which the stated one is taken: its rates are known to 5 in 100."""


class Helper(Struct, frozen=True, kw_only=True):
    """Counts of decisions that were all a helper's, by difficulty from the hardest."""

    sources: tuple[str, ...]
    """Where the games come from, in words; nothing for the stated helper."""
    cells: tuple[Cell, ...]
    spread: Spread | None = None
    """How far who has its help lies from these counts; nothing where it was not measured."""

    def __post_init__(self) -> None:
        if len(self.cells) != len(GAPS) + 1 or self.total.decisions < MIN_IN_CELL:
            raise ValueError("a helper has counts for every difficulty")

    @property
    def total(self) -> Cell:
        return total_of(self.cells)

    def expected(self, figure: str, decision: Decision) -> Expected:
        """What a figure would be at a decision that is the helper's."""
        cell = self.cells[difficulty_of(decision.gap)]
        return expected_in(cell if cell.decisions >= MIN_IN_CELL else self.total, figure)

    def counted(self, figure: str, decisions: Sequence[Decision], honest: Counted) -> Counted:
        """A figure at decisions that are all the helper's.

        Whose spread is not known is taken to differ as honest players do.
        """
        each = [self.expected(figure, decision) for decision in decisions]
        if self.spread is None:
            return Counted(each, honest.spread, honest.known)
        return Counted(
            each,
            self.spread.over(figure, len(decisions)),
            self.spread.known(figure, self.total.decisions),
        )


class HelperRates(Struct, frozen=True, kw_only=True):
    """The helper that a report counts with, as it names it."""

    sources: tuple[str, ...]
    decisions: int
    first: float
    third: float
    loss: float


STATED = Helper(
    sources=(),
    cells=(
        Cell(decisions=1030, first=337, third=696, loss=22621, loss_squares=5742593),
        Cell(decisions=509, first=195, third=359, loss=23144, loss_squares=5640080),
        Cell(decisions=505, first=219, third=368, loss=32496, loss_squares=7410088),
        Cell(decisions=438, first=217, third=343, loss=39055, loss_squares=9216757),
        Cell(decisions=287, first=181, third=249, loss=32720, loss_squares=11254224),
    ),
)
"""Counted once in 72 generated games: Stockfish 15.1 with its older evaluation and 6,000 nodes,
seen by the same with 10,000. Weak, hence hard to find."""


def count_helper(analyses: Iterable[GameAnalysis], sources: Sequence[str]) -> Helper | None:
    """Counts games in which all decisions of both sides are a helper's; `None` of too few."""
    players: dict[tuple[str, str], list[list[Decision]]] = {}
    for analysis in analyses:
        for white in (True, False):
            if decisions := decisions_of(analysis, white=white):
                name = (analysis.game.event, analysis.game.player(white=white))
                players.setdefault(name, []).append(decisions)
    cells = _counts(side for sides in players.values() for side in sides)
    if total_of(cells).decisions < MIN_HELPED:
        return None
    is_named = all(name not in NAMELESS for _, name in players)
    spread = _spread(cells, list(players.values())) if is_named else None
    return Helper(sources=tuple(sources), cells=cells, spread=spread)


def _counts(sides: Iterable[Sequence[Decision]]) -> tuple[Cell, ...]:
    cells = [Cell() for _ in STATED.cells]
    for side in sides:
        for decision in side:
            bin_ = difficulty_of(decision.gap)
            cells[bin_] = cells[bin_].plus(cell_of(decision))
    return tuple(cells)


def _spread(
    cells: Sequence[Cell], players: Sequence[Sequence[Sequence[Decision]]]
) -> Spread | None:
    """How who has help differs; each is held against the counts of all others."""
    gathered: dict[str, list[list[SideSum]]] = {"first": [], "third": [], "loss": []}
    for sides in players:
        own = _counts(sides)
        others = tuple(cell.minus(one) for cell, one in zip(cells, own, strict=True))
        if total_of(others).decisions < MIN_IN_CELL:
            continue
        rest = Helper(sources=(), cells=others)
        for figure, told in gathered.items():
            sums = [side_sum for side in sides if (side_sum := _side_sum(rest, figure, side))]
            if sums:
                told.append(sums)
    known = min(len(told) for told in gathered.values())
    if known < MIN_HELPERS:
        return None
    measured = {figure: measure(told) for figure, told in gathered.items()}
    return Spread(
        players=known,
        between=Between(**{figure: each.between for figure, each in measured.items()}),
        **{figure: each.within for figure, each in measured.items()},
    )


def _side_sum(rest: Helper, figure: str, side: Sequence[Decision]) -> SideSum | None:
    each = [rest.expected(figure, decision) for decision in side]
    variance = sum(expected.variance for expected in each)
    if variance <= 0:
        return None
    seen = sum(float(getattr(cell_of(decision), figure)) for decision in side)
    mean = sum(expected.mean for expected in each)
    return SideSum(seen - mean, variance, len(side))


def rates_of(helper: Helper) -> HelperRates:
    """Over all difficulties, to four places."""
    total = helper.total
    return HelperRates(
        sources=helper.sources,
        decisions=total.decisions,
        first=round(total.first / total.decisions, 4),
        third=round(total.third / total.decisions, 4),
        loss=round(total.loss / total.decisions, 4),
    )
