"""The logs of the hall: streams of numbered records, written once, many streams at a time.

Records are sealed in the chain of their event as they are written, see `arrocco.hall.chain`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlalchemy import Connection, func, insert, select, text
from sqlalchemy.exc import DBAPIError, IntegrityError

from arrocco.errors import Inconsistent
from arrocco.hall.chain import Head, Sealed, seal
from arrocco.store.faults import fault_of
from arrocco.store.sql.tables import hall_heads, hall_log

_INSERT = insert(hall_log)
_SET_HEAD = text(
    "INSERT INTO hall_heads (stream, number, chain, link, hash)"
    " VALUES (:stream, :number, :chain, :link, :hash)"
    " ON CONFLICT (stream) DO UPDATE SET number = excluded.number, chain = excluded.chain,"
    " link = excluded.link, hash = excluded.hash"
)
_COLUMNS = [hall_log.c[name] for name in Sealed._fields]


def append(
    connection: Connection,
    records: Sequence[tuple[str, int, str]],
    known: Mapping[str, Head] | None = None,
) -> dict[str, Head]:
    """Adds records, each a stream, its number in the stream and its body, all or none.

    `known` are the ends of chains as the writer knows them; others are read. Gives where the chains
    end once the transaction is committed. Raises `Inconsistent` where a stream has a record of that
    number already: another writer was faster, and what this one knew of the stream is out of date.
    """
    if not records:
        return {}
    try:
        return _append(connection, records, known or {})
    except DBAPIError as error:
        if fault_of(error) is not None:  # there is nobody to be asked what is there
            raise
        taken = next((record for record in records if _has(connection, *record[:2])), None)
        if taken is None and len({record[:2] for record in records}) == len(records):
            if not known or not isinstance(error, IntegrityError):
                raise
            # Somebody else has written to these chains meanwhile, though not to these streams.
            return append(connection, records)
        stream, number, _ = taken or records[0]
        raise Inconsistent.of(
            "sql.refused.stream_moved_on", stream=stream, number=number
        ) from error


def _append(
    connection: Connection, records: Sequence[tuple[str, int, str]], known: Mapping[str, Head]
) -> dict[str, Head]:
    read = dict(known)

    def head_of(chain: str) -> Head:
        if chain not in read:
            read[chain] = head(connection, chain)
        return read[chain]

    sealed, heads = seal(records, head_of)
    last = {record.stream: record for record in sealed}
    with connection.begin_nested():
        connection.execute(_INSERT, [record._asdict() for record in sealed])
        connection.execute(_SET_HEAD, [record._asdict() for record in last.values()])
    return read | heads


def _has(connection: Connection, stream: object, number: object) -> bool:
    found = select(hall_log.c.number).where(
        hall_log.c.stream == stream, hall_log.c.number == number
    )
    return connection.execute(found).one_or_none() is not None


def head(connection: Connection, chain: str) -> Head:
    """Where a chain ends, also where its last records are gone from the log."""
    ends = [
        connection.execute(
            select(table.c.link, table.c.hash)
            .where(table.c.chain == chain)
            .order_by(table.c.link.desc())
            .limit(1)
        ).one_or_none()
        for table in (hall_heads, hall_log)
    ]
    found = [Head(row.link, row.hash) for row in ends if row is not None]
    return max(found, key=lambda end: end.link, default=Head())


def read(connection: Connection, stream: str, from_number: int = 0) -> list[tuple[int, str]]:
    """The records of a stream from a number on, in order."""
    found = select(hall_log.c.number, hall_log.c.body).where(
        hall_log.c.stream == stream, hall_log.c.number >= from_number
    )
    return [(row[0], row[1]) for row in connection.execute(found.order_by(hall_log.c.number))]


def read_sealed(connection: Connection, stream: str) -> list[Sealed]:
    """The records of a stream with their places in its chain, in order."""
    found = select(*_COLUMNS).where(hall_log.c.stream == stream).order_by(hall_log.c.number)
    return [Sealed(*row) for row in connection.execute(found)]


def last_number(connection: Connection, stream: str) -> int | None:
    """The number of the last record of a stream; `None` where there is no such stream."""
    found = select(func.max(hall_log.c.number)).where(hall_log.c.stream == stream)
    return connection.execute(found).scalar()


def last_written(connection: Connection, stream: str) -> int | None:
    """The number of the last record that was ever written to a stream."""
    found = select(hall_heads.c.number).where(hall_heads.c.stream == stream)
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
