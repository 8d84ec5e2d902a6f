"""Links by which so many people may have themselves invited, until a day."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct
from sqlalchemy import ColumnElement, Connection, Row, select

from arrocco.office.roles import Role
from arrocco.store.sql import moments, seals
from arrocco.store.sql.tables import invitation_links as links
from arrocco.store.sql.tokens import hashed


class InvitationLink(Struct, frozen=True, kw_only=True):
    """A link as it is kept; its token is not."""

    id: int
    role: Role
    federation: str
    cap: int
    used: int
    made_by: int | None
    made_at: datetime
    expires_at: datetime


def add(
    connection: Connection,
    *,
    token: str,
    role: Role,
    federation: str,
    cap: int,
    made_by: int | None,
    made_at: datetime,
    expires_at: datetime,
) -> InvitationLink:
    values = {
        "token_hash": hashed(token),
        "role": role.value,
        "federation": federation,
        "cap": cap,
        "used": 0,
        "made_by": made_by,
        "made_at": moments.written(made_at),
        "expires_at": moments.written(expires_at),
    }
    return _read(seals.insert(connection, links, values)[0])


def serving(connection: Connection, at: datetime) -> list[InvitationLink]:
    """The links that still serve, the newest first."""
    rows = select(links).where(*_serves(at)).order_by(links.c.id.desc())
    return [_read(row) for row in connection.execute(rows)]


def by_token(connection: Connection, token: str, at: datetime) -> InvitationLink | None:
    """The link of a token, if it still serves."""
    mine = links.c.token_hash == hashed(token)
    row = connection.execute(select(links).where(mine, *_serves(at))).one_or_none()
    return None if row is None else _read(row)


def use(connection: Connection, token: str, at: datetime) -> InvitationLink | None:
    """Takes one place of a link; `None` where it has no more. Two at once take two places."""
    mine = links.c.token_hash == hashed(token)
    values = {"used": links.c.used + 1}
    taken = seals.update(connection, links, mine, *_serves(at), values=values)
    return _read(taken[0]) if taken else None


def withdraw(connection: Connection, link: int, at: datetime) -> bool:
    """Lets a link serve no more; whether it did."""
    still = (links.c.id == link, links.c.withdrawn_at.is_(None))
    values = {"withdrawn_at": moments.written(at)}
    return bool(seals.update(connection, links, *still, values=values))


def _serves(at: datetime) -> tuple[ColumnElement[bool], ...]:
    return (
        links.c.withdrawn_at.is_(None),
        links.c.expires_at > moments.written(at),
        links.c.used < links.c.cap,
    )


def _read(row: Row[tuple[object, ...]]) -> InvitationLink:
    value = row._mapping
    return InvitationLink(
        id=value["id"],
        role=Role(value["role"]),
        federation=value["federation"],
        cap=value["cap"],
        used=value["used"],
        made_by=value["made_by"],
        made_at=moments.read(value["made_at"]),
        expires_at=moments.read(value["expires_at"]),
    )
