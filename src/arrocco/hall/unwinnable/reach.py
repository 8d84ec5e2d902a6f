"""Where every piece could ever stand: an upper bound, by saturation.

Nothing is assumed to move at first. A piece is then allowed every step whose obstacles could go
away, and whatever it may enter, leave or take allows further steps, until nothing is added. Turns,
checks and the order of moves are forgotten, so every legal series of moves stays inside the bound:
if the first move of a series that leaves it existed, the moves before it would have allowed it.

Two things that hold for ever make the bound sharp. What never moves and is never taken attacks its
squares for ever, so the enemy king never enters them. And two pawns facing each other on a file
never pass, unless one of them can leave the file or be taken.
"""

from __future__ import annotations

from dataclasses import dataclass

from arrocco.hall.unwinnable.position import (
    BISHOPS,
    BLACKS,
    CASTLING,
    KINGS,
    KNIGHTS,
    NOT_A,
    NOT_H,
    PASSING,
    PAWNS,
    QUEENS,
    RANK_1,
    RANK_8,
    ROOKS,
    TURN,
    WHITES,
    Position,
)

ALL = (1 << 64) - 1
_NOT_AB = NOT_A & (NOT_A << 1)
_NOT_GH = NOT_H & (NOT_H >> 1)
_FILE_A = ALL & ~NOT_A


@dataclass(slots=True)
class Piece:
    """One piece of the position with all squares it could ever stand on.

    `squares` are those it could stand on as what it is now (a pawn's may include the last rank,
    where it is a pawn no more), `promoted` those of what a pawn could become.
    """

    kind: int
    white: bool
    start: int
    squares: int
    promoted: int = 0


@dataclass(frozen=True, slots=True)
class Reach:
    """The bound: every piece with its squares, and the squares whose first occupant never goes."""

    pieces: list[Piece]
    fixed: int

    def king(self, white: bool) -> Piece:
        """The king of a side."""
        return next(piece for piece in self.pieces if piece.kind == KINGS and piece.white == white)


def saturate(position: Position) -> Reach:
    """The squares every piece could ever reach."""
    white, kings = position[WHITES], position[KINGS]
    pieces: list[Piece] = []
    for kind in (KINGS, QUEENS, ROOKS, BISHOPS, KNIGHTS, PAWNS):
        bits = position[kind]
        while bits:
            bit = bits & -bits
            bits ^= bit
            pieces.append(Piece(kind, bool(bit & white), bit, bit))
    pawns = [piece for piece in pieces if piece.kind == PAWNS]
    fixed = white | position[BLACKS]
    if position[CASTLING]:
        fixed = _let_castle(pieces, fixed, position[CASTLING])
    if position[PASSING]:
        fixed = _let_take_in_passing(pawns, fixed, position)
    growing = True
    while growing:
        growing = False
        targets, prey = [0, 0], [0, 0]
        for piece in pieces:
            if piece.kind != KINGS:
                targets[piece.white] |= piece.squares | piece.promoted
            if piece.kind == PAWNS:
                prey[piece.white] |= pawn_takes(piece.squares, piece.white) | piece.promoted
            else:
                prey[piece.white] |= piece.squares
        for piece in pieces:
            side = piece.white
            own = white if side else ~white
            open_squares = ~(fixed & (own | kings) & ~piece.start)
            before = piece.squares, piece.promoted
            if piece.kind == PAWNS:
                _spread_pawn(piece, fixed | _beyond(piece, pawns, prey[side]), targets[not side])
                last = piece.squares & (RANK_8 if side else RANK_1)
                if last:
                    piece.promoted = _spread(QUEENS, last, open_squares)
                    piece.promoted |= _spread(KNIGHTS, last, open_squares)
            elif piece.kind == KINGS:
                guarded = _guarded(pieces, fixed, not side)
                piece.squares = _spread(KINGS, piece.squares, open_squares & ~guarded)
            else:
                piece.squares = _spread(piece.kind, piece.squares, open_squares)
            if before != (piece.squares, piece.promoted):
                growing = True
            stands = piece.squares | piece.promoted
            gone = stands & ~own & ~kings
            if stands != piece.start:
                gone |= piece.start
            if fixed & gone:
                fixed &= ~gone
                growing = True
    return Reach(pieces, fixed)


def _let_castle(pieces: list[Piece], fixed: int, castling: int) -> int:
    """Lets kings and rooks with the right to castle stand where castling puts them."""
    for king in pieces:
        if king.kind == KINGS:
            home = RANK_1 if king.white else RANK_8
            for rook in pieces:
                if rook.start & castling & home:
                    east = rook.start > king.start
                    king.squares |= king.start << 2 if east else king.start >> 2
                    rook.squares |= king.start << 1 if east else king.start >> 1
                    fixed &= ~(king.start | rook.start)
    return fixed


def _let_take_in_passing(pawns: list[Piece], fixed: int, position: Position) -> int:
    """Lets a pawn that could take in passing at once do it."""
    passing, turn = position[PASSING], position[TURN]
    takers, beaten = pawn_takes(passing, not turn), passing >> 8 if turn else passing << 8
    for pawn in pawns:
        if (pawn.start & takers and pawn.white == turn) or pawn.start == beaten:
            pawn.squares |= passing  # for the beaten pawn this only says that it can be taken
            fixed &= ~pawn.start
    return fixed


def pawn_takes(squares: int, white: bool) -> int:
    """What pawns of a colour attack from these squares."""
    if white:
        return ((squares & NOT_H) << 9 | (squares & NOT_A) << 7) & ALL
    return (squares & NOT_H) >> 7 | (squares & NOT_A) >> 9


def _beyond(pawn: Piece, pawns: list[Piece], prey: int) -> int:
    """Squares of its file a pawn never steps on: from where an enemy pawn faces it for ever.

    `prey` is where its own side could take.
    """
    file = _FILE_A << (pawn.start.bit_length() - 1 & 7)
    closed = 0
    if not pawn.squares & ~file:
        for other in pawns:
            if (
                other.white != pawn.white
                and other.start & file
                and (other.start > pawn.start) == pawn.white
                and not other.squares & (~file | prey)
            ):
                closed |= -other.start if pawn.white else (other.start << 1) - 1
    return closed


def _spread_pawn(pawn: Piece, closed: int, targets: int) -> None:
    """Lets a pawn step and take; it takes only where an enemy piece could stand."""
    here = pawn.squares
    while True:
        step = here << 8 & ALL if pawn.white else here >> 8
        more = here | step & ~closed | pawn_takes(here, pawn.white) & targets
        if more == here:
            pawn.squares = here
            return
        here = more


def _guarded(pieces: list[Piece], fixed: int, by: bool) -> int:
    """Squares that pieces which never go attack for ever."""
    guarded = 0
    for piece in pieces:
        if piece.white == by and piece.start & fixed:
            if piece.kind == PAWNS:
                guarded |= pawn_takes(piece.start, by)
            else:
                guarded |= steps(piece.kind, piece.start)
    return guarded


def steps(kind: int, here: int) -> int:
    """One step of a piece of that kind from all these squares."""
    east, west = (here & NOT_H) << 1, (here & NOT_A) >> 1
    if kind == KNIGHTS:
        near, far = east | west, (here & _NOT_GH) << 2 | (here & _NOT_AB) >> 2
        return (near << 16 | near >> 16 | far << 8 | far >> 8) & ALL
    row = east | west
    if kind == BISHOPS:
        return (row << 8 | row >> 8) & ALL
    if kind == ROOKS:
        return row | (here << 8 | here >> 8) & ALL
    row |= here
    return (row | row << 8 | row >> 8) & ALL


def _spread(kind: int, here: int, open_squares: int) -> int:
    """All squares a piece of that kind could walk to over open squares."""
    new = here
    while new:
        new = steps(kind, new) & open_squares & ~here
        here |= new
    return here
