"""How the scripted players move: legal, quick, not quite without sense; whole numbers only."""

from __future__ import annotations

import random

import chess

VALUES = {
    chess.PAWN: 100,
    chess.KNIGHT: 300,
    chess.BISHOP: 310,
    chess.ROOK: 500,
    chess.QUEEN: 900,
    chess.KING: 0,
}
_CENTRE = chess.SquareSet(chess.BB_CENTER)
_WEAKEST, _STRONGEST = 1000, 2500
_MATE = 100_000


def balance(board: chess.Board, side: chess.Color) -> int:
    """How much more material a side has, a pawn being 100."""
    sum_of_pieces = 0
    for kind, value in VALUES.items():
        own, other = board.pieces_mask(kind, side), board.pieces_mask(kind, not side)
        sum_of_pieces += value * (own.bit_count() - other.bit_count())
    return sum_of_pieces


def choose(board: chess.Board, strength: int, rng: random.Random) -> chess.Move:
    """A move for the side to move: mate, else what wins or saves most as far as one looks.

    The weaker the player, the more chance has its say.
    """
    # What chance can add or take: little for the strongest, two pawns for the weakest.
    blur = 15 + 160 * max(_STRONGEST - strength, 0) // (_STRONGEST - _WEAKEST)
    best, choice = -_MATE, None
    for move in board.legal_moves:
        value = _value(board, move) + rng.randrange(blur)
        if value >= _MATE:
            return move
        if choice is None or value > best:
            best, choice = value, move
    assert choice is not None, "somebody is asked to move who cannot"
    return choice


def _value(board: chess.Board, move: chess.Move) -> int:
    piece = board.piece_type_at(move.from_square)
    assert piece is not None
    taken = board.piece_type_at(move.to_square)
    value = VALUES[taken] if taken else 0
    if move.promotion:
        value += VALUES[move.promotion] - VALUES[chess.PAWN]
    other = not board.turn
    own = VALUES[piece]
    if board.is_attacked_by(other, move.to_square) and piece != chess.KING:
        guarded = board.attackers_mask(board.turn, move.to_square).bit_count() > 1
        value -= own if not guarded else max(own - 300, 0)
    if board.is_attacked_by(other, move.from_square):
        value += own // 2
    if piece in (chess.PAWN, chess.KNIGHT, chess.BISHOP) and move.to_square in _CENTRE:
        value += 30
    if board.is_castling(move):
        value += 60
    if piece == chess.PAWN and board.fullmove_number > 20:
        value += 20
    if board.gives_check(move):
        value += 15
        board.push(move)
        mates = board.is_checkmate()
        board.pop()
        value += _MATE if mates else 0
    return value
