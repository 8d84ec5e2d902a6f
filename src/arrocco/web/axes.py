"""Axes of charts: round values to mark, and where a value lies among the pixels. Integers only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from arrocco.web import writing
from arrocco.words import Language

_MONTH_STEPS = (1, 3, 6, 12, 24, 60, 120, 240)
_ROUND = (1, 2, 5)


@dataclass(frozen=True)
class Axis:
    """A stretch of values laid over a stretch of pixels; `start` may be the larger pixel."""

    low: int
    high: int
    start: int
    end: int

    def at(self, value: int) -> int:
        """The pixel of a value."""
        return self.start + (value - self.low) * (self.end - self.start) // (self.high - self.low)


def round_step(span: int, most: int) -> int:
    """The smallest of 1, 2, 5, 10, 20, 50… that marks a span with at most so many steps."""
    scale = 1
    while True:
        for digit in _ROUND:
            if span <= digit * scale * most:
                return digit * scale
        scale *= 10


def value_axis(
    values: Sequence[int],
    start: int,
    end: int,
    *,
    most: int = 6,
    zero: bool = False,
    span: int = 2,
) -> tuple[Axis, list[int]]:
    """An axis that holds all values and ends on round ones, with the values to mark.

    It covers at least `span`, so that a change of two points does not look like a fall.
    """
    low, high = min(values), max(values)
    if zero:
        low, high = min(low, 0), max(high, 0)
    if high - low < span:
        low -= (span - (high - low)) // 2
        high = low + span
    step = round_step(high - low, most)
    low, high = low // step * step, -(-high // step) * step
    return Axis(low, high, start, end), list(range(low, high + 1, step))


def day_axis(
    days: Sequence[date], start: int, end: int, *, most: int = 8
) -> tuple[Axis, list[date]]:
    """An axis of days, marked at the first days of months that lie evenly."""
    first, last = min(days), max(days)
    months = 12 * (last.year - first.year) + last.month - first.month
    step = next((step for step in _MONTH_STEPS if months <= step * most), _MONTH_STEPS[-1])
    low, high = first.toordinal(), last.toordinal()
    axis = Axis(low, high, start, end) if low < high else Axis(low - 15, high + 15, start, end)
    marked = []
    for number in range(12 * first.year + first.month - 1, 12 * last.year + last.month):
        day = date(number // 12, number % 12 + 1, 1)
        if number % step == 0 and axis.low <= day.toordinal() <= axis.high:
            marked.append(day)
    return axis, marked or [first]


def day_mark(language: Language, day: date, axis: Axis) -> str:
    """What stands under a mark: the year where years are marked, else month and year."""
    years = axis.high - axis.low > 366 * 8
    return str(day.year) if years else writing.short_month(language, day)
