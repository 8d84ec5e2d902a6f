"""How near a position is to a mate of the black king: the guide of the search.

Two stages. Without a queen or rook White first needs one, so the cheapest road of a pawn to the
last rank counts: its steps, and the pawns in its way with the walk of White's king to them. With
one, the squares the black king can still flee to count, the way of the kings to each other and of
the black king to the edge or a corner, and the distance of the queens.
"""

from __future__ import annotations

from functools import cache

from arrocco.hall.unwinnable import guides
from arrocco.hall.unwinnable.guides import Weights
from arrocco.hall.unwinnable.position import (
    BISHOPS,
    BITS,
    DISTANCE,
    KING_STEPS,
    KINGS,
    KNIGHT_STEPS,
    KNIGHTS,
    MOVER,
    NOT_A,
    NOT_H,
    PAWNS,
    QUEENS,
    ROOKS,
    TURN,
    Move,
    Position,
    diagonals,
    lines,
)

_EDGE = [min(n & 7, 7 - (n & 7), n >> 3, 7 - (n >> 3)) for n in range(64)]
_CORNER = [min(n & 7, 7 - (n & 7)) + min(n >> 3, 7 - (n >> 3)) for n in range(64)]
_AHEAD = [sum(BITS[m] for m in range(n + 8, 64, 8)) for n in range(64)]
_NO_QUEEN = 9  # further than any queen can be


@cache
def _of_kings(weights: Weights) -> list[list[int]]:
    """The part that only the squares of the kings decide: first the black, then the white."""
    return [
        [
            weights.kings * DISTANCE[black][white]
            + weights.edge * _EDGE[black]
            + weights.corner * _CORNER[black]
            for white in range(64)
        ]
        for black in range(64)
    ]


class Potential(guides.Potential):
    """Rates moves by weights; it remembers roads, so make one for every search."""

    def __init__(self, weights: Weights) -> None:
        super().__init__(weights)
        self._roads: dict[tuple[int, int, int], int] = {}

    def rate(self, position: Position, candidates: list[Move], attacked: int) -> list[int]:
        """How far from a mate the position after each move looks: less is nearer.

        What White attacks is worked out once, and then only changed by the piece that moves; lines
        that a move opens or cuts for other pieces are left aside.
        """
        if position[TURN]:
            return self._rate_white(position, candidates)
        return self._rate_black(position, candidates, ~attacked)

    def _rate_black(self, position: Position, candidates: list[Move], free: int) -> list[int]:
        _, pawns, _, _, rooks, queens, kings, white, black, _, _ = position
        weights, of_kings = self.weights, _of_kings(self.weights)
        king, white_king = (kings & black).bit_length() - 1, (kings & white).bit_length() - 1
        own_queens, heavy = queens & white, (queens | rooks) & white
        ratings: list[int] = []
        for move in candidates:
            origin, target, kind = BITS[move & 63], move >> 6 & 63, move >> MOVER & 7
            to = BITS[target]
            at = target if kind == KINGS else king
            rating = of_kings[at][white_king]
            if heavy & ~to:
                rating += self._way_of_queens(own_queens & ~to, at)
            else:
                theirs = pawns & black & ~origin
                if kind == PAWNS and not move >> 12 & 7:
                    theirs |= to
                rating = (rating >> 1) + self._road(pawns & white & ~to, theirs, white_king)
            flights = (KING_STEPS[at] & ~(black ^ origin | to) & free).bit_count()
            ratings.append(rating + weights.flight * flights)
        return ratings

    def _rate_white(self, position: Position, candidates: list[Move]) -> list[int]:
        _, pawns, _, _, rooks, queens, kings, white, black, _, _ = position
        weights, of_kings = self.weights, _of_kings(self.weights)
        black_king, white_king = kings & black, (kings & white).bit_length() - 1
        king = black_king.bit_length() - 1
        beside = KING_STEPS[king]
        heavy = (queens | rooks) & white
        through = (white | black) ^ black_king  # lines go on behind the king they check
        attacks = _attacks(position, through)
        by_pawns = _pawns_attack(pawns & white)
        others: dict[int, int] = {}
        ratings: list[int] = []
        for move in candidates:
            square, target, kind = move & 63, move >> 6 & 63, move >> MOVER & 7
            to = BITS[target]
            now = move >> 12 & 7 or kind
            attacked = others.get(square, -1)
            if attacked < 0:
                attacked = 0 if kind == PAWNS else by_pawns
                for other, squares in attacks.items():
                    if other != square:
                        attacked |= squares
                others[square] = attacked
            at, own_pawns, own_queens = white_king, pawns & white, queens & white
            if kind == PAWNS:
                own_pawns ^= BITS[square]
                if now == PAWNS:
                    own_pawns |= to
                attacked |= _pawns_attack(own_pawns)
            elif kind == KINGS:
                at = target
                attacked |= KING_STEPS[target]
            if now == KNIGHTS:
                attacked |= KNIGHT_STEPS[target]
            elif BISHOPS <= now <= QUEENS:
                occupied = through ^ BITS[square] | to
                if now != ROOKS:
                    attacked |= diagonals(target, occupied)
                if now != BISHOPS:
                    attacked |= lines(target, occupied)
                if now == QUEENS:
                    own_queens = own_queens & ~BITS[square] | to
            flights = (beside & ~(black & ~to) & ~attacked).bit_count()
            rating = of_kings[king][at]
            if heavy or now in (QUEENS, ROOKS):
                rating += self._way_of_queens(own_queens, king)
            else:
                rating = (rating >> 1) + self._road(own_pawns, pawns & black & ~to, at)
            rating += weights.flight * flights
            if attacked & black_king:
                rating -= weights.check
                if not flights:
                    rating -= weights.no_flight
            ratings.append(rating)
        return ratings

    def _way_of_queens(self, queens: int, king: int) -> int:
        """The distance of the nearest queen to the black king."""
        if not queens:
            return self.weights.no_queen + self.weights.queen * _NO_QUEEN
        nearest = _NO_QUEEN
        while queens:
            bit = queens & -queens
            queens ^= bit
            nearest = min(nearest, DISTANCE[bit.bit_length() - 1][king])
        return self.weights.queen * nearest

    def _road(self, own: int, theirs: int, king: int) -> int:
        """The cheapest road of a white pawn to the last rank."""
        known = self._roads.get((own, theirs, king))
        if known is not None:
            return known
        weights = self.weights
        cheapest = weights.no_pawn
        bits = own
        while bits:
            bit = bits & -bits
            bits ^= bit
            square = bit.bit_length() - 1
            ahead = _AHEAD[square]
            cost = weights.step * (7 - (square >> 3) + (ahead & own).bit_count())
            obstacles = ahead & theirs
            while obstacles:
                obstacle = obstacles & -obstacles
                obstacles ^= obstacle
                cost += weights.obstacle
                cost += weights.walk * DISTANCE[king][obstacle.bit_length() - 1]
            cheapest = min(cheapest, cost)
        cost = cheapest + weights.pawnless + weights.queen * _NO_QUEEN
        self._roads[own, theirs, king] = cost
        return cost


def _pawns_attack(pawns: int) -> int:
    return (pawns & NOT_H) << 9 | (pawns & NOT_A) << 7


def _attacks(position: Position, through: int) -> dict[int, int]:
    """What White's pieces other than pawns attack, each for itself."""
    _, pawns, knights, bishops, rooks, _queens, kings, white, _black, _, _ = position
    king = (kings & white).bit_length() - 1
    attacks: dict[int, int] = {king: KING_STEPS[king]}
    bits = white & ~pawns & ~kings
    while bits:
        square = bits.bit_length() - 1
        bit = BITS[square]
        bits ^= bit
        if bit & knights:
            attacks[square] = KNIGHT_STEPS[square]
        elif bit & bishops:
            attacks[square] = diagonals(square, through)
        elif bit & rooks:
            attacks[square] = lines(square, through)
        else:
            attacks[square] = diagonals(square, through) | lines(square, through)
    return attacks
