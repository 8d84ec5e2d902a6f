"""Forced play into positions that hold no mate: few moves each time, each with its proof."""

from __future__ import annotations

from arrocco.hall.unwinnable.material import cannot_mate
from arrocco.hall.unwinnable.mates import may_be_mated
from arrocco.hall.unwinnable.position import TURN, Position, in_check, successors
from arrocco.hall.unwinnable.reach import saturate
from arrocco.hall.unwinnable.roaming import Roaming
from arrocco.hall.unwinnable.tempo import Tempo

FEW_MOVES = 5
"""With more moves than these play is not forced."""
DEPTH = 3
MAX_PROOFS = 24
FRAMES = 200


class Forced:
    """Looks a few moves ahead; whatever is not proved counts as a possible mate."""

    def __init__(self, tempo: Tempo) -> None:
        self._tempo = tempo
        self._left = MAX_PROOFS

    def may_mate(self, position: Position, depth: int = DEPTH) -> bool:
        """Whether White may mate after forced play from a position that is not proved itself."""
        after = successors(position)
        if not after:
            return not position[TURN] and in_check(position)
        if depth == 0 or len(after) > FEW_MOVES:
            return True
        return any(
            not self._is_proved(following) and self.may_mate(following, depth - 1)
            for _, following in after
        )

    def _is_proved(self, position: Position) -> bool:
        """Whether a position that is no mate itself holds none."""
        if cannot_mate(position):
            return True
        if self._left <= 0 or (in_check(position) and not successors(position)):
            return False
        self._left -= 1
        reach = saturate(position)
        return not may_be_mated(reach) or not Roaming(position, reach, self._tempo).may_be_mated(
            FRAMES
        )
