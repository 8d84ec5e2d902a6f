"""Logs in a SQLite file of their own, through one connection with nothing in between.

A file of its own: SQLite has one writer at a time for a whole file, and while the office publishes
a list with all its history no clock of the hall can wait for it. The table is that of the office.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path

import msgspec

from arrocco.store.hall_file import CREATE
from arrocco.wiring.hall.journal import Record

_APPEND = """
INSERT INTO hall_log (stream, number, body)
SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]')
FROM json_each(?)
"""
"""All records in one statement, which is a transaction of its own.

Between two statements a thread has to ask for the interpreter again, and while moves are judged it
waits milliseconds for it each time; a commit is to wait for nothing but the disk.
"""
_STREAMS = """
WITH RECURSIVE walk (stream) AS (
    SELECT min(stream) FROM hall_log WHERE stream >= :prefix
    UNION ALL
    SELECT (SELECT min(stream) FROM hall_log WHERE stream > walk.stream)
    FROM walk WHERE substr(walk.stream, 1, length(:prefix)) = :prefix
)
SELECT stream FROM walk WHERE substr(stream, 1, length(:prefix)) = :prefix
"""
"""From one name to the next: the index is entered once for each stream, however long they are."""
_CHECKPOINT = 10_000
"""Pages written before the file itself is: that takes milliseconds, however many they are."""
_WAIT = 5.0
"""Seconds to wait for another program that writes to the same file."""


class SqliteLog:
    """The logs of one hall; a commit is on the disk when `append` returns."""

    def __init__(self, path: Path) -> None:
        self._connection = sqlite3.connect(
            path, timeout=_WAIT, isolation_level=None, check_same_thread=False
        )
        self._connection.execute("PRAGMA journal_mode = WAL")
        self._connection.execute("PRAGMA synchronous = FULL")
        self._connection.execute(f"PRAGMA wal_autocheckpoint = {_CHECKPOINT}")
        self._connection.execute(CREATE)

    def append(self, records: Sequence[Record]) -> None:
        rows = [(stream, number, body.decode()) for stream, number, body in records]
        self._connection.execute(_APPEND, (msgspec.json.encode(rows).decode(),))

    def read(self, stream: str) -> list[bytes]:
        rows = self._connection.execute(
            "SELECT number, body FROM hall_log WHERE stream = ? ORDER BY number", (stream,)
        )
        return [body.encode() for _, body in rows]

    def streams(self, prefix: str) -> list[str]:
        rows = self._connection.execute(_STREAMS, {"prefix": prefix})
        return [name for (name,) in rows]

    def close(self) -> None:
        self._connection.close()
