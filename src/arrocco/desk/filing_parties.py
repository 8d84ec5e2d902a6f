"""12.9 — what somebody is before the complaints and appeals of an event, and what they may see."""

from __future__ import annotations

from msgspec import Struct
from sqlalchemy import Connection

from arrocco.desk.committee import is_member
from arrocco.desk.desk import Desk
from arrocco.hall.event.acts.filing_decisions import CHIEF, COMMITTEE, Capacity
from arrocco.hall.event.acts.filings import role_of
from arrocco.hall.event.filings import FiledPaper
from arrocco.hall.event.records import EventRole
from arrocco.hall.event.state import State
from arrocco.laws.online.filings import Filer, FilingKind
from arrocco.office.roles import Asker, Permission, Subject, may
from arrocco.store.sql import accounts, committee_members
from arrocco.store.sql.accounts import Account

_MAX_DIGITS = 18


class FilingParty(Struct, frozen=True, kw_only=True):
    """Somebody who looks at the filings of an event."""

    account: str
    is_chief: bool = False
    is_assistant: bool = False
    is_member: bool = False
    """Of the committee, and without a part in the event: nobody judges what they took part in."""
    is_treasurer: bool = False
    """Who sees the federation's bank account."""

    @property
    def is_addressee(self) -> bool:
        return self.is_chief or self.is_member

    def may_read(self, filed: FiledPaper) -> bool:
        """Whoever filed it, and who has to do with it."""
        if self.is_addressee or (self.account and filed.by == self.account):
            return True
        if filed.kind is FilingKind.COMPLAINT:
            return self.is_assistant
        return self.is_treasurer

    def may_hear(self, state: State, filed: FiledPaper) -> bool:
        """Whoever it is about hears of the decision, once there is one."""
        own = state.entry_of(self.account) if self.account else None
        return filed.decision is not None and own is not None and own.id in filed.about

    def may_open_papers(self, filed: FiledPaper) -> bool:
        """The copy of a transfer has somebody's bank account in it."""
        is_own = bool(self.account) and filed.by == self.account
        if filed.kind is FilingKind.COMPLAINT:
            return is_own or self.is_addressee
        return is_own or self.is_member or self.is_treasurer

    def decides(self, filed: FiledPaper) -> Capacity | None:
        """12.9 — as what somebody decides on a filing; `None` where it is another's."""
        if not filed.is_open:
            return None
        if filed.kind is FilingKind.COMPLAINT:
            return CHIEF if self.is_chief else None
        return COMMITTEE if self.is_member else None


def party_of(desk: Desk, asker: Asker, state: State, account: str) -> FilingParty:
    """What an asker is; `account` is the one they are known by in the event."""
    roles = state.roles(account) if account else []
    with desk.database.reading() as connection:
        is_judge = may(asker, Permission.JUDGE_FAIR_PLAY) and is_member(
            connection, asker.account, desk.now()
        )
    is_party = role_of(state, account) is not Filer.OTHER
    federation = Subject(federation=state.created.federation)
    return FilingParty(
        account=account,
        is_chief=EventRole.CHIEF in roles,
        is_assistant=EventRole.ASSISTANT in roles,
        is_member=is_judge and not is_party,
        is_treasurer=may(asker, Permission.RECORD_FEES, federation) and not is_party,
    )


def addressees(connection: Connection, state: State, kind: FilingKind, desk: Desk) -> list[Account]:
    """12.9 — the accounts that a filing is sent to: the chief arbiter's, or the committee's."""
    if kind is FilingKind.COMPLAINT:
        chief = None if state.chief is None else account_known(connection, state.chief.account)
        return [] if chief is None else [chief]
    held = committee_members.holding(connection, desk.now())
    accounts_held = [accounts.by_id(connection, member.account) for member in held]
    return [account for account in accounts_held if account is not None and not account.disabled]


def readers(connection: Connection, state: State, kind: FilingKind, desk: Desk) -> list[Account]:
    """Whom a filing is written to: of its addressees those who may read it.

    A member of the committee with a part in the event judges nothing of it and hears nothing.
    """
    sent_to = addressees(connection, state, kind, desk)
    if kind is FilingKind.COMPLAINT:
        return sent_to
    return [account for account in sent_to if role_of(state, str(account.id)) is Filer.OTHER]


def account_known(connection: Connection, account: str) -> Account | None:
    """The office's account of somebody in an event; `None` for one that is not the office's."""
    if account.isascii() and account.isdecimal() and len(account) <= _MAX_DIGITS:
        return accounts.by_id(connection, int(account))
    return None
