"""The file of the hall's logs that an office on SQLite has beside its database.

The hall writes it through its own connection, with nothing in between; this module says where it is
and carries its rows into backups and out of them. Its tables are in `arrocco.store.hall_schema`.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from itertools import chain, islice
from pathlib import Path
from typing import Any

import msgspec

from arrocco.store import hall_schema

TABLES = {
    "hall_heads": ("stream", "number", "chain", "link", "hash"),
    "hall_log": ("stream", "number", "body", "chain", "link", "previous", "hash"),
}
"""The tables have the names and the columns that they have in PostgreSQL."""
_KEYS = {"hall_heads": "stream", "hall_log": "stream, number"}
_UNCHAINED = ("stream", "number", "body")
"""The columns of `hall_log` in backups from before records were chained."""
_AT_ONCE = 5000


def hall_file(office: Path) -> Path:
    """Where the logs of an office's hall are, if its database is SQLite."""
    return (office / "hall").with_suffix(".sqlite")


@contextmanager
def snapshot(path: Path) -> Iterator[sqlite3.Connection | None]:
    """The logs as they are at this moment, however the hall goes on; `None` where there are none.

    The moment is that of the call: the first question fixes it.
    """
    if not path.exists():
        yield None
        return
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        hall_schema.migrate(connection)
        connection.execute("PRAGMA query_only = ON")
        connection.execute("BEGIN")
        connection.execute("SELECT count(*) FROM (SELECT 1 FROM hall_log LIMIT 1)").fetchone()
        yield connection


def lines_of(connection: sqlite3.Connection, table: str) -> Iterator[bytes]:
    """The rows of a table in the order of its key, each a line, as those of every table are."""
    columns = TABLES[table]
    for row in connection.execute(
        f"SELECT {', '.join(columns)} FROM {table} ORDER BY {_KEYS[table]}"
    ):
        yield msgspec.json.encode(dict(zip(columns, row, strict=True))) + b"\n"


def load(path: Path, table: str, lines: Iterable[bytes]) -> int:
    """Fills a table of the file, made where there is none, with all lines or none; how many.

    Lines from before records were chained are chained now. Raises `ValueError`, or what msgspec and
    SQLite raise, for lines that are no records.
    """
    decoded = (msgspec.json.decode(line, type=dict[str, Any]) for line in lines)
    first = next(decoded, {})
    rows = chain([first] if first else [], decoded)
    is_chained = first.keys() != set(_UNCHAINED)
    columns = TABLES[table] if is_chained else _UNCHAINED
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous = FULL")
        hall_schema.migrate(connection, hall_schema.VERSION if is_chained else 1)
        connection.execute("BEGIN IMMEDIATE")
        count = _insert(connection, table, columns, rows)
        connection.execute("COMMIT")
        hall_schema.migrate(connection)
    return count


def _insert(
    connection: sqlite3.Connection,
    table: str,
    columns: tuple[str, ...],
    rows: Iterator[dict[str, Any]],
) -> int:
    places = ", ".join("?" * len(columns))
    statement = f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({places})"
    values, count = (_values(row, columns) for row in rows), 0
    while part := list(islice(values, _AT_ONCE)):
        connection.executemany(statement, part)
        count += len(part)
    return count


def _values(row: dict[str, Any], columns: tuple[str, ...]) -> tuple[Any, ...]:
    if row.keys() != set(columns):
        raise ValueError("the columns are others")
    return tuple(row[name] for name in columns)
