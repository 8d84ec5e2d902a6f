"""Invitations: who may open an account, as what, until when; each serves once."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct
from sqlalchemy import ColumnElement, Connection, Row, select

from arrocco.office.roles import Role
from arrocco.store.sql import moments, seals
from arrocco.store.sql.accounts import same_email
from arrocco.store.sql.tables import invitations
from arrocco.store.sql.tokens import hashed


class Invitation(Struct, frozen=True, kw_only=True):
    """An invitation as it is kept; its token is not."""

    id: int
    email: str
    name: str
    role: Role
    federation: str
    player: int | None
    invited_by: int | None
    expires_at: datetime
    used_at: datetime | None


def add(
    connection: Connection,
    *,
    token: str,
    email: str,
    role: Role,
    expires_at: datetime,
    name: str = "",
    federation: str = "",
    player: int | None = None,
    invited_by: int | None = None,
) -> Invitation:
    """A new invitation; `invited_by` is `None` for the first account of an office."""
    values = {
        "token_hash": hashed(token),
        "email": same_email(email),
        "name": name,
        "role": role.value,
        "federation": federation,
        "player": player,
        "invited_by": invited_by,
        "expires_at": moments.written(expires_at),
    }
    return _read(seals.insert(connection, invitations, values)[0])


def by_token(connection: Connection, token: str, at: datetime) -> Invitation | None:
    """The invitation of a token, if it still serves at this moment."""
    row = connection.execute(select(invitations).where(*_serves(token, at))).one_or_none()
    return None if row is None else _read(row)


def use(connection: Connection, token: str, at: datetime) -> Invitation | None:
    """Takes an invitation; `None` where it does not serve. Of two that take it one gets it."""
    used = {"used_at": moments.written(at)}
    taken = seals.update(connection, invitations, *_serves(token, at), values=used)
    return _read(taken[0]) if taken else None


def waiting(connection: Connection, at: datetime) -> list[Invitation]:
    """Invitations nobody has taken yet and still may, the newest first."""
    query = (
        select(invitations)
        .where(invitations.c.used_at.is_(None), invitations.c.expires_at > moments.written(at))
        .order_by(invitations.c.id.desc())
    )
    return [_read(row) for row in connection.execute(query)]


def withdraw(connection: Connection, invitation: int) -> bool:
    """Takes an invitation back; whether there was one that nobody had taken."""
    unused = invitations.c.used_at.is_(None)
    return seals.delete(connection, invitations, invitations.c.id == invitation, unused) == 1


def _serves(token: str, at: datetime) -> tuple[ColumnElement[bool], ...]:
    return (
        invitations.c.token_hash == hashed(token),
        invitations.c.used_at.is_(None),
        invitations.c.expires_at > moments.written(at),
    )


def _read(row: Row[tuple[object, ...]]) -> Invitation:
    value = row._mapping
    return Invitation(
        id=value["id"],
        email=value["email"],
        name=value["name"],
        role=Role(value["role"]),
        federation=value["federation"],
        player=value["player"],
        invited_by=value["invited_by"],
        expires_at=moments.read(value["expires_at"]),
        used_at=moments.read_maybe(value["used_at"]),
    )
