"""The power of a screen: the chance that a figure stands out where moves are a helper's.

It is computed from counts, of honest players and of a helper, that rest on so many decisions of so
few players. How far they may be off is taken into the chance and told as its interval.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import sqrt
from statistics import NormalDist
from typing import NamedTuple

from msgspec import Struct

from arrocco.fairplay.cells import Expected
from arrocco.fairplay.intervals import OUTSIDE
from arrocco.fairplay.spread import Dispersion, Known

HELP = (0.3, 0.5, 1.0)
"""Shares of moves with help for which the power of the screen is told."""
_NORMAL = NormalDist()
_Z = _NORMAL.inv_cdf(1 - 1 / OUTSIDE)


class Power(Struct, frozen=True, kw_only=True):
    """The chance to stand out at a share of help, and between what it lies 95 times in 100."""

    chance: float
    low: float
    high: float


class Counted(NamedTuple):
    """One side of a mixture: what is expected at each decision, and how its players differ."""

    each: Sequence[Expected]
    spread: Dispersion
    known: Known

    @property
    def mean(self) -> float:
        return sum(expected.mean for expected in self.each)

    @property
    def chance(self) -> float:
        return sum(expected.variance for expected in self.each)

    def doubt(self) -> float:
        """The variance with which the sum of the expected is known.

        Decisions of one difficulty have their expectation from the same counts, so that they are
        off together; the counts are as uncertain as their players differ.
        """
        met = Counter(self.each)
        single = sum(
            number**2 * expected.variance / max(1, expected.counted)
            for expected, number in met.items()
        )
        return single * self.known.dispersion

    def spread_doubt(self) -> float:
        """The deviation with which the variance between players is known, over these decisions.

        A variance that was measured from some players is known to the root of two by their number;
        what it is over more decisions than theirs is known that much less.
        """
        if not self.known.players:
            return 0.0
        error = self.known.dispersion * sqrt(2 / self.known.players)
        return self.chance * error * len(self.each) / max(1.0, self.known.decisions)


def power_of(
    honest: Counted, helped: Counted, limit: float, *, less_is_better: bool
) -> tuple[Power, ...]:
    """The chance at each share of help; both sides are told decision by decision.

    A move is the player's own or the helper's by lot. Players differ among themselves beyond
    chance, and the less of the play is theirs the less of that is left: of a leaning that is in
    every move as much as there are own moves, of its variance the square of that.
    """
    sign = -1 if less_is_better else 1
    bar = limit * honest.spread.deviation * sqrt(honest.chance)
    powers: list[Power] = []
    for share in HELP:
        own = 1 - share
        mixed = [
            _mixed(one, other, share) for one, other in zip(honest.each, helped.each, strict=True)
        ]
        shift = sign * (sum(expected.mean for expected in mixed) - honest.mean)
        within = 1 + own * (honest.spread.within - 1) + share * (helped.spread.within - 1)
        variance = (
            within * sum(expected.variance for expected in mixed)
            + own**2 * honest.spread.between * honest.chance
            + share**2 * helped.spread.between * helped.chance
        )
        if variance <= 0:
            sure = float(shift > bar)
            powers.append(Power(chance=sure, low=sure, high=sure))
            continue
        mean_doubt = own**2 * honest.doubt() + share**2 * helped.doubt()
        spread_doubt = own**4 * honest.spread_doubt() ** 2 + share**4 * helped.spread_doubt() ** 2
        beyond = (shift - bar) / sqrt(variance)
        # To first order in what is not known: where the mean lies, and how wide the figure spreads.
        doubt = sqrt(mean_doubt / variance + (beyond / 2) ** 2 * spread_doubt / variance**2)
        powers.append(
            Power(
                chance=_NORMAL.cdf(beyond / sqrt(1 + doubt**2)),
                low=_NORMAL.cdf(beyond - _Z * doubt),
                high=_NORMAL.cdf(beyond + _Z * doubt),
            )
        )
    return tuple(powers)


def _mixed(own: Expected, other: Expected, share: float) -> Expected:
    mean = (1 - share) * own.mean + share * other.mean
    squares = (1 - share) * (own.variance + own.mean**2) + share * (other.variance + other.mean**2)
    return Expected(mean, max(0.0, squares - mean**2))
