"""A row that is written whether it is there already or not, in both databases at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, Table
from sqlalchemy.dialects import postgresql, sqlite


def upsert(
    connection: Connection,
    table: Table,
    key: Mapping[str, Any],
    new: Mapping[str, Any],
    changed: Mapping[str, Any] | None = None,
) -> None:
    """Inserts a row, or changes the one that has its key; two at once do not collide."""
    made: Any = postgresql if connection.dialect.name == "postgresql" else sqlite
    statement = made.insert(table).values(**key, **new)
    connection.execute(
        statement.on_conflict_do_update(index_elements=list(key), set_=dict(changed or new))
    )
