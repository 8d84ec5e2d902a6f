"""Faults of disks and databases: which one an error tells of, and one line of the log for many."""

from __future__ import annotations

import errno
import logging
import sqlite3
import time
from collections.abc import Callable
from enum import StrEnum

from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from arrocco.errors import Unavailable


class Fault(StrEnum):
    """Faults that are nobody's who asks; each has words of its own, ``faults.disk_full``."""

    DISK_FULL = "disk_full"
    DATABASE_LOST = "database_lost"
    DATABASE_LOCKED = "database_locked"

    @property
    def key(self) -> str:
        return f"faults.{self.value}"


_BY_KEY = {fault.key: fault for fault in Fault}

_FULL_ERRORS = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
_SQLITE = {
    sqlite3.SQLITE_BUSY: Fault.DATABASE_LOCKED,
    sqlite3.SQLITE_LOCKED: Fault.DATABASE_LOCKED,
    sqlite3.SQLITE_FULL: Fault.DISK_FULL,
    sqlite3.SQLITE_IOERR: Fault.DATABASE_LOST,
    sqlite3.SQLITE_CANTOPEN: Fault.DATABASE_LOST,
    sqlite3.SQLITE_PERM: Fault.DATABASE_LOST,
}
_FILE_TOO_LARGE = sqlite3.SQLITE_IOERR_WRITE
"""What SQLite makes of a quota or of a limit of the file's size."""
_POSTGRES = {
    "53100": Fault.DISK_FULL,
    "55P03": Fault.DATABASE_LOCKED,
    "57014": Fault.DATABASE_LOCKED,
}
_POSTGRES_LOST = ("08", "53", "57P", "58", "XX")
"""How the states begin of a server that goes, is not there yet or cannot go on."""


def fault_of(error: BaseException | None) -> Fault | None:
    """The fault behind an error; `None` for one that has to do with what was asked."""
    if isinstance(error, Unavailable):
        return _BY_KEY.get(error.key)
    if isinstance(error, PoolTimeout):
        return Fault.DATABASE_LOCKED
    if isinstance(error, DBAPIError):
        fault = fault_of(error.orig)
        return fault or (Fault.DATABASE_LOST if error.connection_invalidated else None)
    if isinstance(error, sqlite3.Error):
        return _sqlite_fault(error)
    if isinstance(error, OSError) and error.errno in _FULL_ERRORS:
        return Fault.DISK_FULL
    if type(error).__module__.partition(".")[0] == "psycopg":
        return _postgres_fault(error)
    return None


def _sqlite_fault(error: sqlite3.Error) -> Fault | None:
    code = getattr(error, "sqlite_errorcode", None)
    if code is None:
        return None
    if code == _FILE_TOO_LARGE:
        return Fault.DISK_FULL
    if code == sqlite3.SQLITE_READONLY_DBMOVED:
        return Fault.DATABASE_LOST
    return _SQLITE.get(code & 0xFF)


def _postgres_fault(error: BaseException | None) -> Fault | None:
    state: str | None = getattr(error, "sqlstate", None)
    if state is None:
        # Without a state nobody answered at all: there is no server, or no longer.
        is_lost = type(error).__name__ == "OperationalError"
        return Fault.DATABASE_LOST if is_lost else None
    if state in _POSTGRES:
        return _POSTGRES[state]
    return Fault.DATABASE_LOST if state.startswith(_POSTGRES_LOST) else None


def unavailable(error: BaseException) -> Unavailable | None:
    """The refusal that tells of a fault behind an error, with nothing of the database in it."""
    fault = fault_of(error)
    if isinstance(error, Unavailable) or fault is None:
        return error if isinstance(error, Unavailable) else None
    refusal = Unavailable.of(fault.key)
    refusal.cause = one_line(error)
    return refusal


def one_line(error: BaseException | None) -> str:
    """What a database says, without the statement and its values."""
    if isinstance(error, Unavailable) and error.cause:
        return error.cause
    said = error.orig if isinstance(error, DBAPIError) and error.orig is not None else error
    return " ".join(str(said).split())[:500]


class FaultLog:
    """Tells the log of a fault when it begins, once a minute while it lasts, and when it is over.

    A fault meets every move and every page: a line for each would fill the disk next.
    """

    AGAIN = 60.0
    """Seconds between two lines about the same fault."""

    def __init__(
        self, log: logging.Logger, what: str, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._log, self._what, self._clock = log, what, clock
        self.count = 0
        self._began = self._told = 0.0

    def failed(self, error: BaseException | None) -> None:
        """One more failure."""
        now = self._clock()
        self.count += 1
        if self.count == 1:
            self._began = now
            self._log.error("%s fails: %s", self._what, one_line(error))
        elif now - self._told < self.AGAIN:
            return
        else:
            seconds = now - self._began
            self._log.error(
                "%s still fails, %d times in %.0f s: %s",
                self._what,
                self.count,
                seconds,
                one_line(error),
            )
        self._told = now

    def succeeded(self) -> None:
        """It works, perhaps again."""
        if self.count:
            seconds = self._clock() - self._began
            self._log.warning(
                "%s works again after %.1f s and %d failures", self._what, seconds, self.count
            )
            self.count = 0
