"""A guide for closed positions: first something has to be taken, whatever it is.

While White has neither queen nor rook, a position is the nearer to a mate the fewer pieces block it
and the shorter the way of a king to something it might take; whose king that is, is asked in two
ways. Once White has a queen or a rook, the usual guide goes on.
"""

from __future__ import annotations

from arrocco.hall.unwinnable import guides
from arrocco.hall.unwinnable.guides import TO_THE_CORNER
from arrocco.hall.unwinnable.position import (
    BITS,
    BLACKS,
    KINGS,
    MOVER,
    PAWNS,
    QUEENS,
    ROOKS,
    TURN,
    WHITES,
    Move,
    Position,
    squares_of,
)
from arrocco.hall.unwinnable.reach import Reach, steps
from tests.judge.unwinnable.potential import Potential

_WALK, _PIECE, _STEP, _PROMOTION = 2, 10, 1, 60
_LATER = 400
"""Positions where White has a queen or a rook come before all others."""
_TOO_FAR = 20


class Opening(guides.Opening):
    """Rates moves by what they open; it remembers walks, so make one for every search."""

    def __init__(self, reach: Reach, *, white: bool) -> None:
        super().__init__(reach, white=white)
        self._potential = Potential(TO_THE_CORNER)
        self._walks: dict[int, list[int]] = {}

    def rate(self, position: Position, candidates: list[Move], attacked: int) -> list[int]:
        """How far from being opened the position after each move looks: less is nearer."""
        white, black, kings = position[WHITES], position[BLACKS], position[KINGS]
        if (position[QUEENS] | position[ROOKS]) & white:
            return [
                rating - _LATER for rating in self._potential.rate(position, candidates, attacked)
            ]
        turn = position[TURN]
        foes = black if turn else white
        own, prey = (white, black) if self.white else (black, white)
        walks = self._walks_to(prey & ~kings)
        still = walks[(kings & own).bit_length() - 1]
        base = _PIECE * (white | black).bit_count()
        ratings = []
        for move in candidates:
            kind, target = move >> MOVER & 7, move >> 6 & 63
            walk = walks[target] if kind == KINGS and turn == self.white else still
            rating = base + _WALK * walk
            if BITS[target] & foes:
                rating -= _PIECE
            if move >> 12 & 7:
                rating -= _PROMOTION if turn else _PROMOTION // 2
            elif kind == PAWNS:
                rating -= _STEP
            ratings.append(rating)
        return ratings

    def _walks_to(self, prey: int) -> list[int]:
        """How many moves the king needs from each square to take something."""
        if prey not in self._walks:
            lengths = [_TOO_FAR] * 64
            seen = new = prey
            length = 0
            while new:
                for square in squares_of(new):
                    lengths[square] = length
                length += 1
                new = steps(KINGS, new) & self.region & ~seen
                seen |= new
            self._walks[prey] = lengths
        return self._walks[prey]
