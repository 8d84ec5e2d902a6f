"""The committed positions with their verdicts, and random ones small enough for brute force."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import chess
from hypothesis import strategies as st

FILE = Path(__file__).parents[2] / "cases" / "unwinnable.txt"


class Known(NamedTuple):
    """A position and whether each side can mate."""

    fen: str
    white: bool
    black: bool


def known() -> list[Known]:
    """The positions of the committed file."""
    lines = FILE.read_text("utf-8").splitlines()
    return [
        Known(line[3:], line[0] == "W", line[1] == "B")
        for line in lines
        if line and not line.startswith("#")
    ]


@st.composite
def small_positions(draw: st.DrawFn) -> chess.Board:
    """Kings, a few pawns that mostly block each other, and at most three pieces."""
    board = chess.Board(None)
    squares = st.sampled_from(chess.SQUARES)
    for file in draw(st.sets(st.integers(0, 7), max_size=6)):
        rank = draw(st.integers(1, 5))
        board.set_piece_at(chess.square(file, rank), chess.Piece(chess.PAWN, chess.WHITE))
        above = draw(st.integers(rank + 1, min(rank + 2, 6)))
        board.set_piece_at(chess.square(file, above), chess.Piece(chess.PAWN, chess.BLACK))
    kinds = st.sampled_from((chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN, chess.PAWN))
    for _ in range(draw(st.integers(0, 3))):
        square, kind, color = draw(squares), draw(kinds), draw(st.booleans())
        if board.piece_at(square) is None and not (
            kind == chess.PAWN and chess.square_rank(square) in (0, 7)
        ):
            board.set_piece_at(square, chess.Piece(kind, color))
    free = [square for square in chess.SQUARES if board.piece_at(square) is None]
    white = draw(st.sampled_from(free))
    board.set_piece_at(white, chess.Piece(chess.KING, chess.WHITE))
    apart = [square for square in free if chess.square_distance(square, white) > 1]
    board.set_piece_at(draw(st.sampled_from(apart)), chess.Piece(chess.KING, chess.BLACK))
    board.turn = draw(st.booleans())
    if board.was_into_check():
        board.turn = not board.turn
    if board.is_valid() and board.turn:
        # Let Black's last move have been of two squares where it can have been.
        for square in chess.SquareSet(board.pieces(chess.PAWN, chess.BLACK) & chess.BB_RANK_5):
            board.ep_square = square + 8
            if board.is_valid() and board.has_legal_en_passant():
                break
            board.ep_square = None
    return board


@st.composite
def walled_positions(draw: st.DrawFn) -> chess.Board:
    """Pawns that block each other on most files, kings and light pieces on either side."""
    board = chess.Board(None)
    rank = draw(st.integers(2, 4))
    for file in range(8):
        if draw(st.integers(0, 3)):
            low = rank + draw(st.integers(-1, 1))
            board.set_piece_at(chess.square(file, low), chess.Piece(chess.PAWN, chess.WHITE))
            board.set_piece_at(chess.square(file, low + 1), chess.Piece(chess.PAWN, chess.BLACK))
    kinds = st.sampled_from((chess.BISHOP, chess.KNIGHT, chess.ROOK))
    pieces = [(chess.KING, chess.WHITE), (chess.KING, chess.BLACK)]
    pieces += draw(st.lists(st.tuples(kinds, st.booleans()), max_size=2))
    for kind, color in pieces:
        free = [n for n in chess.SQUARES if board.piece_at(n) is None]
        board.set_piece_at(draw(st.sampled_from(free)), chess.Piece(kind, color))
    board.turn = draw(st.booleans())
    return board
