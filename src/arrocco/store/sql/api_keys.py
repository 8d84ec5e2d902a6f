"""Keys of programs: the program has the key, the database its hash."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from msgspec import Struct
from sqlalchemy import Connection, select

from arrocco.store.sql import moments, seals
from arrocco.store.sql.accounts import Account, read
from arrocco.store.sql.tables import accounts, api_keys
from arrocco.store.sql.tokens import hashed

NOTED_EVERY = timedelta(minutes=1)
"""The last use is kept so exactly: not every request is worth a write."""


class ApiKey(Struct, frozen=True, kw_only=True):
    """A key as it is kept and shown."""

    id: int
    account: int
    name: str
    scopes: tuple[str, ...]
    created_at: datetime
    expires_at: datetime
    used_at: datetime | None
    used_from: str
    revoked_at: datetime | None


def add(
    connection: Connection,
    key: str,
    account: int,
    name: str,
    scopes: tuple[str, ...],
    at: datetime,
    expires_at: datetime,
) -> ApiKey:
    """Keeps a new key."""
    values = {
        "token_hash": hashed(key),
        "account": account,
        "name": name,
        "scopes": " ".join(scopes),
        "created_at": moments.written(at),
        "expires_at": moments.written(expires_at),
    }
    return _read(seals.insert(connection, api_keys, values)[0]._mapping)


def holder(connection: Connection, key: str, at: datetime) -> tuple[ApiKey, Account] | None:
    """The key that serves and whose it is; `None` for any other, or a closed account."""
    query = (
        select(api_keys, accounts)
        .join(accounts, api_keys.c.account == accounts.c.id)
        .where(
            api_keys.c.token_hash == hashed(key),
            api_keys.c.expires_at > moments.written(at),
            api_keys.c.revoked_at.is_(None),
            accounts.c.disabled.is_(False),
        )
    )
    row = connection.execute(query).one_or_none()
    if row is None:
        return None
    own = {column.name: row._mapping[column] for column in api_keys.c}
    return _read(own), read(row)


def note_use(connection: Connection, key: int, at: datetime, address: str) -> None:
    """Keeps when and from where a key was used last."""
    values = {"used_at": moments.written(at), "used_from": address[:100]}
    seals.update(connection, api_keys, api_keys.c.id == key, values=values)


def of_account(connection: Connection, account: int | None = None) -> list[ApiKey]:
    """The keys of an account, or of everybody, the newest first."""
    query = select(api_keys).order_by(api_keys.c.id.desc())
    if account is not None:
        query = query.where(api_keys.c.account == account)
    return [_read(row._mapping) for row in connection.execute(query)]


def revoke(connection: Connection, key: int, at: datetime, account: int | None = None) -> bool:
    """Ends a key, of anybody or of one account; whether it served."""
    own = [api_keys.c.id == key, api_keys.c.revoked_at.is_(None)]
    if account is not None:
        own.append(api_keys.c.account == account)
    return bool(
        seals.update(connection, api_keys, *own, values={"revoked_at": moments.written(at)})
    )


def revoke_all(connection: Connection, account: int, at: datetime) -> None:
    """Ends all keys of an account."""
    own = api_keys.c.account == account, api_keys.c.revoked_at.is_(None)
    seals.update(connection, api_keys, *own, values={"revoked_at": moments.written(at)})


def _read(value: Any) -> ApiKey:
    return ApiKey(
        id=value["id"],
        account=value["account"],
        name=value["name"],
        scopes=tuple(value["scopes"].split()),
        created_at=moments.read(value["created_at"]),
        expires_at=moments.read(value["expires_at"]),
        used_at=moments.read_maybe(value["used_at"]),
        used_from=value["used_from"],
        revoked_at=moments.read_maybe(value["revoked_at"]),
    )
