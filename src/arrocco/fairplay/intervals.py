"""Intervals of 95 % around what was seen, each by the way that suits what is counted.

Shares: Wilson's. Means: Student's, from their own variance. Medians: between two of the values
themselves (order statistics), whatever their distribution. Counts of rare things: the exact
interval of Poisson. Where there are too few values for one, there is none.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import comb, exp, lgamma, log, sqrt
from statistics import NormalDist

from msgspec import Struct

OUTSIDE = 40
"""One in so many lies beyond each end."""
MIN_VALUES = 6
_Z = NormalDist().inv_cdf(1 - 1 / OUTSIDE)
_HALVINGS = 50


class MedianTime(Struct, frozen=True, kw_only=True):
    """The median time of some decisions in seconds; without an interval of fewer than six."""

    decisions: int
    seconds: float
    low: float | None = None
    high: float | None = None


class Count(Struct, frozen=True, kw_only=True):
    """How often something happened, and how often one would expect it in as many moves."""

    seen: int
    low: float
    high: float


def share_interval(count: int, share: float) -> tuple[float, float]:
    """Wilson's."""
    centre = (share + _Z**2 / (2 * count)) / (1 + _Z**2 / count)
    half = _Z * sqrt(share * (1 - share) / count + _Z**2 / (4 * count**2)) / (1 + _Z**2 / count)
    return max(0.0, centre - half), min(1.0, centre + half)


def mean_interval(count: int, mean: float, squares: float, most: float) -> tuple[float, float]:
    """Of values from 0 to `most`, by the mean of their squares.

    Of fewer than six the spread is hardly known, of one not at all: the mean may be any.
    """
    if count < MIN_VALUES:
        return 0.0, most
    half = student(_Z, count - 1) * sqrt(max(0.0, squares - mean**2) / (count - 1))
    return max(0.0, mean - half), min(most, mean + half)


def student(z: float, freedom: int) -> float:
    """The quantile of Student's distribution where the normal one's is `z`, by its expansion."""
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / freedom + second / freedom**2 + third / freedom**3


def median_time(times: Iterable[int | None]) -> MedianTime | None:
    """Of times in milliseconds, those that are known; `None` where none is."""
    known = sorted(time for time in times if time is not None)
    if not known:
        return None
    place = order_place(len(known))
    return MedianTime(
        decisions=len(known),
        seconds=_seconds(known[len(known) // 2]),
        low=_seconds(known[place - 1]) if place else None,
        high=_seconds(known[-place]) if place else None,
    )


def order_place(count: int) -> int:
    """Which values, from each end, hold the median between them; 0 where there are too few.

    The median lies below the k-th of n values with the chance of fewer than k heads in n throws.
    """
    below, place = 0, 0
    while OUTSIDE * (below + comb(count, place)) <= 2**count:
        below += comb(count, place)
        place += 1
    return place


def count_of(seen: int) -> Count:
    """A count with the exact interval of Poisson, to a tenth."""
    low = _mean_of(seen - 1, 1 - 1 / OUTSIDE) if seen else 0.0
    return Count(seen=seen, low=round(low, 1), high=round(_mean_of(seen, 1 / OUTSIDE), 1))


def _mean_of(most: int, chance: float) -> float:
    """The mean of a Poisson distribution that gives so many or fewer with a chance."""
    low, high = 0.0, 4.0 * most + 10
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if _at_most(most, middle) > chance:
            low = middle
        else:
            high = middle
    return low


def _at_most(most: int, mean: float) -> float:
    return sum(exp(n * log(mean) - mean - lgamma(n + 1)) for n in range(most + 1))


def _seconds(milliseconds: int) -> float:
    return round(milliseconds / 1000, 1)
