"""Closed positions in which pieces roam: all that matters is what kings and pawns can do.

In a closed position bishops may wander for ever without changing anything, and their squares make
positions countless. Here every piece that can move at all, other than kings and pawns, is taken off
the board and allowed to be on any of its squares at any time: its side may always pass, it may take
what stands on its squares, be taken on them, and help to mate from one of them. Pieces that can
never move stay where they are. What is left has few positions. Every legal series of moves has its
image here, so if no mate fits any of them there is none.

A check comes with the last move. When that is a move of White's king, only a line it opened gives
check: so a king that leaves Black without moves mostly stalemates.
"""

from __future__ import annotations

from typing import NamedTuple

import chess

from arrocco.hall.unwinnable.mates import MAX_CHOICES, attack, best, can_block
from arrocco.hall.unwinnable.position import (
    BETWEEN,
    BISHOPS,
    BITS,
    BLACKS,
    CASTLING,
    KING_STEPS,
    KINGS,
    LAST_RANKS,
    NOT_A,
    NOT_H,
    PASSING,
    PAWNS,
    QUEENS,
    RANK_2,
    RANK_7,
    ROOKS,
    TURN,
    WHITES,
    Position,
    squares_of,
)
from arrocco.hall.unwinnable.reach import Piece, Reach, pawn_takes, steps
from arrocco.hall.unwinnable.tempo import Tempo

RANK_4, RANK_5 = 0xFF << 24, 0xFF << 32


class Frame(NamedTuple):
    """A position without the pieces that roam: kings, pawns and pieces that never move."""

    turn: bool
    kings: tuple[int, int]
    """The squares of the black and the white king."""
    pawns: tuple[int, int]
    pieces: tuple[int, int]
    """Pieces that never move but may be taken."""


class Roaming:
    """The closure of a position in which pieces roam."""

    def __init__(self, position: Position, reach: Reach, tempo: Tempo) -> None:
        self._position = position
        self._tempo = tempo
        self._walls = reach.fixed & ~reach.king(False).start  # a line goes on through the king
        self._choices: dict[int, list[int] | None] = {}
        self._roamers: tuple[list[Piece], list[Piece]] = ([], [])
        pawns, pieces, kings = [0, 0], [0, 0], [0, 0]
        self._kinds: dict[int, int] = {}
        for piece in reach.pieces:
            side = piece.white
            if piece.kind == KINGS:
                kings[side] = piece.start.bit_length() - 1
            elif piece.kind == PAWNS:
                pawns[side] |= piece.start
            elif piece.squares == piece.start:
                pieces[side] |= piece.start
                self._kinds[piece.start] = piece.kind
            else:
                self._roamers[side].append(piece)
        self._roams = bool(self._roamers[0] or self._roamers[1])
        self._roam = tuple(_together(side) for side in self._roamers)
        self._king_squares = (reach.king(False).squares, reach.king(True).squares)
        # Where White's pieces with lines may stand: those on ranks and files, those on diagonals.
        self._straight = self._slanted = 0
        for piece in reach.pieces:
            if piece.white and piece.kind in (ROOKS, QUEENS):
                self._straight |= piece.squares
            if piece.white and piece.kind in (BISHOPS, QUEENS):
                self._slanted |= piece.squares
        self._root = Frame(
            bool(position[TURN]), (kings[0], kings[1]), (pawns[0], pawns[1]), (pieces[0], pieces[1])
        )

    def may_be_mated(self, most: int) -> bool:
        """Whether some mate of the black king fits; also where there is too much to look at."""
        if self._position[CASTLING] or self._position[PASSING]:
            return True
        seen = {self._root}
        todo = [self._root]
        while todo:
            frame = todo.pop()
            after = self._after(frame)
            if after is None:
                return True
            if not self._roams and self._runs_out(frame, after):
                continue
            for following, may_check in after:
                if may_check and self._is_mate(following):
                    return True
                if following not in seen:
                    if len(seen) >= most:
                        return True
                    seen.add(following)
                    todo.append(following)
        return False

    def _runs_out(self, frame: Frame, after: list[tuple[Frame, bool]]) -> bool:
        """Whether a side that can only move pawns is stalemated before all else."""
        turn = frame.turn
        if after and after[0][0].kings == frame.kings:  # moves of the king come first
            return self._tempo.runs_out(self._whole(frame))
        return self._tempo.is_locked(not turn) and self._tempo.lets_run_out(self._whole(frame))

    def _whole(self, frame: Frame) -> Position:
        """The whole position, where nothing roams."""
        board = [0] * 11
        board[TURN] = frame.turn
        board[PAWNS] = frame.pawns[0] | frame.pawns[1]
        for bit, kind in self._kinds.items():
            board[kind] |= bit & (frame.pieces[0] | frame.pieces[1])
        black_king, white_king = (BITS[square] for square in frame.kings)
        board[KINGS] = black_king | white_king
        board[WHITES] = frame.pawns[1] | frame.pieces[1] | white_king
        board[BLACKS] = frame.pawns[0] | frame.pieces[0] | black_king
        return tuple(board)  # type: ignore[return-value]

    def _after(self, frame: Frame) -> list[tuple[Frame, bool]] | None:
        """What may follow, each with whether it may bring check to Black; None for a promotion."""
        turn = frame.turn
        after: list[tuple[Frame, bool]] = []
        own_pawns, own_pieces = frame.pawns[turn], frame.pieces[turn]
        foe_pawns, foe_pieces = frame.pawns[not turn], frame.pieces[not turn]
        king, foe_king = frame.kings[turn], frame.kings[not turn]
        foes = foe_pawns | foe_pieces
        occupied = own_pawns | own_pieces | foes | BITS[king] | BITS[foe_king]

        def add(to_king: int, pawns: int, taken: int, may_check: bool) -> None:
            left_pawns, left_pieces = foe_pawns & ~taken, foe_pieces & ~taken
            if self._attacks(left_pawns, left_pieces, foe_king, not turn) >> to_king & 1:
                return
            kings = (foe_king, to_king) if turn else (to_king, foe_king)
            all_pawns = (left_pawns, pawns) if turn else (pawns, left_pawns)
            pieces = (left_pieces, own_pieces) if turn else (own_pieces, left_pieces)
            after.append((Frame(not turn, kings, all_pawns, pieces), turn and may_check))

        targets = KING_STEPS[king] & self._king_squares[turn] & ~(own_pawns | own_pieces)
        uncovers = turn and self._uncovers(king, foe_king, occupied)
        for square in squares_of(targets):
            add(square, own_pawns, BITS[square], uncovers)
        for square in squares_of(own_pawns):
            origin = BITS[square]
            step = origin << 8 if turn else origin >> 8
            ahead = step & ~occupied
            if ahead & (RANK_2 << 8 if turn else RANK_7 >> 8):
                ahead |= (step << 8 if turn else step >> 8) & ~occupied
            takes = pawn_takes(origin, turn)
            passed = self._passed(origin, foe_pawns, turn)
            ahead |= takes & (foes | self._roam[not turn] | passed) & ~BITS[foe_king]
            ahead &= ~(own_pawns | own_pieces | BITS[king])
            if ahead & LAST_RANKS:
                return None
            for target in squares_of(ahead):
                to = BITS[target]
                add(king, own_pawns ^ origin | to, to, True)
                if to & passed:
                    add(king, own_pawns ^ origin | to, to >> 8 if turn else to << 8, True)
        if self._roamers[turn]:
            add(king, own_pawns, 0, True)
            for square in squares_of(foes & self._roam[turn]):
                add(king, own_pawns, BITS[square], True)
        return after

    def _uncovers(self, square: int, king: int, occupied: int) -> bool:
        """Whether leaving a square may open a line from behind it to the black king."""
        line = chess.ray(king, square)
        if not line or BETWEEN[king][square] & occupied:
            return False
        is_straight = king >> 3 == square >> 3 or king & 7 == square & 7
        return bool(line & (self._straight if is_straight else self._slanted))

    @staticmethod
    def _passed(origin: int, foes: int, white: bool) -> int:
        """Squares on which a pawn could take in passing, had the pawn beside it just moved."""
        rank = RANK_5 if white else RANK_4
        beside = ((origin & NOT_H) << 1 | (origin & NOT_A) >> 1) & foes & rank
        return beside << 8 if white else beside >> 8

    def _attacks(self, pawns: int, pieces: int, king: int, white: bool) -> int:
        """What is attacked wherever the roaming pieces are: no line is counted beyond a step."""
        attacked = pawn_takes(pawns, white) | KING_STEPS[king]
        while pieces:
            bit = pieces & -pieces
            pieces ^= bit
            attacked |= steps(self._kinds[bit], bit) & ~bit
        return attacked

    def _is_mate(self, frame: Frame) -> bool:
        """Whether roaming pieces could make this a mate."""
        square, white_king = frame.kings
        attacked = pawn_takes(frame.pawns[1], True)
        for n in squares_of(frame.pieces[1]):
            attacked |= attack(self._kinds[BITS[n]], n, self._walls)
        choices = self._choices_around(square)
        if choices is None:
            return True
        left = KING_STEPS[square] & ~(
            attacked | KING_STEPS[white_king] | frame.pawns[0] | frame.pieces[0]
        )
        blockers = [piece.squares for piece in self._roamers[0]]
        return any(
            (chosen | attacked) >> square & 1 and can_block(left & ~chosen, blockers)
            for chosen in choices
        )

    def _choices_around(self, square: int) -> list[int] | None:
        """What White's roaming pieces may attack together around a square; None for too much."""
        if square not in self._choices:
            zone = KING_STEPS[square] | BITS[square]
            choices: list[int] | None = [0]
            for piece in self._roamers[1]:
                masks = {
                    attack(piece.kind, n, self._walls) & zone for n in squares_of(piece.squares)
                }
                if choices is not None:
                    each = best(masks)
                    choices = best({chosen | mask for chosen in choices for mask in each})
                    if len(choices) > MAX_CHOICES:
                        choices = None
            self._choices[square] = choices
        return self._choices[square]


def _together(pieces: list[Piece]) -> int:
    """All squares that some of these pieces may stand on."""
    squares = 0
    for piece in pieces:
        squares |= piece.squares
    return squares
