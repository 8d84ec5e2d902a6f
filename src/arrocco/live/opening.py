"""A hall as an office has it: its logs, its list of events, and the judge of dead positions."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, tzinfo
from pathlib import Path
from zoneinfo import ZoneInfo

from arrocco.live.analysis import Thinking, thinking_process
from arrocco.live.anchors import AnchoredLog
from arrocco.live.damage import open_file
from arrocco.live.database_log import DatabaseLog
from arrocco.live.hall import Hall
from arrocco.live.index import OfficeIndex
from arrocco.live.journal import LogStore
from arrocco.live.log_reader import DatabaseLogReader, LogReader, SqliteLogReader
from arrocco.live.server_time import ServerTime, Time, as_datetime
from arrocco.live.services import EventMails, Known
from arrocco.store.hall_file import hall_file
from arrocco.store.sql.database import Database

ROME = "Europe/Rome"
"""Where the events are held, so that their days are those of the players."""


def open_hall(
    folder: Path,
    database: Database,
    known: Known | None = None,
    *,
    zone: tzinfo | None = None,
    now: Callable[[], datetime] | None = None,
    time: Time | None = None,
    thinking: Thinking | None = None,
    mails: EventMails | None = None,
) -> Hall:
    """The hall of an office folder; `await hall.start()` before anybody is let in.

    Raises `HallDamaged` where its file cannot be opened.

    `now` is the office's own clock, where it has one: an invented office lives in another year.
    `time` is the time of the server where another process has the same.

    With SQLite the logs have a file of their own beside the office's; in PostgreSQL they are among
    its tables. Call it where an event loop runs.
    """
    store = log_store(folder, database)
    index, zone = OfficeIndex(database), zone or ZoneInfo(ROME)
    if time is None:
        time = ServerTime(None if now is None else now())
    thinking = thinking or thinking_process()
    anchored = AnchoredLog(
        store, log_reader(folder, database), database, lambda: as_datetime(time.now())
    )
    return Hall(anchored, thinking, time=time, index=index, zone=zone, known=known, mails=mails)


def log_store(folder: Path, database: Database) -> LogStore:
    """The logs of an office's hall for whoever writes them."""
    return open_file(hall_file(folder)) if database.is_sqlite else DatabaseLog(database)


def log_reader(folder: Path, database: Database) -> LogReader:
    """The logs of an office's hall for whoever only reads them."""
    if database.is_sqlite:
        return SqliteLogReader(hall_file(folder))
    return DatabaseLogReader(database)
