"""The fast kernel against the careful one, on everything a batch can hold."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arrocco.engine.columns import EXCLUSION_CODE, Entries, Games
from arrocco.engine.kernel import EntrySums, look_at_both_sides, sum_entries
from arrocco.engine.plain import sum_by_law, sum_games
from arrocco.laws.rating import Exclusion, RatingLaw
from arrocco.laws.registry import LAWS, editions

ALL_EDITIONS = [edition for law in LAWS for edition in editions(law)]


def random_games(seed: int, *, size: int = 40, count: int = 200) -> tuple[Entries, Games]:
    """Rated, unrated, one-sided and delisted entries; whole and broken points; excluded games."""
    rng = np.random.default_rng(seed)
    shown = rng.integers(1000, 2900, size) * (rng.random(size) < 0.8)
    own = np.where(rng.random(size) < 0.85, shown, rng.integers(1000, 2900, size))
    own = np.where(rng.random(size) < 0.1, 0, own)
    white = rng.integers(0, size, count)
    black = (white + rng.integers(1, size, count)) % size
    white_half = rng.integers(0, 3, count).astype(np.int8)
    black_half = np.where(rng.random(count) < 0.9, 2 - white_half, 0).astype(np.int8)
    unplayed = EXCLUSION_CODE[Exclusion.UNPLAYED]
    exclusion = np.where(rng.random(count) < 0.1, unplayed, 0).astype(np.int8)
    entries = Entries(np.zeros(size, dtype=np.int64), np.arange(size), shown, own)
    return entries, Games(
        np.ones(count, dtype=np.int16),
        white.astype(np.int32),
        black.astype(np.int32),
        white_half,
        black_half,
        exclusion,
    )


def same(one: EntrySums, other: EntrySums) -> bool:
    return all(
        np.array_equal(getattr(one, column.name), getattr(other, column.name))
        for column in fields(EntrySums)
        if column.name != "event_half"  # kept only for entries without a rating of their own
    )


@pytest.mark.parametrize("edition", ALL_EDITIONS, ids=lambda e: e.__name__)
@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=40, deadline=None)
def test_the_fast_kernel_agrees_with_the_careful_one(edition: type[RatingLaw], seed: int) -> None:
    law = edition()
    entries, games = random_games(seed)
    careful = sum_entries(entries, look_at_both_sides(law, entries, games))
    fast, _ = sum_games(law, entries, games)
    assert same(fast, careful)
    unrated = entries.own == 0
    assert np.array_equal(fast.event_half[unrated], careful.event_half[unrated])


@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=30, deadline=None)
def test_games_under_several_editions_add_up(seed: int) -> None:
    laws = [edition() for edition in editions("fide")[2:]]
    entries, games = random_games(seed)
    law_of_game = np.random.default_rng(seed).integers(0, len(laws), len(games))
    total, _ = sum_by_law(laws, law_of_game, entries, games)
    apart = [
        sum_entries(entries, look_at_both_sides(law, entries, _of(games, law_of_game == index)))
        for index, law in enumerate(laws)
    ]
    assert np.array_equal(total.expected, sum(sums.expected for sums in apart))
    assert np.array_equal(total.games, sum(sums.games for sums in apart))


def _of(games: Games, mine: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> Games:
    return Games(
        games.round[mine],
        games.white[mine],
        games.black[mine],
        games.white_half[mine],
        games.black_half[mine],
        games.exclusion[mine],
    )


def test_most_games_of_a_month_are_plain() -> None:
    size, count = 50, 1000
    rng = np.random.default_rng(7)
    rating = rng.integers(1400, 2600, size)
    white = rng.integers(0, size, count).astype(np.int32)
    half = rng.integers(0, 3, count).astype(np.int8)
    entries = Entries(np.zeros(size, dtype=np.int64), np.arange(size), rating, rating)
    games = Games(
        np.ones(count, dtype=np.int16),
        white,
        (white + 1) % size,
        half,
        (2 - half).astype(np.int8),
        np.zeros(count, dtype=np.int8),
    )
    _, rest = sum_games(editions("fide")[-1](), entries, games)
    assert len(rest.entry) == 0
