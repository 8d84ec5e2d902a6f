"""Records kept whole, as JSON in a column, and how they change: only as the changer knew them."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec
from sqlalchemy import Connection, Table, select, update

from arrocco.errors import Inconsistent

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
    found = select(table.c.record).where(table.c.id == identity).with_for_update()
    kept = connection.execute(found).scalar_one_or_none()
    if kept is None or msgspec.json.decode(kept, type=type(old)) != old:
        raise Inconsistent.of("sql.refused.changed_meanwhile")
    connection.execute(
        update(table).where(table.c.id == identity).values(record=encoded(new), **values)
    )
    return new
