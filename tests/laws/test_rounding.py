"""Each rounding on its ties, on both sides of them and below zero."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arrocco.laws.rounding import (
    half_away_from_zero,
    half_up,
    percent_half_up,
    tenths_with_half_down,
)

NUMERATORS = st.integers(-(10**6), 10**6)
DENOMINATORS = st.integers(1, 1000)


@pytest.mark.parametrize(
    ("hundredths", "away", "up"),
    [
        (0, 0, 0),
        (49, 0, 0),
        (50, 1, 1),
        (51, 1, 1),
        (149, 1, 1),
        (150, 2, 2),
        (250, 3, 3),
        (1750, 18, 18),
        (-49, 0, 0),
        (-50, -1, 0),
        (-51, -1, -1),
        (-149, -1, -1),
        (-150, -2, -1),
        (-151, -2, -2),
        (-249, -2, -2),
        (-250, -3, -2),
        (-251, -3, -3),
        (-1750, -18, -17),
        (-2250, -23, -22),
    ],
)
def test_the_two_ways_to_round_a_half(hundredths: int, away: int, up: int) -> None:
    assert half_away_from_zero(hundredths, 100) == away
    assert half_up(hundredths, 100) == up


@pytest.mark.parametrize(
    ("numerator", "denominator", "rounded"),
    [(1, 3, 0), (2, 3, 1), (-1, 3, 0), (-2, 3, -1), (3, 2, 2), (7, 14, 1), (13457, 7, 1922)],
)
def test_denominators_that_are_not_hundreds(numerator: int, denominator: int, rounded: int) -> None:
    assert half_up(numerator, denominator) == rounded
    assert half_away_from_zero(numerator, denominator) == rounded


@given(NUMERATORS, DENOMINATORS)
def test_half_up_is_the_floor_of_a_half_more(numerator: int, denominator: int) -> None:
    exact = Fraction(numerator, denominator)
    assert half_up(numerator, denominator) == floor(exact + Fraction(1, 2))


@given(NUMERATORS, DENOMINATORS)
def test_half_away_treats_gain_and_loss_alike(numerator: int, denominator: int) -> None:
    exact = Fraction(numerator, denominator)
    half = Fraction(1, 2)
    expected = floor(exact + half) if exact >= 0 else ceil(exact - half)
    assert half_away_from_zero(numerator, denominator) == expected
    assert half_away_from_zero(-numerator, denominator) == -expected


@given(NUMERATORS, DENOMINATORS)
def test_the_two_differ_only_on_negative_ties(numerator: int, denominator: int) -> None:
    is_negative_tie = numerator < 0 and Fraction(2 * numerator, denominator) % 2 == 1
    differ = half_away_from_zero(numerator, denominator) != half_up(numerator, denominator)
    assert differ == is_negative_tie


@pytest.mark.parametrize(
    ("hundredths", "tenths"),
    [
        (0, 0),
        (1, 0),
        (5, 0),
        (6, 1),
        (9, 1),
        (10, 1),
        (250, 25),
        (251, 25),
        (252, 25),
        (253, 25),
        (254, 25),
        (255, 25),
        (256, 26),
        (257, 26),
        (258, 26),
        (259, 26),
        (260, 26),
        (45, 4),
        (55, 5),
        (95, 9),
        (96, 10),
        (895, 89),
        (896, 90),
    ],
)
def test_expected_points_drop_a_second_decimal_up_to_five(hundredths: int, tenths: int) -> None:
    assert tenths_with_half_down(hundredths) == tenths


@pytest.mark.parametrize("tenth", [0, 7, 25])
def test_every_second_decimal_goes_its_way(tenth: int) -> None:
    rounded = [tenths_with_half_down(10 * tenth + digit) - tenth for digit in range(10)]
    assert rounded == [0, 0, 0, 0, 0, 0, 1, 1, 1, 1]


@pytest.mark.parametrize(
    ("half_points", "games", "percent"),
    [
        (6, 8, 38),  # 3 of 8: .375
        (10, 8, 63),  # 5 of 8: .625
        (2, 8, 13),  # 1 of 8: .125
        (14, 8, 88),  # 7 of 8: .875
        (1, 4, 13),  # half a point of 4: .125
        (8, 7, 57),  # 4 of 7: .5714
        (5, 9, 28),  # 2.5 of 9: .2777
        (0, 5, 0),
        (10, 5, 100),
        (5, 5, 50),
        (1, 100, 1),  # .005
        (199, 100, 100),  # .995
    ],
)
def test_a_fractional_score_takes_half_a_hundredth_upwards(
    half_points: int, games: int, percent: int
) -> None:
    assert percent_half_up(half_points, games) == percent


@given(st.integers(1, 400), st.data())
def test_a_fractional_score_is_the_nearest_hundredth(games: int, data: st.DataObject) -> None:
    half_points = data.draw(st.integers(0, 2 * games))
    error = Fraction(percent_half_up(half_points, games), 100) - Fraction(half_points, 2 * games)
    assert -Fraction(1, 200) < error <= Fraction(1, 200)
