"""Browsers that were logged in before, by account: the browser has a token, the database its hash.

Such a browser is let try a password whatever strangers do; it opens nothing by itself.
"""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, select

from arrocco.store.sql import moments, seals
from arrocco.store.sql.tables import devices
from arrocco.store.sql.tokens import hashed, new_token

MAX_DEVICES = 20
"""Of one account; the one that was used longest ago makes room."""


def is_known(connection: Connection, token: str, account: int) -> bool:
    """Whether an account was logged in with this browser before."""
    return _row(connection, token, account) is not None


def remember(connection: Connection, token: str, account: int, at: datetime) -> str:
    """Remembers the browser of an account and gives the token it is to keep.

    A token that this office has not made is not taken: somebody else may have put it there.
    """
    used = {"used_at": moments.written(at)}
    own = (devices.c.token_hash == hashed(token)) & (devices.c.account == account)
    if token and seals.update(connection, devices, own, values=used):
        return token
    made_here = select(devices.c.account).where(devices.c.token_hash == hashed(token)).limit(1)
    if not token or connection.execute(made_here).first() is None:
        token = new_token()
    seals.upsert(connection, devices, {"token_hash": hashed(token), "account": account}, used)
    oldest = (
        select(devices.c.token_hash)
        .where(devices.c.account == account)
        .order_by(devices.c.used_at.desc())
        .offset(MAX_DEVICES)
    )
    forgotten = [row.token_hash for row in connection.execute(oldest)]
    if forgotten:
        of_account = devices.c.account == account
        seals.delete(connection, devices, of_account, devices.c.token_hash.in_(forgotten))
    return token


def forget_all(connection: Connection, account: int, but: str = "") -> None:
    """Forgets the browsers of an account, all or all but that of one token."""
    others = devices.c.token_hash != hashed(but)  # no token has the hash of an empty one
    seals.delete(connection, devices, devices.c.account == account, others)


def _row(connection: Connection, token: str, account: int) -> object:
    own = (devices.c.token_hash == hashed(token)) & (devices.c.account == account)
    return connection.execute(select(devices.c.used_at).where(own)).first() if token else None
