"""One database behind one door: SQLite in a file or PostgreSQL, used alike.

``reading()`` sees one moment of the database and cannot write. ``writing()`` writes all or nothing;
in SQLite it takes the write lock at once, so that what it reads is not changed before it writes.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

from sqlalchemy import URL, Connection, Engine, create_engine, event
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from arrocco.errors import Refusal, Unavailable
from arrocco.store.faults import Fault, fault_of, one_line
from arrocco.store.sql import seals
from arrocco.store.wal import mode_to_read

_WAIT_MS = 30_000
"""How long a writer waits for another one."""
_RETRY_SECONDS = 0.005
"""After how long a connection is prepared again that SQLite would not let wait."""
_POOL: dict[str, Any] = {"pool_size": 10, "max_overflow": 30, "pool_timeout": 30}
"""As many connections as threads of a web server; who finds none free waits."""
_WRITES = "arrocco_writes"


class DatabaseRefusal(Refusal):
    """The database cannot be used as it is."""


class DatabaseUnavailable(DatabaseRefusal, Unavailable):
    """The database cannot be used now: it is lost, locked, or its disk is full."""


def sqlite_url(folder: Path) -> str:
    """The address of the database file of an office that names no other database."""
    return f"sqlite:///{(folder / 'office').with_suffix('.sqlite').absolute()}"


class Database:
    """A pool of connections to one database, safe to share between threads.

    With `read_only` nothing is written: a file of SQLite that is not there is not made either.
    """

    def __init__(self, url: str, *, read_only: bool = False) -> None:
        self._url = _parsed(url)
        self.engine = _engine(self._url, read_only=read_only)
        seals.guard(self.engine)
        self.is_sqlite = self.engine.dialect.name == "sqlite"
        self.read_only = read_only
        self._writer = self.engine.execution_options(**{_WRITES: True})
        self._reader = self.engine
        if not self.is_sqlite:
            self._reader = self.engine.execution_options(
                isolation_level="REPEATABLE READ", postgresql_readonly=True
            )

    @property
    def url(self) -> str:
        """The address, without the password."""
        return self._url.render_as_string(hide_password=True)

    @property
    def file(self) -> Path | None:
        """The file of a SQLite database."""
        return Path(str(self._url.database)) if self.is_sqlite else None

    @property
    def address(self) -> str:
        """The address with the password, for another process of the same office."""
        return self._url.render_as_string(hide_password=False)

    @property
    def is_missing(self) -> bool:
        """Whether it is a file of SQLite that is not there: connecting would make an empty one."""
        return self.file is not None and not self.file.exists()

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection that sees the database as it is at its first question, and only reads."""
        with self._transaction(self._reader) as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A connection whose changes all hold when the block ends, or none where it fails."""
        if self.read_only:
            raise DatabaseRefusal.of("sql.refused.read_only", database=self.url)
        with self._transaction(self._writer) as connection:
            yield connection

    @contextmanager
    def _transaction(self, engine: Engine) -> Iterator[Connection]:
        try:
            connection = engine.connect()
        except (DBAPIError, PoolTimeout) as error:
            raise self._unavailable(fault_of(error) or Fault.DATABASE_LOST, error) from None
        with connection:
            try:
                with connection.begin():
                    yield connection
            except DBAPIError as error:
                fault = fault_of(error)
                if fault is None:
                    raise
                raise self._unavailable(fault, error) from error

    def _unavailable(self, fault: Fault, error: Exception) -> DatabaseUnavailable:
        """The refusal of a fault; which database it is and what it says are for the log alone."""
        refusal = DatabaseUnavailable.of(fault.key)
        refusal.cause = f"{self.url}: {one_line(error)}"
        return refusal

    def close(self) -> None:
        """Closes every connection that is not in use."""
        self.engine.dispose()


def _parsed(url: str) -> URL:
    try:
        parsed = make_url(url)
    except ArgumentError:
        raise DatabaseRefusal.of("sql.refused.no_address") from None
    if parsed.drivername in ("postgresql", "postgres"):
        parsed = parsed.set(drivername="postgresql+psycopg")
    return parsed


def _engine(parsed: URL, *, read_only: bool) -> Engine:
    if parsed.drivername == "sqlite" and parsed.database not in (None, "", ":memory:"):
        shared = {"check_same_thread": False}
        if read_only:
            engine = create_engine(_read_only(parsed), connect_args=shared, **_POOL)
            event.listen(engine, "connect", _prepare_to_read)
        else:
            engine = create_engine(parsed, hide_parameters=True, connect_args=shared, **_POOL)
            event.listen(engine, "connect", _prepare_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
        return engine
    if parsed.drivername == "postgresql+psycopg":
        return create_engine(parsed, hide_parameters=True, pool_pre_ping=True, **_POOL)
    raise DatabaseRefusal.of("sql.refused.no_address")


def _read_only(url: URL) -> URL:
    """The address of a file of SQLite that is neither made nor written to."""
    path = Path(str(url.database)).absolute()
    query = {"mode": mode_to_read(path), "uri": "true"}
    return url.set(database=f"file:{quote(str(path))}", query=query)


def _prepare_sqlite(connection: Any, _record: object) -> None:
    """Sets what SQLite forgets with every connection; durable before fast."""
    connection.isolation_level = None  # the driver begins no transactions of its own
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout={_WAIT_MS}")
    _use_wal(cursor)
    for pragma in ("synchronous=FULL", "foreign_keys=ON", "recursive_triggers=ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _use_wal(cursor: sqlite3.Cursor) -> None:
    """Turns the write-ahead log on, which a file keeps once one connection has done it.

    Of two that do it to a new file at once SQLite refuses one without waiting for the other.
    """
    until = time.monotonic() + _WAIT_MS / 1000
    while True:
        try:
            cursor.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
            time.sleep(_RETRY_SECONDS)
        else:
            return


def _prepare_to_read(connection: Any, _record: object) -> None:
    connection.isolation_level = None
    connection.execute(f"PRAGMA busy_timeout={_WAIT_MS}")


def _begin_sqlite(connection: Connection) -> None:
    writes = connection.get_execution_options().get(_WRITES, False)
    connection.exec_driver_sql(f"PRAGMA query_only={'OFF' if writes else 'ON'}")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
