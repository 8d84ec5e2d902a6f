"""Both databases keep the same promises: all or nothing, one moment, no lost writer."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from threading import Barrier, Event, Thread

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError, IntegrityError

from arrocco.errors import Unavailable
from arrocco.store.sql import accounts
from arrocco.store.sql.database import Database, DatabaseRefusal, sqlite_url
from arrocco.store.sql.migrate import migrate
from arrocco.words import LANGUAGES
from tests.store.sql.people import an_account


def test_what_fails_leaves_nothing(database: Database) -> None:
    def fail() -> None:
        with database.writing() as connection:
            an_account(connection)
            raise RuntimeError("halfway")

    with pytest.raises(RuntimeError, match="halfway"):
        fail()
    with database.reading() as connection:
        assert accounts.count(connection) == 0


def test_a_reader_cannot_write(database: Database) -> None:
    with pytest.raises(DBAPIError), database.reading() as connection:
        an_account(connection)
    with database.writing() as connection:  # and the connection it had can write again
        an_account(connection)
    with database.reading() as connection:
        assert accounts.count(connection) == 1


def test_a_reader_sees_one_moment_while_others_write(database: Database) -> None:
    with database.reading() as reader:
        assert accounts.count(reader) == 0
        with database.writing() as connection:
            an_account(connection)
        assert accounts.count(reader) == 0
    with database.reading() as reader:
        assert accounts.count(reader) == 1


def test_a_row_that_names_what_is_not_there_is_refused(database: Database) -> None:
    inserted = "INSERT INTO sessions VALUES ('x', 77, '', '', '', '')"
    with pytest.raises(IntegrityError), database.writing() as connection:
        connection.execute(text(inserted))


def test_threads_share_one_database(database: Database) -> None:
    failures: list[Exception] = []

    def work(number: int) -> None:
        try:
            for step in range(5):
                with database.writing() as connection:
                    an_account(connection, f"{number}-{step}@example.org")
                with database.reading() as connection:
                    accounts.every(connection)
        except Exception as error:
            failures.append(error)

    threads = [Thread(target=work, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    with database.reading() as connection:
        assert accounts.count(connection) == 30


def test_sqlite_is_set_to_be_durable(tmp_path: Path) -> None:
    database = Database(sqlite_url(tmp_path))
    with database.writing() as connection:
        settings = {
            name: connection.execute(text(f"PRAGMA {name}")).scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys")
        }
    assert settings == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}
    database.close()
    assert [path.suffix for path in tmp_path.iterdir()] == [".sqlite"]


def test_two_that_make_one_file_at_once_both_get_it(tmp_path: Path) -> None:
    failures: list[Exception] = []

    def make(folder: Path, barrier: Barrier) -> None:
        database = Database(sqlite_url(folder))
        barrier.wait()
        try:
            with database.writing():
                pass
        except DatabaseRefusal as error:
            failures.append(error)
        database.close()

    for attempt in range(150):  # of 100, three or so met while the file was made
        folder, barrier = tmp_path / str(attempt), Barrier(2)
        folder.mkdir()
        threads = [Thread(target=make, args=(folder, barrier)) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert not failures


def test_a_writer_that_waits_too_long_is_told_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arrocco.store.sql.database._WAIT_MS", 50)
    database = Database(sqlite_url(tmp_path))
    migrate(database)
    holds, done = Event(), Event()

    def hold() -> None:
        with database.writing():
            holds.set()
            done.wait(10)

    thread = Thread(target=hold)
    thread.start()
    holds.wait(10)
    with pytest.raises(DatabaseRefusal) as refused, database.writing():
        pass
    done.set()
    thread.join()
    for language in LANGUAGES:
        assert refused.value.said(language)
    assert refused.value.key == "faults.database_locked"
    assert isinstance(refused.value, Unavailable)
    assert "locked" in refused.value.cause
    with database.writing() as connection:  # once the other is done it goes on
        an_account(connection)
    database.close()


def test_who_finds_no_connection_free_is_told_in_words(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = {"pool_size": 1, "max_overflow": 0, "pool_timeout": 0.05}
    monkeypatch.setattr("arrocco.store.sql.database._POOL", few)
    database = Database(database_url)
    with database.reading(), pytest.raises(DatabaseRefusal) as refused, database.reading():
        pass
    assert refused.value.key == "faults.database_locked"
    with database.reading() as connection:
        assert accounts.count(connection) == 0
    database.close()


@pytest.mark.parametrize(
    "url", ["", "office", "mysql://host/name", "sqlite://", "sqlite:///:memory:", "http://x/y"]
)
def test_what_is_no_database_is_refused(url: str) -> None:
    with pytest.raises(DatabaseRefusal) as refused:
        Database(url)
    assert refused.value.key == "sql.refused.no_address"


def test_a_server_that_is_not_there_is_refused_without_its_password(tmp_path: Path) -> None:
    database = Database(f"postgresql://u:secret-word@/x?host={tmp_path}")
    with pytest.raises(DatabaseRefusal) as refused, database.reading():
        pass
    assert refused.value.key == "faults.database_lost"
    assert isinstance(refused.value, Unavailable)
    assert str(tmp_path) in refused.value.cause, "the log says which one it is"
    assert "secret-word" not in refused.value.cause
    for language in LANGUAGES:
        said = " ".join(refused.value.said(language))
        assert "secret-word" not in said
        assert str(tmp_path) not in said
    database.close()


def test_a_folder_that_cannot_hold_a_file_is_refused(tmp_path: Path) -> None:
    database = Database(sqlite_url(tmp_path / "nowhere"))
    with pytest.raises(DatabaseRefusal), database.writing():
        pass


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_any_spelling_of_postgresql_will_do(empty_url: Callable[[str], str], kind: str) -> None:
    url = empty_url(kind).replace("postgresql+psycopg:", "postgres:")
    database = Database(url)
    with database.reading() as connection:
        assert connection.execute(text("SELECT 1")).scalar() == 1
    database.close()
