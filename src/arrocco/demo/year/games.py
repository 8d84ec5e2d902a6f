"""How the games of one tournament go: who meets whom, and with which result."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from arrocco.hall.pairing.dutch import pair_round
from arrocco.hall.pairing.records import Field, Past, Player
from arrocco.laws.online.side import Side
from arrocco.laws.tables import expected_score
from arrocco.records.report import Bye, ByeKind, Game, GameKind
from arrocco.units import HalfPoints

_WHITE_IS_WORTH = 35
_FORFEITS = 12
"""Of a thousand games so many are not played because somebody stays away."""

_TENTHS = 5
"""A half point in tenths, the unit of pairings."""

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
    """Paired by the Dutch system, as any tournament is; who is left over has a bye."""
    past: dict[int, list[Past]] = {number: [] for number in range(1, len(strengths) + 1)}
    games: list[Game] = []
    byes: list[Bye] = []
    for round_ in range(1, rounds + 1):
        field = Field(tuple(Player(number, tuple(own)) for number, own in past.items()), rounds)
        pairing = pair_round(field)
        for white, black in pairing.boards:
            game = play(rng, strengths, round_, white, black)
            is_played = game.kind is GameKind.PLAYED
            for own, other, side, score in (
                (white, black, Side.WHITE, game.white_score),
                (black, white, Side.BLACK, game.black_score),
            ):
                past[own].append(Past(other, side if is_played else None, _TENTHS * score))
            games.append(game)
        if pairing.bye is not None:
            byes.append(Bye(round_, pairing.bye, ByeKind.PAIRING_ALLOCATED))
            past[pairing.bye].append(Past(points=2 * _TENTHS, allocated_bye=True))
    return games, byes


def round_robin(rng: Random, strengths: Strengths) -> tuple[list[Game], list[Bye]]:
    """Everybody meets everybody once; the field is even."""
    ring = list(range(1, len(strengths) + 1))
    half = len(ring) // 2
    games = []
    for round_ in range(1, len(ring)):
        for board, (first, other) in enumerate(
            zip(ring[:half], reversed(ring[half:]), strict=True)
        ):
            # The one who stays in place changes colours, the others by the side they come to.
            turned = (round_ if board == 0 else board) % 2
            white, black = (other, first) if turned else (first, other)
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
