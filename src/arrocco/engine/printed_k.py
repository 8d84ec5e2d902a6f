"""What a printed K tells about a player's past, and which line of the law it follows."""

from __future__ import annotations

from dataclasses import fields, replace
from datetime import date

import numpy as np

from arrocco.engine.columns import BoolColumn, IntColumn
from arrocco.engine.outcome import coefficients
from arrocco.engine.players import Players
from arrocco.laws.rating import RatingLaw
from arrocco.ratinglist import UNKNOWN

_PASTS: tuple[dict[str, int], ...] = (
    {"reached_2300": True},
    {"reached_2300": True, "reached_2400": True},
    {"completed_games": 0},
)
"""What a list does not tell and K depends on, the least remarkable first.

How many games a new player has is not told either: they are counted from the list on.
"""


def past_told_by_k(law: RatingLaw, players: Players, on: date) -> Players:
    """Players of a list from elsewhere, with the past without which their K would be another.

    Who is printed with the K of 2400 and stands lower has reached 2400 before, and so on.
    """
    if law.K_FROM_TOURNAMENT:
        return players
    players = replace(players, **{name: getattr(players, name).copy() for name in _columns()})
    for past in _PASTS:
        rows = np.flatnonzero((players.rating > 0) & _differs(law, players, on))
        if not len(rows):
            break
        supposed = _only(players, rows)
        for name, value in past.items():
            getattr(supposed, name)[:] = value
        agreeing = ~_differs(law, supposed, on)
        for name, value in past.items():
            getattr(players, name)[rows[agreeing]] = value
    return players


def k_left_to_law(law: RatingLaw, players: Players, on: date) -> Players:
    """Players without the printed K where the law derives the same: it then gives the reason."""
    if law.K_FROM_TOURNAMENT:
        return players
    return replace(players, k=np.where(_differs(law, players, on), players.k, UNKNOWN))


def _differs(law: RatingLaw, players: Players, on: date) -> BoolColumn:
    derived, _, _ = coefficients(law, replace(players, k=_same(UNKNOWN, len(players))), on)
    differs: BoolColumn = (players.k != UNKNOWN) & (players.k != derived)
    return differs


def _columns() -> set[str]:
    return {name for past in _PASTS for name in past}


def _only(players: Players, rows: IntColumn) -> Players:
    return Players(**{f.name: getattr(players, f.name)[rows] for f in fields(players)})


def _same(value: int, size: int) -> IntColumn:
    return np.full(size, value, dtype=np.int64)
