"""Brings the database of an office to another revision, forward or back, on somebody's order."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from sqlalchemy import Connection

from arrocco.desk import Office, address_of
from arrocco.desk.released import unread
from arrocco.desk.same_office import require_one_office, require_same_lists
from arrocco.errors import Inconsistent
from arrocco.store import hall_schema
from arrocco.store.hall_file import hall_file
from arrocco.store.sql.database import Database
from arrocco.store.sql.migrate import HEAD, RELEASES, migrate, revision

_CHAINED = "0003"
"""From this revision on the records of the hall are chained, in its own file too."""


def migrate_office(
    folder: Path, version: str | None, database: str = "", *, anyway: bool = False
) -> tuple[str, str]:
    """Migrates an office; its revision before and after.

    `version` is a released version or a revision, the newest by default. Raises `Refusal` where
    folder and database are not of one office, there is no such version or, unless `anyway`, where
    going back would lose rows or lead to a version that cannot read what was entered since.
    """
    folder = folder.absolute()
    wanted = HEAD if version is None else RELEASES.get(version, version)
    if wanted > HEAD or not wanted.isdecimal():
        known = (*RELEASES, *(f"{number:04}" for number in range(1, int(HEAD) + 1)))
        raise Inconsistent.of("desk.refused.no_version", version=version, known=known)
    opened = Database(address_of(folder, database))
    try:
        require_one_office(folder, opened, create=False)
        require_same_lists(folder, opened)
        with opened.reading() as connection:
            before = revision(connection) or ""
            if wanted < before and not anyway:
                _require_read(connection, wanted)
        if wanted != HEAD:
            migrate(opened, wanted, loses_rows=anyway)
        if opened.is_sqlite:
            _migrate_hall(hall_file(folder), wanted)
    finally:
        opened.close()
    if wanted == HEAD:
        Office.open(folder, database=database, create=False).close()
    return before, wanted


def _require_read(connection: Connection, wanted: str) -> None:
    """Raises `Inconsistent` where the version of a revision would not read this office."""
    found = unread(connection, wanted)
    if found:
        told = tuple(f"{kind} {count}" for kind, count in sorted(found.items()))
        version = next(name for name, last in RELEASES.items() if last == wanted)
        raise Inconsistent.of("desk.refused.unread_there", version=version, kinds=told)


def _migrate_hall(file: Path, wanted: str) -> None:
    """Brings the hall's own file to the version that goes with a revision."""
    if file.exists():
        with closing(sqlite3.connect(file, isolation_level=None)) as connection:
            hall_schema.migrate(connection, hall_schema.VERSION if wanted >= _CHAINED else 1)
