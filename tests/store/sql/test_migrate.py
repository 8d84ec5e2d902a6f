"""Migrations make the tables the program names, protect what is written once, refuse the future."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from threading import Barrier, Thread

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import inspect, text
from sqlalchemy.exc import DBAPIError

from arrocco.store.sql.database import Database, DatabaseRefusal
from arrocco.store.sql.migrate import HEAD, configuration, migrate, revision
from arrocco.store.sql.tables import metadata
from arrocco.words import LANGUAGES

BOTH = pytest.mark.parametrize("kind", ["sqlite", "postgresql"])


def test_the_migrations_make_the_tables_of_the_program(database: Database) -> None:
    with database.reading() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, metadata) == []


def test_the_comparison_notices_a_column_too_few(database: Database) -> None:
    with database.writing() as connection:
        connection.execute(text("ALTER TABLE drafts DROP COLUMN stage"))
    with database.reading() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, metadata)


def test_the_newest_revision_is_the_one_the_program_names() -> None:
    assert ScriptDirectory.from_config(configuration()).get_current_head() == HEAD


@BOTH
def test_migrating_again_changes_nothing(empty_url: Callable[[str], str], kind: str) -> None:
    database = Database(empty_url(kind))
    with database.reading() as connection:
        assert revision(connection) is None
    migrate(database)
    migrate(database)
    with database.reading() as connection:
        assert revision(connection) == HEAD
    database.close()


@BOTH
def test_two_programs_that_start_at_once_migrate_once(
    empty_url: Callable[[str], str], kind: str
) -> None:
    url, barrier, failures = empty_url(kind), Barrier(2), []

    def start() -> None:
        database = Database(url)
        barrier.wait()
        try:
            migrate(database)
        except Exception as error:
            failures.append(error)
        database.close()

    threads = [Thread(target=start) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    database = Database(url)
    with database.reading() as connection:
        assert revision(connection) == HEAD
    database.close()


def test_a_database_of_a_later_program_is_refused_in_words(database: Database) -> None:
    with database.writing() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(DatabaseRefusal) as refused:
        migrate(database)
    assert refused.value.details["revision"] == "9999"
    for language in LANGUAGES:
        message, advice = refused.value.said(language)
        assert "9999" in message
        assert advice


@BOTH
def test_a_migration_that_fails_leaves_nothing(
    empty_url: Callable[[str], str], kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = Database(empty_url(kind))
    with database.writing() as connection:  # in the way of the last table of the first migration
        connection.execute(text("CREATE TABLE hall_log (stream INTEGER)"))
    with pytest.raises(DBAPIError):
        migrate(database)
    with database.reading() as connection:
        assert set(inspect(connection).get_table_names()) == {"hall_log"}
    database.close()


WRITTEN = {
    "ledger": (
        "INSERT INTO ledger VALUES (1, '', 1, 'x', '{}', '', 'h')",
        "seq = 1",
    ),
    "audit": (
        "INSERT INTO audit VALUES (1, '', NULL, '', '', 'x', '', 'done', '{}', 'p', 'h')",
        "id = 1",
    ),
    "hall_log": (
        "INSERT INTO hall_log VALUES ('game:1', 1, 'x', '1', 1, 'p', 'h')",
        "number = 1",
    ),
}


@pytest.mark.parametrize("table", WRITTEN)
def test_what_is_written_once_can_be_neither_changed_nor_taken_away(
    database: Database, table: str
) -> None:
    inserted, key = WRITTEN[table]
    with database.writing() as connection:
        connection.execute(text(inserted))
    forbidden = [f"UPDATE {table} SET {key}", f"DELETE FROM {table}"]
    if database.is_sqlite:
        forbidden.append(inserted.replace("INSERT", "INSERT OR REPLACE"))
    else:
        forbidden.append(f"TRUNCATE {table} CASCADE")
    for statement in forbidden:
        with pytest.raises(DBAPIError, match="written once"), database.writing() as connection:
            connection.execute(text(statement))
    with database.reading() as connection:
        assert connection.execute(text(f"SELECT count(*) FROM {table}")).scalar() == 1


def test_the_protection_does_not_hang_on_our_settings(tmp_path: Path) -> None:
    import sqlite3

    database = Database(f"sqlite:///{tmp_path / 'x.sqlite'}")
    migrate(database)
    database.close()
    plain = sqlite3.connect(tmp_path / "x.sqlite")
    inserted, _ = WRITTEN["hall_log"]
    plain.execute(inserted)
    with pytest.raises(sqlite3.IntegrityError):
        plain.execute(inserted.replace("INSERT", "INSERT OR REPLACE"))
    plain.close()
