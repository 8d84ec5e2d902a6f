"""The kernel at full speed: the sums of plain games, those between two rated players.

Nearly all games of a month are plain: both players are rated, each shows the opponent the rating
that is also used for the own change, differences are cut at the cap for both, nothing excludes the
game, and the point was shared out whole. For these one look-up in a table made by the law tells
what the game was worth for White, and Black has the rest. All other games go through
`kernel.look_at_both_sides`, and the sums are put together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from arrocco.engine.columns import COUNTED, BoolColumn, Entries, Games
from arrocco.engine.kernel import (
    MAX_RATING,
    SPAN,
    EntrySums,
    Sides,
    look_at_both_sides,
    no_sides,
    sum_entries,
    tables,
)
from arrocco.laws.rating import RatingLaw

# What a game was worth for one side travels in one float as three whole numbers with bits of their
# own: hundredths of expected score (24 bits), half points (15), games (14). Sums of an entry stay
# below 2**53, where floats are exact integers.
_HALF_BIT, _GAME_BIT = 24, 39
_HALF, _GAME = 1 << _HALF_BIT, 1 << _GAME_BIT
_BOTH_SIDES = float(2 * _GAME + 2 * _HALF + 100)
"""What a plain game is worth for both sides together: two games, one point, one expected point."""


_BLOCK = 1 << 16
"""Games summed at a time, at least."""


@lru_cache(maxsize=16)
def _worth(law: RatingLaw) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
    """Which ratings are capped, and a side's worth by thrice the difference plus the result."""
    capped, _, expected = tables(law)
    scores = expected[SPAN:]
    if (scores + scores[::-1] != 100).any():
        raise AssertionError(f"{law.law} {law.edition}: the two sides do not share the whole point")
    worth = scores.astype(np.float64)[:, None] + _GAME + _HALF * np.arange(3)
    return capped, worth.ravel()


def sum_games(law: RatingLaw, entries: Entries, games: Games) -> tuple[EntrySums, Sides]:
    """The sums of all entries, and the sides of the games that are not plain."""
    if law.COUNTS_BY_EVENT:  # no game tells by itself what it was worth
        sides = look_at_both_sides(law, entries, games)
        return sum_entries(entries, sides), sides
    capped, _ = _worth(law)
    is_plain = (entries.own == entries.shown) & capped[entries.own]
    ratings = np.where(is_plain, entries.shown, 0).astype(np.int16)
    packed = np.zeros(len(entries), dtype=np.float64)
    # In blocks, so that what is computed on the way stays in the processor's own memory.
    block = max(_BLOCK, len(entries) // 4)
    uncommon = [
        start + _sum_block(law, ratings, packed, _rows(games, slice(start, start + block)))
        for start in range(0, len(games), block)
    ]
    rows = np.concatenate(uncommon) if uncommon else np.zeros(0, dtype=np.int64)
    sides = look_at_both_sides(law, entries, _rows(games, rows))
    sums = sum_entries(entries, sides)
    whole = packed.astype(np.int64)
    sums.games += whole >> _GAME_BIT
    sums.half += (whole >> _HALF_BIT) & ((1 << (_GAME_BIT - _HALF_BIT)) - 1)
    sums.expected += whole & (_HALF - 1)
    return sums, sides


def _sum_block(
    law: RatingLaw, ratings: NDArray[np.int16], packed: NDArray[np.float64], games: Games
) -> NDArray[np.int64]:
    """Adds the plain games of a block to `packed`; the numbers of the others are returned."""
    _, worth = _worth(law)
    white_rows, black_rows = games.white.astype(np.intp), games.black.astype(np.intp)
    white, black = ratings[white_rows], ratings[black_rows]
    plain: BoolColumn = (white > 0) & (black > 0) & (games.exclusion == COUNTED)
    plain &= games.white_half + games.black_half == 2
    if law.HAS_GAP:
        plain &= ~law.gap_is_excluded(white, black)
    index = (white - black).astype(np.intp)
    index += MAX_RATING
    index *= 3
    index += games.white_half
    value = worth.take(index)
    others = _BOTH_SIDES - value
    uncommon = np.flatnonzero(~plain)
    value[uncommon] = 0
    others[uncommon] = 0
    # Games stand by tournament, so a block touches a short stretch of entries.
    first = min(int(white_rows.min()), int(black_rows.min()))
    white_rows -= first
    black_rows -= first
    sums = np.bincount(white_rows, weights=value)
    packed[first : first + len(sums)] += sums
    sums = np.bincount(black_rows, weights=others)
    packed[first : first + len(sums)] += sums
    return uncommon


def sum_by_law(
    laws: Sequence[RatingLaw], law_of_game: NDArray[np.int64], entries: Entries, games: Games
) -> tuple[EntrySums, list[Sides]]:
    """The sums of entries whose games are under several editions: edition by edition, added up."""
    if len(laws) == 1:
        sums, sides = sum_games(laws[0], entries, games)
        return sums, [sides]
    total, sideses = sum_entries(entries, no_sides()), []
    for index, law in enumerate(laws):
        sums, sides = sum_games(law, entries, _rows(games, np.flatnonzero(law_of_game == index)))
        sideses.append(sides)
        for column in fields(EntrySums):
            setattr(total, column.name, getattr(total, column.name) + getattr(sums, column.name))
    return total, sideses


def _rows(games: Games, rows: NDArray[np.int64] | slice) -> Games:
    return Games(
        games.round[rows],
        games.white[rows],
        games.black[rows],
        games.white_half[rows],
        games.black_half[rows],
        games.exclusion[rows],
    )
