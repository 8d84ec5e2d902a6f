"""Whether a side can still mate by any legal series of moves (1.3.4, 2.2d, 7.7), with its proof."""

from arrocco.hall.unwinnable.note import noted, said
from arrocco.hall.unwinnable.verdict import (
    Verdict,
    can_mate,
    is_plain,
    judge,
    mates_by_quick_check,
    proof_in,
)

__all__ = [
    "Verdict",
    "can_mate",
    "is_plain",
    "judge",
    "mates_by_quick_check",
    "noted",
    "proof_in",
    "said",
]
