"""The two tables of 8.1, typed again as bounds and columns, and the roundings in fractions."""

from __future__ import annotations

from fractions import Fraction

HALF = Fraction(1, 2)

# The last difference of each row: the first row is .50, each next one .01 more.
# fmt: off
LAST_DIFFERENCES = (
    3, 10, 17, 25, 32, 39, 46, 53, 61, 68, 76, 83, 91,
    98, 106, 113, 121, 129, 137, 145, 153, 162, 170, 179, 188, 197,
    206, 215, 225, 235, 245, 256, 267, 278, 290, 302, 315, 328, 344,
    357, 374, 391, 411, 432, 456, 484, 517, 559, 619, 735,
)
# fmt: on

# dp for p = 1.00, .99, .98 ... .00, a line for each printed column.
# fmt: off
DP_DOWNWARDS = (
    800, 677, 589, 538, 501, 470, 444, 422, 401, 383, 366, 351, 336, 322, 309, 296, 284,
    273, 262, 251, 240, 230, 220, 211, 202, 193, 184, 175, 166, 158, 149, 141, 133, 125,
    117, 110, 102, 95, 87, 80, 72, 65, 57, 50, 43, 36, 29, 21, 14, 7, 0,
    -7, -14, -21, -29, -36, -43, -50, -57, -65, -72, -80, -87, -95, -102, -110, -117, -125,
    -133, -141, -149, -158, -166, -175, -184, -193, -202, -211, -220, -230, -240, -251, -262, -273,
    -284, -296, -309, -322, -336, -351, -366, -383, -401, -422, -444, -470, -501, -538, -589, -677,
    -800,
)
# fmt: on


def higher_percent(difference: int) -> int:
    """The percentage of the higher-rated player at a difference of 0 or more."""
    percent = 50
    for last in LAST_DIFFERENCES:
        if difference <= last:
            return percent
        percent += 1
    return 100


HIGHER_PERCENT = tuple(higher_percent(difference) for difference in range(737))
PERCENTS = tuple(Fraction(percent, 100) for percent in range(101))


def expected_score(own: int, against: int, cap: int | None) -> tuple[int, Fraction]:
    """The difference as counted (signed) and the expected score; no `cap`: the full table."""
    difference = own - against
    size = abs(difference) if cap is None else min(abs(difference), cap)
    percent = HIGHER_PERCENT[min(size, 736)]
    if difference < 0:
        return -size, PERCENTS[100 - percent]
    return size, PERCENTS[percent]


def dp_of(p: int) -> int:
    """The rating difference for a fraction of points in hundredths."""
    return DP_DOWNWARDS[100 - p]


def half_up(value: Fraction) -> int:
    """To the nearest integer, a half to the one above."""
    return (value + HALF).__floor__()


def half_away_from_zero(value: Fraction) -> int:
    """To the nearest integer, a half to the one further from zero."""
    return half_up(value) if value >= 0 else -half_up(-value)


def tenths_half_down(value: Fraction) -> Fraction:
    """PA: a second decimal of 1 to 5 falls, of 6 to 9 makes the first one rise.

    >>> tenths_half_down(Fraction(255, 100)), tenths_half_down(Fraction(256, 100))
    (Fraction(5, 2), Fraction(13, 5))
    """
    hundredths = value * 100
    assert hundredths.denominator == 1
    tenths, second = divmod(hundredths.numerator, 10)
    return Fraction(tenths + 1 if second >= 6 else tenths, 10)
