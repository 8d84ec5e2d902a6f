"""The hall's own file: records are chained and written once; what is changed or gone is told."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from arrocco.errors import Inconsistent
from arrocco.hall.chain import FIRST_HASH, DamagedLog, Sealed, chain_of
from arrocco.live.journal import Record
from arrocco.live.sqlite_log import SqliteLog
from arrocco.store import hall_schema

ALL = "SELECT stream, number, body, chain, link, previous, hash FROM hall_log ORDER BY chain, link"


def record(stream: str, number: int = 0, body: bytes = b"{}") -> Record:
    return Record(stream, number, body)


def changed(path: Path, *statements: str) -> None:
    """Lays hands on the file, as who takes the triggers away could."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for (name,) in connection.execute(
            "SELECT name FROM sqlite_master WHERE type = 'trigger'"
        ).fetchall():
            connection.execute(f"DROP TRIGGER {name}")
        for statement in statements:
            assert connection.execute(statement).rowcount > 0, statement


def rows_of(path: Path) -> list[Sealed]:
    with closing(sqlite3.connect(path)) as connection:
        return [Sealed(*row) for row in connection.execute(ALL)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file with an event of two games and a game of no event."""
    path = tmp_path / "hall.sqlite"
    with closing(SqliteLog(path)) as log:
        log.append([record("event:open"), record("receipts:open")])
        log.append([record("game:open-1-1"), record("game:open-1-2")])
        log.append([record("game:open-1-1", 1, '{"è":1}'.encode()), record("game:alone.x")])
        log.append([record("game:open-1-2", n, b"[%d]" % n) for n in (1, 2, 3)])
    return path


@pytest.mark.parametrize(
    ("stream", "chain"),
    [
        ("event:open", "open"),
        ("event:cup-2025-11", "cup-2025-11"),
        ("game:cup-2025-11-3-7", "cup-2025-11"),
        ("receipts:cup-2025-11-3-7", "cup-2025-11"),
        ("receipts:cup-2025-11", "cup"),
        ("event_receipts:cup-2025-11", "cup-2025-11"),
        ("game:alone.7", "alone."),
        ("receipts:alone.7", "alone."),
        ("receipts:open", "open"),
        ("anything", "anything"),
    ],
)
def test_a_stream_belongs_to_the_chain_of_its_event(stream: str, chain: str) -> None:
    assert chain_of(stream) == chain


def test_the_records_of_an_event_are_one_chain_in_the_order_written(path: Path) -> None:
    rows = rows_of(path)
    assert all(row.is_whole for row in rows)
    of_event = [row for row in rows if row.chain == "open"]
    assert [row.link for row in of_event] == list(range(1, 9))
    assert [row.previous for row in of_event] == [FIRST_HASH, *(row.hash for row in of_event[:-1])]
    assert [(row.stream, row.link) for row in rows if row.chain == "alone."] == [
        ("game:alone.x", 1)
    ]


def test_receipts_of_an_event_whose_name_looks_like_a_game_are_its_own(tmp_path: Path) -> None:
    path = tmp_path / "hall.sqlite"
    with closing(SqliteLog(path)) as log:
        log.append([record("event:cup-2025-11"), record("receipts:cup-2025-11")])
    with closing(SqliteLog(path)) as log:
        log.append([record("receipts:cup-2025-11", 1)])
    assert {row.chain for row in rows_of(path)} == {"cup-2025-11"}


def test_the_next_program_goes_on_where_the_chain_ends(path: Path) -> None:
    with closing(SqliteLog(path)) as log:
        log.append([record("event:open", 1)])
    before, last = [row for row in rows_of(path) if row.chain == "open"][-2:]
    assert (last.stream, last.link, last.previous) == ("event:open", 9, before.hash)


def test_two_programs_that_write_to_one_event_do_not_fork_its_chain(path: Path) -> None:
    with closing(SqliteLog(path)) as one, closing(SqliteLog(path)) as other:
        for number in range(4, 10):
            one.append([record("game:open-1-2", number)])
            other.append([record("game:open-1-1", number - 2)])
    of_event = [row for row in rows_of(path) if row.chain == "open"]
    assert [row.link for row in of_event] == list(range(1, 21))
    assert [row.previous for row in of_event[1:]] == [row.hash for row in of_event[:-1]]


def test_a_chain_does_not_advance_by_what_was_not_written(path: Path) -> None:
    with closing(SqliteLog(path)) as log, closing(sqlite3.connect(path)) as other:
        log.append([record("event:open", 1)])
        other.execute("BEGIN IMMEDIATE")
        log._connection.execute("PRAGMA busy_timeout = 1")
        with pytest.raises(sqlite3.OperationalError):
            log.append([record("event:open", 2)])
        other.rollback()
        with pytest.raises(sqlite3.IntegrityError):
            log.append([record("event:open", 2), record("event:open", 1)])
        log.append([record("event:open", 2, b"2")])
    of_event = [row for row in rows_of(path) if row.chain == "open"]
    assert [row.link for row in of_event] == list(range(1, 11))
    assert of_event[-1].body == "2"


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE hall_log SET body = 'x' WHERE number = 1",
        "DELETE FROM hall_log",
        "INSERT OR REPLACE INTO hall_log VALUES ('event:open', 0, 'x', 'y', 1, '', '')",
        "INSERT OR REPLACE INTO hall_log VALUES ('event:other', 0, 'x', 'open', 3, '', '')",
    ],
)
def test_rows_are_written_once(path: Path, statement: str) -> None:
    before = rows_of(path)
    with (
        closing(sqlite3.connect(path, isolation_level=None)) as plain,
        pytest.raises(sqlite3.IntegrityError, match="written once"),
    ):
        plain.execute(statement)
    assert rows_of(path) == before


@pytest.mark.parametrize(
    ("statement", "key", "numbers"),
    [
        ("UPDATE hall_log SET body = '[9]' WHERE body = '[2]'", "rewritten", (2, 2)),
        ("UPDATE hall_log SET hash = previous WHERE body = '[2]'", "rewritten", (2, 2)),
        ("DELETE FROM hall_log WHERE body = '[2]'", "missing", (2, 2)),
        ("DELETE FROM hall_log WHERE body IN ('[2]', '[3]')", "missing", (2, 3)),
        ("DELETE FROM hall_log WHERE stream = 'game:open-1-2'", "missing", (0, 3)),
        ("UPDATE hall_log SET number = 7 WHERE body = '[1]'", "missing", (1, 1)),
    ],
)
def test_a_damaged_log_is_not_read_and_the_others_are(
    path: Path, statement: str, key: str, numbers: tuple[int, int]
) -> None:
    changed(path, statement)
    with closing(SqliteLog(path)) as log:
        with pytest.raises(DamagedLog) as refused:
            log.read("game:open-1-2")
        assert refused.value.key == f"hall_live.damaged.{key}"
        assert (refused.value.details["first"], refused.value.details["last"]) == numbers
        assert log.read("game:open-1-1") == [b"{}", '{"è":1}'.encode()]
        assert log.read("event:open") == [b"{}"]


def test_what_is_no_text_any_more_is_damage_and_no_traceback(path: Path) -> None:
    changed(path, "UPDATE hall_log SET body = CAST(X'5BFF5D' AS TEXT) WHERE body = '[2]'")
    with closing(SqliteLog(path)) as log, pytest.raises(DamagedLog):
        log.read("game:open-1-2")


def test_a_chain_goes_on_after_its_lost_end(path: Path) -> None:
    """Whoever cuts off an end and lets the hall go on leaves a gap that stays."""
    changed(path, "DELETE FROM hall_log WHERE body IN ('[2]', '[3]')")
    with closing(SqliteLog(path)) as log:
        log.append([record("event:open", 1)])
    assert [row.link for row in rows_of(path) if row.chain == "open"] == [1, 2, 3, 4, 5, 6, 9]


class TestVersions:
    def first_version(self, path: Path) -> None:
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            hall_schema.migrate(connection, 1)
            connection.execute("PRAGMA user_version = 0")  # it did not say its number
            connection.executemany(
                "INSERT INTO hall_log VALUES (?, ?, ?)",
                [
                    ("receipts:a", 0, "r"),
                    ("game:a-1-1", 0, "g"),
                    ("event:a", 0, "e"),
                    ("event:a", 1, "è"),
                    ("game:alone.1", 0, "x"),
                ],
            )

    def test_a_file_of_the_first_version_is_chained_when_it_is_opened(self, tmp_path: Path) -> None:
        files = [tmp_path / "one.sqlite", tmp_path / "two.sqlite"]
        for file in files:
            self.first_version(file)
            with closing(SqliteLog(file)) as log:
                assert log.read("event:a") == [b"e", "è".encode()]
                log.append([record("game:a-1-1", 1)])
        one, other = (rows_of(file) for file in files)
        assert one == other
        assert all(row.is_whole for row in one)
        of_event = [row.stream for row in one if row.chain == "a"]
        assert of_event == ["event:a", "event:a", "game:a-1-1", "receipts:a", "game:a-1-1"]

    def test_it_can_go_back(self, path: Path) -> None:
        before = rows_of(path)
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            hall_schema.migrate(connection, 1)
            assert hall_schema.version_of(connection) == 1
            kept = connection.execute("SELECT * FROM hall_log ORDER BY 1, 2").fetchall()
            assert kept == sorted(row[:3] for row in before)
            names = connection.execute("SELECT name FROM sqlite_master").fetchall()
            assert names == [("hall_log",)]
        with closing(SqliteLog(path)) as log:
            assert log.read("game:open-1-2")[3] == b"[3]"

    def test_a_file_of_a_later_program_is_refused_in_words(self, path: Path) -> None:
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            connection.execute("PRAGMA user_version = 9")
        with pytest.raises(Inconsistent) as refused:
            SqliteLog(path)
        assert refused.value.key == "store.refused.hall_of_later_version"
