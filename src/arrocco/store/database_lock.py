"""One server for a database: two folders with the same PostgreSQL cannot both run its hall.

The lock is one of a session: it goes when the connection does, however the server ends. An office
on SQLite has its database in its folder, whose own lock is enough.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from arrocco.errors import Inconsistent
from arrocco.store.sql.database import Database

_CLASS = 4_270_100
"""Tells these locks from others of the same database."""
_PARTS = {"site": 1, "hall": 2}
_TAKE = text("SELECT pg_try_advisory_lock(:class, :part)")
_GIVE_BACK = text("SELECT pg_advisory_unlock(:class, :part)")
_NAME = text("SELECT set_config('application_name', :name, false)")
_HOLDER = text(
    "SELECT a.application_name, a.client_addr::text, a.backend_start"
    " FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid"
    " WHERE l.locktype = 'advisory' AND l.granted AND l.classid = :class AND l.objid = :part"
    " AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())"
)


@contextmanager
def held(url: str, part: str, folder: Path) -> Iterator[None]:
    """Holds the lock of a part of a server in its database for as long as the context lasts.

    Raises `Inconsistent`, and says who holds it, where another server does.
    """
    database = Database(url)
    if database.is_sqlite:
        database.close()
        yield
        return
    try:
        with database.engine.connect().execution_options(
            isolation_level="AUTOCOMMIT"
        ) as connection:
            key = {"class": _CLASS, "part": _PARTS[part]}
            name = f"arrocco {part} {os.getpid()} {socket.gethostname()}"[:63]
            connection.execute(_NAME, {"name": name})
            if not connection.execute(_TAKE, key).scalar_one():
                holder = connection.execute(_HOLDER, key).first()
                raise _refusal(folder, holder)
            try:
                yield
            finally:
                # A connection that closes is noticed a moment later: the next server would be
                # refused meanwhile. Where the database is gone, so is the lock.
                with suppress(SQLAlchemyError):
                    connection.execute(_GIVE_BACK, key)
    finally:
        database.close()


def _refusal(folder: Path, holder: object) -> Inconsistent:
    name, address, since = ("", "", "?") if holder is None else tuple(holder)  # type: ignore[arg-type]
    words = str(name).split(" ")
    is_ours = len(words) == 4 and words[0] == "arrocco"
    pid, host = (words[2], words[3]) if is_ours else ("?", "?")
    return Inconsistent.of(
        "web.refused.server_on_database",
        folder=folder,
        pid=pid,
        host=host,
        since=str(since)[:19],
        address=address or "-",
    )
