"""Premoves (1.2a): the answer a player chooses before the opponent has moved, held by the server.

A premove is bound to one ply. It is played at once, at no cost of time, when that ply comes and the
move is legal; otherwise it is dropped, so that it never fires a move later. A lost connection does
not undo it. Until it is played only its owner sees it.
"""

from __future__ import annotations

import chess
import msgspec


class Premove(msgspec.Struct, frozen=True):
    """A move to be played at exactly that ply."""

    ply: int
    uci: str


def could_become_legal(board: chess.Board, move: chess.Move, color: chess.Color) -> bool:
    """Whether a piece of that colour can go that way on some board, whatever stands on the way.

    It keeps out what no move of the opponent can make legal: another's piece, a rook on a
    diagonal, a promotion that is none.
    """
    piece = board.piece_at(move.from_square)
    if piece is None or piece.color != color or move.from_square == move.to_square or move.drop:
        return False
    if needs_promotion(board, move) != (move.promotion is not None):
        return False
    if move.promotion in (chess.PAWN, chess.KING):
        return False
    return bool(_ways(piece, move.from_square) & chess.BB_SQUARES[move.to_square])


def needs_promotion(board: chess.Board, move: chess.Move) -> bool:
    """Whether a pawn goes to its last rank."""
    if not board.pawns & chess.BB_SQUARES[move.from_square]:
        return False
    last = chess.BB_RANK_8 if board.color_at(move.from_square) else chess.BB_RANK_1
    return bool(last & chess.BB_SQUARES[move.to_square])


def _ways(piece: chess.Piece, square: chess.Square) -> chess.Bitboard:
    """The squares a piece can go to from one on an empty board, captures and castling included."""
    if piece.piece_type == chess.PAWN:
        return chess.BB_PAWN_ATTACKS[piece.color][square] | _pawn_steps(piece.color, square)
    if piece.piece_type == chess.KNIGHT:
        return chess.BB_KNIGHT_ATTACKS[square]
    if piece.piece_type == chess.KING:
        return chess.BB_KING_ATTACKS[square] | _castlings(piece.color, square)
    ways = chess.BB_EMPTY
    if piece.piece_type != chess.ROOK:
        ways |= chess.BB_DIAG_ATTACKS[square][0]
    if piece.piece_type != chess.BISHOP:
        ways |= chess.BB_RANK_ATTACKS[square][0] | chess.BB_FILE_ATTACKS[square][0]
    return ways


def _pawn_steps(color: chess.Color, square: chess.Square) -> chess.Bitboard:
    step = 8 if color else -8
    steps = chess.BB_SQUARES[square + step]
    if chess.square_rank(square) == (1 if color else 6):
        steps |= chess.BB_SQUARES[square + 2 * step]
    return steps


def _castlings(color: chess.Color, square: chess.Square) -> chess.Bitboard:
    if square != (chess.E1 if color else chess.E8):
        return chess.BB_EMPTY
    return chess.BB_SQUARES[square + 2] | chess.BB_SQUARES[square - 2]
