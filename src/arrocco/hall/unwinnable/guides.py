"""The guides of the search: what looks near to a mate of the black king, as the core is told it.

How a guide rates a position stands in ``core/guides.c``, and in ``tests/judge`` once more. There is
more than one, since each gets stuck elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass

from arrocco.hall.unwinnable.position import BITS, BLACKS, KINGS, PAWNS, WHITES, Position
from arrocco.hall.unwinnable.reach import Reach
from arrocco.hall.unwinnable.walks import FAR, Goal, walks


@dataclass(frozen=True)
class Weights:
    """What counts how much. There is more than one set, since each gets stuck elsewhere."""

    flight: int
    edge: int
    corner: int
    kings: int
    queen: int
    no_queen: int
    check: int
    no_flight: int
    pawnless: int
    step: int
    obstacle: int
    walk: int
    no_pawn: int
    patience: int = 40


TO_THE_CORNER = Weights(
    flight=5,
    edge=3,
    corner=23,
    kings=2,
    queen=4,
    no_queen=0,
    check=12,
    no_flight=7,
    pawnless=61,
    step=3,
    obstacle=2,
    walk=5,
    no_pawn=30,
)
NEAR_THE_KING = Weights(
    flight=8,
    edge=0,
    corner=0,
    kings=0,
    queen=4,
    no_queen=3,
    check=6,
    no_flight=30,
    pawnless=20,
    step=2,
    obstacle=4,
    walk=1,
    no_pawn=30,
)


class Potential:
    """Two stages: without a queen or rook the road of a pawn to the last rank, then the mating net.

    In the net count the squares the black king can still flee to, the way of the kings to each
    other and of the black king to the edge or a corner, and the distance of the queens.
    """

    def __init__(self, weights: Weights) -> None:
        self.weights = weights
        self.patience = weights.patience


class Race:
    """One side has only steps of pawns left, the other king has to set a pawn free.

    The locked side must not run out of steps before the other king has taken a pawn and the pawn
    behind it has promoted. Once a pawn has promoted, the usual guide goes on.
    """

    patience = 6

    def __init__(self, position: Position, locked: bool) -> None:
        self.locked = locked
        self.pieces = position[BLACKS if locked else WHITES] & ~position[PAWNS]
        # What stands still: a pawn behind it never runs.
        self.still = (position[WHITES] | position[BLACKS]) & ~position[PAWNS]
        self.still &= ~(position[KINGS] & self.pieces)


class Opening:
    """For closed positions: first something has to be taken, whatever it is.

    While White has neither queen nor rook, a position is the nearer to a mate the fewer pieces
    block it and the shorter the way of a king to something it might take; `white` says whose king.
    """

    patience = 6

    def __init__(self, reach: Reach, *, white: bool) -> None:
        self.white = white
        self.region = reach.king(white).squares


class Walk:
    """Brings everybody to the squares of a goal."""

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


Guide = Potential | Race | Opening | Walk
