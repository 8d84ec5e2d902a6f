"""Logs in a SQLite file of their own, through one connection with nothing in between.

A file of its own: SQLite has one writer at a time for a whole file, and while the office publishes
a list with all its history no clock of the hall can wait for it. The table is that of the office.
"""

from __future__ import annotations

import logging
import sqlite3
import threading
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import msgspec

from arrocco.hall.chain import (
    Damage,
    Fault,
    Head,
    Sealed,
    as_read,
    chain_of,
    damaged,
    refuse_damaged,
    seal,
)
from arrocco.live.journal import Record
from arrocco.store import hall_schema

_APPEND = """
INSERT INTO hall_log (stream, number, body, chain, link, previous, hash)
SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]'),
       json_extract(value, '$[3]'), json_extract(value, '$[4]'), json_extract(value, '$[5]'),
       json_extract(value, '$[6]')
FROM json_each(?)
"""
"""All records in one statement, which is a transaction of its own.

Between two statements a thread has to ask for the interpreter again, and while moves are judged it
waits milliseconds for it each time; a commit is to wait for nothing but the disk.
"""
STREAMS = """
WITH RECURSIVE walk (stream) AS (
    SELECT min(stream) FROM hall_log WHERE stream >= :prefix
    UNION ALL
    SELECT (SELECT min(stream) FROM hall_log WHERE stream > walk.stream)
    FROM walk WHERE substr(walk.stream, 1, length(:prefix)) = :prefix
)
SELECT stream FROM walk WHERE substr(stream, 1, length(:prefix)) = :prefix
"""
"""From one name to the next: the index is entered once for each stream, however long they are."""
_READ = """
SELECT stream, number, body, chain, link, previous, hash FROM hall_log
WHERE stream = ? ORDER BY number
"""
_LAST_WRITTEN = "SELECT number FROM hall_heads WHERE stream = ?"
_HEADS = (
    "SELECT link, hash FROM hall_heads WHERE chain = ? ORDER BY link DESC LIMIT 1",
    "SELECT link, hash FROM hall_log WHERE chain = ? ORDER BY link DESC LIMIT 1",
)
"""Where a chain ends; the first tells also where its last records are gone from the log."""
_WAIT = 5.0
"""Seconds to wait for another program that writes to the same file."""
_CHECKPOINT = 600
"""Records after which what was written is carried from the write-ahead log into the file."""
_CARRY = "PRAGMA wal_checkpoint(PASSIVE)"

log = logging.getLogger(__name__)


class SqliteLog:
    """The logs of one hall; a commit is on the disk when `append` returns."""

    def __init__(self, path: Path) -> None:
        self._connection = _connect(path)
        self._connection.execute("PRAGMA wal_autocheckpoint = 0")
        self._connection.text_factory = as_text
        hall_schema.migrate(self._connection)
        self._heads: dict[str, Head] = {}
        self._carrier = _Carrier(path)
        self._written = 0

    def append(self, records: Sequence[Record]) -> None:
        rows = [(stream, number, body.decode()) for stream, number, body in records]
        try:
            self._append(rows)
        except sqlite3.IntegrityError:
            # Another program may have written to these chains: their ends are read anew.
            self._heads.clear()
            self._append(rows)
        self._written += len(records)
        if self._carrier.has_carried():
            # Little has been written meanwhile; once nothing is left the log begins anew.
            with suppress(sqlite3.Error):  # the records are written, whatever becomes of this
                self._connection.execute(_CARRY).fetchone()
        elif self._written >= _CHECKPOINT:
            self._written = 0
            self._carrier.carry()

    def _append(self, rows: Sequence[tuple[str, int, str]]) -> None:
        sealed, heads = seal(rows, self._head)
        self._connection.execute(_APPEND, (msgspec.json.encode(sealed).decode(),))
        self._heads |= heads  # only now: of what failed nothing is there

    def _head(self, chain: str) -> Head:
        """Where a chain ends, read when it is first asked for."""
        head = self._heads.get(chain)
        if head is None:
            rows = [self._connection.execute(found, (chain,)).fetchone() for found in _HEADS]
            ends = [Head(*row) for row in rows if row is not None]
            head = self._heads[chain] = max(ends, key=lambda end: end.link, default=Head())
        return head

    def read(self, stream: str) -> list[bytes]:
        records = read_whole(self._connection, stream)
        if records:
            self._head(chain_of(stream, self._head))  # known before the first move waits for it
        return [record.body.encode() for record in records]

    def streams(self, prefix: str) -> list[str]:
        rows = self._connection.execute(STREAMS, {"prefix": prefix})
        return [name for (name,) in rows]

    def close(self) -> None:
        self._carrier.close()
        self._connection.close()


class _Carrier:
    """Carries what was written into the file, beside the writer: no move waits for that.

    SQLite would do it within a commit now and then, and all boards would stand still meanwhile.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._wanted, self._carried, self._closed = (threading.Event() for _ in range(3))
        self._thread = threading.Thread(target=self._run, name="hall-checkpoints", daemon=True)
        self._thread.start()

    def carry(self) -> None:
        """Has everything written so far carried over."""
        self._wanted.set()

    def has_carried(self) -> bool:
        """Whether it has done so since this was last asked."""
        if not self._carried.is_set():
            return False
        self._carried.clear()
        return True

    def close(self) -> None:
        self._closed.set()
        self._wanted.set()
        self._thread.join()

    def _run(self) -> None:
        connection = _connect(self._path)
        while not self._closed.is_set():
            self._wanted.wait()
            self._wanted.clear()
            try:
                connection.execute(_CARRY).fetchone()
                self._carried.set()
            except sqlite3.Error:  # what was acknowledged is safe in the write-ahead log
                log.exception("a checkpoint of the hall's log")
        connection.close()


def read_whole(connection: sqlite3.Connection, stream: str) -> list[Sealed]:
    """All records of a stream. Raises what `damaged` makes where they are not what was written.

    Where another program writes meanwhile, both questions have to be of one transaction.
    """
    try:
        records = [as_read(row) for row in connection.execute(_READ, (stream,))]
        last = connection.execute(_LAST_WRITTEN, (stream,)).fetchone()
    except sqlite3.OperationalError:  # it is locked, or the disk does not answer
        raise
    except sqlite3.DatabaseError as error:
        raise damaged(stream, Fault(Damage.UNREADABLE, 0, 0)) from error
    refuse_damaged(stream, records, None if last is None else last[0])
    return records


def as_text(data: bytes) -> str:
    """Text as it is kept; what is none any more is left for its hash to tell."""
    return data.decode(errors="surrogateescape")


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=_WAIT, isolation_level=None, check_same_thread=False)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    return connection
