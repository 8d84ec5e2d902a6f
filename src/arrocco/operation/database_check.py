"""Asks the database whether it answers, in a thread of its own: one that hangs holds up nobody."""

from __future__ import annotations

import time
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import datetime

from sqlalchemy import Connection, func, select, text

from arrocco.office.records import DraftStatus, ReportStatus
from arrocco.operation.observation import DatabaseSeen
from arrocco.store.sql import drafts, ledger, moments, reports
from arrocco.store.sql.database import Database
from arrocco.store.sql.migrate import revision
from arrocco.store.sql.tables import ledger as ledger_table
from arrocco.store.sql.tables import publications

PATIENCE = 3.0
"""Seconds after which the database counts as not answering."""


class DatabaseCheck:
    """One question at a time; while one is unanswered there is no second."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._executor = ThreadPoolExecutor(1, thread_name_prefix="database-check")
        self._asked: Future[DatabaseSeen] | None = None

    def ask(self, patience: float = PATIENCE) -> DatabaseSeen:
        """What the database says. Raises `TimeoutError` without an answer, or what it raised."""
        if self._asked is None:
            self._asked = self._executor.submit(self._look)
        asked = self._asked
        try:
            return asked.result(patience)
        finally:
            if asked.done():  # one that is still open is waited for again
                self._asked = None

    def close(self) -> None:
        self._executor.shutdown(wait=False, cancel_futures=True)

    def _look(self) -> DatabaseSeen:
        began = time.perf_counter()
        with self._database.reading() as connection:
            kept = revision(connection) or ""
            seconds = time.perf_counter() - began
            return DatabaseSeen(
                kind="SQLite" if self._database.is_sqlite else "PostgreSQL",
                version=_version(connection, self._database.is_sqlite),
                revision=kept,
                seconds=seconds,
                first_entry=_first_entry(connection),
                entries=ledger.head_seq(connection),
                lists=_lists(connection),
                reports_to_decide=reports.with_status(connection, (ReportStatus.SENT,), limit=0)[0],
                running_drafts=len(drafts.with_status(connection, DraftStatus.RUNNING)),
            )


def _version(connection: Connection, is_sqlite: bool) -> str:
    asked = "SELECT sqlite_version()" if is_sqlite else "SHOW server_version"
    return str(connection.execute(text(asked)).scalar()).partition(" ")[0]


def _first_entry(connection: Connection) -> datetime | None:
    at = connection.execute(
        select(ledger_table.c.at).order_by(ledger_table.c.seq).limit(1)
    ).scalar()
    return None if at is None else moments.read(at)


def _lists(connection: Connection) -> dict[str, int]:
    counted = select(publications.c.system, func.count()).group_by(publications.c.system)
    return {row[0]: row[1] for row in connection.execute(counted)}
