"""All legal moves of a position, by the compiled core; by the chess library where it is absent.

It is called for every move of every board. The core's tables are small, and what it finds is
written from one table of all moves: nothing is looked up that has to be fetched from far away.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from struct import Struct

import chess

from arrocco.hall.unwinnable.search import LIBRARY, find_core

Find = Callable[[chess.Board], tuple[str, ...]]

_MAX_MOVES = 64 * 28
"""Moves of a board full of queens, and more."""
_pack = Struct("=11Q").pack


@cache
def fastest() -> Find:
    """What finds the moves soonest on this machine."""
    return _compiled() or by_library


def by_library(board: chess.Board) -> tuple[str, ...]:
    """The moves as python-chess finds them."""
    return tuple(move.uci() for move in board.legal_moves)


def _compiled() -> Find | None:
    if find_core() is None:
        return None
    try:
        # Unlike the search it is over at once: nobody else need have the interpreter meanwhile.
        core = ctypes.PyDLL(str(LIBRARY)).legal_moves
    except (OSError, AttributeError):  # compiled from earlier sources
        return None
    core.argtypes = [ctypes.c_char_p, ctypes.c_void_p]
    array = (ctypes.c_uint16 * _MAX_MOVES)()
    there, written = ctypes.addressof(array), _all_written()

    def find(board: chess.Board) -> tuple[str, ...]:
        white, black = board.occupied_co[chess.WHITE], board.occupied_co[chess.BLACK]
        passing = 0 if board.ep_square is None else 1 << board.ep_square
        position = _pack(
            board.turn,
            board.pawns,
            board.knights,
            board.bishops,
            board.rooks,
            board.queens,
            board.kings,
            white,
            black,
            board.clean_castling_rights(),
            passing,
        )
        return tuple([written[move] for move in array[: core(position, there)]])

    return find


def _all_written() -> list[str]:
    """How moves are written, by origin, target and promotion."""
    squares, pieces = chess.SQUARE_NAMES, ["", "", *chess.PIECE_SYMBOLS[chess.KNIGHT : chess.KING]]
    return [
        f"{origin}{target}{piece}" for piece in pieces for target in squares for origin in squares
    ]
