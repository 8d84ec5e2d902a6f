"""Positions: boards that are never changed, how often each was seen, and what ends a game.

A board is copied for each move and then left alone, so that every state keeps its own. Repetition
and the fifty moves are counted here: the chess library only knows them as claims, and its own end
of a game (fivefold, 75 moves) is not this regulation's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from struct import Struct

import chess

from arrocco.hall.game.legal import fastest
from arrocco.laws.online.game import PositionFacts
from arrocco.laws.online.side import Side

Key = bytes
"""What makes two positions the same: pieces, the side to move, and the moves that are possible.

Thousands are kept, so each is one plain object and not a handful of them."""
Seen = dict[Key, int]
"""How often each position appeared since the last pawn move or capture; never changed."""
CanMate = Callable[[chess.Board, chess.Color], bool | None]
"""Whether a colour can mate by any series of legal moves; `None` where that is not known."""

COLORS = {Side.WHITE: chess.WHITE, Side.BLACK: chess.BLACK}

_pack = Struct("=8Q?B").pack
_FEW_MOVES = 6
_FEW_MOVES_OF_LIGHT_PIECES = 16
_FEW_PIECES = 8
_FORCED = 3
_EMPTY = "/".join(["1" * 8] * 8).encode()
_PLACES = tuple(9 * (7 - square // 8) + square % 8 for square in chess.SQUARES)
"""Where each square stands in the text of an empty board."""
_RUNS = tuple(("1" * length, str(length)) for length in range(8, 1, -1))


def side_to_move(board: chess.Board) -> Side:
    return Side.WHITE if board.turn else Side.BLACK


class Board(chess.Board):
    """A board that nobody changes once it is made; what was worked out about it is kept.

    A move is judged, written, and then applied to the same board, and its player is told what the
    opponent can play: the moves are looked for once.
    """

    def __init__(self, fen: str | None = chess.STARTING_FEN) -> None:
        super().__init__(fen)
        self._key: Key | None = None
        self._legal: tuple[str, ...] | None = None
        self._followed: tuple[str, Board] | None = None

    @property
    def key(self) -> Key:
        """What makes this position the same as another."""
        if self._key is None:
            self._key = key(self)
        return self._key

    @property
    def legal(self) -> tuple[str, ...]:
        """All legal moves, as they are written on the wire."""
        if self._legal is None:
            self._legal = fastest()(self)
        return self._legal

    def after(self, uci: str) -> Board:
        """The board after a legal move; this one stays as it is."""
        if self._followed is not None and self._followed[0] == uci:
            return self._followed[1]
        following = self._copied()
        following.push(chess.Move.from_uci(uci))
        following.clear_stack()
        self._followed = uci, following
        return following

    def board_fen(self, *, promoted: bool | None = False) -> str:
        """The pieces, as a FEN has them; the library asks each square, and walls ask a lot."""
        if promoted:
            return super().board_fen(promoted=promoted)
        text = bytearray(_EMPTY)
        for color, letters in ((chess.WHITE, b"PNBRQK"), (chess.BLACK, b"pnbrqk")):
            own = self.occupied_co[color]
            kinds = self.pawns, self.knights, self.bishops, self.rooks, self.queens, self.kings
            for kind, letter in zip(kinds, letters, strict=True):
                left = kind & own
                while left:
                    lowest = left & -left
                    text[_PLACES[lowest.bit_length() - 1]] = letter
                    left ^= lowest
        fen = text.decode()
        for run, digit in _RUNS:
            fen = fen.replace(run, digit)
        return fen

    def _copied(self) -> Board:
        """This board again; the library's own copy sets everything up from the start first."""
        copied = Board.__new__(Board)
        copied.__dict__.update(self.__dict__)
        copied.occupied_co = [*self.occupied_co]
        copied.move_stack, copied._stack = [], []
        copied._key = copied._legal = copied._followed = None
        return copied


def start() -> tuple[Board, Seen]:
    """The initial position, seen once."""
    board = Board()
    return board, {key(board): 1}


def seen_after(seen: Seen, board: Board) -> Seen:
    """How often positions appeared, once `board` has; earlier ones cannot return after progress."""
    this = board.key
    if board.halfmove_clock == 0:
        return {this: 1}
    return {**seen, this: seen.get(this, 0) + 1}


def replay(moves: Iterable[str]) -> tuple[Board, Seen]:
    """The board after moves known to be legal, and what was seen on the way."""
    board, seen = start()
    for uci in moves:
        board = board.after(uci)
        seen = seen_after(seen, board)
    return board, seen


def key(board: chess.Board) -> Key:
    """2.2b — an en passant square makes a difference only where the capture is legal."""
    en_passant = board.ep_square if board.ep_square and board.has_legal_en_passant() else 0
    return _pack(
        board.pawns,
        board.knights,
        board.bishops,
        board.rooks,
        board.queens,
        board.kings,
        board.occupied_co[chess.WHITE],
        board.clean_castling_rights(),
        board.turn,
        en_passant or 0,
    )


def facts(board: Board, seen: Seen, can_mate: CanMate) -> PositionFacts:
    """2.1, 2.2 — what a position tells about the end of its game."""
    if not board.legal:
        check = board.is_check()
        return PositionFacts(checkmate=check, stalemate=not check)
    return PositionFacts(
        repetitions=seen[board.key],
        half_moves_without_progress=board.halfmove_clock,
        dead=_could_be_dead(board, len(board.legal)) and is_dead(board, can_mate),
    )


def is_dead(board: chess.Board, can_mate: CanMate) -> bool:
    """2.2d — neither side can mate; what is not known counts as possible."""
    return all(can_mate(board.copy(stack=False), color) is False for color in chess.COLORS)


def _could_be_dead(board: chess.Board, legal_moves: int) -> bool:
    """Whether it is worth asking if a position is dead: that takes longer than a move may.

    Dead positions have bare material, pawns that all stand still, or a side with so few moves that
    the rest is forced. A rare one that has none of these is left to the arbiter (11.3).
    """
    if board.pawns and _pawns_stand_still(board):
        return True
    if board.halfmove_clock and legal_moves > _FORCED:
        return False  # pieces that went to and fro: it was asked when something was last taken
    heavy = board.rooks | board.queens
    if not heavy:
        return not board.pawns or legal_moves <= _FEW_MOVES_OF_LIGHT_PIECES
    if not board.pawns:
        return legal_moves <= _FEW_MOVES
    # With many pieces a check leaves few moves in every game, and says nothing about what follows.
    return legal_moves <= _FEW_MOVES and (
        board.occupied.bit_count() <= _FEW_PIECES or not board.is_check()
    )


def _pawns_stand_still(board: chess.Board) -> bool:
    """Whether no pawn can step forward."""
    empty = ~board.occupied & chess.BB_ALL
    white = board.pawns & board.occupied_co[chess.WHITE]
    black = board.pawns & board.occupied_co[chess.BLACK]
    return not ((white << 8) & empty or (black >> 8) & empty)
