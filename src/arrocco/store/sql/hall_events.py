"""The events of the hall as they are looked for; all that happens in them is in their logs."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date, datetime

from msgspec import Struct
from sqlalchemy import ColumnElement, Connection, Row, func, select
from sqlalchemy.exc import IntegrityError

from arrocco.errors import Inconsistent
from arrocco.store.sql import moments, seals
from arrocco.store.sql.tables import hall_events


class HallEvent(Struct, frozen=True, kw_only=True):
    """An event as it is listed."""

    id: str
    name: str
    owner: int
    status: str
    start: date
    created_at: datetime


def add(connection: Connection, event: HallEvent) -> None:
    """Lists a new event. Raises `Inconsistent` where there is one of that name for programs."""
    values = {
        "id": event.id,
        "name": event.name[:300],
        "owner": event.owner,
        "status": event.status,
        "start": event.start,
        "created_at": moments.written(event.created_at),
    }
    try:
        with connection.begin_nested():
            seals.insert(connection, hall_events, values)
    except IntegrityError:
        if get(connection, event.id) is None:
            raise
        raise Inconsistent.of("sql.refused.event_there_already", event=event.id) from None


def get(connection: Connection, event: str) -> HallEvent | None:
    row = connection.execute(select(hall_events).where(hall_events.c.id == event)).one_or_none()
    return None if row is None else _read(row)


def change(
    connection: Connection,
    event: str,
    *,
    name: str | None = None,
    status: str | None = None,
    start: date | None = None,
) -> bool:
    """Changes what is listed of an event; whether there is such an event."""
    given = {"name": name, "status": status, "start": start}
    values = {key: value for key, value in given.items() if value is not None}
    if not values:
        return get(connection, event) is not None
    changed = seals.update(connection, hall_events, hall_events.c.id == event, values=values)
    return len(changed) == 1


def search(
    connection: Connection,
    *,
    status: Collection[str] = (),
    owner: int | None = None,
    from_day: date | None = None,
    to_day: date | None = None,
    offset: int = 0,
    limit: int = 50,
) -> tuple[int, list[HallEvent]]:
    """How many events there are and a page of them, those that start last first."""
    wanted: list[ColumnElement[bool]] = []
    if status:
        wanted.append(hall_events.c.status.in_(sorted(status)))
    if owner is not None:
        wanted.append(hall_events.c.owner == owner)
    if from_day is not None:
        wanted.append(hall_events.c.start >= from_day)
    if to_day is not None:
        wanted.append(hall_events.c.start <= to_day)
    counted = select(func.count()).select_from(hall_events).where(*wanted)
    order = (hall_events.c.start.desc(), hall_events.c.created_at.desc(), hall_events.c.id)
    query = select(hall_events).where(*wanted).order_by(*order).offset(offset).limit(limit)
    rows = [_read(row) for row in connection.execute(query)]
    return connection.execute(counted).scalar_one(), rows


def _read(row: Row[tuple[object, ...]]) -> HallEvent:
    value = dict(row._mapping)
    value["created_at"] = moments.read(value["created_at"])
    return HallEvent(**value)
