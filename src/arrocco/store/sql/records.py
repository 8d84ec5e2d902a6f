"""Records kept whole, as JSON in a column, and how they change: only as the changer knew them."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec
from sqlalchemy import Connection, Table, select

from arrocco.errors import Inconsistent
from arrocco.store.sql import seals

Record = TypeVar("Record", bound=msgspec.Struct)


def encoded(record: msgspec.Struct) -> str:
    return msgspec.json.encode(record, order="deterministic").decode()


def replace(
    connection: Connection, table: Table, old: Record, new: Record, values: dict[str, Any]
) -> Record:
    """Puts `new` where `old` stands, with what its columns say.

    Raises `Inconsistent` where the record is no longer `old`: somebody else was faster.
    """
    identity: int = old.id  # type: ignore[attr-defined]
    query = select(table.c.record).where(table.c.id == identity).with_for_update()
    kept = connection.execute(query).scalar_one_or_none()
    if kept is None or msgspec.json.decode(kept, type=type(old)) != old:
        raise Inconsistent.of("sql.refused.changed_meanwhile")
    put(connection, table, new, values)
    return new


def put(
    connection: Connection, table: Table, record: msgspec.Struct, values: dict[str, Any]
) -> None:
    """Writes a record into the row of its number."""
    number: int = record.id  # type: ignore[attr-defined]
    seals.update(
        connection, table, table.c.id == number, values={"record": encoded(record), **values}
    )
