"""The players of a period as columns: what the list shows and what the law remembers of them."""

from __future__ import annotations

from dataclasses import dataclass, fields
from datetime import date

import numpy as np

from arrocco.engine.columns import BoolColumn, IntColumn
from arrocco.ratinglist import UNKNOWN, RatingList

ASSUMED_GAMES = 30
"""Career games of a listed player whose list does not tell: enough not to be new."""


@dataclass
class Players:
    """One row a player, sorted by id.

    `k` is the K printed on the list that opens the period (`UNKNOWN`: derive it).
    `completed_games` counts rated games ever, those of the first rating included.
    `last_rated` is the number of the month of the last list with a rated game, 0 if none is known.
    `first_event` tells that no further event can be ignored as the first (FIDE 2024, 8.2.1).
    `stands_in` marks a rating borrowed from the standard list (FIDE rapid and blitz).
    """

    id: IntColumn
    rating: IntColumn
    k: IntColumn
    birth: IntColumn
    completed_games: IntColumn
    reached_2400: BoolColumn
    reached_2300: BoolColumn
    last_rated: IntColumn
    first_event: BoolColumn
    stands_in: BoolColumn
    affiliated: BoolColumn
    """Belongs to the IBCA, the ICSC or the IPCA (FIDE 2010, 7.14g)."""
    decimals: IntColumn
    """Hundredths behind the published rating, where a regulation carries them (UISP, II.3)."""

    def __len__(self) -> int:
        return len(self.id)

    def rows(self, ids: IntColumn) -> IntColumn:
        """The rows of these players; -1 for those not in the table."""
        if not len(self.id):
            return np.full(len(ids), -1, dtype=np.int64)
        index = np.minimum(np.searchsorted(self.id, ids), len(self.id) - 1)
        return np.where(self.id[index] == ids, index, -1)

    def with_new(self, ids: IntColumn, births: IntColumn) -> Players:
        """The table with unrated newcomers added (ids not yet in it), still sorted by id."""
        if not len(ids):
            return self
        added = unrated_players(ids, births)
        columns = {
            f.name: np.concatenate([getattr(self, f.name), getattr(added, f.name)])
            for f in fields(self)
        }
        if len(self.id) and ids[0] < self.id[-1]:  # mostly new numbers come after all others
            order = np.argsort(columns["id"], kind="stable")
            columns = {name: column[order] for name, column in columns.items()}
        return Players(**columns)

    def places_of(self, earlier: Players) -> IntColumn:
        """The rows here of the players of a table that this one was made from."""
        size = len(earlier)
        if size and self.id[size - 1] == earlier.id[-1]:  # nobody was put in between
            return np.arange(size, dtype=np.int64)
        return self.rows(earlier.id)


def month_number(day: date) -> int:
    """A month as one number, so that columns can hold it: months since the year 0."""
    return day.year * 12 + day.month - 1


def month_start(number: int) -> date:
    """The first day of a month given by its number."""
    return date(number // 12, number % 12 + 1, 1)


def unrated_players(ids: IntColumn, births: IntColumn) -> Players:
    """Rows for players no list has yet."""
    size = len(ids)
    zeros, false = np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.bool_)
    return Players(
        id=ids.astype(np.int64),
        rating=zeros,
        k=np.full(size, UNKNOWN, dtype=np.int64),
        birth=births.astype(np.int64),
        completed_games=zeros.copy(),
        reached_2400=false,
        reached_2300=false.copy(),
        last_rated=zeros.copy(),
        first_event=false.copy(),
        stands_in=false.copy(),
        affiliated=false.copy(),
        decimals=zeros.copy(),
    )


def players_of_list(listed: RatingList) -> Players:
    """The players of a published list, with what such a list lets us know.

    A list does not tell a player's past: whoever stands at 2400 or 2300 has reached it, and a rated
    player is taken to be past the first 30 games. Where the list prints K, K decides anyway.
    """
    rating = listed.rating.astype(np.int64)
    size = len(rating)
    return Players(
        id=listed.id.astype(np.int64),
        rating=rating,
        k=listed.k.astype(np.int64),
        birth=listed.birth.astype(np.int64),
        completed_games=np.where(rating > 0, ASSUMED_GAMES, 0).astype(np.int64),
        reached_2400=rating >= 2400,
        reached_2300=rating >= 2300,
        last_rated=np.zeros(size, dtype=np.int64),
        first_event=rating > 0,
        stands_in=np.zeros(size, dtype=np.bool_),
        affiliated=np.zeros(size, dtype=np.bool_),
        decimals=np.zeros(size, dtype=np.int64),
    )
