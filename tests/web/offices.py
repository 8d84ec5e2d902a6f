"""What the offices of these tests hold: one account for every role."""

from __future__ import annotations

from datetime import timedelta

from arrocco.desk import Office
from arrocco.laws.online.fair_play import Seat
from arrocco.office.roles import Asker, Role
from arrocco.store.sql import accounts, sessions

PASSWORD = "correct horse battery"
ROLES = tuple(role for role in Role if role is not Role.PUBLIC)
FIRST = Role.SYSTEM_ADMINISTRATOR
"""The account that an office begins with; it invites the others."""


def email_of(role: Role) -> str:
    return f"{role.value}@example.org"


def fill(office: Office) -> None:
    """Opens an account for every role, by invitation as everybody does."""
    desk = office.accounts
    desk.accept_invitation(desk.invite_first(email_of(FIRST)), "Ada Rossi", PASSWORD)
    admin = Asker(account=1, name="Ada Rossi", role=FIRST)
    for role in ROLES:
        if role is not FIRST:
            federation = "ITA" if role is Role.FEDERATION_OFFICER else ""
            player = 99000001 if role is Role.PLAYER else None
            token = desk.invite(admin, email_of(role), role, federation, player)
            desk.accept_invitation(token, role.value.replace("_", " ").title(), PASSWORD)
    with office.desk.database.reading() as connection:
        expert = accounts.by_email(connection, email_of(Role.COMMITTEE))
    assert expert is not None
    seat = Seat.ANTI_CHEATING_EXPERT
    office.committee.name_member(admin, expert.id, seat, resolution="Delibera finta 1")


def logged_in_cookie(office: Office, role: Role) -> str:
    """A session of the account of a role, without the cost of a password."""
    return logged_in_cookie_of(office, email_of(role))


def logged_in_cookie_of(office: Office, email: str) -> str:
    """The same of the account of an address."""
    at = office.desk.now()
    with office.desk.database.writing() as connection:
        account = accounts.by_email(connection, email)
        assert account is not None
        return sessions.start(connection, account.id, at, at + timedelta(hours=12))
