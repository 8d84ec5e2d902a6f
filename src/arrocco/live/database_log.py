"""Logs in the office's own database, PostgreSQL, through the store's repository."""

from __future__ import annotations

from collections.abc import Sequence

from arrocco.errors import Unavailable
from arrocco.hall.chain import Head, refuse_damaged
from arrocco.live.journal import CommitUnknown, Record
from arrocco.store.faults import Fault, fault_of
from arrocco.store.sql import hall_log
from arrocco.store.sql.database import Database


class DatabaseLog:
    """The logs of the hall among the office's tables; a commit is durable when `append` returns."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._heads: dict[str, Head] = {}

    def append(self, records: Sequence[Record]) -> None:
        rows = [(stream, number, body.decode()) for stream, number, body in records]
        is_sent = False
        try:
            with self._database.writing() as connection:
                heads = hall_log.append(connection, rows, self._heads)
                is_sent = True
        except Unavailable as error:
            if is_sent and fault_of(error) is Fault.DATABASE_LOST:
                self._heads = {}  # where the chains end now is not known
                raise CommitUnknown(error.cause) from error
            raise
        self._heads = heads  # only now: of what failed nothing is there

    def read(self, stream: str) -> list[bytes]:
        with self._database.reading() as connection:
            records = hall_log.read_sealed(connection, stream)
            last = hall_log.last_written(connection, stream)
        refuse_damaged(stream, records, last)
        return [record.body.encode() for record in records]

    def streams(self, prefix: str) -> list[str]:
        with self._database.reading() as connection:
            return hall_log.streams(connection, prefix)

    def close(self) -> None:
        """The database is the office's to close."""
