"""Members of the Fair Play Committee: who holds which seat, from when until when."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct
from sqlalchemy import Connection, Row, select

from arrocco.laws.online.fair_play import Seat
from arrocco.store.sql import moments, seals
from arrocco.store.sql.tables import committee_members


class CommitteeMember(Struct, frozen=True, kw_only=True):
    """13.1 — a seat of the committee and who holds it, by what resolution of the federation."""

    id: int
    account: int
    seat: Seat
    category: str
    resolution: str
    since: datetime
    until: datetime | None
    named_by: int | None
    named_at: datetime
    ended_at: datetime | None
    ended_by: int | None
    ended_reason: str

    def holds(self, at: datetime) -> bool:
        """Whether the seat is held at a moment."""
        ends = [end for end in (self.until, self.ended_at) if end is not None]
        return self.since <= at and all(at < end for end in ends)


def add(
    connection: Connection,
    *,
    account: int,
    seat: Seat,
    category: str,
    resolution: str,
    since: datetime,
    until: datetime | None,
    by: int | None,
    at: datetime,
) -> CommitteeMember:
    values = {
        "account": account,
        "seat": seat.value,
        "category": category,
        "resolution": resolution,
        "since": moments.written(since),
        "until": None if until is None else moments.written(until),
        "named_by": by,
        "named_at": moments.written(at),
        "ended_reason": "",
    }
    return _read(seals.insert(connection, committee_members, values)[0])


def end(
    connection: Connection, member: int, at: datetime, by: int | None, reason: str
) -> CommitteeMember | None:
    """Ends a term; `None` where there is none that has not ended."""
    values = {"ended_at": moments.written(at), "ended_by": by, "ended_reason": reason}
    still = committee_members.c.id == member, committee_members.c.ended_at.is_(None)
    changed = seals.update(connection, committee_members, *still, values=values)
    return _read(changed[0]) if changed else None


def every(connection: Connection) -> list[CommitteeMember]:
    """All that were ever named, the newest first."""
    query = select(committee_members).order_by(committee_members.c.id.desc())
    return [_read(row) for row in connection.execute(query)]


def holding(connection: Connection, at: datetime) -> list[CommitteeMember]:
    """Who holds a seat at a moment, by seat."""
    seats = list(Seat)
    held = [member for member in every(connection) if member.holds(at)]
    return sorted(held, key=lambda member: seats.index(member.seat))


def seat_of(connection: Connection, account: int | None, at: datetime) -> Seat | None:
    """The seat that an account holds at a moment."""
    if account is None:
        return None
    query = select(committee_members).where(committee_members.c.account == account)
    held = (_read(row) for row in connection.execute(query))
    return next((member.seat for member in held if member.holds(at)), None)


def _read(row: Row[tuple[object, ...]]) -> CommitteeMember:
    value = row._mapping
    return CommitteeMember(
        id=value["id"],
        account=value["account"],
        seat=Seat(value["seat"]),
        category=value["category"],
        resolution=value["resolution"],
        since=moments.read(value["since"]),
        until=moments.read_maybe(value["until"]),
        named_by=value["named_by"],
        named_at=moments.read(value["named_at"]),
        ended_at=moments.read_maybe(value["ended_at"]),
        ended_by=value["ended_by"],
        ended_reason=value["ended_reason"],
    )
