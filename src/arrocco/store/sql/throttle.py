"""How much each subject has used of what it may do in a time: one row for each, however often.

A row holds the moment until which a subject has paid: each use puts it off by a fixed time, and
what lies in the past is forgotten. A subject may be ahead of the clock by its burst at most.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import Connection, func, select

from arrocco.store.sql import moments, seals
from arrocco.store.sql.tables import throttle


def paid_until(connection: Connection, subject: str, at: datetime) -> datetime:
    """Until when a subject has paid; now, where it owes nothing. The row is held until the end."""
    row = select(throttle.c.until).where(throttle.c.subject == subject).with_for_update()
    until = connection.execute(row).scalar()
    return at if until is None else max(at, moments.read(until))


def put_off(connection: Connection, subject: str, until: datetime) -> None:
    """Keeps until when a subject has paid."""
    seals.upsert(connection, throttle, {"subject": subject}, {"until": moments.written(until)})


def give_back(connection: Connection, subject: str, by: timedelta, at: datetime) -> None:
    """Takes one use back."""
    put_off(connection, subject, paid_until(connection, subject, at) - by)


def forget(connection: Connection, subject: str) -> None:
    """Forgets what a subject has used."""
    seals.delete(connection, throttle, throttle.c.subject == subject)


def purge(connection: Connection, at: datetime) -> int:
    """Forgets the subjects that owe nothing any more; how many."""
    return seals.delete(connection, throttle, throttle.c.until <= moments.written(at))


def count(connection: Connection) -> int:
    """How many subjects are kept."""
    return connection.execute(select(func.count()).select_from(throttle)).scalar_one()
