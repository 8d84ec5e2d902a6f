"""How the games of one tournament go: who meets whom, and with which result."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from arrocco.laws.tables import expected_score
from arrocco.report import Bye, ByeKind, Game, GameKind
from arrocco.units import HalfPoints

_WHITE_IS_WORTH = 35
_FORFEITS = 12
"""Of a thousand games so many are not played because somebody stays away."""

Strengths = Sequence[int]
"""By starting number, the first player at 0."""


def play(rng: Random, strengths: Strengths, round_: int, white: int, black: int) -> Game:
    """One game between two starting numbers."""
    ours, theirs = strengths[white - 1], strengths[black - 1]
    expected = expected_score(ours + _WHITE_IS_WORTH - theirs)
    usual = min(max(10 + ((ours + theirs) // 2 - 1400) // 25, 8), 50)
    draws = min(usual, 2 * min(expected, 100 - expected))
    # In two hundredths: a draw takes as much from White's wins as from Black's.
    lot = rng.randrange(200)
    half = 2 if lot < 2 * expected - draws else 1 if lot < 2 * expected + draws else 0
    kind = GameKind.PLAYED
    if rng.randrange(1000) < _FORFEITS and half != 1:
        kind = GameKind.FORFEIT
    return Game(round_, white, black, HalfPoints(half), HalfPoints(2 - half), kind)


def swiss(rng: Random, strengths: Strengths, rounds: int) -> tuple[list[Game], list[Bye]]:
    """Players of like score meet, nobody meets anybody twice; who is left over has a bye."""
    size = len(strengths)
    score, balance = [0] * (size + 1), [0] * (size + 1)
    met: set[tuple[int, int]] = set()
    had_bye: set[int] = set()
    games: list[Game] = []
    byes: list[Bye] = []
    for round_ in range(1, rounds + 1):
        order = sorted(range(1, size + 1), key=lambda number: (-score[number], number))
        if size % 2:
            alone = next(number for number in reversed(order) if number not in had_bye)
            order.remove(alone)
            had_bye.add(alone)
            score[alone] += 2
            byes.append(Bye(round_, alone, ByeKind.PAIRING_ALLOCATED))
        for one, other in _pairs(order, met):
            met.add((min(one, other), max(one, other)))
            white, black = (one, other) if balance[one] <= balance[other] else (other, one)
            balance[white] += 1
            balance[black] -= 1
            game = play(rng, strengths, round_, white, black)
            score[white] += game.white_score
            score[black] += game.black_score
            games.append(game)
    return games, byes


def _pairs(order: list[int], met: set[tuple[int, int]]) -> list[tuple[int, int]]:
    """Neighbours who have not met, the first in the order first; goes back where nobody is left."""
    if not order:
        return []
    one = order[0]
    for at, other in enumerate(order[1:], start=1):
        if (min(one, other), max(one, other)) in met:
            continue
        rest = order[1:at] + order[at + 1 :]
        found = _pairs(rest, met)
        if found or not rest:
            return [(one, other), *found]
    return []


def round_robin(rng: Random, strengths: Strengths) -> tuple[list[Game], list[Bye]]:
    """Everybody meets everybody once; the field is even."""
    ring = list(range(1, len(strengths) + 1))
    half = len(ring) // 2
    games = []
    for round_ in range(1, len(ring)):
        for board, (one, other) in enumerate(zip(ring[:half], reversed(ring[half:]), strict=True)):
            # The one who stays in place changes colours, the others by the side they come to.
            turned = (round_ if board == 0 else board) % 2
            white, black = (other, one) if turned else (one, other)
            games.append(play(rng, strengths, round_, white, black))
        ring = [ring[0], ring[-1], *ring[1:-1]]
    return games, []


def match(rng: Random, strengths: Strengths, rounds: int) -> tuple[list[Game], list[Bye]]:
    """Two players, colours in turn, until one of them has more than half of the points."""
    games: list[Game] = []
    score = [0, 0, 0]
    for round_ in range(1, rounds + 1):
        white, black = (1, 2) if round_ % 2 else (2, 1)
        game = play(rng, strengths, round_, white, black)
        games.append(game)
        score[white] += game.white_score
        score[black] += game.black_score
        if max(score) > rounds:
            break
    return games, []


def upsets(strengths: Strengths, rounds: int) -> tuple[list[Game], list[Bye]]:
    """The second half of the field meets the first, round after round, and wins every game."""
    half = len(strengths) // 2
    games = []
    for round_ in range(1, rounds + 1):
        for place in range(half):
            strong, weak = 1 + place, 1 + half + (place + round_) % half
            white, black = (strong, weak) if round_ % 2 else (weak, strong)
            won = HalfPoints(2 if white == weak else 0)
            games.append(Game(round_, white, black, won, HalfPoints(2 - won)))
    return games, []
