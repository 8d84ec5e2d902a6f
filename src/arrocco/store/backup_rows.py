"""The rows of all tables as lines of JSON, the same for both databases, and back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date
from itertools import islice
from typing import Any

import msgspec
from sqlalchemy import Connection, Date, MetaData, Table, func, insert, inspect, select, text

from arrocco.store.sql.bulk import copy_rows
from arrocco.store.sql.seals import UNGUARDED
from arrocco.store.sql.tables import metadata, seals

LEFT_OUT = frozenset(
    {"sessions", "one_time_tokens", "throttle", "hall_anchors", "mails", "webhook_calls"}
)
"""Who is in at the moment is not kept: a session that was ended must not come back.

Nor must a link that serves once and was used.

Neither are the anchors of the hall: they may be a hair newer than the logs beside them. Nor is the
spool of mail: a restored office sends nothing twice, and a backup opens no account.
"""
_AT_ONCE = 5000


def kept_tables() -> list[Table]:
    """The tables to keep, those that others name before those that name them."""
    return [table for table in metadata.sorted_tables if table.name not in LEFT_OUT]


def lines_of(connection: Connection, table: Table) -> Iterator[bytes]:
    """The rows of a table in the order of its key, each a line."""
    rows = select(table).order_by(*table.primary_key.columns)
    if table is seals:
        rows = rows.where(seals.c.name.not_in(sorted(LEFT_OUT)))
    streamed = connection.execution_options(stream_results=True, yield_per=_AT_ONCE)
    for row in streamed.execute(rows):
        yield msgspec.json.encode(row._asdict()) + b"\n"


def are_empty(connection: Connection, *besides: str) -> bool:
    """Whether a database holds nothing `besides` some tables: no others, or none with rows."""
    apart = {"alembic_version", *besides}
    there = [name for name in inspect(connection).get_table_names() if name not in apart]
    return not any(
        connection.execute(text(f'SELECT EXISTS (SELECT 1 FROM "{name}")')).scalar_one()
        for name in there
    )


class Rows:
    """The tables of a database as they are there, of whatever revision, to be filled."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        meta_data = MetaData()
        meta_data.reflect(connection)
        self.tables = {table.name: table for table in meta_data.sorted_tables}

    def load(self, name: str, lines: Iterable[bytes]) -> int:
        """Writes lines into a table; how many. Raises `ValueError` for what is no row of it."""
        table = self.tables[name]
        columns = [column.name for column in table.columns]
        days = {column.name for column in table.columns if isinstance(column.type, Date)}
        rows = (_row(line, columns, days) for line in lines)
        count = 0
        while part := list(islice(rows, _AT_ONCE)):
            if self.connection.dialect.name == "postgresql":
                copy_rows(self.connection, table.name, columns, part)
            else:
                named = [dict(zip(columns, row, strict=True)) for row in part]
                self.connection.execute(insert(table), named, execution_options=UNGUARDED)
            count += len(part)
        self._count_on(table)
        return count

    def _count_on(self, table: Table) -> None:
        """Lets new rows be numbered after those that came in; SQLite does so by itself."""
        if self.connection.dialect.name != "postgresql" or "id" not in table.c:
            return
        text_clause = text("SELECT pg_get_serial_sequence(:table, 'id')")
        sequence = self.connection.execute(text_clause, {"table": table.name}).scalar()
        if sequence is not None:
            last = self.connection.execute(select(func.max(table.c.id))).scalar()
            self.connection.execute(
                text("SELECT setval(CAST(:sequence AS regclass), :last, :used)"),
                {"sequence": sequence, "last": last or 1, "used": last is not None},
            )


def _row(line: bytes, columns: list[str], days: set[str]) -> tuple[Any, ...]:
    row = msgspec.json.decode(line, type=dict[str, Any])
    if row.keys() != set(columns):
        raise ValueError("the columns are others")
    return tuple(
        date.fromisoformat(row[name]) if name in days and row[name] is not None else row[name]
        for name in columns
    )
