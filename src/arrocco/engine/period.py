"""The law's step for each player: sums of a period in, the next list's ratings out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np

from arrocco.engine.columns import (
    BoolColumn,
    Entries,
    Games,
    IntColumn,
    Tournament,
    apply_rule,
    sum_by,
)
from arrocco.engine.first_ratings import FirstRatings, Newcomers
from arrocco.engine.kernel import EntrySums, Sides, look_at_both_sides
from arrocco.engine.players import Players, month_number
from arrocco.engine.pools import Pools
from arrocco.laws.rating import Coefficient, RatingLaw
from arrocco.ratinglist import UNKNOWN, birth_from_number

GIVEN = "given"
"""The reason of a K that the list prints, rather than one derived from the player's past."""

BY_TOURNAMENT = "by_tournament"
"""The reason where players have no K of their own."""


@dataclass
class Period:
    """Everything that one run computed, by game side, by entry and by player.

    The columns of `players` describe the list that opens the period; `new_rating` is on the next
    one (0: not rated there). Expected scores, deltas and variations are in hundredths.
    """

    law: RatingLaw
    list_date: date
    tournaments: Sequence[Tournament]
    entries: Entries
    games_played: Games
    sides: Sides
    sums: EntrySums
    expected_points: IntColumn
    """By entry: PA after the regulation's rounding, where it has one."""
    entry_variation: IntColumn
    players: Players
    games: IntColumn
    half: IntColumn
    expected: IntColumn
    k: IntColumn
    k_reasons: list[str]
    k_reason: IntColumn
    """By player: index into `k_reasons`."""
    k_applied: IntColumn
    variation: IntColumn
    new_rating: IntColumn
    delisted: BoolColumn
    first_ratings: FirstRatings
    pools: Pools
    rounded_rating: IntColumn
    """By player: the rating after the change, before the floor is looked at."""

    @property
    def rounds(self) -> IntColumn:
        """By side of a game: its round."""
        return np.concatenate([self.games_played.round, self.games_played.round])

    @property
    def shown(self) -> IntColumn:
        """By side of a game: the rating the opponent counts with, 0 unrated."""
        return self.sides.against

    @property
    def change(self) -> IntColumn:
        """By player: the change of the rating; 0 for those without one before."""
        return self.rounded_rating - self.players.rating


def rate_period(
    law: RatingLaw,
    list_date: date,
    tournaments: Sequence[Tournament],
    players: Players,
    entries: Entries,
    games: Games,
    pools: Pools,
    *,
    opened_on: date,
) -> Period:
    """Rates one period: the tournaments given, for the list dated `list_date`.

    `opened_on` is the date of the list that opens the period: K looks at the players as of then.
    """
    sides = _sides_by_law(tournaments, entries, games)
    newcomers = Newcomers(law, list_date, tournaments, players, entries, games, sides, pools)
    first, sums = newcomers.rate()
    expected_points = _expected_points(tournaments, entries, sums)
    delta = 50 * sums.half - expected_points
    size = len(players)
    n = sum_by(entries.player, sums.games, size)
    k, reasons, reason = coefficients(law, players, opened_on)
    k_applied = apply_rule(law.applied_coefficient, k, n)
    entry_k = k_applied[entries.player]
    if law.K_FROM_TOURNAMENT:
        entry_k = np.array([t.k or 0 for t in tournaments], dtype=np.int64)[entries.tournament]
    entry_variation = entry_k * delta
    variation = sum_by(entries.player, entry_variation, size)
    rounded = apply_rule(law.new_rating, players.rating, variation + players.decimals)
    rated = players.rating > 0
    rounded = np.where(rated, rounded, 0)
    delisted = rated & apply_rule(law.is_delisted, rounded).astype(np.bool_)
    new_rating = np.where(delisted | (players.stands_in & (n == 0)), 0, rounded)
    for row, rating in first.published.items():
        new_rating[row] = rating
    return Period(
        law=law,
        list_date=list_date,
        tournaments=tournaments,
        entries=entries,
        games_played=games,
        sides=sides,
        sums=sums,
        expected_points=expected_points,
        entry_variation=entry_variation,
        players=players,
        games=n,
        half=sum_by(entries.player, sums.half, size),
        expected=sum_by(entries.player, expected_points, size),
        k=k,
        k_reasons=reasons,
        k_reason=reason,
        k_applied=k_applied,
        variation=variation,
        new_rating=new_rating,
        delisted=delisted,
        first_ratings=first,
        pools=first.pools,
        rounded_rating=rounded,
    )


def _sides_by_law(tournaments: Sequence[Tournament], entries: Entries, games: Games) -> Sides:
    """Both sides of all games, each under the edition of its own tournament."""
    laws = list(dict.fromkeys(t.law for t in tournaments))
    if len(laws) == 1:
        return look_at_both_sides(laws[0], entries, games)
    law_of = np.array([laws.index(t.law) for t in tournaments], dtype=np.int64)
    law_of_side = np.tile(law_of[entries.tournament[games.white]], 2)
    looked = [look_at_both_sides(law, entries, games) for law in laws]
    merged = looked[0] if looked else look_at_both_sides_of_nothing()
    for index, sides in enumerate(looked):
        mine = law_of_side == index
        for name in ("exclusion", "counted_difference", "expected"):
            getattr(merged, name)[mine] = getattr(sides, name)[mine]
    return merged


def look_at_both_sides_of_nothing() -> Sides:
    """The sides of a period without games."""
    empty, byte = np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int8)
    return Sides(empty, empty, byte, byte, empty, empty, empty, empty)


def _expected_points(
    tournaments: Sequence[Tournament], entries: Entries, sums: EntrySums
) -> IntColumn:
    """By entry: the expected points of the tournament, rounded where its regulation rounds them."""
    result = sums.expected.copy()
    for law in dict.fromkeys(t.law for t in tournaments):
        here = np.array([t.law == law for t in tournaments], dtype=np.bool_)[entries.tournament]
        result[here] = apply_rule(law.expected_points, sums.expected[here])
    return result


def coefficients(
    law: RatingLaw, players: Players, on: date
) -> tuple[IntColumn, list[str], IntColumn]:
    """By player: K as the list prints it, otherwise as the law derives it; with the reason."""
    if law.K_FROM_TOURNAMENT:
        nothing = np.zeros(len(players), dtype=np.int64)
        return nothing, [BY_TOURNAMENT], nothing
    lines: dict[Coefficient, int] = {}

    def line(games: int, reached_2400: bool, reached_2300: bool, junior: bool) -> int:
        found = law.k_line(games, reached_2400, reached_2300, junior)
        return lines.setdefault(found, len(lines))

    junior = apply_rule(lambda packed: law.is_junior(birth_from_number(packed), on), players.birth)
    index = apply_rule(
        line,
        players.completed_games,
        players.reached_2400,
        players.reached_2300,
        junior.astype(bool),
    )
    derived = np.array([found.k for found in lines], dtype=np.int64)
    given = players.k != UNKNOWN
    k = np.where(given, players.k, derived[index] if len(lines) else 0)
    reasons = [*(found.reason for found in lines), GIVEN]
    return k, reasons, np.where(given, len(lines), index)


def players_after(period: Period) -> Players:
    """The players as the next list opens its period: ratings, games, what the law remembers."""
    before, month = period.players, month_number(period.list_date)
    rating = period.new_rating
    completed = before.completed_games + np.where(before.rating > 0, period.games, 0)
    last_rated = np.where(period.games > 0, month, before.last_rated)
    was_rated = (before.rating > 0) & ~(before.stands_in & (period.games == 0))
    first_event = before.first_event | was_rated | (rating > 0)
    for row in period.first_ratings.published:
        completed[row] += period.first_ratings.by_row[row].rating.games
    for row in period.first_ratings.played:
        last_rated[row] = month
    for row in period.first_ratings.past_first_event:
        first_event[row] = True
    exact = 100 * before.rating + before.decimals + period.variation
    carried = exact - 100 * rating if period.law.carries_decimals else np.zeros_like(rating)
    return Players(
        id=before.id,
        rating=rating,
        k=np.full(len(before), UNKNOWN, dtype=np.int64),
        birth=before.birth,
        completed_games=completed,
        reached_2400=before.reached_2400 | (rating >= 2400),
        reached_2300=before.reached_2300 | (rating >= 2300),
        last_rated=last_rated,
        first_event=first_event,
        stands_in=np.zeros(len(before), dtype=np.bool_),
        affiliated=before.affiliated,
        decimals=np.where(rating > 0, carried, 0),
    )
