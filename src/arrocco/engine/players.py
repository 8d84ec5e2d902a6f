"""The players of a period as columns: what the list shows and what the law remembers of them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, fields, replace
from datetime import date

import numpy as np

from arrocco.engine.columns import BoolColumn, IntColumn, rows_of_ids
from arrocco.laws.rating import RatingLaw
from arrocco.records.ratinglist import UNKNOWN, RatingList

ASSUMED_GAMES = 30
"""Career games of a listed player whose list does not tell, as folders of lists keep them."""


def assumed_games(law: RatingLaw) -> int:
    """The same under a law: enough not to be new to the list."""
    return max(ASSUMED_GAMES, law.games_not_new())


@dataclass
class Players:
    """One row a player, sorted by id.

    `k` is the K printed on the list that opens the period (`UNKNOWN`: derive it).
    `completed_games` counts rated games ever, those of the first rating included.
    `highest_published` is the highest rating a list has shown, which K may depend on; 0 if none.
    `last_rated` is the number of the month of the last list with a rated game, 0 if none is known.
    `first_event` tells that no further event can be ignored as the first (FIDE 2024, 8.2.1).
    `stands_in` marks a rating borrowed from the standard list (FIDE rapid and blitz).
    """

    id: IntColumn
    rating: IntColumn
    k: IntColumn
    birth: IntColumn
    completed_games: IntColumn
    highest_published: IntColumn
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
        return rows_of_ids(self.id, ids)

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

    def with_affiliated(self, ids: Collection[int]) -> Players:
        """The table with these players among the affiliated, as far as they are in it."""
        if not ids:
            return self
        return replace(self, affiliated=self.affiliated | np.isin(self.id, list(ids)))

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
        highest_published=zeros.copy(),
        last_rated=zeros.copy(),
        first_event=false,
        stands_in=false.copy(),
        affiliated=false.copy(),
        decimals=zeros.copy(),
    )


def players_of_list(listed: RatingList) -> Players:
    """The players of a published list, with what such a list lets us know.

    A list does not tell a player's past: the highest rating is the one it shows, and a rated player
    is taken to be past the first games. Where the list prints K, K decides anyway.
    """
    rating = listed.rating.astype(np.int64)
    size = len(rating)
    return Players(
        id=listed.id.astype(np.int64),
        rating=rating,
        k=listed.k.astype(np.int64),
        birth=listed.birth.astype(np.int64),
        completed_games=np.where(rating > 0, np.int64(ASSUMED_GAMES), np.int64(0)),
        highest_published=rating.copy(),
        last_rated=np.zeros(size, dtype=np.int64),
        first_event=rating > 0,
        stands_in=np.zeros(size, dtype=np.bool_),
        affiliated=np.zeros(size, dtype=np.bool_),
        decimals=np.zeros(size, dtype=np.int64),
    )
