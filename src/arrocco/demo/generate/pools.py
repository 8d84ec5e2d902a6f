"""Who can be drawn for a tournament: players at home, players who travel, players without a rating.

No player is in two pools, so that a field drawn from several of them has nobody twice.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arrocco.demo.generate.draws import Ints, Part, Rng, below, chance, order, ranges, stream
from arrocco.demo.generate.federation import CODES, Federation

_STRONG = 2300
"""From this rating on everybody travels."""


@dataclass
class Pool:
    """Rows of players in the order they are drawn by, and where each federation begins."""

    rows: Ints
    starts: Ints

    def draw(self, rng: Rng, counts: Ints, low: Ints, high: Ints) -> Ints:
        """So many different rows for each tournament, evenly from its window of places.

        The window is cut into as many pieces as players are wanted, and each piece gives one.
        """
        low, high = self._widened(counts, low, high)
        wanted = np.maximum(counts, 1)
        width = (high - low) // wanted
        low = low + below(rng, high - low - width * wanted + 1)
        piece = np.repeat(width, counts)
        places = np.repeat(low, counts) + ranges(counts) * piece + below(rng, piece)
        drawn: Ints = self.rows[places]
        return drawn

    def _widened(self, counts: Ints, low: Ints, high: Ints) -> tuple[Ints, Ints]:
        """Windows with room for all, moved inside the pool where they stick out."""
        size = np.maximum(high - low, counts)
        low = np.clip((low + high - size) // 2, 0, np.maximum(0, len(self.rows) - size))
        return low, np.minimum(low + size, len(self.rows))


@dataclass
class Pools:
    """The pools of a federation; `home` and `guests` hold the rated players by strength."""

    home: Pool
    guests: Pool
    unrated: Pool
    guest_ratings: Ints

    @property
    def rated(self) -> int:
        """How many can be drawn with a rating."""
        return len(self.home.rows)


def pools_of(federation: Federation) -> Pools:
    """Sorts the players into pools."""
    rng = stream(federation.seed, Part.POOLS)
    size, rating = len(federation), federation.ratings[0].astype(np.int64)
    plays = ~federation.inactive | chance(rng, size, 300)
    travels = chance(rng, size, 1000) | (rating >= _STRONG)
    code = federation.code.astype(np.int64)

    def pool(rows: Ints, by_federation: bool) -> Pool:
        home = code[rows] * by_federation
        rows = rows[order((home, len(CODES)), (rating[rows], 4000), (rows, size))]
        return Pool(rows, np.searchsorted(home, np.arange(len(CODES) + 1)))

    rated = plays & (rating > 0)
    guests = pool(np.flatnonzero(rated & travels), by_federation=False)
    return Pools(
        home=pool(np.flatnonzero(rated & ~travels), by_federation=True),
        guests=guests,
        unrated=pool(np.flatnonzero(rating == 0), by_federation=True),
        guest_ratings=rating[guests.rows],
    )
