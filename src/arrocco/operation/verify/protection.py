"""Whether the tables that are written once are still protected against changes."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from sqlalchemy import text

from arrocco.findings import Finding
from arrocco.operation.verify.databases import UNREADABLE, connect, error
from arrocco.store import hall_schema
from arrocco.store.sql.database import Database

_WRITTEN_ONCE = {"ledger": "seq", "audit": "id", "hall_log": "stream, number"}
_IN_SQLITE = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"
_IN_POSTGRESQL = "SELECT tgname FROM pg_trigger WHERE tgenabled IN ('O', 'A') AND NOT tgisinternal"


def check_protection(database: Database) -> Iterator[Finding]:
    """The triggers of the office's own tables."""
    from arrocco.store.sql.migrations.written_once import sqlite_triggers

    file = "" if database.file is None else database.file.name
    try:
        with database.reading() as connection:
            if database.is_sqlite:
                there = {_plain(row.sql) for row in connection.execute(text(_IN_SQLITE))}
            else:
                there = {str(row.tgname) for row in connection.execute(text(_IN_POSTGRESQL))}
    except UNREADABLE:
        return  # that the schema cannot be read is told already
    for table, key in _WRITTEN_ONCE.items():
        wanted = (
            {_plain(statement) for statement in sqlite_triggers(table, key)}
            if database.is_sqlite
            else {f"{table}_no_change", f"{table}_no_truncate"}
        )
        if not wanted <= there:
            yield error("unprotected", file, table=table)


def check_hall_protection(path: Path) -> Iterator[Finding]:
    """The triggers of the hall's own file."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as fresh:
        hall_schema.migrate(fresh)
        wanted = {_plain(made) for _, made in fresh.execute(_IN_SQLITE)}
    try:
        with closing(connect(path)) as connection:
            there = {_plain(made) for _, made in connection.execute(_IN_SQLITE)}
    except UNREADABLE:
        return
    if not wanted <= there:
        yield error("unprotected", path.name, table="hall_log")


def _plain(statement: object) -> str:
    """A statement without how it is laid out."""
    return " ".join(str(statement).split())
