"""Walks of pieces: their lengths, and a guide of the search that brings everybody to a goal."""

from __future__ import annotations

from dataclasses import dataclass

from arrocco.hall.unwinnable.mates import attack
from arrocco.hall.unwinnable.position import (
    BITS,
    BLACKS,
    KINGS,
    MOVER,
    PAWNS,
    TURN,
    WHITES,
    Move,
    Position,
)
from arrocco.hall.unwinnable.reach import Reach

FAR = 99
"""The length of a walk that does not exist."""


@dataclass(frozen=True)
class Post:
    """A piece of a pattern: what has to stand on a square, and whether a pawn may become it."""

    white: bool
    kind: int
    square: int
    from_pawn: bool = False


@dataclass(frozen=True)
class Goal:
    """A mate as a pattern: the kings, the piece that checks, then all others that it needs."""

    cost: int
    posts: tuple[Post, ...]


def walks(kind: int, start: int, walls: int, region: int = -1) -> list[int]:
    """The number of moves a piece needs to every square, over squares that are no walls."""
    lengths = [FAR] * 64
    seen = new = BITS[start]
    length = 0
    while new:
        further = 0
        while new:
            bit = new & -new
            new ^= bit
            square = bit.bit_length() - 1
            lengths[square] = length
            further |= attack(kind, square, walls)
        new = further & ~seen & ~walls & region
        seen |= new
        length += 1
    return lengths


class Walk:
    """Rates moves by the walks still to do to a goal."""

    patience = 4

    def __init__(self, goal: Goal, reach: Reach) -> None:
        self.posts: list[tuple[bool, int, list[int], list[int] | None]] = []
        for post in goal.posts:
            if post.kind == PAWNS:
                back = [n - post.square for n in range(64)]
                lengths = [d >> 3 if d >= 0 and d & 7 == 0 else FAR for d in back]
            else:
                region = reach.king(post.white).squares if post.kind == KINGS else -1
                walls = reach.fixed & ~BITS[post.square]
                lengths = walks(post.kind, post.square, walls, region)
            as_pawn = [(n >> 3) + lengths[n & 7] for n in range(64)] if post.from_pawn else None
            self.posts.append((post.white, post.kind, lengths, as_pawn))

    def rate(self, position: Position, candidates: list[Move], attacked: int) -> list[int]:
        """The walks still to do after each move."""
        turn = position[TURN]
        own, foes = position[WHITES], position[BLACKS]
        if not turn:
            own, foes = foes, own
        pawns = position[PAWNS]
        now = [
            _shortest(
                position[kind] & (own if white == turn else foes),
                pawns & (own if white == turn else foes),
                lengths,
                as_pawn,
            )
            for white, kind, lengths, as_pawn in self.posts
        ]
        still = _total(now)
        ratings: list[int] = []
        for move in candidates:
            origin, to, kind = BITS[move & 63], BITS[move >> 6 & 63], move >> MOVER & 7
            becomes = move >> 12 & 7 or kind
            after: list[int] | None = None
            for index, (white, posted, lengths, as_pawn) in enumerate(self.posts):
                if white == turn:
                    if posted not in (kind, becomes) and not (as_pawn and kind == PAWNS):
                        continue
                    pieces, ours = position[posted] & own & ~origin, pawns & own & ~origin
                    if becomes == posted:
                        pieces |= to
                    if becomes == PAWNS:
                        ours |= to
                elif to & foes:
                    pieces, ours = position[posted] & foes & ~to, pawns & foes & ~to
                else:
                    continue
                if after is None:
                    after = now[:]
                after[index] = _shortest(pieces, ours, lengths, as_pawn)
            ratings.append(still if after is None else _total(after))
        return ratings


def _shortest(pieces: int, pawns: int, lengths: list[int], as_pawn: list[int] | None) -> int:
    """The shortest walk to a post of any piece that may take it."""
    shortest = FAR
    while pieces:
        bit = pieces & -pieces
        pieces ^= bit
        shortest = min(shortest, lengths[bit.bit_length() - 1])
    if as_pawn is not None and shortest:
        while pawns:
            bit = pawns & -pawns
            pawns ^= bit
            shortest = min(shortest, as_pawn[bit.bit_length() - 1])
    return shortest


def _total(lengths: list[int]) -> int:
    """All walks together: the black king goes first, before the others close its way.

    The checking piece comes no nearer than a move while others walk.
    """
    last = lengths[2]
    others = sum(lengths) - last + 2 * lengths[0]
    return 4 * (others + max(last, 1)) if others else 4 * last
