"""13.4 — what was decided before about the player of a case: repeated breaches count."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct

from arrocco.desk.desk import Desk
from arrocco.laws.hall import laws_held_under
from arrocco.office.cases import CommitteeCase
from arrocco.office.cases.records import ChiefSigned, VoteCast
from arrocco.store.sql import committee_cases


class EarlierBreach(Struct, frozen=True, kw_only=True):
    """A breach that was decided in another case, with its articles."""

    case: int
    event_name: str
    decided: datetime
    articles: tuple[str, ...]


def earlier_breaches(desk: Desk, case: CommitteeCase) -> list[EarlierBreach]:
    """Those of the same account, the newest first."""
    with desk.database.reading() as connection:
        others = committee_cases.every(connection)
    known = [_breach(other) for other in others if _is_of_same_player(case, other)]
    return sorted(
        (breach for breach in known if breach is not None),
        key=lambda breach: breach.decided,
        reverse=True,
    )


def _is_of_same_player(case: CommitteeCase, other: CommitteeCase) -> bool:
    return other.number != case.number and other.opened.account == case.opened.account


def _breach(case: CommitteeCase) -> EarlierBreach | None:
    """The decision of a case, where it is in force and finds a breach."""
    decision = case.decision(laws_held_under(case.opened.at.date()).online)
    if decision is None or not decision.put.is_breach:
        return None
    moments = [
        record.at
        for record in case.records
        if isinstance(record, VoteCast | ChiefSigned) and record.proposal == decision.number
    ]
    return EarlierBreach(
        case=case.number,
        event_name=case.opened.event_name,
        decided=max(moments),
        articles=tuple(sanction.article for sanction in decision.put.sanctions),
    )
