"""All legal moves of a position, as they are written: the part of a move that takes longest.

The chess library makes an object for each move and tries most of them one by one. Here the king is
looked at first: who gives check, and what is pinned. Then the squares open to a piece are known at
once, and how its moves to a set of squares are written is looked up.
"""

from __future__ import annotations

from functools import lru_cache

import chess

_WRITTEN = [[f"{start}{goal}" for goal in chess.SQUARE_NAMES] for start in chess.SQUARE_NAMES]
_LAST_RANKS = chess.BB_RANK_1 | chess.BB_RANK_8
_BESIDE_THE_KING = {
    chess.WHITE: (chess.BB_F1 | chess.BB_G1, chess.BB_B1 | chess.BB_C1 | chess.BB_D1),
    chess.BLACK: (chess.BB_F8 | chess.BB_G8, chess.BB_B8 | chess.BB_C8 | chess.BB_D8),
}
"""What has to be empty for castling on either side."""


def legal_moves(board: chess.Board) -> tuple[str, ...]:
    """Every legal move of a position of ordinary chess, in no particular order."""
    us = board.turn
    own, occupied = board.occupied_co[us], board.occupied
    king = (board.kings & own).bit_length() - 1
    found = [*_moves(king, _safe_squares(board, king))]
    checks = _attackers(board, king, occupied)
    if checks & (checks - 1):
        return tuple(found)  # a double check: only the king can move
    goals = ~own & chess.BB_ALL
    if checks:
        goals &= checks | chess.between(king, checks.bit_length() - 1)
    elif board.castling_rights & own:
        short, long = _BESIDE_THE_KING[us]
        if not short & occupied or not long & occupied:
            found += [move.uci() for move in board.generate_castling_moves()]
    pinned = _pinned(board, king)
    _add_moves_of_pieces(found, board, king, goals, pinned)
    _add_moves_of_pawns(found, board, king, goals, pinned)
    if board.ep_square is not None:
        found += [move.uci() for move in board.generate_legal_ep()]
    return tuple(found)


def _safe_squares(board: chess.Board, king: chess.Square) -> chess.Bitboard:
    """Where the king can go; it gives no cover to the squares behind it."""
    goals = chess.BB_KING_ATTACKS[king] & ~board.occupied_co[board.turn]
    occupied = board.occupied ^ chess.BB_SQUARES[king]
    safe = 0
    while goals:
        bit = goals & -goals
        goals ^= bit
        if not _attackers(board, bit.bit_length() - 1, occupied):
            safe |= bit
    return safe


def _add_moves_of_pieces(
    found: list[str],
    board: chess.Board,
    king: chess.Square,
    goals: chess.Bitboard,
    pinned: chess.Bitboard,
) -> None:
    """Adds the moves of all but pawns and king to squares where one may go now."""
    occupied = board.occupied
    knights, bishops, rooks = board.knights & ~pinned, board.bishops, board.rooks
    pieces = board.occupied_co[board.turn] & (knights | bishops | rooks | board.queens)
    while pieces:
        bit = pieces & -pieces
        pieces ^= bit
        square = bit.bit_length() - 1
        if bit & knights:
            found += _moves(square, chess.BB_KNIGHT_ATTACKS[square] & goals)
            continue
        here = goals & chess.ray(king, square) if bit & pinned else goals
        if not bit & rooks:
            reached = chess.BB_DIAG_ATTACKS[square][chess.BB_DIAG_MASKS[square] & occupied] & here
            if reached:
                found += _moves(square, reached)
        if not bit & bishops:
            reached = here & (
                chess.BB_RANK_ATTACKS[square][chess.BB_RANK_MASKS[square] & occupied]
                | chess.BB_FILE_ATTACKS[square][chess.BB_FILE_MASKS[square] & occupied]
            )
            if reached:
                found += _moves(square, reached)


def _add_moves_of_pawns(
    found: list[str],
    board: chess.Board,
    king: chess.Square,
    goals: chess.Bitboard,
    pinned: chess.Bitboard,
) -> None:
    """Adds the moves of pawns, but for those en passant."""
    us = board.turn
    empty, others = ~board.occupied & chess.BB_ALL, board.occupied_co[not us]
    attacks = chess.BB_PAWN_ATTACKS[us]
    pawns = board.pawns & board.occupied_co[us]
    while pawns:
        bit = pawns & -pawns
        pawns ^= bit
        square = bit.bit_length() - 1
        if us:
            one = bit << 8 & empty
            two = (one & chess.BB_RANK_3) << 8 & empty
        else:
            one = bit >> 8 & empty
            two = (one & chess.BB_RANK_6) >> 8 & empty
        here = (attacks[square] & others | one | two) & goals
        if bit & pinned:
            here &= chess.ray(king, square)
        if here:
            found += _promotions(square, here) if here & _LAST_RANKS else _moves(square, here)


def _attackers(
    board: chess.Board, square: chess.Square, occupied: chess.Bitboard
) -> chess.Bitboard:
    """The opponent's pieces that attack a square, with the pieces on the way as they are given."""
    us = board.turn
    others = board.occupied_co[not us]
    found = (
        chess.BB_KNIGHT_ATTACKS[square] & board.knights
        | chess.BB_KING_ATTACKS[square] & board.kings
        | chess.BB_PAWN_ATTACKS[us][square] & board.pawns
    )
    diagonal, straight = board.bishops | board.queens, board.rooks | board.queens
    # Most squares are on no line with any of them: the way is looked at only where one is.
    if chess.BB_DIAG_ATTACKS[square][0] & diagonal & others:
        found |= chess.BB_DIAG_ATTACKS[square][chess.BB_DIAG_MASKS[square] & occupied] & diagonal
    if chess.BB_RANK_ATTACKS[square][0] & straight & others:
        found |= chess.BB_RANK_ATTACKS[square][chess.BB_RANK_MASKS[square] & occupied] & straight
    if chess.BB_FILE_ATTACKS[square][0] & straight & others:
        found |= chess.BB_FILE_ATTACKS[square][chess.BB_FILE_MASKS[square] & occupied] & straight
    return found & others


def _pinned(board: chess.Board, king: chess.Square) -> chess.Bitboard:
    """One's own pieces that stand alone between the king and what would attack it."""
    snipers = chess.BB_DIAG_ATTACKS[king][0] & (board.bishops | board.queens)
    lines = chess.BB_RANK_ATTACKS[king][0] | chess.BB_FILE_ATTACKS[king][0]
    snipers = (snipers | lines & (board.rooks | board.queens)) & board.occupied_co[not board.turn]
    pinned = 0
    while snipers:
        bit = snipers & -snipers
        snipers ^= bit
        between = chess.between(king, bit.bit_length() - 1) & board.occupied
        if not between & (between - 1):
            pinned |= between
    return pinned & board.occupied_co[board.turn]


@lru_cache(maxsize=1 << 16)
def _moves(square: chess.Square, goals: chess.Bitboard) -> tuple[str, ...]:
    """Moves from a square to each of some others, as they are written."""
    written = _WRITTEN[square]
    return tuple([written[goal] for goal in chess.scan_forward(goals)])


@lru_cache(maxsize=1 << 12)
def _promotions(square: chess.Square, goals: chess.Bitboard) -> tuple[str, ...]:
    return tuple([move + piece for move in _moves(square, goals) for piece in "qrbn"])
