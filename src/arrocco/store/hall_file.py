"""The file of the hall's logs that an office on SQLite has beside its database.

The hall writes it through its own connection, with nothing in between; this module says where it is
and how it is made, and carries its rows into backups and out of them.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

TABLE = "hall_log"
"""The table has the name and the columns that it has in PostgreSQL."""
CREATE = """
CREATE TABLE IF NOT EXISTS hall_log (
    stream VARCHAR(64) NOT NULL,
    number INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (stream, number)
) WITHOUT ROWID
"""
INSERT = "INSERT INTO hall_log (stream, number, body) VALUES (?, ?, ?)"
_AT_ONCE = 5000
_COLUMNS = {"stream", "number", "body"}


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
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        connection.execute("PRAGMA query_only = ON")
        connection.execute("BEGIN")
        connection.execute("SELECT count(*) FROM (SELECT 1 FROM hall_log LIMIT 1)").fetchone()
        yield connection
    finally:
        connection.close()


def lines_of(connection: sqlite3.Connection) -> Iterator[bytes]:
    """The records in the order of their key, each a line, as those of every table are written."""
    found = connection.execute("SELECT stream, number, body FROM hall_log ORDER BY stream, number")
    for stream, number, body in found:
        yield msgspec.json.encode({"stream": stream, "number": number, "body": body}) + b"\n"


def load(path: Path, lines: Iterable[bytes]) -> int:
    """Makes the file of lines, all or none of them, and tells how many.

    Raises `ValueError`, or what msgspec and SQLite raise, for lines that are no records.
    """
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("BEGIN IMMEDIATE")
        connection.execute(CREATE)
        rows, count = (_row(line) for line in lines), 0
        while part := list(islice(rows, _AT_ONCE)):
            connection.executemany(INSERT, part)
            count += len(part)
        connection.execute("COMMIT")
    finally:
        connection.close()
    return count


def _row(line: bytes) -> tuple[str, int, str]:
    row: dict[str, Any] = msgspec.json.decode(line, type=dict[str, Any])
    if row.keys() != _COLUMNS:
        raise ValueError("the columns are others")
    return row["stream"], row["number"], row["body"]
