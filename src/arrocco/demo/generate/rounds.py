"""Plays the tournaments of a batch: games and byes as columns, whatever the system."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from arrocco.demo.generate.draws import Ints, Mask, Rng, below, chance, ranges, starts
from arrocco.demo.generate.field import Field
from arrocco.demo.generate.plan import MATCH, SWISS, TEAM, Plan
from arrocco.demo.generate.results import FORFEITS, play
from arrocco.demo.generate.robin import schedule
from arrocco.demo.generate.swiss import Units, Unpaired, pair_all
from arrocco.records.reportbatch import Kind

BYE_CODES = "HFUZ"
"""The codes of byes; columns hold the place of a code in here."""
_HALF, _FULL, _ALLOCATED, _ZERO = range(4)
BYE_HALVES = np.array([1, 2, 2, 0], dtype=np.int8)
_PRESENT = -1


@dataclass
class Played:
    """Games and byes in the order they were drawn; entries by their row in the batch."""

    games: list[tuple[Ints, Ints, Ints, Ints, Ints, Ints]] = field(default_factory=list)
    """Round, White, Black, half points of both, kind."""
    byes: list[tuple[Ints, Ints, Ints]] = field(default_factory=list)
    """Round, entry, code."""

    def add_games(self, round_: Ints, white: Ints, black: Ints, *result: NDArray[np.int8]) -> None:
        first, second, kind = (column.astype(np.int64) for column in result)
        self.games.append((round_, white, black, first, second, kind))

    def add_byes(self, round_: int | Ints, entry: Ints, code: int | Ints) -> None:
        size = len(entry)
        self.byes.append((np.broadcast_to(round_, size), entry, np.broadcast_to(code, size)))


def play_all(rng: Rng, plan: Plan, drawn: Field) -> Played:
    """Plays every tournament of a batch from the first round to the last."""
    played = Played()
    _play_swiss(rng, plan, drawn, played)
    _play_teams(rng, plan, drawn, played)
    _play_robins(rng, plan, drawn, played)
    return played


# --- Swiss --------------------------------------------------------------------------------------


def _play_swiss(rng: Rng, plan: Plan, drawn: Field, played: Played) -> None:
    chosen = plan.system == SWISS
    entries = _entries_of(plan, drawn, chosen)
    if not len(entries):
        return
    tournament = np.repeat(np.flatnonzero(chosen), plan.size[chosen])
    rounds = plan.rounds[tournament]
    away = _away(rng, rounds)
    absent = away != _PRESENT
    given = np.where(absent, BYE_HALVES[away], 0).astype(np.int8)
    units = Units(tournament, rounds, absent, given)

    def meet(round_: int, white: Ints, black: Ints) -> Ints:
        first, second = entries[white], entries[black]
        result = play(rng, drawn.strength[first], drawn.strength[second])
        played.add_games(np.full(len(first), round_), first, second, *result)
        score = np.zeros(len(units), dtype=np.int64)
        score[white], score[black] = result[0], result[1]
        return score

    for left in pair_all(rng, units, meet, bye_score=2):
        code = _ALLOCATED if left.is_allocated else _ZERO
        played.add_byes(left.round, entries[left.unit], code)
    unit, index = np.nonzero(absent)
    played.add_byes(index + 1, entries[unit], away[unit, index].astype(np.int64))


def _away(rng: Rng, rounds: Ints) -> NDArray[np.int8]:
    """Who is away when: late for the first round, off for one round, or gone for good."""
    size, most = len(rounds), int(rounds.max())
    away = np.full((size, most), _PRESENT, dtype=np.int8)
    late = np.flatnonzero(chance(rng, size, 100))
    away[late, 0] = np.where(chance(rng, len(late), 5000), _HALF, _ZERO)
    off = np.flatnonzero(chance(rng, size, 400))
    away[off, below(rng, rounds[off] - 1)] = np.where(chance(rng, len(off), 9500), _HALF, _FULL)
    gone = np.flatnonzero(chance(rng, size, 250))
    since = 1 + below(rng, rounds[gone] - 1)
    later = np.arange(most) >= since[:, None]
    away[gone] = np.where(later, _ZERO, away[gone])
    away[np.arange(most) >= rounds[:, None]] = _PRESENT
    return away


# --- teams --------------------------------------------------------------------------------------


def _play_teams(rng: Rng, plan: Plan, drawn: Field, played: Played) -> None:
    chosen = np.flatnonzero(plan.system == TEAM)
    if not len(chosen):
        return
    teams = plan.size[chosen] // plan.members[chosen]
    tournament = np.repeat(chosen, teams)
    first_entry = drawn.offsets[tournament] + ranges(teams) * plan.members[tournament]
    rounds, boards = plan.rounds[tournament], plan.boards[tournament]
    has_reserve = plan.members[tournament] > boards
    nobody = np.zeros((len(tournament), int(rounds.max())), dtype=np.bool_)
    units = Units(tournament, rounds, nobody, nobody.astype(np.int8))
    # With a reserve one player rests in each round, another one each time.
    rest = below(rng, boards + 1)

    def resting(round_: int, team: Ints) -> Ints:
        return np.where(has_reserve[team], (rest[team] + round_) % (boards[team] + 1), boards[team])

    def meet(round_: int, white: Ints, black: Ints) -> Ints:
        count = boards[white]
        board = ranges(count)
        home, away = np.repeat(white, count), np.repeat(black, count)
        one = first_entry[home] + board + (board >= resting(round_, home))
        other = first_entry[away] + board + (board >= resting(round_, away))
        keeps = board % 2 == 0
        first, second = np.where(keeps, one, other), np.where(keeps, other, one)
        result = play(rng, drawn.strength[first], drawn.strength[second])
        played.add_games(np.full(len(first), round_), first, second, *result)
        own, theirs = np.where(keeps, result[0], result[1]), np.where(keeps, result[1], result[0])
        score = np.zeros(len(units), dtype=np.int64)
        begin = starts(count)[:-1]
        score[white], score[black] = np.add.reduceat(own, begin), np.add.reduceat(theirs, begin)
        for team in (white, black):
            off = team[has_reserve[team]]
            played.add_byes(round_, first_entry[off] + resting(round_, off), _ZERO)
        return score

    for left in pair_all(rng, units, meet, bye_score=0):
        _send_home(left, first_entry, plan.members[tournament], played)


def _send_home(left: Unpaired, first_entry: Ints, members: Ints, played: Played) -> None:
    """A team that found no new opponent: none of its players has a game in this round."""
    count = members[left.unit]
    played.add_byes(left.round, np.repeat(first_entry[left.unit], count) + ranges(count), _ZERO)


# --- round robins and matches -------------------------------------------------------------------


def _play_robins(rng: Rng, plan: Plan, drawn: Field, played: Played) -> None:
    chosen = np.flatnonzero((plan.system != SWISS) & (plan.system != TEAM))
    if not len(chosen):
        return
    games = schedule(plan.size[chosen], plan.rounds[chosen])
    tournament = chosen[games.tournament]
    offset = drawn.offsets[tournament]
    white, black = offset + games.white, offset + games.black
    forfeits = np.where(plan.is_complete | (plan.system == MATCH), 0, 2 * FORFEITS)
    first, second, kind = play(
        rng, drawn.strength[white], drawn.strength[black], forfeits[tournament]
    )
    gone = _leaving(rng, plan, drawn)
    white_gone, black_gone = games.round >= gone[white], games.round >= gone[black]
    without_play = white_gone | black_gone
    kind[without_play] = Kind.FORFEIT
    first[without_play] = np.where(white_gone, 0, 2)[without_play]
    second[without_play] = np.where(black_gone, 0, 2)[without_play]
    played.add_games(games.round, white, black, first, second, kind)
    free = drawn.offsets[chosen[games.free_tournament]] + games.free_player
    played.add_byes(games.free_round, free, _ZERO)


def _leaving(rng: Rng, plan: Plan, drawn: Field) -> Ints:
    """The round from which each entry is gone: now and then one of an incomplete round robin."""
    gone = np.full(int(drawn.offsets[-1]), 1 << 20, dtype=np.int64)
    leaves: Mask = ~plan.is_complete & (plan.system != MATCH) & chance(rng, len(plan), 4000)
    one = (drawn.offsets[:-1] + below(rng, plan.size))[leaves]
    gone[one] = 2 + below(rng, plan.rounds[leaves] - 1)
    return gone


def _entries_of(plan: Plan, drawn: Field, chosen: Mask) -> Ints:
    """The rows of the entries of some tournaments."""
    size = plan.size[chosen]
    return np.repeat(drawn.offsets[:-1][chosen], size) + ranges(size)
