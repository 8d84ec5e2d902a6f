"""Every row that nothing else tells of has its seal; what is done past the seals is found."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import (
    Boolean,
    Column,
    Date,
    Integer,
    MetaData,
    String,
    Table,
    create_engine,
    delete,
    insert,
    inspect,
    text,
    update,
)

import arrocco
from arrocco.operation.verify.seals import check_seals
from arrocco.store.sql import seals
from arrocco.store.sql import tables as t
from arrocco.store.sql.database import Database
from arrocco.store.sql.migrate import migrate

CHECKED_OTHERWISE = {
    "ledger": "chained",
    "audit": "chained",
    "hall_log": "chained",
    "chain_heads": "compared with the chains",
    "hall_heads": "compared with the chains",
    "history": "compared with the lists",
    "rated_tournaments": "compared with the lists",
    "seals": "compared with the rows",
}
DAY, ANOTHER_DAY = date(2026, 3, 1), date(2026, 4, 1)
tables = pytest.mark.parametrize("table", seals.SEALED, ids=[one.name for one in seals.SEALED])


def value_for(column: Column[Any]) -> Any:
    kinds = {Date: DAY, Boolean: False, Integer: 1, String: "x"}
    return next(value for kind, value in kinds.items() if isinstance(column.type, kind))


def row_for(table: Table) -> dict[str, Any]:
    return {column.name: value_for(column) for column in table.columns}


def fill(database: Database) -> None:
    """One row in every table that others name, or that is sealed."""
    with database.writing() as connection:
        for table in t.metadata.sorted_tables:
            if table in seals.SEALED:
                seals.insert(connection, table, row_for(table))
            elif table is t.ledger:
                connection.execute(insert(table), row_for(table))


@pytest.fixture
def filled(database: Database) -> Database:
    fill(database)
    return database


@contextmanager
def without_constraints(database: Database) -> Iterator[Callable[..., None]]:
    """Does to the database what its constraints would not have."""
    engine = create_engine(database.address)  # where SQLite holds no keys of others

    def change(statement: str, **values: Any) -> None:
        with engine.begin() as connection:
            if not database.is_sqlite:
                connection.execute(text("SET LOCAL session_replication_role = replica"))
            assert connection.execute(text(statement), values).rowcount == 1

    try:
        yield change
    finally:
        engine.dispose()


def past_the_seals(database: Database, statement: str, **values: Any) -> None:
    with without_constraints(database) as change:
        change(statement, **values)


def found(database: Database, *only: Table) -> list[tuple[str, str]]:
    """The kinds of what was found, with the tables."""
    findings = check_seals(database, only or seals.SEALED)
    return [(finding.key.removeprefix("verify."), finding.details["table"]) for finding in findings]


def test_every_table_is_sealed_or_checked_otherwise() -> None:
    sealed = {table.name for table in seals.SEALED}
    assert sealed.isdisjoint(CHECKED_OTHERWISE)
    assert sealed | CHECKED_OTHERWISE.keys() == {table.name for table in t.metadata.sorted_tables}


@tables
def test_a_write_past_the_seals_is_refused(database: Database, table: Table) -> None:
    for statement in (insert(table).values(row_for(table)), update(table), delete(table)):
        with pytest.raises(seals.Unsealed, match=table.name), database.writing() as connection:
            connection.execute(statement)


def test_no_module_writes_sealed_tables_by_text() -> None:
    names = "|".join(table.name for table in seals.SEALED)
    written = re.compile(rf'(INSERT INTO|UPDATE|DELETE FROM)\s+"?({names})\b', re.IGNORECASE)
    for path in Path(arrocco.__file__).parent.rglob("*.py"):
        assert not written.search(path.read_text()), path


def test_rows_that_are_written_changed_and_taken_away_fit_their_seals(filled: Database) -> None:
    assert found(filled) == []
    with filled.writing() as connection:
        changed = seals.update(connection, t.accounts, values={"player": 7, "disabled": True})
        assert [(row.player, row.disabled) for row in changed] == [(7, True)]
        assert not seals.update(connection, t.accounts, t.accounts.c.id == 5, values={"player": 1})
        seals.upsert(connection, t.throttle, {"subject": "x"}, {"until": "y"})
        seals.upsert(connection, t.throttle, {"subject": "z è"}, {"until": "y"})
        counted = {"since": "x", "action": "x", "key": "x", "account": 1}
        more = {"count": t.refusal_counts.c.count + 1}
        seals.upsert(connection, t.refusal_counts, counted, {"count": 1}, more)
    assert found(filled) == []
    with filled.writing() as connection:
        assert seals.delete(connection, t.throttle, t.throttle.c.until == "y") == 2
        assert seals.delete(connection, t.sessions) == 1
        assert seals.kept(connection, "sessions") == {}
    assert found(filled) == []


def test_a_transaction_that_fails_leaves_neither_row_nor_seal(database: Database) -> None:
    with suppress(ZeroDivisionError), database.writing() as connection:
        seals.insert(connection, t.throttle, {"subject": "x", "until": "y"})
        raise ZeroDivisionError
    with database.reading() as connection:
        assert seals.names(connection) == set()


@tables
def test_every_column_is_under_the_seal(filled: Database, table: Table) -> None:
    with without_constraints(filled) as change:
        for column in table.columns:
            if column in (t.office.c.number, t.office_settings.c.number):  # a constraint: it is 1
                continue
            value = value_for(column)
            other = {DAY: ANOTHER_DAY, False: True, 1: 2, "x": "y"}[value]
            statement = f'UPDATE {table.name} SET "{column.name}" = :value'
            change(statement, value=other)
            kinds = ["row", "row_added", "row_missing"]
            expected = kinds[1:] if column.primary_key else kinds[:1]
            assert sorted(found(filled, table)) == [(kind, table.name) for kind in expected], column
            change(statement, value=value)
    assert found(filled) == []


@tables
def test_rows_taken_out_and_put_in_are_named(filled: Database, table: Table) -> None:
    past_the_seals(filled, f"DELETE FROM {table.name}")
    assert found(filled) == [("row_missing", table.name)]
    past_the_seals(filled, "DELETE FROM seals WHERE name = :name", name=table.name)
    assert found(filled) == []
    row = row_for(table)
    columns = ", ".join(f'"{name}"' for name in row)
    values = ", ".join(f":{name}" for name in row)
    past_the_seals(filled, f"INSERT INTO {table.name} ({columns}) VALUES ({values})", **row)
    (finding,) = check_seals(filled)
    assert (finding.key, finding.details["table"]) == ("verify.row_added", table.name)
    keys = ("1", "x", "x x x 1", "x 1", "1 x", "1 x x", "1 1", "x 2026-03-01")
    assert finding.details["row"] in keys


@pytest.mark.parametrize("column", ["name", "key", "hash"])
def test_a_changed_seal_is_found(filled: Database, column: str) -> None:
    change = f"UPDATE seals SET {column} = 'x' WHERE name = 'drafts'"
    past_the_seals(filled, change)
    kinds = {
        "name": [("row_added", "drafts"), ("row", "seals")],
        "key": [("row_added", "drafts"), ("row_missing", "drafts")],
        "hash": [("row", "drafts")],
    }
    assert sorted(found(filled)) == sorted(kinds[column])


def test_what_cannot_be_read_is_named_by_its_key(migrated_sqlite: Path, tmp_path: Path) -> None:
    copied = tmp_path / "office.sqlite"
    copied.write_bytes(migrated_sqlite.read_bytes())
    database = Database(f"sqlite:///{copied}")
    fill(database)
    with database.writing() as connection:
        seals.insert(connection, t.throttle, {"subject": "good", "until": "y"})
    past_the_seals(database, "UPDATE throttle SET until = CAST(X'FF' AS TEXT) WHERE subject = 'x'")
    findings = list(check_seals(database))
    database.close()
    assert [(finding.key, finding.place.file) for finding in findings] == [
        ("verify.table", "office.sqlite"),
        ("verify.row", "office.sqlite"),
    ]
    assert findings[1].details == {"table": "throttle", "row": "x"}


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_rows_from_before_are_sealed_when_the_office_is_upgraded(
    empty_url: Callable[[str], str], kind: str
) -> None:
    database = Database(empty_url(kind))
    migrate(database, "0004")
    with database.writing() as connection:
        there = set(inspect(connection).get_table_names())
        older = MetaData()
        older.reflect(connection)
        for table in t.metadata.sorted_tables:
            is_older = table in seals.SEALED and table.name in there
            if is_older or table is t.ledger:
                was = older.tables[table.name]
                row = {name: value for name, value in row_for(table).items() if name in was.c}
                statement = insert(was).values(row)
                connection.execute(statement, execution_options=seals.UNGUARDED)
    migrate(database)
    assert found(database) == []
    with database.reading() as connection:
        names = seals.names(connection)
    assert names == {table.name for table in seals.SEALED} & there
    migrate(database, "0004")
    migrate(database)
    assert found(database) == []
    database.close()
