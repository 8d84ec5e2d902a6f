"""A guide for races: one side has only steps of pawns left, the other king has to set a pawn free.

The locked side must not run out of steps before the other king has taken a pawn and the pawn behind
it has promoted. So what counts is how many moves that takes, and whether the steps last so long.
Once a pawn has promoted the usual guide goes on; where the locked side is to mate, the new piece
first has to be given to one of its pawns, which then runs.
"""

from __future__ import annotations

from arrocco.hall.unwinnable import guides
from arrocco.hall.unwinnable.guides import TO_THE_CORNER
from arrocco.hall.unwinnable.position import (
    BITS,
    BLACKS,
    DISTANCE,
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
from arrocco.hall.unwinnable.reach import pawn_takes
from tests.judge.unwinnable.potential import Potential

_MOVE = 10
_TOO_SLOW = 300
_NEVER = 60
_LATER = 800
_FILE = [sum(1 << m for m in range(n & 7, 64, 8)) for n in range(64)]


class Race(guides.Race):
    """Rates moves by the moves a race still takes; it remembers races, so make one for a search."""

    def __init__(self, position: Position, locked: bool) -> None:
        super().__init__(position, locked)
        self._potential = Potential(TO_THE_CORNER)
        self._known: dict[tuple[int, int, int], int] = {}

    def rate(self, position: Position, candidates: list[Move], attacked: int) -> list[int]:
        """How long the race after each move takes: less is nearer."""
        locked, pawns = self.locked, position[PAWNS]
        own, runners = position[WHITES] & pawns, position[BLACKS] & pawns
        others = position[BLACKS] & ~pawns
        if not locked:
            own, runners, others = runners, own, position[WHITES] & ~pawns
        if locked and (position[QUEENS] | position[ROOKS]) & position[WHITES]:
            ratings = self._potential.rate(position, candidates, attacked)
            return [rating - 2 * _LATER for rating in ratings]
        promoted = others.bit_count() > self.pieces.bit_count()
        if promoted and not locked:
            ratings = self._potential.rate(position, candidates, attacked)
            return [rating - _LATER for rating in ratings]
        king = (position[KINGS] & others).bit_length() - 1
        moves_locked = position[TURN] == locked
        ratings = []
        for move in candidates:
            origin, target, kind = BITS[move & 63], move >> 6 & 63, move >> MOVER & 7
            to, becomes = BITS[target], move >> 12 & 7
            ours, theirs, at, pieces = own, runners, king, others
            if moves_locked:
                theirs, pieces = theirs & ~to, pieces & ~to
                if kind == PAWNS:
                    ours ^= origin | (0 if becomes else to)
            else:
                ours &= ~to
                if kind == PAWNS:
                    theirs ^= origin | (0 if becomes else to)
                    if becomes:
                        pieces |= to
                else:
                    pieces ^= origin | to
                    if kind == KINGS:
                        at = target
            if becomes:
                ratings.append(-_LATER)
            elif promoted:
                ratings.append(self._gift(ours, theirs, pieces & ~BITS[at]) - _LATER)
            else:
                known = self._known.get((ours, theirs, at))
                if known is None:
                    known = self._known[ours, theirs, at] = self._race(ours, theirs, at)
                ratings.append(known)
        return ratings

    def _race(self, own: int, runners: int, king: int) -> int:
        """The moves of the other side until a pawn promotes, where the steps last so long."""
        gaps: dict[int, int] = {}
        for square in squares_of(own):
            ahead = self._ahead(square, self.locked)
            stops = ahead & (own | runners)
            first = self._first(stops, self.locked)
            gaps[square] = abs(first - square) // 8 - 1 if stops else ahead.bit_count()
        total = sum(gaps.values())
        best = _MOVE * _NEVER
        for square in squares_of(runners):
            ahead = self._ahead(square, not self.locked)
            if ahead & (runners | self.still):
                continue
            way = ahead.bit_count() - (square >> 3 == (6 if self.locked else 1))
            obstacles = ahead & own
            if not obstacles:
                need = way + (ahead >> king & 1)
                rating = _MOVE * need + (_TOO_SLOW if need > total + 1 else 0)
                best = min(best, rating)
                continue
            pawn = self._first(obstacles, not self.locked)
            more = 2 * (obstacles.bit_count() - 1)
            step = 8 if self.locked else -8
            for made in range(gaps[pawn] + 1):
                at = pawn + step * made
                need = max(DISTANCE[king][at], made) + 1 + way + more
                rating = _MOVE * need - made
                if need > total - gaps[pawn] + made + 1:
                    rating += _TOO_SLOW
                best = min(best, rating)
        return best

    def _gift(self, own: int, runners: int, pieces: int) -> int:
        """How far the locked side is from a piece that its pawn may take, and from promoting."""
        road = _NEVER
        for square in squares_of(own):
            ahead = self._ahead(square, True)
            road = min(road, ahead.bit_count() + (20 if ahead & (runners | own) else 0))
        takes = squares_of(pawn_takes(own, True))
        way = min((DISTANCE[a][b] for a in squares_of(pieces) for b in takes), default=8)
        return _MOVE * road // 2 + 6 * way

    @staticmethod
    def _ahead(square: int, white: bool) -> int:
        above = -BITS[square] << 1 if white else BITS[square] - 1
        return _FILE[square] & above

    @staticmethod
    def _first(squares: int, white: bool) -> int:
        """The square that a pawn of a colour meets first."""
        return ((squares & -squares) if white else squares).bit_length() - 1
