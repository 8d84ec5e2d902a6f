"""Links and codes that serve once: the holder has the token, the database only its hash.

A row goes when it is used: of two that use it at once one gets it, and what was used or has
expired cannot be told from what never was.
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Any

import msgspec
from msgspec import Struct
from sqlalchemy import ColumnElement, Connection, func, select

from arrocco.store.sql import moments, seals
from arrocco.store.sql.tables import one_time_tokens as table
from arrocco.store.sql.tokens import hashed


class Purpose(StrEnum):
    """What a token is for; it opens nothing else."""

    SIGN_UP = "sign_up"
    RESET = "reset"
    NEW_ADDRESS = "new_address"
    CLAIM = "claim"
    SECOND_FACTOR = "second_factor"
    """Who knew the password and has still to show the second factor."""
    NEW_PASSKEY = "new_passkey"
    PASSKEY = "passkey"
    NEW_TOTP = "new_totp"
    PROOF = "proof"
    """The session in which the password was entered once more; it serves as often as needed."""


class OneTime(Struct, frozen=True, kw_only=True):
    """What a token stands for."""

    purpose: Purpose
    account: int | None
    email: str
    body: dict[str, Any]
    expires_at: datetime


def add(
    connection: Connection,
    token: str,
    purpose: Purpose,
    expires_at: datetime,
    *,
    account: int | None = None,
    email: str = "",
    body: dict[str, Any] | None = None,
) -> None:
    """Keeps a token until it is used or has expired."""
    seals.upsert(
        connection,
        table,
        {"token_hash": _key(purpose, token)},
        {
            "purpose": purpose.value,
            "account": account,
            "email": email,
            "body": msgspec.json.encode(body or {}).decode(),
            "expires_at": moments.written(expires_at),
        },
    )


def get(connection: Connection, token: str, purpose: Purpose, at: datetime) -> OneTime | None:
    """What a token stands for, if it still serves; it goes on to do so."""
    row = connection.execute(select(table).where(*_serving(token, purpose, at))).one_or_none()
    return None if row is None else _read(row._mapping)


def take(connection: Connection, token: str, purpose: Purpose, at: datetime) -> OneTime | None:
    """Uses a token; of two at once one gets it, and nobody afterwards."""
    one_time = get(connection, token, purpose, at)
    if one_time is None or not seals.delete(connection, table, *_serving(token, purpose, at)):
        return None
    return one_time


def forget(connection: Connection, account: int, purpose: Purpose) -> int:
    """Takes away what an account still has for a purpose; how many."""
    of = table.c.account == account, table.c.purpose == purpose.value
    return seals.delete(connection, table, *of)


def forget_all(connection: Connection, account: int) -> None:
    """Takes away all tokens of an account."""
    seals.delete(connection, table, table.c.account == account)


def purge(connection: Connection, at: datetime) -> int:
    """Takes away what has expired; how many."""
    return seals.delete(connection, table, table.c.expires_at <= moments.written(at))


def count(connection: Connection) -> int:
    """How many there are."""
    return connection.execute(select(func.count()).select_from(table)).scalar_one()


def _key(purpose: Purpose, token: str) -> str:
    return hashed(f"{purpose.value}:{token}")


def _serving(token: str, purpose: Purpose, at: datetime) -> tuple[ColumnElement[bool], ...]:
    return (
        table.c.token_hash == _key(purpose, token),
        table.c.purpose == purpose.value,
        table.c.expires_at > moments.written(at),
    )


def _read(value: Any) -> OneTime:
    return OneTime(
        purpose=Purpose(value["purpose"]),
        account=value["account"],
        email=value["email"],
        body=msgspec.json.decode(value["body"]),
        expires_at=moments.read(value["expires_at"]),
    )
