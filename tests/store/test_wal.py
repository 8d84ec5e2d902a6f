"""A write-ahead log is looked at as it is, also while somebody writes it."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from arrocco.store import wal
from arrocco.store.sql.database import Database

HEADER, FRAME = 32, 24 + 4096


@pytest.fixture
def crashed(tmp_path: Path) -> Path:
    """A database whose last writes stand in its log only."""
    path = tmp_path / "kept.sqlite"
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("CREATE TABLE t (x)")
        for number in range(6):
            connection.execute("INSERT INTO t VALUES (?)", (number,))
        for name in ("kept.sqlite", "kept.sqlite-wal"):
            shutil.copyfile(tmp_path / name, tmp_path / name.replace("kept", "crashed"))
    return tmp_path / "crashed.sqlite"


def torn(log: Path, frame: int) -> bytes:
    """Damages a frame of a log; the bytes it had."""
    whole = log.read_bytes()
    middle = HEADER + (frame - 1) * FRAME + FRAME // 2
    log.write_bytes(whole[:middle] + b"halfway" + whole[middle + 7 :])
    return whole


def test_damage_that_stays_is_told_by_its_frame(crashed: Path) -> None:
    assert wal.damaged_frame(crashed) is None
    torn(crashed.with_name("crashed.sqlite-wal"), 3)
    assert wal.damaged_frame(crashed) == 3


def test_a_bit_that_flips_in_the_head_of_the_log_or_of_its_last_frame_is_told(
    crashed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite leaves out a frame that has other salts; the size in it says that a commit ends."""
    monkeypatch.setattr("arrocco.store.wal.time.sleep", lambda _: None)
    log = crashed.with_name("crashed.sqlite-wal")
    whole = log.read_bytes()
    last = (len(whole) - HEADER) // FRAME
    size = HEADER + (last - 1) * FRAME + 4
    assert whole[size : size + 4] == (2).to_bytes(4, "big"), "one flip takes the commit away"
    for first, number in ((0, 0), (HEADER + (last - 1) * FRAME, last)):
        for place in range(first, first + 24):
            for bit in range(8):
                data = bytearray(whole)
                data[place] ^= 1 << bit
                log.write_bytes(data)
                assert wal.damaged_frame(crashed) == number, (place - first, bit)


def test_half_a_transaction_was_never_acknowledged(crashed: Path) -> None:
    log = crashed.with_name("crashed.sqlite-wal")
    whole = log.read_bytes()
    frame = bytearray(whole[-FRAME:])
    frame[4:8] = bytes(4)
    for half in (bytes(frame), bytes(frame[: FRAME // 2])):
        log.write_bytes(whole + half)
        assert wal.damaged_frame(crashed) is None


def test_a_log_seen_while_it_is_written_is_not_damaged(
    crashed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = crashed.with_name("crashed.sqlite-wal")
    whole = torn(log, 3)
    monkeypatch.setattr("arrocco.store.wal.time.sleep", lambda _: log.write_bytes(whole))
    assert wal.damaged_frame(crashed) is None


def test_reading_leaves_nothing_behind_and_carries_nothing_over(crashed: Path) -> None:
    names = {path.name for path in crashed.parent.iterdir()}
    kept = crashed.with_name("kept.sqlite")
    before = crashed.read_bytes(), kept.read_bytes()
    for path in (crashed, kept):
        database = Database(f"sqlite:///{path}", read_only=True)
        with database.reading() as connection:
            assert connection.exec_driver_sql("SELECT count(*) FROM t").scalar() == 6
        database.close()
    assert (crashed.read_bytes(), kept.read_bytes()) == before
    assert {path.name for path in crashed.parent.iterdir()} - names <= {"crashed.sqlite-shm"}
