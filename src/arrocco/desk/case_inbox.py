"""Cases of the Fair Play Committee that wait for a member, the chief arbiter or the player."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from msgspec import Struct

from arrocco.desk.cases import has_conflict, open_cases
from arrocco.desk.committee import is_member
from arrocco.desk.desk import Desk
from arrocco.hall.event.records import EventRole
from arrocco.hall.event.state import State
from arrocco.office.cases import CommitteeCase
from arrocco.office.cases.case import CaseState
from arrocco.store.sql import committee_cases


class CaseWork(StrEnum):
    """What waits in a case; its words are ``inbox.item.<value>``."""

    DECIDE = "cases"
    SIGN = "case_signature"
    SPEAK = "case_statement"


class WaitingCase(Struct, frozen=True, kw_only=True):
    """A case that waits for who asks: for what, since when, until when."""

    work: CaseWork
    number: int
    since: datetime
    until: datetime | None = None


def events_with_cases(desk: Desk) -> list[str]:
    """The events that any case is about, the newest case first."""
    with desk.database.reading() as connection:
        cases = committee_cases.every(connection)
    return list(dict.fromkeys(case.opened.event for case in cases))


def waiting_cases(desk: Desk, account: int, event: State, now: datetime) -> list[WaitingCase]:
    """The open cases of an event in which something waits for an account."""
    with desk.database.reading() as connection:
        member = is_member(connection, account, now)
        waiting = [
            _for_member(case, event)
            if member and not has_conflict(account, case, event)
            else _for_others(case, event, str(account), now)
            for case in open_cases(connection, event)
        ]
    return [waiting_case for waiting_case in waiting if waiting_case is not None]


def _for_member(case: CommitteeCase, event: State) -> WaitingCase | None:
    """Everything but what waits for the chief arbiter (13.3)."""
    if case.state(event.laws.online) is CaseState.WAITS_FOR_CHIEF:
        return None
    is_asked = case.hearing is not None and case.statement is None
    until = case.hearing.until if case.hearing is not None and is_asked else None
    return WaitingCase(work=CaseWork.DECIDE, number=case.number, since=case.opened.at, until=until)


def _for_others(
    case: CommitteeCase, event: State, account: str, now: datetime
) -> WaitingCase | None:
    if EventRole.CHIEF in event.roles(account):
        if case.state(event.laws.online) is not CaseState.WAITS_FOR_CHIEF:
            return None
        since = case.records[-1].at
        return WaitingCase(work=CaseWork.SIGN, number=case.number, since=since)
    entry, hearing = event.entry(case.opened.entry), case.hearing
    is_player = entry is not None and account == entry.person.account
    if not is_player or hearing is None or case.was_heard(now):
        return None
    return WaitingCase(
        work=CaseWork.SPEAK, number=case.number, since=hearing.at, until=hearing.until
    )
