"""Intervals of medians and counts: against tables, and by what they must hold."""

from __future__ import annotations

import random
from math import exp, factorial

import pytest

from arrocco.fairplay.intervals import (
    count_of,
    mean_interval,
    median_time,
    order_place,
    student,
)


@pytest.mark.parametrize(
    ("seen", "low", "high"),
    [
        (0, 0.0, 3.7),
        (1, 0.0, 5.6),
        (2, 0.2, 7.2),
        (5, 1.6, 11.7),
        (10, 4.8, 18.4),
        (100, 81.4, 121.6),
    ],
)
def test_counts_have_the_exact_interval_of_poisson(seen: int, low: float, high: float) -> None:
    """The values of Garwood's table, to a tenth."""
    count = count_of(seen)
    assert (count.seen, count.low, count.high) == (seen, low, high)


def test_beyond_each_end_of_a_count_lies_one_in_forty() -> None:
    count = count_of(4)
    many = 1 - sum(exp(-count.low) * count.low**n / factorial(n) for n in range(4))
    few = sum(exp(-count.high) * count.high**n / factorial(n) for n in range(5))
    assert many == pytest.approx(1 / 40, abs=0.004)
    assert few == pytest.approx(1 / 40, abs=0.004)


@pytest.mark.parametrize(("count", "place"), [(5, 0), (6, 1), (8, 1), (9, 2), (20, 6), (100, 40)])
def test_a_median_lies_between_the_values_of_the_table(count: int, place: int) -> None:
    assert order_place(count) == place


def test_of_fewer_than_six_times_there_is_a_median_and_no_interval() -> None:
    few = median_time([1000, None, 2000, 3000, 4000, 5000])
    assert few is not None
    assert (few.decisions, few.seconds, few.low, few.high) == (5, 3.0, None, None)
    enough = median_time([1000, 2000, 3000, 4000, 5000, 6000])
    assert enough is not None
    assert (enough.low, enough.high) == (1.0, 6.0)
    assert median_time([None, None]) is None


def test_the_interval_of_a_median_holds_it_in_95_of_100() -> None:
    """Times of a skewed distribution whose median is 10 seconds."""
    chance = random.Random(7)
    held = 0
    for _ in range(400):
        told = median_time(round(10_000 * exp(chance.gauss(0, 1))) for _ in range(31))
        assert told is not None
        assert told.low is not None
        assert told.high is not None
        held += told.low <= 10 <= told.high
    assert held >= 400 * 0.95 - 3 * (400 * 0.95 * 0.05) ** 0.5


def test_the_mean_of_a_few_losses_may_be_any() -> None:
    for count in range(1, 6):
        assert mean_interval(count, 410.0, 410.0**2, 1000.0) == (0.0, 1000.0)
    low, high = mean_interval(6, 410.0, 410.0**2 + 60.0**2, 1000.0)
    assert low == pytest.approx(341.0, abs=0.5)
    assert high == pytest.approx(479.0, abs=0.5)
    assert mean_interval(6, 20.0, 5000.0, 1000.0)[0] == 0.0
    assert mean_interval(6, 980.0, 980.0**2 + 5000.0, 1000.0)[1] == 1000.0


@pytest.mark.parametrize(("freedom", "quantile"), [(5, 2.571), (10, 2.228), (30, 2.042)])
def test_the_quantile_is_that_of_students_table(freedom: int, quantile: float) -> None:
    assert student(1.95996, freedom) == pytest.approx(quantile, abs=0.004)


def test_the_interval_of_a_mean_holds_it_in_95_of_100() -> None:
    """Of sums of losses that are even enough; of twelve values, where z alone would hold fewer."""
    chance = random.Random(8)
    held = 0
    for _ in range(600):
        values = [500 + chance.gauss(0, 120) for _ in range(12)]
        mean = sum(values) / 12
        low, high = mean_interval(12, mean, sum(v * v for v in values) / 12, 1000.0)
        held += low <= 500 <= high
    assert 600 * 0.95 - 3 * (600 * 0.95 * 0.05) ** 0.5 <= held < 600
