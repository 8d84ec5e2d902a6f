"""Who has White (C.04.3, article 5)."""

from __future__ import annotations

from arrocco.hall.pairing.contenders import Contender, Strength
from arrocco.laws.online.side import Side


def has_white(first: Contender, other: Contender, initial: Side) -> bool:
    """5.2 — whether the first of two paired players has White."""
    higher, lower = sorted((first, other), key=lambda player: player.order)
    return _colour_of_higher(higher, lower, initial)[0] is (
        Side.WHITE if higher is first else Side.BLACK
    )


def rule_of(first: Contender, other: Contender, initial: Side) -> str:
    """The article that gives two paired players their colours."""
    higher, lower = sorted((first, other), key=lambda player: player.order)
    return _colour_of_higher(higher, lower, initial)[1]


def _colour_of_higher(higher: Contender, lower: Contender, initial: Side) -> tuple[Side, str]:
    wanted, against = higher.wanted, lower.wanted
    if wanted is not None and wanted is not against:
        return wanted, "5.2.1"  # also where the other has no preference
    if wanted is None and against is not None:
        return against.other, "5.2.1"
    if wanted is None:
        return initial if higher.held_number % 2 else initial.other, "5.2.5"
    stronger = _stronger(higher, lower)
    if stronger is not None:
        return wanted if stronger is higher else wanted.other, "5.2.2"
    pairs = zip(reversed(higher.colours), reversed(lower.colours), strict=False)
    for own, theirs in pairs:
        if own is not theirs:
            return own.other, "5.2.3"
    return wanted, "5.2.4"


def _stronger(higher: Contender, lower: Contender) -> Contender | None:
    """5.2.2 — the one with the stronger preference; of two absolute ones the wider difference."""
    if higher.strength is not lower.strength:
        return max(higher, lower, key=lambda player: player.strength)
    if higher.strength is not Strength.ABSOLUTE or abs(higher.balance) == abs(lower.balance):
        return None
    return max(higher, lower, key=lambda player: abs(player.balance))
