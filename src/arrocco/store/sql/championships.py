"""Championships: what each states, and its events in order."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct
from sqlalchemy import Connection, Row, select
from sqlalchemy.exc import IntegrityError

from arrocco.errors import Inconsistent
from arrocco.store.sql import moments, seals
from arrocco.store.sql.tables import championship_events, championships


class ChampionshipRow(Struct, frozen=True, kw_only=True):
    """A championship as it is kept; `points` are those of its ranks, with commas between them."""

    id: str
    name: str
    rule: str
    best: int
    points: str
    made_by: int
    made_at: datetime


def add(connection: Connection, row: ChampionshipRow) -> None:
    """Keeps a new one. Raises `Inconsistent` where there is one of that name."""
    values = {
        "id": row.id,
        "name": row.name,
        "key": key_of(row.name),
        "rule": row.rule,
        "best": row.best,
        "points": row.points,
        "made_by": row.made_by,
        "made_at": moments.written(row.made_at),
    }
    try:
        with connection.begin_nested():
            seals.insert(connection, championships, values)
    except IntegrityError:
        raise Inconsistent.of("championship.refused.there_already", name=row.name) from None


def key_of(name: str) -> str:
    """A name as events compare it."""
    return name.casefold()[:200]


def get(connection: Connection, championship: str) -> ChampionshipRow | None:
    wanted = select(championships).where(championships.c.id == championship)
    row = connection.execute(wanted).one_or_none()
    return None if row is None else _read(row)


def newest(connection: Connection, limit: int) -> list[ChampionshipRow]:
    """Those that were made last."""
    query = select(championships).order_by(championships.c.made_at.desc(), championships.c.id)
    return [_read(row) for row in connection.execute(query.limit(limit))]


def add_event(connection: Connection, championship: str, event: str) -> int:
    """Adds an event as the next one; its number. Raises `Inconsistent` where it is in one."""
    number = len(events_of(connection, championship)) + 1
    values = {"championship": championship, "event": event, "number": number}
    try:
        with connection.begin_nested():
            seals.insert(connection, championship_events, values)
    except IntegrityError:
        raise Inconsistent.of("championship.refused.event_in_one", event=event) from None
    return number


def of_event(connection: Connection, event: str) -> str | None:
    """The championship of an event."""
    wanted = select(championship_events.c.championship).where(championship_events.c.event == event)
    return connection.execute(wanted).scalar_one_or_none()


def events_of(connection: Connection, championship: str) -> list[str]:
    """The events of a championship in order."""
    mine = championship_events.c.championship == championship
    order = championship_events.c.number
    rows = connection.execute(select(championship_events.c.event).where(mine).order_by(order))
    return [event for (event,) in rows]


def _read(row: Row[tuple[object, ...]]) -> ChampionshipRow:
    value = dict(row._mapping)
    del value["key"]
    value["made_at"] = moments.read(value["made_at"])
    return ChampionshipRow(**value)
