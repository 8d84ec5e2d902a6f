"""The id of the office in its database."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, inspect, select

from arrocco.store.sql import seals
from arrocco.store.sql.moments import written
from arrocco.store.sql.tables import office


def get(connection: Connection) -> str | None:
    """The id; `None` where the office has none yet, or the database is of an older program."""
    if not inspect(connection).has_table(office.name):
        return None
    return connection.execute(select(office.c.id)).scalar()


def put(connection: Connection, office_id: str, at: datetime) -> None:
    """Gives the office its id, once."""
    values = {"number": 1, "id": office_id, "created_at": written(at)}
    seals.insert(connection, office, values)
