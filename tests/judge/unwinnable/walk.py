"""The guide to a goal, as the judge follows it."""

from __future__ import annotations

from arrocco.hall.unwinnable import guides
from arrocco.hall.unwinnable.position import (
    BITS,
    BLACKS,
    MOVER,
    PAWNS,
    TURN,
    WHITES,
    Move,
    Position,
)
from arrocco.hall.unwinnable.walks import FAR


class Walk(guides.Walk):
    """Rates moves by the walks still to do to a goal."""

    def rate(self, position: Position, candidates: list[Move], attacked: int) -> list[int]:
        """The walks still to do after each move."""
        turn = position[TURN]
        own, foes = position[WHITES], position[BLACKS]
        if not turn:
            own, foes = foes, own
        pawns = position[PAWNS]
        now = [
            _shortest(
                position[kind] & (own if white == turn else foes),
                pawns & (own if white == turn else foes),
                lengths,
                as_pawn,
            )
            for white, kind, lengths, as_pawn in self.posts
        ]
        still = _total(now)
        ratings: list[int] = []
        for move in candidates:
            origin, to, kind = BITS[move & 63], BITS[move >> 6 & 63], move >> MOVER & 7
            becomes = move >> 12 & 7 or kind
            after: list[int] | None = None
            for index, (white, posted, lengths, as_pawn) in enumerate(self.posts):
                if white == turn:
                    if posted not in (kind, becomes) and not (as_pawn and kind == PAWNS):
                        continue
                    pieces, ours = position[posted] & own & ~origin, pawns & own & ~origin
                    if becomes == posted:
                        pieces |= to
                    if becomes == PAWNS:
                        ours |= to
                elif to & foes:
                    pieces, ours = position[posted] & foes & ~to, pawns & foes & ~to
                else:
                    continue
                if after is None:
                    after = now[:]
                after[index] = _shortest(pieces, ours, lengths, as_pawn)
            ratings.append(still if after is None else _total(after))
        return ratings


def _shortest(pieces: int, pawns: int, lengths: list[int], as_pawn: list[int] | None) -> int:
    """The shortest walk to a post of any piece that may take it."""
    shortest = FAR
    while pieces:
        bit = pieces & -pieces
        pieces ^= bit
        shortest = min(shortest, lengths[bit.bit_length() - 1])
    if as_pawn is not None and shortest:
        while pawns:
            bit = pawns & -pawns
            pawns ^= bit
            shortest = min(shortest, as_pawn[bit.bit_length() - 1])
    return shortest


def _total(lengths: list[int]) -> int:
    """All walks together: the black king goes first, before the others close its way.

    The checking piece comes no nearer than a move while others walk.
    """
    last = lengths[2]
    others = sum(lengths) - last + 2 * lengths[0]
    return 4 * (others + max(last, 1)) if others else 4 * last
