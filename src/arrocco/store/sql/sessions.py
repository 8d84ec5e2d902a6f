"""Sessions: who is in. The database keeps the hash of a token, never the token."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct
from sqlalchemy import Connection, select

from arrocco.store.sql import moments, seals
from arrocco.store.sql.accounts import Account, read
from arrocco.store.sql.tables import accounts, sessions
from arrocco.store.sql.tokens import hashed, new_token

_ID = 24


class Session(Struct, frozen=True, kw_only=True):
    """A session as its owner sees it."""

    id: str
    """A part of the hash of its token: it names the session and opens nothing."""
    created_at: datetime
    expires_at: datetime
    address: str
    agent: str


def start(
    connection: Connection,
    account: int,
    at: datetime,
    expires_at: datetime,
    *,
    address: str = "",
    agent: str = "",
) -> str:
    """Opens a session and gives its token, which is to be had only now."""
    token = new_token()
    values = {
        "token_hash": hashed(token),
        "account": account,
        "created_at": moments.written(at),
        "expires_at": moments.written(expires_at),
        "address": address[:100],
        "agent": agent[:200],
    }
    seals.insert(connection, sessions, values)
    return token


def account_of(connection: Connection, token: str, at: datetime) -> Account | None:
    """Whose session a token opens; `None` once it has expired or the account is disabled."""
    query = (
        select(accounts)
        .join(sessions, sessions.c.account == accounts.c.id)
        .where(
            sessions.c.token_hash == hashed(token),
            sessions.c.expires_at > moments.written(at),
            accounts.c.disabled.is_(False),
        )
    )
    row = connection.execute(query).one_or_none()
    return None if row is None else read(row)


def id_of(token: str) -> str:
    """The name of the session of a token."""
    return hashed(token)[:_ID]


def of_account(connection: Connection, account: int, at: datetime) -> list[Session]:
    """The sessions of an account that are open, the newest first."""
    query = (
        select(sessions)
        .where(sessions.c.account == account, sessions.c.expires_at > moments.written(at))
        .order_by(sessions.c.created_at.desc())
    )
    return [
        Session(
            id=row.token_hash[:_ID],
            created_at=moments.read(row.created_at),
            expires_at=moments.read(row.expires_at),
            address=row.address,
            agent=row.agent,
        )
        for row in connection.execute(query)
    ]


def end_named(connection: Connection, account: int, session: str) -> bool:
    """Ends one session of an account by its name; whether there was one."""
    if len(session) != _ID or not session.isalnum():
        return False
    own = sessions.c.account == account, sessions.c.token_hash.startswith(session, autoescape=True)
    return seals.delete(connection, sessions, *own) > 0


def extend(connection: Connection, token: str, expires_at: datetime) -> None:
    """Lets a session that is in use last until then."""
    same = sessions.c.token_hash == hashed(token)
    seals.update(connection, sessions, same, values={"expires_at": moments.written(expires_at)})


def end(connection: Connection, token: str) -> None:
    seals.delete(connection, sessions, sessions.c.token_hash == hashed(token))


def end_all(connection: Connection, account: int, but: str = "") -> None:
    """Ends the sessions of an account, all or all but that of one token."""
    others = sessions.c.token_hash != hashed(but)  # no token has the hash of an empty one
    seals.delete(connection, sessions, sessions.c.account == account, others)


def purge(connection: Connection, at: datetime) -> int:
    """Takes away the sessions that have expired; how many."""
    return seals.delete(connection, sessions, sessions.c.expires_at <= moments.written(at))
