"""The same players on two lists of one day, made under different laws or readings."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

import numpy as np

from arrocco.engine.columns import IntColumn
from arrocco.engine.statistics.distribution import QUANTILES, distribution, mean_hundredths
from arrocco.engine.statistics.flow import Group
from arrocco.engine.statistics.lists import ListFigures
from arrocco.units import Hundredths

BUCKETS: tuple[tuple[int, int | None], ...] = (
    (0, 0),
    (1, 5),
    (6, 10),
    (11, 20),
    (21, 50),
    (51, 100),
    (101, None),
)
"""Sizes of differences that are counted together, in points."""


@dataclass(frozen=True)
class Affected:
    """A player with two ratings; 0 is none."""

    id: int
    one: int
    other: int

    @property
    def difference(self) -> int | None:
        """The other rating less the one; `None` for a player who lacks either."""
        return self.other - self.one if self.one and self.other else None


@dataclass(frozen=True)
class ListComparison:
    """Two lists of one day: `one` as it was, `other` as it would have been."""

    on: date
    one: Group
    """Everybody rated on the one list."""
    other: Group
    both: int
    only_one: Group
    """Rated on the one list only, with that rating."""
    only_other: Group
    total: int
    """The sum of the differences, other less one, of those rated on both."""
    mean: Hundredths | None
    quantiles: tuple[tuple[int, int], ...]
    """Of the differences, from the most negative."""
    buckets: tuple[tuple[int, int | None, int, int], ...]
    """Bounds of a size of difference, how many are higher and how many lower on the other list.

    In the first bucket nobody is either: it counts those without a difference, as higher.
    """
    most_affected: tuple[Affected, ...]
    """The largest differences first; of equals, the lower id."""

    @property
    def different(self) -> int:
        """Players rated on both lists, and not the same."""
        return self.both - self.buckets[0][2]


def compare_lists(one: ListFigures, other: ListFigures, most: int = 20) -> ListComparison:
    """Compares two lists player by player."""
    ids, rating, counterpart = side_by_side(one, other)
    both = (rating > 0) & (counterpart > 0)
    difference = (counterpart - rating)[both]
    size = np.abs(difference)
    first = np.lexsort((ids[both], -size))[:most]
    first = first[size[first] > 0]
    affected = np.flatnonzero(both)[first]
    return ListComparison(
        on=other.on,
        one=Group.of(rating[rating > 0]),
        other=Group.of(counterpart[counterpart > 0]),
        both=int(both.sum()),
        only_one=Group.of(rating[(rating > 0) & (counterpart == 0)]),
        only_other=Group.of(counterpart[(rating == 0) & (counterpart > 0)]),
        total=int(difference.sum()),
        mean=mean_hundredths(int(difference.sum()), len(difference)),
        quantiles=signed_quantiles(difference),
        buckets=tuple(_bucket(difference, low, high) for low, high in BUCKETS),
        most_affected=tuple(
            Affected(int(ids[row]), int(rating[row]), int(counterpart[row]))
            for row in affected.tolist()
        ),
    )


def side_by_side(first: ListFigures, other: ListFigures) -> tuple[IntColumn, IntColumn, IntColumn]:
    """Everybody on either list by id, with the rating on each; 0 for none."""
    ids = np.union1d(first.id, other.id)
    columns = []
    for listed in (first, other):
        column = np.zeros(len(ids), dtype=np.int64)
        column[np.searchsorted(ids, listed.id)] = listed.rating
        columns.append(column)
    return ids, columns[0], columns[1]


def signed_quantiles(values: IntColumn) -> tuple[tuple[int, int], ...]:
    """`QUANTILES` of numbers that may be negative."""
    if not len(values):
        return ()
    low = int(values.min())
    spread = distribution(values - low)
    return tuple((percent, low + (spread.quantile(percent) or 0)) for percent in QUANTILES)


def _bucket(difference: IntColumn, low: int, high: int | None) -> tuple[int, int | None, int, int]:
    size = np.abs(difference)
    here = (size >= low) & (size <= (size.max(initial=low) if high is None else high))
    higher = here & (difference >= 0)
    return low, high, int(higher.sum()), int((here & ~higher).sum())
