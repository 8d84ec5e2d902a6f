"""What everything about accounts stands on: sessions, who asks, what makes sense of a person."""

from __future__ import annotations

from datetime import timedelta

from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import Connection

from arrocco.desk import mail
from arrocco.desk.desk import Act
from arrocco.errors import Inconsistent, Refusal
from arrocco.office.roles import Asker, Role
from arrocco.store.sql import accounts, devices, office_settings, second_factors, sessions
from arrocco.store.sql.accounts import Account
from arrocco.words import Phrase

SESSION_HOURS = 12
MAX_NAME = 200


class NotLoggedIn(Refusal):
    """The token opens no session, or the name and the password do not belong together."""


class LoggedIn(Struct, frozen=True, kw_only=True):
    """What a browser gets that has logged in: both are to be had only now."""

    token: str
    """Opens the session; empty where the second factor is still to be shown."""
    device: str
    """Shows later that this browser was logged in before; opens nothing by itself."""
    pending: str = ""
    """Says that the password was right, to who asks for the second factor."""


def open_session(act: Act, account: Account, address: str, device: str, agent: str) -> LoggedIn:
    """Opens a session of an account for a browser, which is remembered."""
    token = sessions.start(
        act.connection,
        account.id,
        act.at,
        act.at + timedelta(hours=SESSION_HOURS),
        address=address,
        agent=agent,
    )
    known = devices.remember(act.connection, device, account.id, act.at)
    return LoggedIn(token=token, device=known)


def tell(act: Act, account: int, change: str) -> None:
    """Writes to the owner of an account what has become of it, by ``access.changed.<change>``."""
    words = Phrase(f"access.changed.{change}")
    mail.queue(
        act.connection, act.at, mail.MailKind.ACCOUNT_CHANGED, account, "/account", change=words
    )


def asker_for(connection: Connection, account: Account, address: str) -> Asker:
    """Who an account is in a request, and whether a second factor is missing."""
    asker = plain_asker(account, address)
    if account.role in office_settings.get(connection).second_factor:
        return replace(asker, lacks_factor=not second_factors.has_any(connection, account.id))
    return asker


def plain_asker(account: Account, address: str) -> Asker:
    """Who an account is, where the office asks for nothing more."""
    return Asker(
        account=account.id,
        name=account.name,
        role=account.role,
        federation=account.federation,
        player=account.player,
        address=address,
    )


def named(connection: Connection, account: int) -> Account:
    """An account by its number. Raises `Inconsistent` where there is none."""
    row = accounts.by_id(connection, account)
    if row is None:
        raise Inconsistent.of("desk.refused.no_account", number=account)
    return row


def check_federation(role: Role, federation: str) -> None:
    """Raises `Inconsistent` for an officer without a federation, and for what is none."""
    if role is Role.FEDERATION_OFFICER and not federation:
        raise Inconsistent.of("desk.refused.no_federation")
    if federation and not (len(federation) == 3 and federation.isascii() and federation.isupper()):
        raise Inconsistent.of("desk.refused.federation", federation=federation[:20])


def check_name(name: str) -> None:
    """Raises `Inconsistent` for what is no name of a person."""
    if not (name.strip() and name.isprintable() and len(name) <= MAX_NAME):
        raise Inconsistent.of("desk.refused.name", longest=MAX_NAME)
