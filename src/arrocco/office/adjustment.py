"""The one-off adjustment of a list: an act by which a regulation moves all ratings of a list."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from arrocco.engine.columns import IntColumn, apply_rule
from arrocco.laws.rating import RatingLaw
from arrocco.office.opening import Opening


class AdjustedRatings(NamedTuple):
    """Whose rating an adjustment moved, sorted by number, and from what to what."""

    player: IntColumn
    before: IntColumn
    after: IntColumn

    @property
    def points(self) -> int:
        return int((self.after - self.before).sum())


def adjusted_column(law: RatingLaw, ratings: IntColumn) -> IntColumn:
    """Ratings as the law's adjustment leaves them; 0 is nobody's."""
    adjusted = ratings.astype(np.int64)
    rated = np.flatnonzero(adjusted > 0)
    adjusted[rated] = apply_rule(law.adjusted_rating, adjusted[rated])
    return adjusted


def with_adjustment(opening: Opening, law: RatingLaw) -> tuple[Opening, AdjustedRatings]:
    """An opening list adjusted: what the own change starts from, and what opponents find."""
    made = opening.copy()
    players, listed = made.players, made.listed
    before = players.rating.copy()
    players.rating = adjusted_column(law, before)
    listed.rating = adjusted_column(law, listed.rating.astype(np.int64)).astype(np.int32)
    rows = np.flatnonzero(players.rating != before)
    return made, AdjustedRatings(players.id[rows], before[rows], players.rating[rows])
