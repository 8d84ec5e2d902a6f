"""Failed attempts to come in, by whom they were for and where they came from, to slow guessing."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, delete, func, insert, select

from arrocco.store.sql import moments
from arrocco.store.sql.tables import login_failures


def add(connection: Connection, subject: str, at: datetime) -> None:
    """Notes a failure; a subject is an account's address or a network's, as the caller calls it."""
    connection.execute(insert(login_failures).values(subject=subject[:300], at=moments.written(at)))


def count(connection: Connection, subject: str, since: datetime) -> int:
    """How many failures there were from a moment on."""
    found = (
        select(func.count())
        .select_from(login_failures)
        .where(
            login_failures.c.subject == subject[:300],
            login_failures.c.at >= moments.written(since),
        )
    )
    return connection.execute(found).scalar_one()


def clear(connection: Connection, subject: str) -> None:
    """Forgets the failures of a subject that came in after all."""
    connection.execute(delete(login_failures).where(login_failures.c.subject == subject[:300]))


def purge(connection: Connection, before: datetime) -> int:
    """Forgets the failures older than a moment; how many."""
    old = delete(login_failures).where(login_failures.c.at < moments.written(before))
    return connection.execute(old).rowcount
