"""Positions that run out of moves before anything can happen.

One side can move only its pawns, the other its king and perhaps pawns. Every move of the first side
uses up a step of its pawns, and their steps are counted. That the other king takes such a pawn sets
nothing free but the pawn behind it, which then has to promote. If the king is too slow to take
anything that stands still, and too slow to let a pawn promote, the side without moves is
stalemated first: no mate, for nobody.
"""

from __future__ import annotations

from typing import NamedTuple

from arrocco.hall.unwinnable.mates import attack, can_block
from arrocco.hall.unwinnable.position import (
    BLACKS,
    CASTLING,
    DISTANCE,
    KING_STEPS,
    KINGS,
    PASSING,
    PAWNS,
    TURN,
    WHITES,
    Position,
    in_check,
    squares_of,
)
from arrocco.hall.unwinnable.reach import ALL, pawn_takes, steps

_UP = [sum(1 << m for m in range(n + 8, 64, 8)) for n in range(64)]
_DOWN = [sum(1 << m for m in range(n - 8, -1, -8)) for n in range(64)]


class _Span(NamedTuple):
    """The squares a pawn may stand on while nothing is set free, and how many steps it has."""

    square: int
    squares: int
    steps: int
    promotes: bool = False


Chances = list[tuple[int, int]]
"""Squares on which the wandering king could take with effect, each with the moves it has to come.

The square is `_NOWHERE` where a pawn promotes without any help of the king.
"""
_NOWHERE = 64


class Tempo:
    """Counts steps; it remembers pawn structures, so make one for every position asked about.

    Which sides are locked is known to all that are made of one.
    """

    structures: int
    """How many structures were counted: that is the work."""

    def __init__(self, locked: set[bool] | None = None) -> None:
        self.structures = 0
        self._known: dict[tuple[int, ...], Chances | None] = {}
        self._locked: set[bool] = set() if locked is None else locked

    def counting_anew(self) -> Tempo:
        """One for another search, whose work is its own."""
        return Tempo(self._locked)

    def runs_out(self, position: Position) -> bool:
        """Whether the side to move, which has only pawn moves, is stalemated before all else."""
        return not in_check(position) and self._is_too_slow(position, bool(position[TURN]), 0)

    def is_locked(self, side: bool) -> bool:
        """Whether a side was seen to have only pawn moves."""
        return side in self._locked

    def lock(self, side: bool) -> None:
        """Notes that a side was seen to have only pawn moves."""
        self._locked.add(side)

    def lets_run_out(self, position: Position) -> bool:
        """Whether the other side is; only asked of sides that were seen to have only pawn moves."""
        other = not position[TURN]
        return self.is_locked(other) and self._is_too_slow(position, other, 1)

    def _is_too_slow(self, position: Position, locked: bool, more: int) -> bool:
        if position[PASSING] or position[CASTLING]:
            return False
        king = position[KINGS] & (position[BLACKS] if locked else position[WHITES])
        chances = self._chances_of(position, locked, king)
        if chances is None:
            return False
        way = DISTANCE[king.bit_length() - 1]
        return all(
            (way[square] if square != _NOWHERE else 0) > time + more for square, time in chances
        )

    def _chances_of(self, position: Position, locked: bool, king: int) -> Chances | None:
        """What the other king may take with effect; None where a structure does not lock a side."""
        white, black = position[WHITES] & ~king, position[BLACKS] & ~king
        structure = (locked, *position[PAWNS:KINGS], white, black)
        if structure in self._known:
            return self._known[structure]
        self.structures += 1
        chances = self._known[structure] = _chances(position, locked, king)
        if chances is not None:
            self._locked.add(locked)
        return chances


def _chances(position: Position, turn: bool, wanderer: int) -> Chances | None:
    """What the other king may take to set something free; None where no king is needed for that."""
    pawns = position[PAWNS]
    own, theirs = position[WHITES], position[BLACKS]
    if not turn:
        own, theirs = theirs, own
    theirs &= ~wanderer
    still = _still(position, wanderer)
    if (own | theirs) & ~pawns & ~still:
        return None
    # The king may take pawns that move out of the way of its own, never the other way round.
    own_spans = _spans(pawns & own, pawns & theirs | still, turn)
    spans = _spans(pawns & theirs, still, not turn)
    own_squares, squares = _together(own_spans), _together(spans)
    own_takes = pawn_takes(own_squares, turn)
    if (
        any(span.promotes for span in own_spans)
        or own_takes & (squares | theirs)
        or pawn_takes(squares, not turn) & (own_squares | own)
    ):
        return None
    guarded = _attacked_for_ever(position, own & still)
    # Where the side that runs out is the winner asked about, its pawns must not mate on the way.
    if turn and _pawns_may_mate(position, own_takes, guarded, still, theirs, spans):
        return None
    time = sum(span.steps for span in own_spans)
    chances = [(square, time) for square in squares_of(own & still & ~position[KINGS] & ~guarded)]
    for runner in spans:
        if runner.promotes:
            obstacle = _obstacle(runner, own_spans)
            # The first move of a pawn may be of two squares.
            way = runner.steps - (runner.square >> 3 == (6 if turn else 1))
            if obstacle is not None:
                chances += _times(obstacle, runner, way, time, guarded)
            else:
                chances.append((_NOWHERE, time - way))
    return chances


def _obstacle(runner: _Span, own_spans: list[_Span]) -> _Span | None:
    """A pawn that must be taken before the runner can promote."""
    ahead = runner.squares & ~(1 << runner.square)
    return next((span for span in own_spans if ahead >> span.square & 1), None)


def _times(pawn: _Span, runner: _Span, way: int, time: int, guarded: int) -> Chances:
    """Where a pawn in the way of a runner could be taken, and how many moves the king has for that.

    The moves of the runner need time too, and steps that the pawn no longer makes give none. The
    runner comes no nearer to the pawn than the square before it; what is left of its way then has
    to be covered by the steps of other pawns.
    """
    others = time - pawn.steps
    chances: Chances = []
    for square in squares_of(pawn.squares & ~guarded):
        before = (abs(square - runner.square) >> 3) - 1
        if way - before <= others + 1:
            chances.append((square, others + (abs(square - pawn.square) >> 3) - way))
    return chances


def _still(position: Position, wanderer: int) -> int:
    """Pieces that cannot move before something is taken, whatever the wandering king does."""
    white, black = position[WHITES] & ~wanderer, position[BLACKS] & ~wanderer
    still = white | black
    while True:
        moving = 0
        for kind in range(PAWNS, KINGS + 1):
            for square in squares_of(position[kind] & still):
                bit = 1 << square
                is_white = bool(bit & white)
                if kind == PAWNS:
                    open_squares = (bit << 8 & ALL if is_white else bit >> 8) & ~still
                else:
                    own, theirs = (white, black) if is_white else (black, white)
                    open_squares = steps(kind, bit) & ~(still & own)
                    if kind == KINGS:
                        open_squares &= ~_attacked_for_ever(position, theirs & still)
                if open_squares:
                    moving |= bit
        if not moving:
            return still
        still ^= moving


def _attacked_for_ever(position: Position, pieces: int) -> int:
    """What pieces that stay where they are attack whatever stands between."""
    attacked = pawn_takes(position[PAWNS] & pieces & position[WHITES], True)
    attacked |= pawn_takes(position[PAWNS] & pieces & position[BLACKS], False)
    for kind in range(PAWNS + 1, KINGS + 1):
        attacked |= steps(kind, position[kind] & pieces)
    return attacked


def _spans(pawns: int, closed: int, white: bool) -> list[_Span]:
    """How far each pawn of a side could go, up to the first closed square."""
    spans: list[_Span] = []
    for square in squares_of(pawns):
        ahead = (_UP if white else _DOWN)[square]
        stops = ahead & closed
        if stops:
            stop = stops & -stops if white else 1 << stops.bit_length() - 1
            ahead &= stop - 1 if white else -stop << 1
        spans.append(_Span(square, 1 << square | ahead, ahead.bit_count(), not stops))
    return spans


def _together(spans: list[_Span]) -> int:
    squares = 0
    for span in spans:
        squares |= span.squares
    return squares


def _pawns_may_mate(
    position: Position, takes: int, guarded: int, still: int, theirs: int, spans: list[_Span]
) -> bool:
    """Whether White's pawns could mate the wandering king somewhere."""
    white, pawns = position[WHITES], position[PAWNS]
    attacked = takes | guarded
    for kind in range(PAWNS + 1, KINGS):
        for square in squares_of(position[kind] & white):
            attacked |= attack(kind, square, 0)
    blockers = [span.squares for span in spans]
    blockers += [1 << square for square in squares_of(theirs & ~pawns)]
    return any(
        can_block(KING_STEPS[square] & ~attacked, blockers)
        for square in squares_of(takes & ~guarded & ~(white & still))
    )
