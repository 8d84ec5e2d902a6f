"""What keeps a tournament from being official: filings and cases that are open, checks not done.

Pages of an event's life, the official announcement (12.3) and the release of prizes (12.6) ask
here, whoever keeps what is open.
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from arrocco.desk.cases import open_cases
from arrocco.desk.desk import Desk
from arrocco.hall.event.state import State
from arrocco.laws.online.filings import FilingKind


class MatterKind(StrEnum):
    """What is open."""

    COMPLAINT = "complaint"
    APPEAL = "appeal"
    CASE = "case"


class Matter(NamedTuple):
    """Something that somebody has still to decide: its kind, its number, since when."""

    kind: MatterKind
    number: int
    since: datetime


def open_matters(desk: Desk, event: State) -> tuple[Matter, ...]:
    """Everything that is open in an event, the oldest first."""
    filings = [
        Matter(
            MatterKind.COMPLAINT if filed.kind is FilingKind.COMPLAINT else MatterKind.APPEAL,
            filed.number,
            filed.at,
        )
        for filed in event.filings
        if filed.is_open
    ]
    with desk.database.reading() as connection:
        cases = [
            Matter(MatterKind.CASE, case.number, case.opened.at)
            for case in open_cases(connection, event)
        ]
    return tuple(sorted((*filings, *cases), key=lambda matter: matter.since))


class MissingCheck(StrEnum):
    """12.6 — why the fair play checks of an event are not complete."""

    NOT_CLOSED = "not_closed"
    NOT_DECLARED = "not_declared"
    """Nobody has said yet that they are: a person does."""


def missing_checks(desk: Desk, event: State) -> tuple[MissingCheck, ...]:
    """Everything that is missing until the checks of an event are complete."""
    if event.closed is None:
        return (MissingCheck.NOT_CLOSED,)
    return () if event.checked is not None else (MissingCheck.NOT_DECLARED,)


def checks_complete(desk: Desk, event: State) -> bool:
    """12.6 — whether the fair play checks of an event are complete."""
    return not missing_checks(desk, event)
