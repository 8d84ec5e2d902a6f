"""1.3.4, 2.2d, 7.7 — can a side still mate by any legal series of moves? Yes, no, or not known.

Both answers come with their proof: a line of legal moves that ends in mate, or the reason why there
is none. The work is bounded by counting moves looked at, never by a clock, so that a position has
the same verdict on every machine.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import chess

from arrocco.errors import Malformed
from arrocco.hall.unwinnable.analysis import Reason, analyse
from arrocco.hall.unwinnable.guides import TO_THE_CORNER, Potential
from arrocco.hall.unwinnable.position import from_board, move_of
from arrocco.hall.unwinnable.search import Budget, Search, find_core
from arrocco.hall.unwinnable.tempo import Tempo
from arrocco.words import Language, Phrase, say

_IMPOSSIBLE = (
    chess.STATUS_NO_WHITE_KING
    | chess.STATUS_NO_BLACK_KING
    | chess.STATUS_TOO_MANY_KINGS
    | chess.STATUS_PAWNS_ON_BACKRANK
    | chess.STATUS_OPPOSITE_CHECK
    | chess.STATUS_BAD_CASTLING_RIGHTS
    | chess.STATUS_INVALID_EP_SQUARE
)
"""What makes moves meaningless; positions that merely no game leads to are judged all the same."""
_REMEMBERED = 256
_QUICK_CHECK = 2_000
"""Moves looked at."""


@dataclass(frozen=True)
class Verdict:
    """Whether a side can mate, and why.

    `reason_key` names the sentence of the catalogues that says why and `details` what it mentions.
    `mating_line` is the proof of a yes; it is empty where the mate is already on the board.
    """

    side: chess.Color
    can_mate: bool | None
    reason_key: str
    details: dict[str, Any] = field(default_factory=dict)
    mating_line: tuple[chess.Move, ...] = ()

    def said(self, language: Language) -> str:
        """The reason in words, with the letters of the pieces in that language."""
        details = dict(self.details)
        if "moves" in details:
            details["moves"] = lettered(language, details["moves"])
        return say(language, self.reason_key, **details)


def lettered(language: Language, moves: str) -> str:
    """Moves with the letters that a language has for the pieces."""
    return _PIECES.sub(lambda match: say(language, f"unwinnable.letter.{match[0].lower()}"), moves)


_PIECES = re.compile("[KQRBN]")


def judge(position: chess.Board | str, side: chess.Color) -> Verdict:
    """Whether a side can mate from a position, given as a board or a FEN.

    Raises `Malformed` for what is no position: moves cannot be made from it.
    """
    board = read(position) if isinstance(position, str) else position
    if board.status() & _IMPOSSIBLE:
        raise Malformed.of("unwinnable.not_a_position", fen=board.fen())
    return _judge(board.fen(), side)


def read(fen: str) -> chess.Board:
    """The board of a FEN; the counters of moves may be missing."""
    try:
        return chess.Board(fen)
    except ValueError:
        raise Malformed.of("unwinnable.not_a_position", fen=fen) from None


def mates_by_quick_check(board: chess.Board, color: chess.Color) -> bool:
    """Whether a mating line is found in a few tenths of a millisecond; `False` says nothing."""
    if find_core() is None:
        return False
    quick_check = Search(from_board(board, color), Potential(TO_THE_CORNER), Tempo())
    quick_check.go_on(Budget(_QUICK_CHECK))
    return quick_check.line is not None


def is_plain(board: chess.Board, color: chess.Color) -> bool:
    """Whether nobody at the board would doubt that a colour can mate: it has a queen, a rook, or a
    pawn that is not blocked. It proves nothing: it only says that no proof is asked for."""
    own = board.occupied_co[color]
    if own & (board.queens | board.rooks):
        return True
    pawns = own & board.pawns
    ahead = pawns << 8 if color == chess.WHITE else pawns >> 8
    return bool(ahead & ~board.occupied)


def can_mate(board: chess.Board, color: chess.Color) -> bool | None:
    """Whether a colour can mate; `None` where that is not known."""
    return judge(board, color).can_mate


def proof_in(language: Language) -> Callable[[chess.Board, chess.Color], str]:
    """What tells why a colour can, or cannot, mate, in a language."""

    def proof_of(board: chess.Board, color: chess.Color) -> str:
        return judge(board, color).said(language)

    return proof_of


@lru_cache(_REMEMBERED)
def _judge(fen: str, side: chess.Color) -> Verdict:
    # A game asks for the answer and then for its proof: the second time it is remembered.
    board = chess.Board(fen)
    outcome = analyse(from_board(board, side))
    details: dict[str, Any] = {
        "side": Phrase(f"unwinnable.side.{chess.COLOR_NAMES[side]}"),
        "other": Phrase(f"unwinnable.side.{chess.COLOR_NAMES[not side]}"),
    }
    line = tuple(move_of(move, side) for move in outcome.line)
    if outcome.reason is Reason.LINE:
        details["moves"] = board.variation_san(line)
    if outcome.reason is Reason.EXHAUSTED:
        details["positions"] = outcome.positions
    return Verdict(side, outcome.can_mate, f"unwinnable.{outcome.reason}", details, line)
