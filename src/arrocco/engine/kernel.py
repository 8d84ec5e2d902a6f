"""The kernel: from games to sums for each entry, in integers.

Each game is looked at from both sides. A side counts when the player has a rating of their own and
the opponent shows one; an unrated player's games against rated opponents go to the pool for a first
rating instead. Expected scores come from a table made by calling the law for every difference.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from arrocco.engine.columns import (
    COUNTED,
    EXCLUSION_CODE,
    NOT_SCORED,
    ByteColumn,
    Entries,
    Games,
    IntColumn,
    count_by,
    sum_by,
)
from arrocco.laws.rating import Exclusion, RatingLaw

MAX_RATING = 3999
"""No list prints more than four digits, and no rating comes near; assembly refuses above."""
SPAN = 2 * MAX_RATING + 1
"""How many differences there are between two ratings."""

OWN_UNRATED = EXCLUSION_CODE[Exclusion.OWN_UNRATED]
_OPPONENT_UNRATED = EXCLUSION_CODE[Exclusion.OPPONENT_UNRATED]
_BOTH_UNRATED = EXCLUSION_CODE[Exclusion.BOTH_UNRATED]
_ONE_SIDED = EXCLUSION_CODE[Exclusion.ONE_SIDED]
_RATING_GAP = EXCLUSION_CODE[Exclusion.RATING_GAP]


@dataclass
class Sides:
    """Every game from one side: whose it is, what counts, and what it was worth."""

    entry: IntColumn
    opponent: IntColumn
    half: ByteColumn
    exclusion: ByteColumn
    against: IntColumn
    """The opponent's rating as it counts, 0 unrated."""
    difference: IntColumn
    counted_difference: IntColumn
    expected: IntColumn


@dataclass
class EntrySums:
    """What the games of each entry add up to. Scores in half points, expected in hundredths.

    `pool_*` are an unrated player's games against rated opponents; `event_half` is everything an
    entry scored in played games, whoever the opponent was.
    """

    games: IntColumn
    half: IntColumn
    expected: IntColumn
    pool_games: IntColumn
    pool_ratings: IntColumn
    pool_half: IntColumn
    event_half: IntColumn


@lru_cache(maxsize=16)
def tables(
    law: RatingLaw,
) -> tuple[NDArray[np.bool_], NDArray[np.int16], NDArray[np.int16]]:
    """The law tabulated: who is capped, by rating; counted difference and expected, by both."""
    ratings = range(MAX_RATING + 1)
    capped = np.array([law.is_capped(own) for own in ratings], dtype=np.bool_)
    span = range(-MAX_RATING, MAX_RATING + 1)
    counted = np.zeros((2, len(span)), dtype=np.int16)
    expected = np.zeros((2, len(span)), dtype=np.int16)
    for row, is_capped in enumerate((False, True)):
        own = next((own for own in ratings if law.is_capped(own) == is_capped), None)
        if own is None:
            continue
        counted[row] = [law.counted_difference(own, own - difference) for difference in span]
        expected[row] = [law.expected_score(difference) for difference in counted[row].tolist()]
    return capped, counted.ravel(), expected.ravel()


def look_at_both_sides(law: RatingLaw, entries: Entries, games: Games) -> Sides:
    """The two sides of every game: first all of White's, then all of Black's."""
    entry = np.concatenate([games.white, games.black])
    opponent = np.concatenate([games.black, games.white])
    half = np.concatenate([games.white_half, games.black_half])
    exclusion = np.concatenate([games.exclusion, games.exclusion])
    own, shown = entries.own[entry], entries.shown[opponent]
    exclusion = _exclude_by_ratings(law, entries, entry, opponent, exclusion)
    difference = own - shown
    capped, counted_table, expected_table = tables(law)
    index = difference + MAX_RATING + capped[own] * SPAN
    sides = Sides(
        entry=entry,
        opponent=opponent,
        half=half,
        exclusion=exclusion,
        against=shown,
        difference=difference,
        counted_difference=counted_table[index].astype(np.int64),
        expected=expected_table[index].astype(np.int64),
    )
    if law.COUNTS_BY_EVENT:
        _count_by_event(law, own, sides, len(games))
    return sides


def _count_by_event(law: RatingLaw, own: IntColumn, sides: Sides, games: int) -> None:
    """Asks the law about all games of an entry, in their order, where one is over the cap."""
    counted = sides.exclusion == COUNTED
    far = np.unique(sides.entry[counted & (np.abs(sides.difference) > law.DIFFERENCE_CAP)])
    rows = np.flatnonzero(counted & np.isin(sides.entry, far))
    rows = rows[np.lexsort((rows % games, sides.entry[rows]))] if len(rows) else rows
    for of_entry in np.split(rows, np.flatnonzero(np.diff(sides.entry[rows])) + 1):
        if len(of_entry):
            opponents = sides.against[of_entry].tolist()
            differences = law.counted_differences(int(own[of_entry[0]]), opponents)
            sides.counted_difference[of_entry] = differences
            sides.expected[of_entry] = [law.expected_score(value) for value in differences]


def _exclude_by_ratings(
    law: RatingLaw,
    entries: Entries,
    entry: IntColumn,
    opponent: IntColumn,
    exclusion: ByteColumn,
) -> ByteColumn:
    """Adds the reasons that lie in the ratings; an earlier reason stays.

    A gap is one between the ratings of the list in force at the start, for both sides alike.
    """
    rated, shown = entries.own[entry] > 0, entries.shown[opponent]
    reason = np.where(rated, _OPPONENT_UNRATED, _BOTH_UNRATED)
    reason = np.where(entries.own[opponent] > 0, _ONE_SIDED, reason)
    reason = np.where(shown > 0, np.where(rated, COUNTED, OWN_UNRATED), reason)
    own_shown = entries.shown[entry]
    gap = (own_shown > 0) & (shown > 0) & law.gap_is_excluded(own_shown, shown)
    reason = np.where(gap, _RATING_GAP, reason)
    return np.where(exclusion == COUNTED, reason, exclusion).astype(np.int8)


def sum_entries(entries: Entries, sides: Sides) -> EntrySums:
    """Adds up the sides of every entry."""
    size = len(entries)
    counts = sides.exclusion == COUNTED
    pools = sides.exclusion == OWN_UNRATED
    played = ~np.isin(sides.exclusion, NOT_SCORED)
    rows, pool_rows = sides.entry[counts], sides.entry[pools]
    return EntrySums(
        games=count_by(rows, size),
        half=sum_by(rows, sides.half[counts], size),
        expected=sum_by(rows, sides.expected[counts], size),
        pool_games=count_by(pool_rows, size),
        pool_ratings=sum_by(pool_rows, sides.against[pools], size),
        pool_half=sum_by(pool_rows, sides.half[pools], size),
        event_half=sum_by(sides.entry[played], sides.half[played], size),
    )


def no_sides() -> Sides:
    """The sides of a period without games."""
    empty, byte = np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int8)
    return Sides(empty, empty, byte, byte, empty, empty, empty, empty)
