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
CHAIN_HEADS = """
SELECT heads.chain, heads.link, heads.hash
FROM hall_heads AS heads
JOIN (SELECT chain, max(link) AS link FROM hall_heads GROUP BY chain) AS ends
  ON ends.chain = heads.chain AND ends.link = heads.link
"""
"""Where each chain ends; in the hall's own file too."""
NUMBERS = "SELECT stream, number FROM hall_heads WHERE stream >= :prefix AND stream < :end"
"""The last record of each stream of a range of names, in the hall's own file."""
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
    query = select(hall_log.c.number).where(
        hall_log.c.stream == stream, hall_log.c.number == number
    )
    return connection.execute(query).one_or_none() is not None


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
    heads = [Head(row.link, row.hash) for row in ends if row is not None]
    return max(heads, key=lambda end: end.link, default=Head())


def heads(connection: Connection) -> dict[str, Head]:
    """Where each chain ends."""
    return {row.chain: Head(row.link, row.hash) for row in connection.execute(text(CHAIN_HEADS))}


def hash_at(connection: Connection, chain: str, link: int) -> str | None:
    """The hash of the record at a place of a chain; `None` where there is none."""
    query = select(hall_log.c.hash).where(hall_log.c.chain == chain, hall_log.c.link == link)
    return connection.execute(query).scalar_one_or_none()


def read(connection: Connection, stream: str, from_number: int = 0) -> list[tuple[int, str]]:
    """The records of a stream from a number on, in order."""
    query = select(hall_log.c.number, hall_log.c.body).where(
        hall_log.c.stream == stream, hall_log.c.number >= from_number
    )
    return [(row[0], row[1]) for row in connection.execute(query.order_by(hall_log.c.number))]


def read_sealed(connection: Connection, stream: str) -> list[Sealed]:
    """The records of a stream with their places in its chain, in order."""
    query = select(*_COLUMNS).where(hall_log.c.stream == stream).order_by(hall_log.c.number)
    return [Sealed(*row) for row in connection.execute(query)]


def last_number(connection: Connection, stream: str) -> int | None:
    """The number of the last record of a stream; `None` where there is no such stream."""
    query = select(func.max(hall_log.c.number)).where(hall_log.c.stream == stream)
    return connection.execute(query).scalar()


def last_written(connection: Connection, stream: str) -> int | None:
    """The number of the last record that was ever written to a stream."""
    query = select(hall_heads.c.number).where(hall_heads.c.stream == stream)
    return connection.execute(query).scalar()


def numbers(connection: Connection, prefix: str) -> dict[str, int]:
    """The number of the last record of each stream whose name begins so."""
    begins = func.substr(hall_heads.c.stream, 1, len(prefix)) == prefix
    rows = connection.execute(select(hall_heads.c.stream, hall_heads.c.number).where(begins))
    return dict(rows.tuples().all())


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
    scalar_result = connection.execute(select(walk.c.stream)).scalars()
    return [stream for stream in scalar_result if stream is not None and stream.startswith(prefix)]
