"""The tables of the hall's own file, their versions, and the way from one to the next and back.

The version stands in SQLite's own `user_version`. Version 1 had streams only; in version 2 the
records of an event are chained, the last record of every stream is kept, and rows are written once.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from itertools import islice

from arrocco.errors import Inconsistent
from arrocco.hall.chain import Head, seal

VERSION = 2
_AT_ONCE = 5000

_STREAMS_ONLY = """
CREATE TABLE hall_log (
    stream VARCHAR(64) NOT NULL,
    number INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (stream, number)
) WITHOUT ROWID
"""
_CHAINED = (
    """
    CREATE TABLE hall_log (
        stream VARCHAR(64) NOT NULL,
        number INTEGER NOT NULL,
        body TEXT NOT NULL,
        chain VARCHAR(64) NOT NULL,
        link INTEGER NOT NULL,
        previous VARCHAR(64) NOT NULL,
        hash VARCHAR(64) NOT NULL,
        PRIMARY KEY (stream, number),
        CONSTRAINT hall_log_by_chain UNIQUE (chain, link)
    ) WITHOUT ROWID
    """,
    """
    CREATE TABLE hall_heads (
        stream VARCHAR(64) NOT NULL PRIMARY KEY,
        number INTEGER NOT NULL,
        chain VARCHAR(64) NOT NULL,
        link INTEGER NOT NULL,
        hash VARCHAR(64) NOT NULL
    ) WITHOUT ROWID
    """,
    """
    CREATE TRIGGER hall_log_no_update BEFORE UPDATE ON hall_log
    BEGIN SELECT RAISE(ABORT, 'hall_log is written once'); END
    """,
    """
    CREATE TRIGGER hall_log_no_delete BEFORE DELETE ON hall_log
    BEGIN SELECT RAISE(ABORT, 'hall_log is written once'); END
    """,
    # REPLACE deletes without asking the trigger on deletions.
    """
    CREATE TRIGGER hall_log_no_replace BEFORE INSERT ON hall_log
    WHEN EXISTS (SELECT 1 FROM hall_log WHERE stream = NEW.stream AND number = NEW.number)
      OR EXISTS (SELECT 1 FROM hall_log WHERE chain = NEW.chain AND link = NEW.link)
    BEGIN SELECT RAISE(ABORT, 'hall_log is written once'); END
    """,
    # By trigger, since an append is to be one statement; never back, where a backup brings heads.
    """
    CREATE TRIGGER hall_log_head AFTER INSERT ON hall_log
    BEGIN
        INSERT INTO hall_heads (stream, number, chain, link, hash)
        VALUES (NEW.stream, NEW.number, NEW.chain, NEW.link, NEW.hash)
        ON CONFLICT (stream) DO UPDATE
        SET number = excluded.number, chain = excluded.chain, link = excluded.link,
            hash = excluded.hash
        WHERE excluded.link > link;
    END
    """,
)
_INSERT = (
    "INSERT INTO hall_log (stream, number, body, chain, link, previous, hash)"
    " VALUES (?, ?, ?, ?, ?, ?, ?)"
)


def version_of(connection: sqlite3.Connection) -> int:
    """The version of a file's tables; 0 for a file without any."""
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    if version:
        return version
    query = "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'hall_log'"
    there: int = connection.execute(query).fetchone()[0]
    return there  # the first version did not say its number


def migrate(connection: sqlite3.Connection, to: int = VERSION) -> None:
    """Makes the tables of a version, or brings those that are there to it, all or nothing.

    The connection begins its transactions itself. Raises `Inconsistent` for a file of a version
    that this program does not know.
    """
    if version_of(connection) == to:
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        version = version_of(connection)  # another program may have been faster
        if version > VERSION or not 1 <= to <= VERSION:
            raise Inconsistent.of("store.refused.hall_of_later_version", version=version)
        while version != to:
            step, version = _STEPS[version, to > version]
            step(connection)
        connection.execute(f"PRAGMA user_version = {to}")
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise


def _create(connection: sqlite3.Connection) -> None:
    for statement in _CHAINED:
        connection.execute(statement)


def _chain(connection: sqlite3.Connection) -> None:
    """Chains the records that are there, in the order of streams and numbers."""
    connection.execute("ALTER TABLE hall_log RENAME TO hall_log_1")
    _create(connection)
    heads: dict[str, Head] = {}
    rows = connection.execute("SELECT stream, number, body FROM hall_log_1 ORDER BY 1, 2")
    while part := list(islice(rows, _AT_ONCE)):
        sealed, ends = seal(part, heads.get)
        connection.executemany(_INSERT, sealed)
        heads |= ends
    connection.execute("DROP TABLE hall_log_1")


def _unchain(connection: sqlite3.Connection) -> None:
    connection.execute("ALTER TABLE hall_log RENAME TO hall_log_2")
    connection.execute(_STREAMS_ONLY)
    connection.execute("INSERT INTO hall_log SELECT stream, number, body FROM hall_log_2")
    connection.execute("DROP TABLE hall_log_2")
    connection.execute("DROP TABLE hall_heads")


def _create_streams_only(connection: sqlite3.Connection) -> None:
    connection.execute(_STREAMS_ONLY)


_STEPS: dict[tuple[int, bool], tuple[Callable[[sqlite3.Connection], None], int]] = {
    (0, True): (_create_streams_only, 1),
    (1, True): (_chain, 2),
    (2, False): (_unchain, 1),
}
"""From a version, upwards or not: what leads to the next one, and its number."""
