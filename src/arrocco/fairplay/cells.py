"""Counts of decisions by their difficulty: what baselines and helpers are made of."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from msgspec import Struct

from arrocco.fairplay import move_times
from arrocco.fairplay.records import Decision

GAPS = (10, 30, 80, 200)
"""Thousandths by which the second choice is worse: the difficulty of a decision is its bin."""
MIN_IN_CELL = 30
"""Decisions without which a cell is not asked; its neighbours answer."""


class Cell(Struct, frozen=True, kw_only=True):
    """Counts of decisions of one kind."""

    decisions: int = 0
    first: int = 0
    third: int = 0
    loss: int = 0
    loss_squares: int = 0
    times: tuple[int, ...] = ()
    """How many of them took so long, by `move_times`; nothing where no clock is known."""

    def plus(self, other: Cell) -> Cell:
        return Cell(
            decisions=self.decisions + other.decisions,
            first=self.first + other.first,
            third=self.third + other.third,
            loss=self.loss + other.loss,
            loss_squares=self.loss_squares + other.loss_squares,
            times=move_times.added(self.times, other.times),
        )

    def minus(self, other: Cell) -> Cell:
        return Cell(
            decisions=self.decisions - other.decisions,
            first=self.first - other.first,
            third=self.third - other.third,
            loss=self.loss - other.loss,
            loss_squares=self.loss_squares - other.loss_squares,
            times=move_times.added(self.times, tuple(-count for count in other.times)),
        )


class Expected(NamedTuple):
    """What a figure would be, its variance before overdispersion, from how many decisions."""

    mean: float
    variance: float
    counted: int = 0


def difficulty_of(gap: int) -> int:
    """The bin of a decision by how much worse the second choice is."""
    return sum(gap >= edge for edge in GAPS)


def cell_of(decision: Decision) -> Cell:
    return Cell(
        decisions=1,
        first=decision.rank == 1,
        third=1 <= decision.rank <= 3,
        loss=decision.loss,
        loss_squares=decision.loss**2,
        times=() if decision.spent is None else move_times.counted(decision.spent),
    )


def total_of(cells: Iterable[Cell]) -> Cell:
    total = Cell()
    for cell in cells:
        total = total.plus(cell)
    return total


def expected_in(cell: Cell, figure: str) -> Expected:
    """What a figure would be at one decision, by what was counted."""
    rate = getattr(cell, figure) / cell.decisions
    if figure == "loss":
        variance = max(0.0, cell.loss_squares / cell.decisions - rate**2)
        return Expected(rate, variance, cell.decisions)
    return Expected(rate, rate * (1 - rate), cell.decisions)
