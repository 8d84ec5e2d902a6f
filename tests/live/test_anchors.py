"""How far the hall's logs have come is kept beside them, and nobody waits for that."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from arrocco.hall.chain import Head
from arrocco.live.anchors import AnchoredLog
from arrocco.live.database_log import DatabaseLog
from arrocco.live.journal import LogStore, Record
from arrocco.live.opening import log_reader
from arrocco.live.sqlite_log import SqliteLog
from arrocco.operation.verify.seals import check_seals
from arrocco.store.hall_file import hall_file
from arrocco.store.sql import hall_anchors
from arrocco.store.sql.database import Database
from tests.databases import *  # noqa: F403

AT = datetime(2026, 11, 16, 12, tzinfo=UTC)


def opened(database: Database, folder: Path, every: float = 60.0) -> AnchoredLog:
    store: LogStore
    store = SqliteLog(hall_file(folder)) if database.is_sqlite else DatabaseLog(database)
    return AnchoredLog(store, log_reader(folder, database), database, lambda: AT, every=every)


def kept(database: Database) -> dict[str, int]:
    """The links of the anchors by chain."""
    with database.reading() as connection:
        return {chain: one.link for chain, one in hall_anchors.every(connection).items()}


def wait_for(what: Callable[[], bool]) -> None:
    end = time.monotonic() + 20
    while not what():
        assert time.monotonic() < end
        time.sleep(0.02)


def records(stream: str, first: int, last: int) -> list[Record]:
    return [Record(stream, number, b"[%d]" % number) for number in range(first, last)]


def test_what_has_grown_is_kept_now_and_then_and_at_the_end(
    database: Database, tmp_path: Path
) -> None:
    with closing(opened(database, tmp_path, every=0.05)) as log:
        log.append([*records("event:open", 0, 3), *records("event:cup", 0, 1)])
        wait_for(lambda: kept(database) == {"open": 3, "cup": 1})
    with closing(opened(database, tmp_path)) as log:
        log.append(records("event:cup", 1, 5))
        assert kept(database) == {"open": 3, "cup": 1}
    assert kept(database) == {"open": 3, "cup": 5}
    assert list(check_seals(database)) == []


def test_what_a_log_lacks_stays_as_it_was_kept(
    database: Database, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with closing(opened(database, tmp_path)) as log:
        log.append([*records("event:open", 0, 3), *records("event:cup", 0, 1)])
    with database.writing() as connection:  # as if what is there now were an older log
        anchor = hall_anchors.every(connection)["open"]
        hall_anchors.put(connection, "open", Head(2, anchor.hash), AT)  # another has this place
    with closing(opened(database, tmp_path)) as log, caplog.at_level(logging.ERROR):
        log.append([*records("event:open", 3, 9), *records("event:cup", 1, 2)])
    assert kept(database) == {"open": 2, "cup": 2}
    assert "the log of open lacks what it had" in caplog.text


def test_a_database_that_is_locked_holds_up_no_record(migrated_sqlite: Path) -> None:
    folder = migrated_sqlite.parent / "anchored"
    folder.mkdir()
    (folder / "office.sqlite").write_bytes(migrated_sqlite.read_bytes())
    database = Database(f"sqlite:///{folder / 'office.sqlite'}")
    log = opened(database, folder, every=0.01)
    with database.writing():  # somebody publishes a list
        began = time.monotonic()
        for number in range(50):
            log.append(records("event:open", number, number + 1))
        log.close()
        assert time.monotonic() - began < 10
    database.close()
