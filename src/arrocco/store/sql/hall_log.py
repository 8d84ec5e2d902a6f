"""The logs of the hall: streams of numbered records, written once, many streams at a time."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection, func, insert, select
from sqlalchemy.exc import DBAPIError

from arrocco.errors import Inconsistent
from arrocco.store.sql.tables import hall_log

_INSERT = insert(hall_log)


def append(connection: Connection, records: Sequence[tuple[str, int, str]]) -> None:
    """Adds records, each a stream, its number in the stream and its body, all or none.

    Raises `Inconsistent` where a stream has a record of that number already: another writer was
    faster, and what this one knew of the stream is out of date.
    """
    if not records:
        return
    rows = [{"stream": stream, "number": number, "body": body} for stream, number, body in records]
    try:
        with connection.begin_nested():
            connection.execute(_INSERT, rows)
    except DBAPIError as error:
        taken = next((row for row in rows if _has(connection, row["stream"], row["number"])), None)
        if taken is None and len({row[:2] for row in records}) == len(records):
            raise
        first = taken or rows[0]
        raise Inconsistent.of(
            "sql.refused.stream_moved_on", stream=first["stream"], number=first["number"]
        ) from error


def _has(connection: Connection, stream: object, number: object) -> bool:
    found = select(hall_log.c.number).where(
        hall_log.c.stream == stream, hall_log.c.number == number
    )
    return connection.execute(found).one_or_none() is not None


def read(connection: Connection, stream: str, from_number: int = 0) -> list[tuple[int, str]]:
    """The records of a stream from a number on, in order."""
    found = select(hall_log.c.number, hall_log.c.body).where(
        hall_log.c.stream == stream, hall_log.c.number >= from_number
    )
    return [(row[0], row[1]) for row in connection.execute(found.order_by(hall_log.c.number))]


def last_number(connection: Connection, stream: str) -> int | None:
    """The number of the last record of a stream; `None` where there is no such stream."""
    found = select(func.max(hall_log.c.number)).where(hall_log.c.stream == stream)
    return connection.execute(found).scalar()


def streams(connection: Connection, prefix: str = "") -> list[str]:
    """The streams whose names begin so, in order.

    The index is entered once for each stream, however many records they have.
    """
    first = select(func.min(hall_log.c.stream).label("stream")).where(hall_log.c.stream >= prefix)
    walk = first.cte("walk", recursive=True)
    after = (
        select(func.min(hall_log.c.stream))
        .where(hall_log.c.stream > walk.c.stream)
        .scalar_subquery()
    )
    walk = walk.union_all(
        select(after).where(
            walk.c.stream.is_not(None), walk.c.stream.startswith(prefix, autoescape=True)
        )
    )
    found = connection.execute(select(walk.c.stream)).scalars()
    return [stream for stream in found if stream is not None and stream.startswith(prefix)]
