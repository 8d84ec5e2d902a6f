"""Positions as plain integers, and every legal move out of them.

The analyser looks at thousands of positions in a few hundredths of a second, so a position here is
a tuple of bitboards (bit 0 is a1, bit 63 is h8) that serves as its own key, and `successors` hands
out the positions after every legal move. The winner under examination always plays White: a
question about Black is asked of the mirrored board, see `from_board` and `move_of`.
"""

from __future__ import annotations

from collections.abc import Sequence

import chess

WHITE, BLACK = True, False
RANK_1, RANK_2, RANK_3 = chess.BB_RANK_1, chess.BB_RANK_2, chess.BB_RANK_3
RANK_6, RANK_7, RANK_8 = chess.BB_RANK_6, chess.BB_RANK_7, chess.BB_RANK_8
LAST_RANKS = RANK_1 | RANK_8
NOT_A, NOT_H = chess.BB_ALL ^ chess.BB_FILE_A, chess.BB_ALL ^ chess.BB_FILE_H

KING_STEPS: list[int] = chess.BB_KING_ATTACKS
KNIGHT_STEPS: list[int] = chess.BB_KNIGHT_ATTACKS
WHITE_PAWN_TAKES: list[int] = chess.BB_PAWN_ATTACKS[chess.WHITE]
BLACK_PAWN_TAKES: list[int] = chess.BB_PAWN_ATTACKS[chess.BLACK]
_DIAGONALS, _DIAGONAL = chess.BB_DIAG_ATTACKS, chess.BB_DIAG_MASKS
_FILES, _FILE = chess.BB_FILE_ATTACKS, chess.BB_FILE_MASKS
_RANKS, _RANK = chess.BB_RANK_ATTACKS, chess.BB_RANK_MASKS
BITS: list[int] = [1 << square for square in range(64)]
DISTANCE: list[list[int]] = [[chess.square_distance(a, b) for b in range(64)] for a in range(64)]
"""Moves of a king from a square to another on an empty board."""
BETWEEN: list[list[int]] = [[chess.between(a, b) for b in range(64)] for a in range(64)]

Move = int
"""A move as one number: from square, square it goes to (times 64), kind of piece a pawn becomes
(times 4096), kind that moves (times 32768), and `DOUBTFUL` where it might expose the king."""
MOVER = 15
DOUBTFUL = 1 << 18

Position = tuple[bool, int, int, int, int, int, int, int, int, int, int]
"""All that decides which moves are legal; equal positions are equal tuples.

Who moves (true: White), then bitboards: pawns, knights, bishops, rooks, queens and kings of both
colours, all White's pieces, all Black's pieces, the rooks that may still castle, and the square
behind a pawn that has just gone two squares, kept only while an enemy pawn stands ready to take it.
"""

TURN, PAWNS, KNIGHTS, BISHOPS, ROOKS, QUEENS, KINGS, WHITES, BLACKS, CASTLING, PASSING = range(11)
PROMOTIONS = (QUEENS, KNIGHTS, ROOKS, BISHOPS)


def from_board(board: chess.Board, winner: chess.Color) -> Position:
    """The position on a board, mirrored where Black is the winner under examination."""
    seen = board if winner == chess.WHITE else board.mirror()
    return (
        seen.turn,
        seen.pawns,
        seen.knights,
        seen.bishops,
        seen.rooks,
        seen.queens,
        seen.kings,
        seen.occupied_co[chess.WHITE],
        seen.occupied_co[chess.BLACK],
        seen.clean_castling_rights(),
        BITS[seen.ep_square]
        if seen.ep_square is not None and seen.has_pseudo_legal_en_passant()
        else 0,
    )


def move_of(move: Move, winner: chess.Color) -> chess.Move:
    """A move as the board of the game has it."""
    flip = 0 if winner == chess.WHITE else 56
    return chess.Move(move & 63 ^ flip, move >> 6 & 63 ^ flip, move >> 12 & 7 or None)


def squares_of(bits: int) -> list[int]:
    """The squares of a bitboard, from a1 on."""
    squares = []
    while bits:
        bit = bits & -bits
        bits ^= bit
        squares.append(bit.bit_length() - 1)
    return squares


def diagonals(square: int, occupied: int) -> int:
    """What a bishop attacks from a square."""
    return _DIAGONALS[square][occupied & _DIAGONAL[square]]


def lines(square: int, occupied: int) -> int:
    """What a rook attacks from a square."""
    return _FILES[square][occupied & _FILE[square]] | _RANKS[square][occupied & _RANK[square]]


def is_attacked(position: Sequence[int], square: int, by: bool, occupied: int = 0) -> bool:
    """Whether a piece of that colour attacks a square; `occupied` may replace what is on the board.

    The position may also be a list: `play` asks before it has made the tuple.
    """
    side = position[WHITES] if by else position[BLACKS]
    kings = position[KINGS]
    if (
        KING_STEPS[square] & kings & side
        or KNIGHT_STEPS[square] & position[KNIGHTS] & side
        or (BLACK_PAWN_TAKES if by else WHITE_PAWN_TAKES)[square] & position[PAWNS] & side
    ):
        return True
    queens = position[QUEENS]
    straight = (position[ROOKS] | queens) & side
    slanted = (position[BISHOPS] | queens) & side
    if straight or slanted:
        occupied = occupied or position[WHITES] | position[BLACKS]
        return bool(
            (
                straight
                and (
                    _FILES[square][occupied & _FILE[square]]
                    | _RANKS[square][occupied & _RANK[square]]
                )
                & straight
            )
            or (slanted and _DIAGONALS[square][occupied & _DIAGONAL[square]] & slanted)
        )
    return False


def in_check(position: Position) -> bool:
    """Whether the king of the side to move is attacked."""
    turn = position[TURN]
    own = position[WHITES] if turn else position[BLACKS]
    return is_attacked(position, (position[KINGS] & own).bit_length() - 1, not turn)


def attacked_by(position: Position, side: bool) -> int:
    """All squares that a side attacks; its lines go on behind the king they check."""
    _, pawns, knights, bishops, rooks, queens, kings, white, black, _, _ = position
    if side:
        own, through = white, (white | black) ^ (kings & black)
        pawns &= white
        attacked = (pawns & NOT_H) << 9 | (pawns & NOT_A) << 7
    else:
        own, through = black, (white | black) ^ (kings & white)
        pawns &= black
        attacked = (pawns & NOT_H) >> 7 | (pawns & NOT_A) >> 9
    attacked |= KING_STEPS[(kings & own).bit_length() - 1]
    todo = knights & own
    while todo:
        square = todo.bit_length() - 1
        todo ^= BITS[square]
        attacked |= KNIGHT_STEPS[square]
    todo = (bishops | queens) & own
    while todo:
        square = todo.bit_length() - 1
        todo ^= BITS[square]
        attacked |= _DIAGONALS[square][through & _DIAGONAL[square]]
    todo = (rooks | queens) & own
    while todo:
        square = todo.bit_length() - 1
        todo ^= BITS[square]
        attacked |= (
            _FILES[square][through & _FILE[square]] | _RANKS[square][through & _RANK[square]]
        )
    return attacked


def moves(position: Position, attacked: int = -1) -> list[Move]:
    """Every move that is legal, and some marked `DOUBTFUL` that `play` may refuse.

    `attacked` is what the other side attacks, where that is known already.
    """
    turn, pawns, knights, bishops, rooks, queens, kings, white, black, castling, passing = position
    own, foe = (white, black) if turn else (black, white)
    if attacked < 0:
        attacked = attacked_by(position, not turn)
    occupied = white | black
    king = (kings & own).bit_length() - 1
    if attacked >> king & 1:
        careful = own
        castling = 0
    elif (bishops | rooks | queens) & foe:
        # Unless in check, only what the king sees along a line can expose it.
        careful = (
            _DIAGONALS[king][occupied & _DIAGONAL[king]]
            | _FILES[king][occupied & _FILE[king]]
            | _RANKS[king][occupied & _RANK[king]]
        )
    else:
        careful = 0
    enter = ~own & ~kings
    legal: list[Move] = []

    targets = KING_STEPS[king] & enter & ~attacked
    move = king | KINGS << MOVER
    while targets:
        target = targets.bit_length() - 1
        targets ^= BITS[target]
        legal.append(move | target << 6)

    todo = own & ~pawns & ~kings
    while todo:
        origin = todo & -todo
        todo ^= origin
        square = origin.bit_length() - 1
        if origin & knights:
            move, targets = square | KNIGHTS << MOVER, KNIGHT_STEPS[square]
        elif origin & bishops:
            move = square | BISHOPS << MOVER
            targets = _DIAGONALS[square][occupied & _DIAGONAL[square]]
        else:
            targets = (
                _FILES[square][occupied & _FILE[square]] | _RANKS[square][occupied & _RANK[square]]
            )
            if origin & rooks:
                move = square | ROOKS << MOVER
            else:
                move = square | QUEENS << MOVER
                targets |= _DIAGONALS[square][occupied & _DIAGONAL[square]]
        if origin & careful:
            move |= DOUBTFUL
        targets &= enter
        while targets:
            target = targets.bit_length() - 1
            targets ^= BITS[target]
            legal.append(move | target << 6)

    takes = WHITE_PAWN_TAKES if turn else BLACK_PAWN_TAKES
    prey = foe & enter | passing
    todo = own & pawns
    while todo:
        origin = todo & -todo
        todo ^= origin
        square = origin.bit_length() - 1
        move = square | PAWNS << MOVER
        targets = takes[square] & prey
        if targets & passing:
            move |= DOUBTFUL
        if turn:
            step = origin << 8
            if not step & occupied:
                targets |= step
                if origin & RANK_2 and not step << 8 & occupied:
                    targets |= step << 8
        else:
            step = origin >> 8
            if not step & occupied:
                targets |= step
                if origin & RANK_7 and not step >> 8 & occupied:
                    targets |= step >> 8
        if origin & careful:
            move |= DOUBTFUL
        while targets:
            to = targets & -targets
            targets ^= to
            if to & LAST_RANKS:
                step_there = move | to.bit_length() - 1 << 6
                legal.extend(step_there | kind << 12 for kind in PROMOTIONS)
            else:
                legal.append(move | to.bit_length() - 1 << 6)
    if castling:
        _castling_moves(position, king, legal)
    return legal


def play(position: Position, move: Move) -> Position | None:
    """The position after a move; `None` where a doubtful move exposes its own king."""
    after: list[int] = list(position)
    turn = position[TURN]
    mine, theirs = (WHITES, BLACKS) if turn else (BLACKS, WHITES)
    kind = move >> MOVER & 7
    square, target = move & 63, move >> 6 & 63
    to = BITS[target]
    both = BITS[square] | to
    after[TURN] = not turn
    after[PASSING] = 0
    if to & position[theirs]:
        after[theirs] ^= to
        for taken in (PAWNS, KNIGHTS, BISHOPS, ROOKS, QUEENS):
            if after[taken] & to:
                after[taken] ^= to
                break
    elif kind == PAWNS:
        if to == position[PASSING]:
            beaten = to >> 8 if turn else to << 8
            after[theirs] ^= beaten
            after[PAWNS] ^= beaten
        elif (target - square) & 15 == 0:  # two squares
            beside = (to & NOT_H) << 1 | (to & NOT_A) >> 1
            if beside & position[PAWNS] & position[theirs]:
                after[PASSING] = BITS[(square + target) >> 1]
    after[kind] ^= both
    after[mine] ^= both
    promoted = move >> 12 & 7
    if promoted:
        after[PAWNS] ^= to
        after[promoted] |= to
    if position[CASTLING]:
        after[CASTLING] &= ~both
        if kind == KINGS:
            home = RANK_1 if turn else RANK_8
            after[CASTLING] &= ~home
            if abs(target - square) == 2:
                rook = (
                    BITS[(square + target) >> 1]
                    | BITS[square + 3 if target > square else square - 4]
                )
                after[ROOKS] ^= rook
                after[mine] ^= rook
    if move & DOUBTFUL:
        king = (after[KINGS] & after[mine]).bit_length() - 1
        if is_attacked(after, king, not turn):
            return None
    return tuple(after)  # type: ignore[return-value]


def _castling_moves(position: Position, king: int, found: list[Move]) -> None:
    """Adds castling: nothing between, and no square the king crosses or enters attacked."""
    turn = position[TURN]
    own = position[WHITES] if turn else position[BLACKS]
    occupied = position[WHITES] | position[BLACKS]
    for rook in chess.scan_forward(position[CASTLING] & own):
        step = 1 if rook > king else -1
        if not BETWEEN[king][rook] & occupied and not any(
            is_attacked(position, king + step * n, not turn) for n in (1, 2)
        ):
            found.append(king | king + 2 * step << 6 | KINGS << MOVER)


def successors(position: Position) -> list[tuple[Move, Position]]:
    """Every legal move with the position after it."""
    return [
        (move, after) for move in moves(position) if (after := play(position, move)) is not None
    ]
