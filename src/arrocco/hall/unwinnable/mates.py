"""Whether a mate of the black king could be put together from the squares pieces may reach.

A king is mated on a square when a white piece attacks it and every square beside it is attacked by
White or held by one of Black's own pieces. Each white piece stands on one of its squares and each
black piece blocks at most one, so for every square the king could reach the best choices are tried:
if none covers everything, no mate is possible there. That rays may be cut, checks answered or
pieces in each other's way is left aside, which only allows more.
"""

from __future__ import annotations

from arrocco.hall.unwinnable.position import (
    BISHOPS,
    BITS,
    KING_STEPS,
    KINGS,
    KNIGHT_STEPS,
    KNIGHTS,
    PAWNS,
    QUEENS,
    RANK_8,
    ROOKS,
    WHITE_PAWN_TAKES,
    diagonals,
    lines,
)
from arrocco.hall.unwinnable.reach import Piece, Reach

MAX_CHOICES = 250
"""So many choices of what White covers are kept apart; beyond, a mate is taken as possible."""
ROOMY = 40
"""A king and a heavy piece with so many squares each can mate: no need to look."""


def may_be_mated(reach: Reach) -> bool:
    """Whether some mate of the black king fits into the squares pieces may reach."""
    whites = [piece for piece in reach.pieces if piece.white]
    blockers = [
        piece.squares | piece.promoted
        for piece in reach.pieces
        if not piece.white and piece.kind != KINGS
    ]
    king = reach.king(False)
    if _is_roomy(reach, whites):
        return True
    attacks = _attacks(reach, whites, king.start)
    blocked = 0
    for squares in blockers:
        blocked |= squares
    attacked = 0
    for places in attacks:
        for _, squares in places:
            attacked |= squares
    held = attacked | blocked
    bits = king.squares & attacked
    while bits:
        bit = bits & -bits
        bits ^= bit
        square = bit.bit_length() - 1
        if not KING_STEPS[square] & ~held and _may_be_mated_on(square, attacks, blockers):
            return True
    return False


def _is_roomy(reach: Reach, whites: list[Piece]) -> bool:
    """Whether White's king and a queen, rook or promoted pawn go nearly everywhere."""
    return reach.king(True).squares.bit_count() >= ROOMY and any(
        (piece.squares if piece.kind in (QUEENS, ROOKS) else piece.promoted).bit_count() >= ROOMY
        for piece in whites
    )


def _attacks(reach: Reach, whites: list[Piece], king: int) -> list[list[tuple[int, int]]]:
    """For every white piece, what it attacks from each of its places; kings come first."""
    walls = reach.fixed & ~king  # a line goes on through the king it checks
    table: list[list[tuple[int, int]]] = []
    for piece in whites:
        squares = piece.squares & ~RANK_8 if piece.kind == PAWNS else piece.squares
        places = [(piece.kind, squares)]
        if piece.promoted:
            places += [(QUEENS, piece.promoted), (KNIGHTS, piece.promoted)]
        row: list[tuple[int, int]] = []
        for kind, bits in places:
            while bits:
                bit = bits & -bits
                bits ^= bit
                square = bit.bit_length() - 1
                row.append((square if kind == KINGS else -1, attack(kind, square, walls)))
        table.append(row)
    return table


def attack(kind: int, square: int, occupied: int) -> int:
    """What a white piece attacks from a square."""
    if kind == PAWNS:
        return WHITE_PAWN_TAKES[square]
    if kind == KNIGHTS:
        return KNIGHT_STEPS[square]
    if kind == KINGS:
        return KING_STEPS[square]
    squares = 0
    if kind != ROOKS:
        squares = diagonals(square, occupied)
    if kind != BISHOPS:
        squares |= lines(square, occupied)
    return squares


def _may_be_mated_on(
    square: int, attacks: list[list[tuple[int, int]]], blockers: list[int]
) -> bool:
    """Whether White could attack a square and all beside it that Black does not block."""
    beside = KING_STEPS[square]
    zone = beside | BITS[square]
    choices = [0]
    for places in attacks:
        masks = {
            squares & zone
            for king, squares in places
            if king < 0 or not zone >> king & 1  # kings never stand side by side
        }
        masks.discard(0)
        if masks:
            each = best(masks)
            choices = best({chosen | mask for chosen in choices for mask in each})
            if len(choices) > MAX_CHOICES:
                return True
    return any(chosen >> square & 1 and can_block(beside & ~chosen, blockers) for chosen in choices)


def best(masks: set[int]) -> list[int]:
    """The masks that no other contains."""
    kept: list[int] = []
    for mask in sorted(masks, key=int.bit_count, reverse=True):
        if all(mask | other != other for other in kept):
            kept.append(mask)
    return kept


def can_block(squares: int, blockers: list[int]) -> bool:
    """Whether different black pieces could stand on all these squares: a matching."""
    if squares.bit_count() > len(blockers):
        return False
    stands_on: dict[int, int] = {}

    def place(bit: int, tried: set[int]) -> bool:
        for index, reached in enumerate(blockers):
            if reached & bit and index not in tried:
                tried.add(index)
                if index not in stands_on or place(stands_on[index], tried):
                    stands_on[index] = bit
                    return True
        return False

    while squares:
        bit = squares & -squares
        squares ^= bit
        if not place(bit, set()):
            return False
    return True
