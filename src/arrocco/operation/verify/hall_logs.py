"""The hall's logs for a verification: read from either database as far as they can be."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import text

from arrocco.hall.chain import Damage, Fault, Sealed, as_read
from arrocco.operation.verify.databases import UNREADABLE, connect
from arrocco.store import hall_schema
from arrocco.store.sql.database import Database

_RECORD = "stream, number, body, chain, link, previous, hash"
_HEAD = "stream, number, chain, link, hash"

MAX_RECORDS = 100_000
"""Records of one log that are asked for one by one; a damaged number may say any."""


class LogHead(NamedTuple):
    """What is kept of the last record of a stream."""

    stream: str
    number: int
    chain: str
    link: int
    hash: str


class Read(NamedTuple):
    """The records of a stream that can be read, and where others cannot."""

    records: list[Sealed]
    unreadable: list[Fault]


def _head(row: Sequence[Any]) -> LogHead:
    stream, number, chain, link, digest = row
    if type(number) is int and type(link) is int:
        return LogHead(str(stream), number, str(chain), link, str(digest))
    return LogHead(str(stream), -1, str(chain), 0, "")


class HallLogs(ABC):
    """Asks a database for logs; questions have their parameters as ``:name``."""

    @abstractmethod
    def ask(self, question: str, **parameters: Any) -> Iterator[Sequence[Any]]:
        """The rows that answer a question."""

    def close(self) -> None:  # noqa: B027 - not every database is for these logs to close
        """Lets the database go."""

    def heads(self) -> dict[str, LogHead]:
        """The last records of all streams; from both ends, where some cannot be read."""
        heads: dict[str, LogHead] = {}
        for order in ("", " DESC"):
            try:
                for row in self.ask(f"SELECT {_HEAD} FROM hall_heads ORDER BY stream{order}"):
                    heads[str(row[0])] = _head(row)
            except UNREADABLE:
                continue
            break
        return heads

    def head(self, stream: str) -> LogHead | None:
        """The last record of one stream."""
        try:
            for row in self.ask(f"SELECT {_HEAD} FROM hall_heads WHERE stream = :s", s=stream):
                return _head(row)
        except UNREADABLE:
            pass
        return None

    def streams(self) -> set[str]:
        """The names of all streams that can be found, by their records and by their chains."""
        streams: set[str] = set()
        for order in ("stream", "stream DESC", "chain, link", "chain DESC, link DESC"):
            try:
                streams.update(
                    str(row[0]) for row in self.ask(f"SELECT stream FROM hall_log ORDER BY {order}")
                )
            except UNREADABLE:
                continue
            break
        return streams

    def read(self, stream: str, last: int | None) -> Read:
        """A stream up to a number, record by record where it cannot be read at once."""
        question = f"SELECT {_RECORD} FROM hall_log WHERE stream = :s ORDER BY number"
        try:
            records = [as_read(row) for row in self.ask(question, s=stream)]
        except UNREADABLE:
            return self._read_singly(stream, last)
        return Read([record for record in records if last is None or record.number <= last], [])

    def _read_singly(self, stream: str, last: int | None) -> Read:
        records: list[Sealed] = []
        unreadable: list[Fault] = []
        question = f"SELECT {_RECORD} FROM hall_log WHERE stream = :s AND number = :n"
        for number in range(1 + min(last or 0, MAX_RECORDS)):
            try:
                records += [as_read(row) for row in self.ask(question, s=stream, n=number)]
            except UNREADABLE:
                first = number
                if unreadable and unreadable[-1].last == number - 1:
                    first = unreadable.pop().first
                unreadable.append(Fault(Damage.UNREADABLE, first, number))
        return Read(records, unreadable)


class FileLogs(HallLogs):
    """The logs of an office on SQLite, in the hall's own file."""

    def __init__(self, path: Path) -> None:
        """Raises what SQLite raises for a file that is none of its own."""
        self._connection = connect(path)
        self._connection.text_factory = lambda data: data.decode(errors="replace")
        self.version = hall_schema.version_of(self._connection)

    def ask(self, question: str, **parameters: Any) -> Iterator[Sequence[Any]]:
        yield from self._connection.execute(question, parameters)

    def close(self) -> None:
        self._connection.close()


class DatabaseLogs(HallLogs):
    """The logs of an office on PostgreSQL, among its tables."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def ask(self, question: str, **parameters: Any) -> Iterator[Sequence[Any]]:
        with self._database.reading() as connection:  # of its own: a failure ends a transaction
            streamed = connection.execution_options(yield_per=1000)
            yield from streamed.execute(text(question), parameters)
