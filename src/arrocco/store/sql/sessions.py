"""Sessions: who is in. The database keeps the hash of a token, never the token."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, delete, insert, select, update

from arrocco.store.sql import moments
from arrocco.store.sql.accounts import Account, read
from arrocco.store.sql.tables import accounts, sessions
from arrocco.store.sql.tokens import hashed, new_token


def start(connection: Connection, account: int, at: datetime, expires_at: datetime) -> str:
    """Opens a session and gives its token, which is to be had only now."""
    token = new_token()
    values = {
        "token_hash": hashed(token), "account": account,
        "created_at": moments.written(at), "expires_at": moments.written(expires_at),
    }  # fmt: skip
    connection.execute(insert(sessions).values(values))
    return token


def account_of(connection: Connection, token: str, at: datetime) -> Account | None:
    """Whose session a token opens; `None` once it has expired or the account is disabled."""
    found = (
        select(accounts)
        .join(sessions, sessions.c.account == accounts.c.id)
        .where(
            sessions.c.token_hash == hashed(token),
            sessions.c.expires_at > moments.written(at),
            accounts.c.disabled.is_(False),
        )
    )
    row = connection.execute(found).one_or_none()
    return None if row is None else read(row)


def extend(connection: Connection, token: str, expires_at: datetime) -> None:
    """Lets a session that is in use last until then."""
    same = sessions.c.token_hash == hashed(token)
    connection.execute(update(sessions).where(same).values(expires_at=moments.written(expires_at)))


def end(connection: Connection, token: str) -> None:
    connection.execute(delete(sessions).where(sessions.c.token_hash == hashed(token)))


def end_all(connection: Connection, account: int, but: str = "") -> None:
    """Ends the sessions of an account, all or all but that of one token."""
    gone = delete(sessions).where(sessions.c.account == account)
    if but:
        gone = gone.where(sessions.c.token_hash != hashed(but))
    connection.execute(gone)


def purge(connection: Connection, at: datetime) -> int:
    """Takes away the sessions that have expired; how many."""
    expired = delete(sessions).where(sessions.c.expires_at <= moments.written(at))
    return connection.execute(expired).rowcount
