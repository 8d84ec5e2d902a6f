"""The hall's logs for whoever only reads them: pages, in another process than the games.

Each question is a transaction of its own and over at once, so that the writer's write-ahead log can
always be carried into its file.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from arrocco.hall.chain import Head, refuse_damaged
from arrocco.live.damage import HallDamaged
from arrocco.live.sqlite_log import STREAMS, as_text, read_whole
from arrocco.store.sql import hall_log
from arrocco.store.sql.database import Database

_HASH_AT = "SELECT hash FROM hall_log WHERE chain = ? AND link = ?"
_READ = "SELECT body FROM hall_log WHERE stream = ? AND number >= ? ORDER BY number"
LAST = "~"
"""Comes after everything that a name of a stream can go on with: letters, digits, hyphens."""
_WAIT = 5.0
"""Seconds to wait where the file is being made or closed by its writer."""


class LogReader(Protocol):
    """Reads logs; its methods block and can be called from any thread."""

    def read(self, stream: str, first: int = 0) -> list[bytes]:
        """The records of a stream from a number on, in order; a whole one is checked as well."""
        ...

    def streams(self, prefix: str) -> list[str]:
        """The names of all streams that begin so, in order."""
        ...

    def numbers(self, prefix: str) -> dict[str, int]:
        """The number of the last record of each stream that begins so."""
        ...

    def heads(self) -> dict[str, Head]:
        """Where each chain ends."""
        ...

    def hash_at(self, chain: str, link: int) -> str | None:
        """The hash of the record at a place of a chain; `None` where there is none."""
        ...

    def close(self) -> None: ...


class SqliteLogReader:
    """Reads the file of a hall that perhaps another process writes, once there is one."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._connection: sqlite3.Connection | None = None
        self._lock = threading.Lock()

    def read(self, stream: str, first: int = 0) -> list[bytes]:
        if first:
            rows = self._ask(lambda connection: connection.execute(_READ, (stream, first)))
            return [body.encode() for (body,) in rows]
        return [record.body.encode() for record in self._ask(partial(read_whole, stream=stream))]

    def streams(self, prefix: str) -> list[str]:
        rows = self._ask(lambda connection: connection.execute(STREAMS, {"prefix": prefix}))
        return [name for (name,) in rows]

    def numbers(self, prefix: str) -> dict[str, int]:
        asked = {"prefix": prefix, "end": prefix + LAST}
        return dict(self._ask(lambda connection: connection.execute(hall_log.NUMBERS, asked)))

    def heads(self) -> dict[str, Head]:
        rows = self._ask(lambda connection: connection.execute(hall_log.CHAIN_HEADS))
        return {chain: Head(link, digest) for chain, link, digest in rows}

    def hash_at(self, chain: str, link: int) -> str | None:
        rows = self._ask(lambda connection: connection.execute(_HASH_AT, (chain, link)))
        return str(rows[0][0]) if rows else None

    def close(self) -> None:
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    def _ask(self, question: Callable[[sqlite3.Connection], Iterable[Any]]) -> list[Any]:
        """What a question gives, as of one moment; nothing while there is no log yet."""
        with self._lock:
            if self._connection is None:
                if not self._path.exists():
                    return []
                self._connection = _connect(self._path)
            self._connection.execute("BEGIN")
            try:
                return list(question(self._connection))
            except sqlite3.OperationalError as error:
                if "no such table" in str(error):  # the hall is about to make it
                    return []
                raise
            except sqlite3.DatabaseError as error:
                raise HallDamaged.of("hall_live.hall_damaged") from error
            finally:
                with suppress(sqlite3.Error):
                    self._connection.execute("COMMIT")


class DatabaseLogReader:
    """Reads the hall's logs among the office's own tables."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def read(self, stream: str, first: int = 0) -> list[bytes]:
        with self._database.reading() as connection:
            if first:
                return [body.encode() for _, body in hall_log.read(connection, stream, first)]
            records = hall_log.read_sealed(connection, stream)
            last = hall_log.last_written(connection, stream)
        refuse_damaged(stream, records, last)
        return [record.body.encode() for record in records]

    def streams(self, prefix: str) -> list[str]:
        with self._database.reading() as connection:
            return hall_log.streams(connection, prefix)

    def numbers(self, prefix: str) -> dict[str, int]:
        with self._database.reading() as connection:
            return hall_log.numbers(connection, prefix)

    def heads(self) -> dict[str, Head]:
        with self._database.reading() as connection:
            return hall_log.heads(connection)

    def hash_at(self, chain: str, link: int) -> str | None:
        with self._database.reading() as connection:
            return hall_log.hash_at(connection, chain, link)

    def close(self) -> None:
        """The database is the office's to close."""


def _connect(path: Path) -> sqlite3.Connection:
    """Not opened read-only: who reads after a crash has to be able to put the log in order."""
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=rw",
        uri=True,
        timeout=_WAIT,
        isolation_level=None,
        check_same_thread=False,
    )
    connection.execute("PRAGMA query_only = ON")
    connection.text_factory = as_text
    return connection
