"""Best-first search for a helpmate, which is also the exhaustive closure of a position.

Both sides work together towards the mate of the black king, so the search follows whatever looks
nearest to a mate. It never drops a legal move except where the position after it is proved to hold
no mate; so when nothing is left to look at, there is no mate at all, and the number of positions
seen is the proof.

Positions are told apart by keys: one bit for every piece on every square, so that a move is three
exclusive-ors and a key has no twin. The keys also measure novelty: a position in which, at the same
distance from a mate, no piece stands where none like it stood before, waits.
"""

from __future__ import annotations

from dataclasses import dataclass, field
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
    in_check,
    moves,
    play,
)
from arrocco.hall.unwinnable.tempo import Tempo

Key = int
_STRUCTURE = 80
"""What it costs to count the steps of a pawn structure, in moves looked at."""
_TURN_BIT = 1 << 768
_PASSING_AT, _CASTLING_AT = 769, 776
_WHITE_BITS = [[0] * 64] + [[1 << 64 * kind + n for n in range(64)] for kind in range(6)]
_BLACK_BITS = [[0] * 64] + [[1 << 64 * kind + n for n in range(64)] for kind in range(6, 12)]


class Rater(Protocol):
    """Says how far from a mate the positions after some moves look: less is nearer."""

    patience: int
    """How much further a position that shows nothing new is put off."""

    def rate(self, position: Position, candidates: list[Move]) -> list[int]: ...


@dataclass
class Budget:
    """Work that may still be done, counted in moves looked at: the same on every machine."""

    left: int

    def spend(self, work: int) -> None:
        self.left -= work

    @property
    def is_spent(self) -> bool:
        return self.left <= 0


@dataclass
class Search:
    """What a search found: a mating line, or that nothing is left, or neither."""

    line: list[Move] | None = None
    exhausted: bool = False
    positions: int = 0
    parents: dict[Key, tuple[Key, Move] | None] = field(default_factory=dict, repr=False)


def search(root: Position, rater: Rater, budget: Budget, tempo: Tempo) -> Search:
    """Looks for a line that ends in the mate of the black king."""
    key = key_of(root)
    result = Search(parents={key: None})
    seen = result.parents
    novel: dict[int, int] = {}
    patience = rater.patience
    queue: list[tuple[int, int, Position, Move, Key]] = [(0, 0, root, 0, key)]
    order = 0
    while queue:
        _, _, position, move, key = heappop(queue)
        if move:
            before = position
            after = play(before, move)
            budget.left -= 2
            if after is None:
                continue
            position = after
            lost = before[WHITES].bit_count() + before[BLACKS].bit_count()
            lost -= position[WHITES].bit_count() + position[BLACKS].bit_count()
            if (lost or move >> 12 & 7) and cannot_mate(position):
                continue
        if budget.left <= 0:
            return result
        result.positions += 1
        candidates = moves(position)
        turn = position[TURN]
        if all(candidate & DOUBTFUL for candidate in candidates) and not any(
            play(position, candidate) for candidate in candidates
        ):
            if not turn and in_check(position):
                result.line = _line(seen, key)
                return result
            continue
        # King and pieces come first: a pawn at the head means that only pawns can move.
        counted = tempo.structures
        if candidates[0] >> MOVER & 7 == PAWNS:
            hopeless = tempo.runs_out(position)
        else:
            hopeless = tempo.lets_run_out(position)
        budget.left -= _STRUCTURE * (tempo.structures - counted)
        if hopeless:
            continue
        fresh = _unseen(position, key, candidates, seen)
        budget.left -= 5 + len(candidates) + 2 * len(fresh)
        king = (position[KINGS] & position[BLACKS]).bit_length() - 1
        ratings = rater.rate(position, [candidate for candidate, _ in fresh])
        for rating, (candidate, next_key) in zip(ratings, fresh, strict=True):
            order -= 1
            to = candidate >> 6 & 63 if not turn and candidate >> MOVER & 7 == KINGS else king
            stage = (rating // 10 << 7) + (to << 1) + turn
            known = novel.get(stage, 0)
            if next_key & ~known:
                novel[stage] = known | next_key
                heappush(queue, (rating, order, position, candidate, next_key))
            else:
                heappush(queue, (rating + patience, order, position, candidate, next_key))
    result.exhausted = True
    return result


def key_of(position: Position) -> Key:
    """The key of a position: equal for equal positions and for no others."""
    key = _TURN_BIT if position[TURN] else 0
    for kind in range(PAWNS, KINGS + 1):
        key |= (position[kind] & position[WHITES]) << 64 * (kind - 1)
        key |= (position[kind] & position[BLACKS]) << 64 * (kind + 5)
    key |= position[PASSING].bit_length() << _PASSING_AT
    return key | position[CASTLING] << _CASTLING_AT


def _unseen(
    position: Position,
    key: Key,
    candidates: list[Move],
    seen: dict[Key, tuple[Key, Move] | None],
) -> list[tuple[Move, Key]]:
    """The moves that lead to positions not seen before, with their keys; now they are seen."""
    turn, pawns, castling, passing = (
        position[TURN],
        position[PAWNS],
        position[CASTLING],
        position[PASSING],
    )
    foes = position[BLACKS] if turn else position[WHITES]
    ours, theirs = (_WHITE_BITS, _BLACK_BITS) if turn else (_BLACK_BITS, _WHITE_BITS)
    base = key ^ _TURN_BIT ^ passing.bit_length() << _PASSING_AT
    fresh: list[tuple[Move, Key]] = []
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
            fresh.append((move, after))
    return fresh


def _line(parents: dict[Key, tuple[Key, Move] | None], key: Key) -> list[Move]:
    line: list[Move] = []
    step = parents[key]
    while step is not None:
        line.append(step[1])
        step = parents[step[0]]
    return line[::-1]
