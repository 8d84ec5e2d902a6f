"""Best-first search for a helpmate, written once more in Python: the judge of the compiled one.

Both sides work together towards the mate of the black king, so the search follows whatever looks
nearest to a mate. It never drops a legal move except where the position after it is proved to hold
no mate; so when nothing is left to look at, there is no mate at all, and the number of positions
seen is the proof.

Positions are told apart by keys: one bit for every piece on every square, so that a move is three
exclusive-ors and a key has no twin. The keys also measure novelty: a position in which, at the same
distance from a mate, no piece stands where none like it stood before, waits.
"""

from __future__ import annotations

from heapq import heappop, heappush
from typing import Protocol

from arrocco.hall.unwinnable.material import cannot_mate
from arrocco.hall.unwinnable.position import (
    BISHOPS,
    BITS,
    BLACKS,
    CASTLING,
    DOUBTFUL,
    KINGS,
    KNIGHTS,
    MOVER,
    NOT_A,
    NOT_H,
    PASSING,
    PAWNS,
    QUEENS,
    RANK_1,
    RANK_8,
    ROOKS,
    TURN,
    WHITES,
    Move,
    Position,
    attacked_by,
    moves,
    play,
)
from arrocco.hall.unwinnable.search import Budget
from arrocco.hall.unwinnable.tempo import Tempo

Key = int
_STRUCTURE = 80
"""What it costs to count the steps of a pawn structure, in moves looked at."""
_TURN_BIT = 1
_PASSING_AT, _CASTLING_AT = 1, 8
# What is on every board comes first, since keys without high bits are shorter.
_RANKING = (KINGS, PAWNS, BISHOPS, KNIGHTS, ROOKS, QUEENS)
_WHITE_AT = [0] + [72 + 128 * _RANKING.index(kind) for kind in range(PAWNS, KINGS + 1)]
_WHITE_BITS = [[1 << at + n if at else 0 for n in range(64)] for at in _WHITE_AT]
_BLACK_BITS = [[1 << at + 64 + n if at else 0 for n in range(64)] for at in _WHITE_AT]


class Rater(Protocol):
    """Says how far from a mate the positions after some moves look: less is nearer."""

    patience: int
    """How much further a position that shows nothing new is put off."""

    def rate(self, position: Position, candidates: list[Move], attacked: int) -> list[int]:
        """A rating for each move; `attacked` is what the side that does not move attacks."""
        ...


class Search:
    """A search that may be interrupted: it finds a line, that nothing is left, or neither yet."""

    def __init__(self, root: Position, rater: Rater, tempo: Tempo) -> None:
        key = key_of(root)
        self.line: list[Move] | None = None
        self.exhausted = False
        self.positions = 0
        """How many positions were looked at."""
        self.parents: dict[Key, tuple[Key, Move] | None] = {key: None}
        self._rater = rater
        self._tempo = tempo.counting_anew()
        self._novel: dict[int, int] = {}
        self._queue: list[tuple[int, int, Position, Move, Key]] = [(0, 0, root, 0, key)]
        self._order = 0

    @property
    def seen(self) -> int:
        """How many positions were come by."""
        return len(self.parents)

    def go_on(self, budget: Budget) -> None:
        """Looks for a line that ends in the mate of the black king until the budget is spent."""
        seen, queue, novel, rater = self.parents, self._queue, self._novel, self._rater
        patience, order = rater.patience, self._order
        while queue and budget.left > 0:
            _, _, position, move, key = heappop(queue)
            turn = position[TURN]
            if move:
                after = play(position, move)
                budget.left -= 2
                if after is None:
                    continue
                foes = BLACKS if turn else WHITES
                if (after[foes] != position[foes] or move >> 12 & 7) and cannot_mate(after):
                    continue
                position = after
                turn = not turn
            self.positions += 1
            attacked = attacked_by(position, not turn)
            candidates = moves(position, attacked)
            if (not candidates or candidates[0] & DOUBTFUL) and not any(
                play(position, candidate) for candidate in candidates
            ):
                if not turn and attacked & position[KINGS] & position[BLACKS]:
                    self.line = _line(seen, key)
                    return
                continue
            if self._is_hopeless(position, candidates[0], budget):
                continue
            fresh, keys = _unseen(position, key, candidates, seen)
            budget.left -= 5 + len(candidates) + 2 * len(fresh)
            king = (position[KINGS] & position[BLACKS]).bit_length() - 1
            ratings = rater.rate(position, fresh, attacked)
            for rating, candidate, next_key in zip(ratings, fresh, keys, strict=True):
                order -= 1
                to = candidate >> 6 & 63 if not turn and candidate >> MOVER & 7 == KINGS else king
                stage = (rating // 10 << 7) + (to << 1) + turn
                known = novel.get(stage, 0)
                now_known = known | next_key
                if now_known != known:
                    novel[stage] = now_known
                else:
                    rating += patience
                heappush(queue, (rating, order, position, candidate, next_key))
        self._order = order
        self.exhausted = not queue and self.line is None

    def _is_hopeless(self, position: Position, first: Move, budget: Budget) -> bool:
        """Whether a side runs out of moves before anything can happen."""
        tempo = self._tempo
        counted = tempo.structures
        # King and pieces come first: a pawn at the head means that only pawns can move.
        if first >> MOVER & 7 == PAWNS:
            hopeless = tempo.runs_out(position)
        elif tempo.is_locked(not position[TURN]):
            hopeless = tempo.lets_run_out(position)
        else:
            return False
        budget.left -= _STRUCTURE * (tempo.structures - counted)
        return hopeless


def search(root: Position, rater: Rater, budget: Budget, tempo: Tempo) -> Search:
    """Looks for a line that ends in the mate of the black king."""
    begun = Search(root, rater, tempo)
    begun.go_on(budget)
    return begun


def key_of(position: Position) -> Key:
    """The key of a position: equal for equal positions and for no others."""
    key = _TURN_BIT if position[TURN] else 0
    for kind in range(PAWNS, KINGS + 1):
        key |= (position[kind] & position[WHITES]) << _WHITE_AT[kind]
        key |= (position[kind] & position[BLACKS]) << _WHITE_AT[kind] + 64
    key |= position[PASSING].bit_length() << _PASSING_AT
    return key | position[CASTLING] << _CASTLING_AT


def _unseen(
    position: Position,
    key: Key,
    candidates: list[Move],
    seen: dict[Key, tuple[Key, Move] | None],
) -> tuple[list[Move], list[Key]]:
    """The moves that lead to positions not seen before, and their keys; now they are seen."""
    turn, pawns, castling, passing = (
        position[TURN],
        position[PAWNS],
        position[CASTLING],
        position[PASSING],
    )
    foes = position[BLACKS] if turn else position[WHITES]
    ours, theirs = (_WHITE_BITS, _BLACK_BITS) if turn else (_BLACK_BITS, _WHITE_BITS)
    base = key ^ _TURN_BIT ^ passing.bit_length() << _PASSING_AT
    fresh: list[Move] = []
    keys: list[Key] = []
    for move in candidates:
        kind, square, target = move >> MOVER & 7, move & 63, move >> 6 & 63
        after = base ^ ours[kind][square] ^ ours[move >> 12 & 7 or kind][target]
        to = BITS[target]
        if to & foes:
            for taken in (PAWNS, KNIGHTS, BISHOPS, ROOKS, QUEENS):
                if position[taken] & to:
                    after ^= theirs[taken][target]
                    break
        elif kind == PAWNS:
            if to == passing:
                after ^= theirs[PAWNS][target - 8 if turn else target + 8]
            elif (target - square) & 15 == 0 and (  # two squares, past an enemy pawn
                ((to & NOT_H) << 1 | (to & NOT_A) >> 1) & pawns & foes
            ):
                after ^= (square + target >> 1) + 1 << _PASSING_AT
        if castling:
            kept = castling & ~(BITS[square] | to)
            if kind == KINGS:
                kept &= ~(RANK_1 if turn else RANK_8)
                if target - square == 2:
                    after ^= ours[ROOKS][square + 3] ^ ours[ROOKS][square + 1]
                elif square - target == 2:
                    after ^= ours[ROOKS][square - 4] ^ ours[ROOKS][square - 1]
            after ^= (kept ^ castling) << _CASTLING_AT
        if after not in seen:
            seen[after] = (key, move)
            fresh.append(move)
            keys.append(after)
    return fresh, keys


def _line(parents: dict[Key, tuple[Key, Move] | None], key: Key) -> list[Move]:
    line: list[Move] = []
    step = parents[key]
    while step is not None:
        line.append(step[1])
        step = parents[step[0]]
    return line[::-1]
