"""Accounts: who may come in."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct
from sqlalchemy import Connection, Row, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from arrocco.errors import Inconsistent
from arrocco.office.roles import Role
from arrocco.store.sql import moments
from arrocco.store.sql.tables import accounts


class Account(Struct, frozen=True, kw_only=True):
    """An account as it is kept."""

    id: int
    email: str
    name: str
    password_hash: str
    role: Role
    federation: str
    player: int | None
    language: str
    disabled: bool
    created_at: datetime


def same_email(email: str) -> str:
    """An address as it is kept and looked for: letters in upper case make no other person."""
    return email.strip().lower()


def add(
    connection: Connection,
    *,
    email: str,
    name: str,
    password_hash: str,
    role: Role,
    created_at: datetime,
    federation: str = "",
    player: int | None = None,
    language: str = "en",
) -> Account:
    """A new account. Raises `Inconsistent` where the address has one already."""
    values = {
        "email": same_email(email), "name": name, "password_hash": password_hash,
        "role": role.value, "federation": federation, "player": player, "language": language,
        "disabled": False, "created_at": moments.written(created_at),
    }  # fmt: skip
    try:
        with connection.begin_nested():
            added = connection.execute(insert(accounts).values(values).returning(accounts))
            return read(added.one())
    except IntegrityError:
        raise Inconsistent.of("sql.refused.email_taken", email=same_email(email)) from None


def by_id(connection: Connection, account: int) -> Account | None:
    row = connection.execute(select(accounts).where(accounts.c.id == account)).one_or_none()
    return None if row is None else read(row)


def by_email(connection: Connection, email: str) -> Account | None:
    found = select(accounts).where(accounts.c.email == same_email(email))
    row = connection.execute(found).one_or_none()
    return None if row is None else read(row)


def every(connection: Connection) -> list[Account]:
    """All accounts, the oldest first."""
    return [read(row) for row in connection.execute(select(accounts).order_by(accounts.c.id))]


def count(connection: Connection) -> int:
    return connection.execute(select(func.count()).select_from(accounts)).scalar_one()


def set_password(connection: Connection, account: int, password_hash: str) -> None:
    _set(connection, account, password_hash=password_hash)


def set_disabled(connection: Connection, account: int, disabled: bool) -> None:
    _set(connection, account, disabled=disabled)


def set_language(connection: Connection, account: int, language: str) -> None:
    _set(connection, account, language=language)


def set_role(
    connection: Connection, account: int, role: Role, federation: str, player: int | None
) -> None:
    _set(connection, account, role=role.value, federation=federation, player=player)


def _set(connection: Connection, account: int, **values: object) -> None:
    connection.execute(update(accounts).where(accounts.c.id == account).values(values))


def read(row: Row[tuple[object, ...]]) -> Account:
    """The account of a row that has the columns of the table."""
    value = row._mapping
    return Account(
        id=value[accounts.c.id], email=value[accounts.c.email], name=value[accounts.c.name],
        password_hash=value[accounts.c.password_hash], role=Role(value[accounts.c.role]),
        federation=value[accounts.c.federation], player=value[accounts.c.player],
        language=value[accounts.c.language], disabled=value[accounts.c.disabled],
        created_at=moments.read(value[accounts.c.created_at]),
    )  # fmt: skip
