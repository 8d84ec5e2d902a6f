"""Unusual changes on a draft: what somebody should look at before a list is published.

Nothing here is against a rule. Each kind is a small function over the tables that a period keeps
(see `arrocco.store.calculations`), with a threshold that has a name; integers throughout.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from arrocco.engine.columns import COUNTED, IntColumn, sum_by
from arrocco.records.report import System
from arrocco.units import decimal

if TYPE_CHECKING:
    import pyarrow as pa

JUMP_IN_K = 4
"""A change of this many K: four games won that were to be lost."""
JUMP_IN_POINTS = 100
"""The same where players have no K of their own."""
GAIN_PER_ENTRY = 10
"""Points that everybody in an event gains or loses on average: those who win should lose others."""
ENTRIES_OF_EVENT = 6
"""Smaller events are not looked at as a whole."""
SAME_PAIR = 6
"""Games of the same two players in a period, matches apart."""
FIRST_RATING_ABOVE = 200
"""Points by which a first rating lies above those it was made against."""
FAR_ABOVE = 3
"""How many times the usual spread a score lies above the expected one."""
SPREAD_OF_GAME = 45
"""The usual spread of one game's score, in hundredths: less than half a point, for the draws."""
GAMES_FOR_SCORE = 5
"""Fewer games say nothing about a score."""
FEW_DAYS = 3
MANY_GAMES = {"standard": 10, "rapid": 46, "blitz": 91, "bullet": 120, "uisp": 46}
"""Games within `FEW_DAYS`, more than which nobody is likely to play."""
MAX_OF_A_KIND = 200
"""How many of one kind are told; the most remarkable come first."""


class Kind(StrEnum):
    """What is unusual; the words are under ``office.unusual``."""

    JUMP = "jump"
    EVERYONE_GAINS = "everyone_gains"
    SAME_PAIR = "same_pair"
    FIRST_RATING = "first_rating"
    MANY_GAMES = "many_games"
    FAR_ABOVE_EXPECTED = "far_above_expected"


@dataclass(frozen=True)
class Unusual:
    """One thing to look at; `tournament` is its number in the calculations of the period."""

    kind: Kind
    players: tuple[int, ...] = ()
    tournament: int | None = None
    figures: dict[str, Any] = field(default_factory=dict)
    """What the sentence mentions; hundredths are written as decimals."""

    @property
    def key(self) -> str:
        return f"office.unusual.{self.kind.value}"


@dataclass
class Tables:
    """The tables of a period; `games` only where every game was kept."""

    players: pa.Table
    entries: pa.Table
    tournaments: pa.Table
    games: pa.Table | None = None
    kind: str = "standard"

    def player(self, name: str) -> IntColumn:
        return _column(self.players, name)

    def entry(self, name: str) -> IntColumn:
        return _column(self.entries, name)

    @cached_property
    def player_row(self) -> IntColumn:
        """By entry: the row of the player's step, -1 where there is none."""
        return _rows_in(self.player("player"), self.entry("player"))

    @cached_property
    def entry_k(self) -> IntColumn:
        """By entry: the K that was applied, the tournament's or the player's."""
        by_tournament = _column(self.tournaments, "k")[self.tournament_row]
        row = self.player_row
        applied = self.player("k_applied")
        of_player = applied[row] if len(applied) else np.zeros(len(row), dtype=np.int64)
        return np.where(by_tournament > 0, by_tournament, np.where(row >= 0, of_player, 0))

    @cached_property
    def tournament_row(self) -> IntColumn:
        """By entry: the row of its tournament."""
        return _rows_in(_column(self.tournaments, "tournament"), self.entry("tournament"))

    @cached_property
    def days(self) -> tuple[IntColumn, IntColumn]:
        """By row of tournament: the first and the last day, as numbers."""
        first, last = (
            np.asarray(self.tournaments[name].cast("int32").to_numpy()).astype(np.int64)
            for name in ("start", "end")
        )
        return first, last

    def name(self, row: int) -> str:
        tournament = self.tournaments
        return str(tournament["name"][row].as_py() or tournament["key"][row].as_py())


def unusual_changes(tables: Tables) -> list[Unusual]:
    """Everything unusual in a period, by kind, the most remarkable of each kind first."""
    unusuals: list[Unusual] = []
    for look in LOOKS:
        weighed = sorted(
            look(tables), key=lambda weighed_change: (-weighed_change[0], weighed_change[1].players)
        )
        unusuals += [unusual for _, unusual in weighed[:MAX_OF_A_KIND]]
    return unusuals


Weighed = Iterator[tuple[int, Unusual]]
"""How remarkable something is, and what it is."""


def jumps(tables: Tables) -> Weighed:
    """A rating that moves by many K, or by many points where K belongs to tournaments."""
    change, k = tables.player("change"), tables.player("k")
    least = np.where(k > 0, JUMP_IN_K * k, JUMP_IN_POINTS)
    rating = tables.player("rating")
    moved = (rating > 0) & (tables.player("new_rating") > 0)
    ids, games = tables.player("player"), tables.player("games")
    for row in np.flatnonzero(moved & (np.abs(change) >= least)).tolist():
        figures = {
            "player": int(ids[row]),
            "change": f"{int(change[row]):+d}",
            "k": int(k[row]) or "-",
            "games": int(games[row]),
            "rating": int(rating[row]),
        }
        yield abs(int(change[row])), Unusual(Kind.JUMP, (int(ids[row]),), None, figures)


def events_where_everyone_gains(tables: Tables) -> Weighed:
    """An event whose changes add up far from zero."""
    counted = tables.entry("games") > 0
    delta = 50 * tables.entry("half_points") - tables.entry("expected_points")
    size = len(tables.tournaments)
    row = tables.tournament_row[counted]
    change = sum_by(row, (tables.entry_k * delta)[counted], size)
    entries = sum_by(row, np.ones(len(row), dtype=np.int64), size)
    gainers = sum_by(row, (delta[counted] > 0).astype(np.int64), size)
    far = (entries >= ENTRIES_OF_EVENT) & (np.abs(change) >= 100 * GAIN_PER_ENTRY * entries)
    numbers = _column(tables.tournaments, "tournament")
    for at in np.flatnonzero(far).tolist():
        figures = {
            "tournament": tables.name(at),
            "points": f"{int(change[at]) // 100:+d}",
            "entries": int(entries[at]),
            "gainers": int(gainers[at]),
        }
        yield abs(int(change[at])), Unusual(Kind.EVERYONE_GAINS, (), int(numbers[at]), figures)


def same_pairs(tables: Tables) -> Weighed:
    """The same two players many times in a period, matches apart."""
    if tables.games is None:
        return
    player, opponent = _column(tables.games, "player"), _column(tables.games, "opponent")
    systems = tables.tournaments["system"].to_pylist()
    is_match = np.array([system == System.MATCH.value for system in systems], dtype=np.bool_)
    rows = _rows_in(_column(tables.tournaments, "tournament"), _column(tables.games, "tournament"))
    # Each game is there from both sides: the one of the lower number stands for it.
    once = (player < opponent) & (player > 0)
    once &= _column(tables.games, "exclusion") == COUNTED
    once &= ~is_match[rows] if len(is_match) else False
    ids, index = np.unique(np.concatenate([player[once], opponent[once]]), return_inverse=True)
    one, other = np.split(index, 2)
    pairs, counts = np.unique(one * len(ids) + other, return_counts=True)
    for at in np.flatnonzero(counts >= SAME_PAIR).tolist():
        first, second = (int(ids[number]) for number in divmod(int(pairs[at]), len(ids)))
        figures = {"player": first, "opponent": second, "games": int(counts[at])}
        yield int(counts[at]), Unusual(Kind.SAME_PAIR, (first, second), None, figures)


def first_ratings_above(tables: Tables) -> Weighed:
    """A first rating far above the opponents it was made against."""
    published = _column(tables.players, "first_published") > 0
    rating, games = tables.player("first_rating"), tables.player("first_games")
    average = tables.player("first_average")  # in hundredths
    above = 100 * rating - average
    far = published & (games > 0) & (above >= 100 * FIRST_RATING_ABOVE)
    ids = tables.player("player")
    for row in np.flatnonzero(far).tolist():
        figures = {
            "player": int(ids[row]),
            "rating": int(rating[row]),
            "average": int(average[row]) // 100,
            "games": int(games[row]),
        }
        yield int(above[row]), Unusual(Kind.FIRST_RATING, (int(ids[row]),), None, figures)


def many_games(tables: Tables) -> Weighed:
    """More games than anybody is likely to play in a few days."""
    most = MANY_GAMES.get(tables.kind, MANY_GAMES["standard"])
    played = tables.entry("games") + tables.entry("pool_games")
    player = tables.entry("player")
    ids, row = np.unique(player, return_inverse=True)
    busy = sum_by(row, played, len(ids)) > most
    order = np.argsort(row, kind="stable")
    bounds = np.searchsorted(row[order], np.arange(len(ids) + 1))
    first, last = tables.days
    for at in np.flatnonzero(busy).tolist():
        mine = order[bounds[at] : bounds[at + 1]]
        starts, ends = first[tables.tournament_row[mine]], last[tables.tournament_row[mine]]
        best = max(
            int(played[mine][(starts >= day) & (ends < day + FEW_DAYS)].sum())
            for day in set(starts.tolist())
        )
        if best > most:
            id_ = int(ids[at])
            figures = {"player": id_, "games": best, "days": FEW_DAYS}
            yield best, Unusual(Kind.MANY_GAMES, (id_,), None, figures)


def far_above_expected(tables: Tables) -> Weighed:
    """A score in one event that lies far above the expected one."""
    games = tables.entry("games")
    delta = 50 * tables.entry("half_points") - tables.entry("expected")
    line = FAR_ABOVE * FAR_ABOVE * SPREAD_OF_GAME * SPREAD_OF_GAME * games
    far = (games >= GAMES_FOR_SCORE) & (delta > 0) & (delta * delta >= line)
    ids, numbers = tables.entry("player"), tables.entry("tournament")
    half, expected = tables.entry("half_points"), tables.entry("expected")
    for at in np.flatnonzero(far).tolist():
        figures = {
            "player": int(ids[at]),
            "tournament": tables.name(int(tables.tournament_row[at])),
            "games": int(games[at]),
            "score": decimal(50 * int(half[at])),
            "expected": decimal(int(expected[at])),
        }
        yield (
            int(delta[at]),
            Unusual(Kind.FAR_ABOVE_EXPECTED, (int(ids[at]),), int(numbers[at]), figures),
        )


LOOKS: tuple[Callable[[Tables], Weighed], ...] = (
    jumps,
    events_where_everyone_gains,
    same_pairs,
    first_ratings_above,
    many_games,
    far_above_expected,
)


def _column(table: pa.Table, name: str) -> IntColumn:
    """A column as integers; what is not there counts as 0."""
    column = table[name]
    if str(column.type) == "bool":
        column = column.cast("int8")
    numbers: IntColumn = np.asarray(column.fill_null(0).to_numpy()).astype(np.int64)
    return numbers


def _rows_in(sorted_numbers: IntColumn, numbers: IntColumn) -> IntColumn:
    """The places of numbers in a sorted column; -1 for those not in it."""
    if not len(sorted_numbers):
        return np.full(len(numbers), -1, dtype=np.int64)
    index = np.minimum(np.searchsorted(sorted_numbers, numbers), len(sorted_numbers) - 1)
    return np.where(sorted_numbers[index] == numbers, index, -1)
