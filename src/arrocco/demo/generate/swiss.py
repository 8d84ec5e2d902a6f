"""Swiss tournaments, many at a time: players of equal score meet, nobody meets anybody twice.

This is not a pairing program: it makes fields play each other as Swiss tournaments do, round after
round, over all tournaments of a batch at once. A unit is a player, or a team that meets a team.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from arrocco.demo.generate.draws import Ints, Mask, Rng, order

_REACH: Final = (1, -1, 2, -2, 3, -3, 4, -4, 6, -6, 9, -9)
"""How far away another pair may be to exchange opponents with."""
_MAX_SCORE: Final = 1 << 10

Play = Callable[[int, Ints, Ints], Ints]
"""Lets the units of White and Black meet in a round; gives the score each unit won, by unit."""


@dataclass
class Units:
    """Those who are paired, tournament after tournament, the strongest first.

    `absent` tells who is away in which round (a column for each round), `given` the score that a
    round away is worth.
    """

    tournament: Ints
    rounds: Ints
    absent: Mask
    given: NDArray[np.int8]

    def __len__(self) -> int:
        return len(self.tournament)


class Unpaired(NamedTuple):
    """Units left without an opponent in a round, and whether the pairing did it."""

    round: int
    unit: Ints
    is_allocated: bool


def pair_all(rng: Rng, units: Units, play: Play, bye_score: int) -> list[Unpaired]:
    """Plays all rounds of all tournaments; gives those whom the pairing left without a game."""
    score = np.zeros(len(units), dtype=np.int64)
    balance = np.zeros(len(units), dtype=np.int64)
    last = np.zeros(len(units), dtype=np.int64)
    had_bye = np.zeros(len(units), dtype=np.bool_)
    most = int(units.rounds.max(initial=0))
    met = np.full((len(units), most), -1, dtype=np.int32)
    unpaired: list[Unpaired] = []
    for index in range(most):
        here = np.flatnonzero((units.rounds > index) & ~units.absent[:, index])
        ranked = _ranked(units, score, here)
        bye = _bye(units.tournament[ranked], had_bye[ranked])
        alone = ranked[bye]
        if len(alone):
            had_bye[alone] = True
            score[alone] += bye_score
            unpaired.append(Unpaired(index + 1, alone, True))
            ranked = np.delete(ranked, bye)
        ranked = _folded(units.tournament[ranked], score[ranked], ranked)
        first, other, kept = _new_pairs(units.tournament, met[:, :index], ranked)
        if not kept.all():
            left = np.concatenate([first[~kept], other[~kept]])
            unpaired.append(Unpaired(index + 1, np.sort(left), False))
            first, other = first[kept], other[kept]
        met[first, index], met[other, index] = other, first
        due = 2 * balance + last
        turn = due[first] - due[other]
        keeps = (turn < 0) | ((turn == 0) & (rng.integers(0, 2, len(first)) == 0))
        white, black = np.where(keeps, first, other), np.where(keeps, other, first)
        balance[white] += 1
        balance[black] -= 1
        last[white], last[black] = 1, -1
        score += play(index + 1, white, black) + units.given[:, index]
    return unpaired


def _ranked(units: Units, score: Ints, here: Ints) -> Ints:
    """The units present by tournament, the highest score first, then as they were seeded."""
    tournaments = int(units.tournament.max(initial=0)) + 1
    return here[
        order(
            (units.tournament[here], tournaments),
            (_MAX_SCORE - 1 - score[here], _MAX_SCORE),
            (here, len(units)),
        )
    ]


def _bye(tournament: Ints, had_bye: Mask) -> Ints:
    """Places of those who stay alone: where the number is odd, the last who has had no bye."""
    if not len(tournament):
        return tournament
    begin = np.flatnonzero(np.diff(tournament, prepend=-1))
    is_odd = np.diff(begin, append=len(tournament)) % 2 == 1
    place = np.where(had_bye, -1, np.arange(len(tournament)))
    lowest: Ints = np.maximum.reduceat(place, begin)
    # Where everybody has had one, somebody has it twice.
    ends = np.append(begin[1:], len(tournament)) - 1
    alone: Ints = np.where(lowest < 0, ends, lowest)[is_odd]
    return alone


def _folded(tournament: Ints, score: Ints, ranked: Ints) -> Ints:
    """Each group of equal score folded: its upper half meets its lower half, neighbours in line."""
    if not len(ranked):
        return ranked
    is_first = np.diff(tournament, prepend=-1) != 0
    is_first |= np.diff(score, prepend=-1) != 0
    begin = np.flatnonzero(is_first)
    sizes = np.diff(begin, append=len(ranked))
    first, half = np.repeat(begin, sizes), np.repeat(sizes // 2, sizes)
    inside = np.arange(len(ranked)) - first
    place = np.where(inside < half, 2 * inside, 2 * (inside - half) + 1)
    place = np.where(inside == 2 * half, inside, place)  # the odd one goes on to the next group
    folded = np.empty_like(ranked)
    folded[first + place] = ranked
    return folded


def _new_pairs(tournament: Ints, met: NDArray[np.int32], line: Ints) -> tuple[Ints, Ints, Mask]:
    """Neighbours in line as pairs; who have met before change opponents with a pair close by.

    The last part tells which pairs could be kept: the rest found nobody new.
    """
    one, other = line[0::2].copy(), line[1::2].copy()
    event = tournament[one]

    def again(first: Ints, second: Ints) -> Mask:
        repeated: Mask = (met[first] == second[:, None]).any(axis=1)
        return repeated

    bad = again(one, other)
    for distance in _REACH:
        pair = np.flatnonzero(bad)
        if not len(pair):
            break
        pair, helper = _exchanges(pair, distance, event, bad)
        a, b, c, d = one[pair], other[pair], one[helper], other[helper]
        across = ~again(a, d) & ~again(c, b)
        beside = ~across & ~again(a, c) & ~again(b, d)
        other[pair[across]], other[helper[across]] = d[across], b[across]
        other[pair[beside]], one[helper[beside]] = c[beside], b[beside]
        bad[pair[across | beside]] = bad[helper[across | beside]] = False
    return one, other, ~bad


def _exchanges(pair: Ints, distance: int, event: Ints, bad: Mask) -> tuple[Ints, Ints]:
    """Bad pairs with the pair at a distance that may help them, no pair in two exchanges.

    Two bad pairs may help each other: then the one in an even block asks, the other waits.
    """
    asks = (pair // abs(distance)) % 2 == 0
    before, helper = pair - distance, pair + distance
    last = len(event) - 1
    is_asked = (before >= 0) & (before <= last)
    before = np.clip(before, 0, last)
    is_asked &= bad[before] & (event[before] == event[pair]) & ~asks
    fits = (helper >= 0) & (helper <= last) & ~is_asked
    helper = np.clip(helper, 0, last)
    fits &= (event[helper] == event[pair]) & (asks | ~bad[helper])
    return pair[fits], helper[fits]
