"""How whole numbers are spread: count, mean, quantiles, and the value at fixed ranks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arrocco.engine.columns import IntColumn
from arrocco.laws.rounding import half_away_from_zero
from arrocco.units import Hundredths

QUANTILES = (5, 25, 50, 75, 95)
"""In hundredths of the players, from the lowest."""
RANKS = (1, 10, 100, 1_000, 10_000, 100_000)
"""Places on a list, from the highest: the rating there should not drift."""


@dataclass(frozen=True)
class Distribution:
    """Some whole numbers, told by a few of them; where there are none, mean and values are none."""

    count: int
    total: int
    mean: Hundredths | None
    quantiles: tuple[tuple[int, int], ...]
    """Each of `QUANTILES` with its value: the lowest that so many hundredths do not exceed."""
    ranks: tuple[tuple[int, int], ...]
    """Each of `RANKS` that there is, with the value there."""

    def quantile(self, percent: int) -> int | None:
        """The value of one of the quantiles."""
        return dict(self.quantiles).get(percent)

    def at_rank(self, rank: int) -> int | None:
        """The value at one of the ranks; `None` where so many are not there."""
        return dict(self.ranks).get(rank)


def mean_hundredths(total: int, count: int) -> Hundredths | None:
    """A mean in hundredths, a half away from zero; `None` of nothing."""
    return Hundredths(half_away_from_zero(100 * total, count)) if count else None


def distribution(values: IntColumn) -> Distribution:
    """The spread of a column of numbers, none of them negative."""
    counts = np.bincount(values) if len(values) else np.zeros(0, dtype=np.int64)
    return distribution_of_counts(counts)


def distribution_of_counts(counts: IntColumn) -> Distribution:
    """The spread of numbers given by how often each of 0, 1, 2 ... occurs."""
    count = int(counts.sum())
    total = int(counts @ np.arange(len(counts), dtype=np.int64))
    below = np.cumsum(counts)

    def place(number: int) -> int:
        """The value in a place, counted from the lowest, which is in place 1."""
        return int(np.searchsorted(below, number))

    quantiles = tuple((q, place(-(-q * count // 100))) for q in QUANTILES) if count else ()
    ranks = tuple((rank, place(count + 1 - rank)) for rank in RANKS if rank <= count)
    return Distribution(count, total, mean_hundredths(total, count), quantiles, ranks)
