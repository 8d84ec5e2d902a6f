"""Accounts: who may come in."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct
from sqlalchemy import Connection, Row, func, select
from sqlalchemy.exc import IntegrityError

from arrocco.errors import Inconsistent
from arrocco.office.roles import Role
from arrocco.store.sql import moments, seals
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
    """A new account. Raises `Inconsistent` where the address or the number has one already."""
    values = {
        "email": same_email(email),
        "name": name,
        "password_hash": password_hash,
        "role": role.value,
        "federation": federation,
        "player": player,
        "language": language,
        "disabled": False,
        "created_at": moments.written(created_at),
    }
    try:
        with connection.begin_nested():
            return read(seals.insert(connection, accounts, values)[0])
    except IntegrityError:
        if by_email(connection, email) is None:
            raise Inconsistent.of("access.refused.number_taken", player=player) from None
        raise Inconsistent.of("sql.refused.email_taken", email=same_email(email)) from None


def by_id(connection: Connection, account: int) -> Account | None:
    row = connection.execute(select(accounts).where(accounts.c.id == account)).one_or_none()
    return None if row is None else read(row)


def by_email(connection: Connection, email: str) -> Account | None:
    query = select(accounts).where(accounts.c.email == same_email(email))
    row = connection.execute(query).one_or_none()
    return None if row is None else read(row)


def by_player(connection: Connection, player: int) -> Account | None:
    """Whose a number is; one account has it at most."""
    row = connection.execute(select(accounts).where(accounts.c.player == player)).one_or_none()
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


def set_player(connection: Connection, account: int, player: int | None) -> None:
    """Gives an account a number. Raises `Inconsistent` where another one has it."""
    try:
        with connection.begin_nested():
            _set(connection, account, player=player)
    except IntegrityError:
        raise Inconsistent.of("access.refused.number_taken", player=player) from None


def set_email(connection: Connection, account: int, email: str) -> None:
    """Gives an account another address. Raises `Inconsistent` where another account has it."""
    try:
        with connection.begin_nested():
            _set(connection, account, email=same_email(email))
    except IntegrityError:
        raise Inconsistent.of("sql.refused.email_taken", email=same_email(email)) from None


def _set(connection: Connection, account: int, **values: object) -> None:
    seals.update(connection, accounts, accounts.c.id == account, values=values)


def read(row: Row[tuple[object, ...]]) -> Account:
    """The account of a row that has the columns of the table."""
    value = row._mapping
    return Account(
        id=value[accounts.c.id],
        email=value[accounts.c.email],
        name=value[accounts.c.name],
        password_hash=value[accounts.c.password_hash],
        role=Role(value[accounts.c.role]),
        federation=value[accounts.c.federation],
        player=value[accounts.c.player],
        language=value[accounts.c.language],
        disabled=value[accounts.c.disabled],
        created_at=moments.read(value[accounts.c.created_at]),
    )
