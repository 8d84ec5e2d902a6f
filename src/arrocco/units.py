"""Quantities as distinct types, so that points, hundredths and half points never mix.

Everything is an integer. A rating is in points as printed on a list; everything computed on the way
to a rating is in hundredths; a result is in half points. A number becomes text only here.
"""

from typing import NewType

Rating = NewType("Rating", int)
"""A rating as printed on a list, in points. An unrated player has `None`, never 0."""

Hundredths = NewType("Hundredths", int)
"""A hundredth of a point, of score (.76 is 76) or of rating (a change of -2.50 is -250)."""

HalfPoints = NewType("HalfPoints", int)
"""A game's result: 2 a win, 1 a draw, 0 a loss; also sums of results."""

HUNDREDTHS_PER_POINT = 100
HUNDREDTHS_PER_HALF_POINT = 50


def decimal(hundredths: int) -> str:
    """Writes hundredths as a plain decimal: -250 is ``-2.50``."""
    sign = "-" if hundredths < 0 else ""
    whole, part = divmod(abs(hundredths), 100)
    return f"{sign}{whole}.{part:02d}"


def signed(hundredths: int) -> str:
    """Writes a change with its sign: 37 is ``+0.37``, 0 is ``0.00``."""
    return f"+{decimal(hundredths)}" if hundredths > 0 else decimal(hundredths)


def points(half_points: int) -> str:
    """Writes half points as a decimal: 9 is ``4.5``."""
    whole, half = divmod(half_points, 2)
    return f"{whole}.{5 if half else 0}"


def parse_score(text: str) -> HalfPoints:
    """Reads the result of one game: ``1``, ``0.5``, ``0,5``, ``½``, ``=`` or ``0``.

    Raises `ValueError` for anything else: a game has no other results.
    """
    score = _SCORES.get(text.strip().replace(",", "."))
    if score is None:
        raise ValueError(f"{text!r} is not a result; write 1, 0.5 or 0")
    return HalfPoints(score)


_SCORES = {
    "1": 2,
    "1.0": 2,
    "1.00": 2,
    "0.5": 1,
    ".5": 1,
    "0.50": 1,
    "½": 1,
    "1/2": 1,
    "=": 1,
    "0": 0,
    "0.0": 0,
    "0.00": 0,
}
