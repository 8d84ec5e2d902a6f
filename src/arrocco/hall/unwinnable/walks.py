"""Walks of pieces to the squares of a goal, and their lengths."""

from __future__ import annotations

from dataclasses import dataclass

from arrocco.hall.unwinnable.mates import attack
from arrocco.hall.unwinnable.position import BITS

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
