"""Positions: whether a side can still mate, and the result a position or a fallen flag gives."""

from __future__ import annotations

import chess

from arrocco.hall.unwinnable import Verdict, judge
from arrocco.hall.unwinnable.verdict import read

__all__ = ["Verdict", "can_mate", "is_dead", "judge", "result", "result_on_time"]

Position = chess.Board | str
"""A board of python-chess, or a FEN."""


def can_mate(position: Position, side: chess.Color) -> bool | None:
    """Whether a side can still mate by any legal series of moves; `None` where it is not known."""
    return judge(position, side).can_mate


def is_dead(position: Position) -> bool | None:
    """Whether neither side can ever mate (2.2d); `None` where it is not known."""
    able = [can_mate(position, side) for side in chess.COLORS]
    if True in able:
        return False
    return None if None in able else True


def result(position: Position) -> str:
    """The result a position gives: a mate, a stalemate or a dead position; else ``*``."""
    board = read(position) if isinstance(position, str) else position
    if board.is_checkmate():
        return "0-1" if board.turn else "1-0"
    return "1/2-1/2" if board.is_stalemate() or is_dead(board) else "*"


def result_on_time(position: Position, flagged: chess.Color) -> str:
    """1.3.4 — the result when a flag falls: a loss, or a draw where the other side cannot mate.

    What is not known counts as possible.
    """
    if can_mate(position, not flagged) is False:
        return "1/2-1/2"
    return "0-1" if flagged else "1-0"
