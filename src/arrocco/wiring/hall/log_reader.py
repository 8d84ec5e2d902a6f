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

from arrocco.hall.chain import refuse_damaged
from arrocco.store.sql import hall_log
from arrocco.store.sql.database import Database
from arrocco.wiring.hall.damage import HallDamaged
from arrocco.wiring.hall.sqlite_log import STREAMS, as_text, read_whole

_READ = "SELECT body FROM hall_log WHERE stream = ? AND number >= ? ORDER BY number"
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

    def close(self) -> None:
        """The database is the office's to close."""


def _connect(path: Path) -> sqlite3.Connection:
    """Not opened read-only: who reads after a crash has to be able to put the log in order."""
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=rw", uri=True, timeout=_WAIT, isolation_level=None,
        check_same_thread=False,
    )  # fmt: skip
    connection.execute("PRAGMA query_only = ON")
    connection.text_factory = as_text
    return connection
