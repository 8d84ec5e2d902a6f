"""The law's step for each player: totals of a period in, the next list's ratings out.

Totals are sums of integers, so they can be gathered in any order, from any number of batches, on
any number of machines, and come to the same list.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

import numpy as np

from arrocco.engine.columns import BoolColumn, IntColumn, apply_rule
from arrocco.engine.first_ratings import FirstRatings
from arrocco.engine.players import Players, month_number
from arrocco.engine.pools import Pools
from arrocco.laws.rating import Coefficient, RatingLaw
from arrocco.records.ratinglist import UNKNOWN, birth_from_number

GIVEN = "given"
"""The reason of a K that the list prints, rather than one derived from the player's past."""
BY_TOURNAMENT = "by_tournament"
"""The reason where players have no K of their own."""


@dataclass
class Totals:
    """By player: what all rated games of the period add up to, in half points and hundredths."""

    games: IntColumn
    half: IntColumn
    expected: IntColumn
    """The expected points of all tournaments, each rounded where its regulation rounds it."""
    variation: IntColumn
    """The variations of tournaments that have a K of their own; otherwise zero."""

    @classmethod
    def zero(cls, players: int) -> Totals:
        return cls(*(np.zeros(players, dtype=np.int64) for _ in range(4)))

    @property
    def delta(self) -> IntColumn:
        return 50 * self.half - self.expected


@dataclass
class Outcome:
    """What a period makes of every player.

    The columns of `players` describe the list that opens the period; `new_rating` is on the next
    one (0: not rated there). Variations are in hundredths.
    """

    law: RatingLaw
    list_date: date
    opened_on: date
    players: Players
    totals: Totals
    k: IntColumn
    k_reasons: list[str]
    k_reason: IntColumn
    """By player: index into `k_reasons`."""
    k_applied: IntColumn
    variation: IntColumn
    rounded_rating: IntColumn
    """By player: the rating after the change, before the floor is looked at; 0 if unrated."""
    new_rating: IntColumn
    delisted: BoolColumn
    first_ratings: FirstRatings

    @property
    def pools(self) -> Pools:
        """The pools that the next list opens with."""
        return self.first_ratings.pools

    @property
    def change(self) -> IntColumn:
        """By player: the change of the rating; 0 for those without one before."""
        return self.rounded_rating - self.players.rating


def settle_period(
    law: RatingLaw,
    list_date: date,
    opened_on: date,
    players: Players,
    totals: Totals,
    first: FirstRatings,
    entered: BoolColumn | None = None,
) -> Outcome:
    """Takes the law's step for every player.

    `opened_on` is the date of the list that opens the period: K looks at the players as of then.
    Who `entered` keeps a borrowed rating also with no game that counts (UISP, I.1).
    """
    k, reasons, reason = coefficients(law, players, opened_on)
    played = np.flatnonzero(totals.games > 0)
    k_applied = k.copy()
    k_applied[played] = apply_rule(law.applied_coefficient, k[played], totals.games[played])
    variation = totals.variation if law.K_FROM_TOURNAMENT else k_applied * totals.delta
    rated = players.rating > 0
    moved = rated & ((variation != 0) | (players.decimals != 0))
    rounded = players.rating.copy()
    rounded[moved] = apply_rule(
        law.new_rating, players.rating[moved], variation[moved] + players.decimals[moved]
    )
    delisted = np.zeros(len(players), dtype=np.bool_)
    delisted[rated] = apply_rule(law.is_delisted, rounded[rated])
    borrowed = players.stands_in & (totals.games == 0)
    if entered is not None:
        borrowed &= ~entered
    new_rating = np.where(delisted | borrowed, 0, rounded)
    if first.published:
        new_rating[list(first.published)] = list(first.published.values())
    return Outcome(
        law=law,
        list_date=list_date,
        opened_on=opened_on,
        players=players,
        totals=totals,
        k=k,
        k_reasons=reasons,
        k_reason=reason,
        k_applied=k_applied,
        variation=variation,
        rounded_rating=rounded,
        new_rating=new_rating,
        delisted=delisted,
        first_ratings=first,
    )


def of_first_players(outcome: Outcome, count: int) -> Outcome:
    """The outcome for the first so many players only, as if there were no others."""
    if count == len(outcome.players):
        return outcome
    first, ids = outcome.first_ratings, set(outcome.players.id[:count].tolist())
    columns: dict[str, Any] = {
        name: value[:count]
        for name, value in vars(outcome).items()
        if isinstance(value, np.ndarray)
    }
    return replace(
        outcome,
        players=Players(**{name: column[:count] for name, column in vars(outcome.players).items()}),
        totals=Totals(**{name: column[:count] for name, column in vars(outcome.totals).items()}),
        first_ratings=replace(
            first,
            by_row={row: rating for row, rating in first.by_row.items() if row < count},
            published={row: rating for row, rating in first.published.items() if row < count},
            past_first_event={row for row in first.past_first_event if row < count},
            played={row for row in first.played if row < count},
            ignored_results={at: why for at, why in first.ignored_results.items() if at[0] < count},
            games_of_period=Counter(
                {row: games for row, games in first.games_of_period.items() if row < count}
            ),
            pools=Pools({id_: t for id_, t in first.pools.tranches.items() if id_ in ids}),
        ),
        **columns,
    )


def coefficients(
    law: RatingLaw, players: Players, on: date
) -> tuple[IntColumn, list[str], IntColumn]:
    """By player: K as the list prints it, otherwise as the law derives it; with the reason.

    Players without a rating have no K.
    """
    k = np.zeros(len(players), dtype=np.int64)
    reason = np.zeros(len(players), dtype=np.int64)
    if law.K_FROM_TOURNAMENT:
        return k, [BY_TOURNAMENT], reason
    lines: dict[Coefficient, int] = {}

    def line(games: int, highest: int, junior: bool, rating: int | None = None) -> int:
        coefficient = law.k_line(games, highest, junior, rating)
        return lines.setdefault(coefficient, len(lines))

    rows = np.flatnonzero(players.rating > 0)
    columns = [
        players.completed_games[rows],
        _reached(law, players.highest_published[rows]),
        _juniors(law, players.birth[rows], on),
    ]
    if law.k_asks_rating:
        columns.append(_reached(law, players.rating[rows]))
    index = apply_rule(line, *columns)
    derived = np.array([found.k for found in lines], dtype=np.int64)
    given = players.k[rows] != UNKNOWN
    k[rows] = np.where(given, players.k[rows], derived[index])
    reason[rows] = np.where(given, len(lines), index)
    return k, [*(found.reason for found in lines), GIVEN], reason


def _reached(law: RatingLaw, highest: IntColumn) -> IntColumn:
    """The highest of the ratings that K depends on which each player has reached; 0 if none.

    Players at the same line share one question to the law: a list has few lines and many ratings.
    """
    ratings = np.array([0, *law.k_ratings()], dtype=np.int64)
    return ratings[np.searchsorted(ratings, highest, side="right") - 1]


def _juniors(law: RatingLaw, births: IntColumn, on: date) -> BoolColumn:
    juniors = np.zeros(len(births), dtype=np.bool_)
    known = births > 0
    juniors[known] = apply_rule(
        lambda packed: law.is_junior(birth_from_number(packed), on), births[known]
    )
    return juniors


def players_after(outcome: Outcome) -> Players:
    """The players as the next list opens its period: ratings, games, what the law remembers.

    K is left to be derived from it: see `coefficients`.
    """
    before, games = outcome.players, outcome.totals.games
    month, rating = month_number(outcome.list_date), outcome.new_rating
    completed = before.completed_games + np.where(before.rating > 0, games, 0)
    last_rated = np.where(games > 0, month, before.last_rated)
    was_rated = (before.rating > 0) & ~(before.stands_in & (games == 0))
    first_event = before.first_event | was_rated | (rating > 0)
    first = outcome.first_ratings
    for row in first.published:
        completed[row] += first.by_row[row].rating.games
    last_rated[list(first.played)] = month
    first_event[list(first.past_first_event)] = True
    if outcome.law.reentry_is_as_new():
        completed[outcome.delisted] = 0
        first_event[outcome.delisted] = False
    exact = 100 * before.rating + before.decimals + outcome.variation
    carried = exact - 100 * rating if outcome.law.carries_decimals else np.zeros_like(rating)
    return Players(
        id=before.id,
        rating=rating,
        k=np.full(len(before), UNKNOWN, dtype=np.int64),
        birth=before.birth,
        completed_games=completed,
        highest_published=np.maximum(before.highest_published, rating),
        last_rated=last_rated,
        first_event=first_event,
        stands_in=np.zeros(len(before), dtype=np.bool_),
        affiliated=before.affiliated,
        decimals=np.where(rating > 0, carried, 0),
    )
