"""The databases themselves: what SQLite says of its pages, and rows read as far as they can be."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote

from sqlalchemy.exc import SQLAlchemyError

from arrocco.findings import Finding, Place, Severity
from arrocco.store.wal import damaged_frame, mode_to_read

MAX_FAULTS = 100
"""Faults of one file that SQLite is asked for."""
UNREADABLE = (sqlite3.Error, SQLAlchemyError, UnicodeDecodeError)
"""What reading a damaged database may come to."""
_AT_ONCE = 1000

Row = TypeVar("Row")


def error(key: str, file: str = "", /, **details: Any) -> Finding:
    """Something that is not as it should be; the sentence is in the catalogue `verify`."""
    return Finding(Severity.ERROR, f"verify.{key}", Place(file), details=details)


def connect(path: Path) -> sqlite3.Connection:
    """A connection to a SQLite file that writes nothing, not even what a crash has left."""
    address = f"file:{quote(str(path))}?mode={mode_to_read(path)}"
    connection = sqlite3.connect(address, uri=True, isolation_level=None)
    connection.execute("PRAGMA query_only = ON")
    return connection


def integrity(path: Path) -> Iterator[Finding]:
    """What is wrong with the pages of a SQLite file and with its write-ahead log."""
    if not path.exists():
        return
    frame = damaged_frame(path)
    if frame is not None:
        yield error("wal", f"{path.name}-wal", frame=frame)
    lines: list[str] = []
    try:
        with closing(connect(path)) as connection:
            connection.text_factory = lambda data: data.decode(errors="replace")
            for (text,) in connection.execute(f"PRAGMA integrity_check({MAX_FAULTS})"):
                lines += str(text).splitlines()
    except sqlite3.DatabaseError as failure:
        is_none = failure.sqlite_errorcode == sqlite3.SQLITE_NOTADB
        yield error("not_a_database" if is_none else "page", path.name, reason=str(failure))
    except UnicodeDecodeError as failure:  # SQLite's own words quote what is no text any more
        yield error("page", path.name, reason=str(failure))
    for line in lines:
        if line != "ok":
            yield error("page", path.name, reason=line)


class Numbered:
    """Rows of a table by their numbers, read in portions; what cannot be read is passed over."""

    def __init__(self, read: Callable[[int, int], Sequence[Any]]) -> None:
        """`read` gives the rows from a number to another, both included, in order."""
        self._read = read
        self.unreadable: list[tuple[int, int]] = []
        """From where to where rows could not be read."""

    def rows(self, last: int) -> Iterator[Any]:
        """All rows from 1 to `last` that can be read, in order."""
        for first in range(1, last + 1, _AT_ONCE):
            yield from self._between(first, min(last, first + _AT_ONCE - 1))

    def _between(self, first: int, last: int) -> Iterator[Any]:
        try:
            rows = self._read(first, last)
        except UNREADABLE:
            if first == last:
                self._note(first)
                return
            middle = (first + last) // 2
            yield from self._between(first, middle)
            yield from self._between(middle + 1, last)
        else:
            yield from rows

    def _note(self, number: int) -> None:
        if self.unreadable and self.unreadable[-1][1] == number - 1:
            number_from = self.unreadable.pop()[0]
            self.unreadable.append((number_from, number))
        else:
            self.unreadable.append((number, number))
