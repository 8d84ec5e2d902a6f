"""Why something is entered: said, and not at length."""

from __future__ import annotations

from arrocco.errors import Inconsistent
from arrocco.words import Phrase

_LONGEST_REASON = 2000


def check_reason(reason: str) -> None:
    """Raises `Inconsistent` for a reason that is empty or too long."""
    if not reason.strip() or len(reason) > _LONGEST_REASON:
        why = Phrase("office.fault.empty")
        if reason.strip():
            why = Phrase("office.fault.too_long", {"length": len(reason), "most": _LONGEST_REASON})
        raise Inconsistent.of(
            "office.refused.field", field=Phrase("office.field.reason"), why=why, name="reason"
        )
