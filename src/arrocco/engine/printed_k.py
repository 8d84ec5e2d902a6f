"""What a printed K tells about a player's past, and which line of the law it follows."""

from __future__ import annotations

from dataclasses import fields, replace
from datetime import date

import numpy as np

from arrocco.engine.columns import BoolColumn, IntColumn
from arrocco.engine.outcome import coefficients
from arrocco.engine.players import Players, assumed_games
from arrocco.laws.rating import RatingLaw
from arrocco.records.ratinglist import UNKNOWN


def past_told_by_k(law: RatingLaw, players: Players, on: date) -> Players:
    """Players of a list from elsewhere, with the past without which their K would be another.

    Who is printed with the lowest K and stands lower has reached its rating before, and so on; the
    least remarkable past is tried first. How many games a new player has is not told either: they
    are counted from the list on.
    """
    if law.K_FROM_TOURNAMENT:
        return players
    is_rated = players.rating > 0
    games = np.where(is_rated, assumed_games(law), players.completed_games)
    players = replace(players, completed_games=games)
    rows = np.flatnonzero(is_rated & _differs(law, players, on))
    few = _only(players, rows)
    for rating in law.k_ratings():
        reached = np.maximum(few.highest_published, rating)
        few = _where_k_agrees(law, few, replace(few, highest_published=reached), on)
    new = replace(few, completed_games=_same(0, len(few)))
    return _with_past(players, rows, _where_k_agrees(law, few, new, on))


def _where_k_agrees(law: RatingLaw, players: Players, supposed: Players, on: date) -> Players:
    """Players with a supposed past where the printed K needs it and follows from it."""
    rows = np.flatnonzero(_differs(law, players, on))
    rows = rows[~_differs(law, _only(supposed, rows), on)]
    return _with_past(players, rows, _only(supposed, rows))


def _with_past(players: Players, rows: IntColumn, supposed: Players) -> Players:
    columns = {
        name: getattr(players, name).copy() for name in ("completed_games", "highest_published")
    }
    for name, column in columns.items():
        column[rows] = getattr(supposed, name)
    return replace(players, **columns)


def k_left_to_law(law: RatingLaw, players: Players, on: date) -> Players:
    """Players without the printed K where the law derives the same: it then gives the reason."""
    if law.K_FROM_TOURNAMENT:
        return players
    return replace(players, k=np.where(_differs(law, players, on), players.k, UNKNOWN))


def _differs(law: RatingLaw, players: Players, on: date) -> BoolColumn:
    """Whose printed K is not the one that the law derives; most of a list has no K at all."""
    differs = np.zeros(len(players), dtype=np.bool_)
    rows = np.flatnonzero(players.k != UNKNOWN)
    printed = _only(players, rows)
    derived, _, _ = coefficients(law, replace(printed, k=_same(UNKNOWN, len(rows))), on)
    differs[rows] = printed.k != derived
    return differs


def _only(players: Players, rows: IntColumn) -> Players:
    return Players(**{f.name: getattr(players, f.name)[rows] for f in fields(players)})


def _same(value: int, size: int) -> IntColumn:
    return np.full(size, value, dtype=np.int64)
