"""Expected against actual score by difference of rating: is the table still true?

A game is looked at from each side whose rating it changes, and always as the stronger player sees
it: the side of the weaker one is turned round. So a game rated for both counts as two sides.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from arrocco.engine.columns import COUNTED, IntColumn
from arrocco.engine.statistics.distribution import mean_hundredths
from arrocco.units import HUNDREDTHS_PER_HALF_POINT, HUNDREDTHS_PER_POINT, Hundredths

BAND = 50
"""Points of difference that are counted together: 0 to 49, 50 to 99 and so on."""
LAST_BAND = 16
"""From 800 points on, all together."""


@dataclass(frozen=True)
class Band:
    """The sides of games whose ratings lie so far apart, as the stronger player sees them."""

    low: int
    high: int | None
    """The largest difference of the band; `None` for the last one, which is open."""
    sides: int
    expected: Hundredths
    """The sum of what the table expects, each difference cut where the regulation cuts it."""
    half_points: int

    @property
    def actual(self) -> Hundredths:
        return Hundredths(HUNDREDTHS_PER_HALF_POINT * self.half_points)

    @property
    def surplus(self) -> Hundredths:
        """What the stronger scored beyond expectation."""
        return Hundredths(self.actual - self.expected)

    @property
    def mean_expected(self) -> Hundredths | None:
        """What is expected of a game, in per cent with two decimals: 6400 is 64.00 %."""
        return mean_hundredths(self.expected, self.sides)

    @property
    def mean_actual(self) -> Hundredths | None:
        """What a game brought, in per cent with two decimals."""
        return mean_hundredths(self.actual, self.sides)


@dataclass
class Scores:
    """Gathers sides of games, in pieces of any size."""

    sides: IntColumn = field(default_factory=lambda: np.zeros(LAST_BAND + 1, dtype=np.int64))
    expected: IntColumn = field(default_factory=lambda: np.zeros(LAST_BAND + 1, dtype=np.int64))
    half_points: IntColumn = field(default_factory=lambda: np.zeros(LAST_BAND + 1, dtype=np.int64))

    def add(
        self, difference: IntColumn, expected: IntColumn, half: IntColumn, exclusion: IntColumn
    ) -> None:
        """Takes in sides; those that are excluded do not count."""
        counted = exclusion == COUNTED
        difference, expected, half = difference[counted], expected[counted], half[counted]
        weaker = difference < 0
        expected = np.where(weaker, HUNDREDTHS_PER_POINT - expected, expected)
        half = np.where(weaker, 2 - half, half)
        band = np.minimum(np.abs(difference) // BAND, LAST_BAND)
        self.sides += np.bincount(band, minlength=LAST_BAND + 1)
        np.add.at(self.expected, band, expected)
        np.add.at(self.half_points, band, half)

    def merge(self, other: Scores) -> None:
        """Takes in what another one has gathered."""
        self.sides += other.sides
        self.expected += other.expected
        self.half_points += other.half_points

    def bands(self) -> tuple[Band, ...]:
        """Every band that has games."""
        return tuple(
            Band(
                BAND * i,
                None if i == LAST_BAND else BAND * (i + 1) - 1,
                int(self.sides[i]),
                Hundredths(int(self.expected[i])),
                int(self.half_points[i]),
            )
            for i in range(LAST_BAND + 1)
            if self.sides[i]
        )
