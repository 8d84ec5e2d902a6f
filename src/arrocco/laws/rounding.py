"""Each rounding a regulation names, once. All of them take and return integers.

Arguments are a numerator and a denominator, so that nothing is rounded before its time.
"""


def half_away_from_zero(numerator: int, denominator: int) -> int:
    """To the nearest integer, a half away from zero: -2.50 becomes -3 (FIDE 2024, 8.3.4)."""
    magnitude = (2 * abs(numerator) + denominator) // (2 * denominator)
    return -magnitude if numerator < 0 else magnitude


def half_up(numerator: int, denominator: int) -> int:
    """To the nearest integer, a half upwards: -2.50 becomes -2 (FIDE 2010, 8.32 and 8.57)."""
    return (2 * numerator + denominator) // (2 * denominator)


def tenths_with_half_down(hundredths: int) -> int:
    """Hundredths to tenths: a second decimal of 1 to 5 is dropped, 6 to 9 adds a tenth.

    This is how RIO 15.1 and UISP II.1 round the expected points PA: 2.55 becomes 2.5, 2.56 becomes
    2.6. Expected points are never negative.
    """
    return (hundredths + 4) // 10


def percent_half_up(half_points: int, games: int) -> int:
    """A fractional score as hundredths, .005 upwards: 3 of 8 points is .375 and becomes .38."""
    return half_up(100 * half_points, 2 * games)
