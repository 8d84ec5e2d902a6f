"""What the offices of these tests hold: one account for every role."""

from __future__ import annotations

from datetime import timedelta

from arrocco.office.roles import Asker, Role
from arrocco.store.sql import accounts, sessions
from arrocco.wiring.office import Office

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


def logged_in_cookie(office: Office, role: Role) -> str:
    """A session of the account of a role, without the cost of a password."""
    at = office.desk.now()
    with office.desk.database.writing() as connection:
        account = accounts.by_email(connection, email_of(role))
        assert account is not None
        return sessions.start(connection, account.id, at, at + timedelta(hours=12))
