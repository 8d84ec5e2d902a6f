"""What comes of a command: records for the log, or why there are none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from arrocco.errors import Refusal
from arrocco.findings import Finding, Severity
from arrocco.hall.event.record import Record
from arrocco.laws.online.sanctions import Objection


class Decision(NamedTuple):
    """The records to be written, in order, or why the command was refused.

    `objections` holds everything that stands against it; `refusal` is the first of them.
    """

    events: tuple[Record, ...] = ()
    refusal: Finding | None = None
    objections: tuple[Finding, ...] = ()


def happened(*events: Record) -> Decision:
    return Decision(events)


def refused(key: str, article: str = "", **details: Any) -> Decision:
    """Nothing happens; `key` names the sentence that says why and what to do."""
    return objected([Finding(Severity.ERROR, f"event.{key}", article=article, details=details)])


def objected(objections: Sequence[Finding]) -> Decision:
    """Nothing happens, for one reason or several."""
    return Decision((), objections[0], tuple(objections))


def unlawful(objection: Objection, article: str) -> Decision:
    """Nothing happens, since the regulation objects to a sanction or a score."""
    key = f"hall.objection.{objection.value}"
    return objected([Finding(Severity.ERROR, key, article=article)])


def from_refusal(refusal: Refusal, article: str = "") -> Decision:
    """The same for what a pairing refuses to do."""
    return objected(
        [Finding(Severity.ERROR, refusal.key, article=article, details=refusal.details)]
    )
