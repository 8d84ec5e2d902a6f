"""0.1 — the adjustment of 1 March 2024: below 2000 a rating gains 40 % of what it lacks."""

from __future__ import annotations

from datetime import date
from fractions import Fraction

import pytest

from arrocco.laws.fide.standard_2024 import Fide2024
from arrocco.laws.registry import LAWS, editions

LAW = Fide2024()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (1600, 1760),  # the example that was published with the decision
        (1000, 1400),
        (1001, 1401),
        (1399, 1639),
        (1400, 1640),
        (1540, 1724),
        (1998, 1999),
        (1999, 1999),
        (2000, 2000),
        (2001, 2001),
        (2850, 2850),
    ],
)
def test_ratings_below_2000_move_towards_it(before: int, after: int) -> None:
    assert LAW.adjusted_rating(before) == after


def test_it_is_rounded_to_the_nearest_and_never_meets_a_half() -> None:
    for rating in range(1000, 2000):
        exact = rating + Fraction(2, 5) * (2000 - rating)
        assert (2 * exact).denominator > 1 or exact.denominator == 1, "a half would need a rule"
        assert abs(LAW.adjusted_rating(rating) - exact) < Fraction(1, 2)


def test_the_lowest_rating_of_the_text_before_reaches_the_floor() -> None:
    assert int(LAW.adjusted_rating(1000)) == int(Fide2024.FLOOR)


def test_one_list_of_one_regulation_is_adjusted() -> None:
    assert Fide2024.ADJUSTED_LIST == date(2024, 3, 1) == Fide2024.in_force.start
    adjusting = [
        edition
        for law in LAWS
        for edition in editions(law)
        if edition.ADJUSTED_LIST is not None and edition.ADJUSTED_LIST in edition.in_force
    ]
    assert adjusting == [Fide2024]


def test_what_it_rests_on_is_told() -> None:
    assert {Fide2024.basis_of(name) for name in ("ADJUSTED_BELOW", "ADJUSTED_PERCENT")} == {
        "second-hand"
    }
