"""The stored calculations of one list in figures: K, the limit on it, games, first ratings."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arrocco.engine.columns import BoolColumn, IntColumn
from arrocco.engine.statistics.distribution import Distribution, distribution

GAME_GROUPS: tuple[tuple[int, int | None], ...] = (
    (1, 1),
    (2, 4),
    (5, 9),
    (10, 14),
    (15, 19),
    (20, 29),
    (30, None),
)
"""Numbers of games that are counted together."""


@dataclass(frozen=True)
class Coefficients:
    """One K: how many players it changed, with how many games, and for how many it was limited.

    Where K belongs to tournaments, `players` counts a player once for each tournament.
    """

    k: int
    players: int
    games: int
    limited: int


@dataclass(frozen=True)
class CalculationStatistics:
    """What a period computed, in figures."""

    played: int
    """Rated players with games that count."""
    coefficients: tuple[Coefficients, ...]
    """The highest K first."""
    games: Distribution
    """Games that count, of those who played."""
    game_groups: tuple[tuple[int, int | None, int], ...]
    """Bounds of each of `GAME_GROUPS` and how many players have so many games."""
    first_ratings: Distribution
    """First ratings that were published."""
    in_the_making: int
    """Players with results towards a first rating that is not published."""
    gained: int
    lost: int

    @property
    def limited(self) -> int:
        return sum(line.limited for line in self.coefficients)


def calculation_statistics(
    *,
    rating: IntColumn,
    games: IntColumn,
    k: IntColumn,
    k_applied: IntColumn,
    change: IntColumn,
    first_rating: IntColumn,
    first_published: BoolColumn,
    entry_k: IntColumn | None = None,
    entry_games: IntColumn | None = None,
) -> CalculationStatistics:
    """Counts the rows of players; a rating of 0 is none.

    `entry_k` and `entry_games` are the K of the tournament and the games of each entry, where K
    belongs to tournaments.
    """
    played = (rating > 0) & (games > 0)
    if entry_k is None or entry_games is None:
        lines = _lines(k[played], games[played], k_applied[played] < k[played])
    else:
        counted = entry_games > 0
        never = np.zeros(int(counted.sum()), dtype=np.bool_)
        lines = _lines(entry_k[counted], entry_games[counted], never)
    moved = change[played]
    return CalculationStatistics(
        played=int(played.sum()),
        coefficients=lines,
        games=distribution(games[played]),
        game_groups=grouped_games(games[played]),
        first_ratings=distribution(first_rating[first_published]),
        in_the_making=int(((first_rating > 0) & ~first_published).sum()),
        gained=int(moved[moved > 0].sum()),
        lost=int(moved[moved < 0].sum()),
    )


def _lines(k: IntColumn, games: IntColumn, limited: BoolColumn) -> tuple[Coefficients, ...]:
    return tuple(
        Coefficients(
            value,
            int((k == value).sum()),
            int(games[k == value].sum()),
            int(limited[k == value].sum()),
        )
        for value in np.unique(k).tolist()[::-1]
    )


def grouped_games(games: IntColumn) -> tuple[tuple[int, int | None, int], ...]:
    """How many players have so many games, group by group."""
    most = int(games.max(initial=0))
    return tuple(
        (low, high, int(((games >= low) & (games <= (most if high is None else high))).sum()))
        for low, high in GAME_GROUPS
    )
