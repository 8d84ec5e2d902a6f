"""What no series of moves can mate with, whatever the squares: the exact cases of bare material.

Only three cases stand without looking at squares. A bare king attacks nothing beside it. Bishops
of one square colour check a king on that colour, beside which the squares of the other colour need
an enemy piece that can neither take nor interpose: a pawn, a knight or a bishop of the other
colour; rooks and queens beside the king always can. A single knight needs an enemy piece beside the
king that cannot take it, and a queen beside the king always can.
"""

from __future__ import annotations

import chess

from arrocco.hall.unwinnable.position import Position

DARK: int = chess.BB_DARK_SQUARES


def cannot_mate(position: Position) -> bool:
    """Whether White's material can never mate, against what Black has and could become."""
    _, pawns, knights, bishops, rooks, queens, _kings, white, black, _, _ = position
    if (pawns | rooks | queens) & white:
        return False
    own_knights, own_bishops = knights & white, bishops & white
    if not own_knights:
        if not own_bishops:
            return True
        colours = [shade for shade in (DARK, ~DARK) if own_bishops & shade]
        return len(colours) == 1 and not (pawns | knights | bishops & ~colours[0]) & black
    return (
        not own_bishops
        and not own_knights & (own_knights - 1)
        and not (pawns | knights | bishops | rooks) & black
    )
