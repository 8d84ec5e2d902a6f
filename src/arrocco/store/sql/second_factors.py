"""Second factors of accounts: authenticator apps, passkeys, and codes for when both are lost."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from msgspec import Struct
from sqlalchemy import Connection, func, select

from arrocco.store.sql import moments, seals
from arrocco.store.sql.tables import recovery_codes, second_factors
from arrocco.store.sql.tokens import hashed

TOTP, PASSKEY = "totp", "passkey"


class Factor(Struct, frozen=True, kw_only=True):
    """A second factor as it is kept."""

    id: int
    account: int
    kind: str
    name: str
    secret: str
    """The key of a TOTP app, or the public key of a passkey, in base64url."""
    credential: str | None
    counter: int
    created_at: datetime
    used_at: datetime | None


def add(
    connection: Connection,
    account: int,
    kind: str,
    name: str,
    secret: str,
    at: datetime,
    *,
    credential: str | None = None,
    counter: int = 0,
) -> None:
    """A new factor of an account."""
    values = {
        "account": account,
        "kind": kind,
        "name": name,
        "secret": secret,
        "credential": credential,
        "counter": counter,
        "created_at": moments.written(at),
    }
    seals.insert(connection, second_factors, values)


def of_account(connection: Connection, account: int) -> list[Factor]:
    """The factors of an account, the oldest first."""
    query = select(second_factors).where(second_factors.c.account == account)
    return [_read(row._mapping) for row in connection.execute(query.order_by(second_factors.c.id))]


def has_any(connection: Connection, account: int) -> bool:
    """Whether an account has a second factor."""
    query = select(second_factors.c.id).where(second_factors.c.account == account).limit(1)
    return connection.execute(query).first() is not None


def used(connection: Connection, factor: Factor, counter: int, at: datetime) -> bool:
    """Notes a use; whether it is later than the one before: of two equal ones one is."""
    later = (
        second_factors.c.id == factor.id,
        second_factors.c.counter == factor.counter,
    )
    values = {"counter": counter, "used_at": moments.written(at)}
    return bool(seals.update(connection, second_factors, *later, values=values))


def remove(connection: Connection, account: int, factor: int) -> bool:
    """Takes a factor away; whether the account had it."""
    own = second_factors.c.account == account, second_factors.c.id == factor
    return seals.delete(connection, second_factors, *own) == 1


def remove_all(connection: Connection, account: int) -> int:
    """Takes all factors and codes of an account away; how many factors."""
    seals.delete(connection, recovery_codes, recovery_codes.c.account == account)
    return seals.delete(connection, second_factors, second_factors.c.account == account)


def _read(value: Any) -> Factor:
    return Factor(
        id=value["id"],
        account=value["account"],
        kind=value["kind"],
        name=value["name"],
        secret=value["secret"],
        credential=value["credential"],
        counter=value["counter"],
        created_at=moments.read(value["created_at"]),
        used_at=moments.read_maybe(value["used_at"]),
    )


# --- recovery codes -------------------------------------------------------------------------------


def put_codes(connection: Connection, account: int, codes: list[str], at: datetime) -> None:
    """Gives an account new codes; those from before serve no more."""
    seals.delete(connection, recovery_codes, recovery_codes.c.account == account)
    rows = [
        {"code_hash": _code(account, code), "account": account, "made_at": moments.written(at)}
        for code in codes
    ]
    seals.insert(connection, recovery_codes, *rows)


def take_code(connection: Connection, account: int, code: str) -> bool:
    """Uses a code; whether there was one: it serves once."""
    of = recovery_codes.c.code_hash == _code(account, code), recovery_codes.c.account == account
    return seals.delete(connection, recovery_codes, *of) == 1


def codes_left(connection: Connection, account: int) -> int:
    """How many codes an account has left."""
    of = recovery_codes.c.account == account
    return connection.execute(
        select(func.count()).select_from(recovery_codes).where(of)
    ).scalar_one()


def _code(account: int, code: str) -> str:
    return hashed(f"{account}:{code}")
