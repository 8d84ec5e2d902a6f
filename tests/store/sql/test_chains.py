"""The audit, the hall's logs and the ends of the ledger, chained in both databases."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Thread

import pytest
from alembic import command
from sqlalchemy import Connection, select, text
from sqlalchemy.exc import DBAPIError

from arrocco.errors import Inconsistent
from arrocco.hall.chain import Head, Sealed
from arrocco.store.sql import audit, chain_heads, hall_log, ledger
from arrocco.store.sql import tables as t
from arrocco.store.sql.database import Database
from arrocco.store.sql.migrate import HEAD, configuration, migrate, revision
from tests.store.sql.people import NOW, an_entry

BOTH = pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
BEFORE = "0001"


def note(connection: Connection, action: str = "x") -> int:
    return audit.append(
        connection, at=NOW, account=None, role="r", action=action, outcome="done", details={"à": 1}
    )


def audited(connection: Connection) -> list[tuple[int, str, str]]:
    """Number, previous hash and hash of every row, each checked against its own bytes."""
    found = []
    for row in connection.execute(select(t.audit).order_by(t.audit.c.id)):
        value = row._mapping
        assert audit.chained([value[name] for name in audit.SEALED], row.previous) == row.hash
        found.append((row.id, row.previous, row.hash))
    return found


def is_chained(rows: list[tuple[int, str, str]]) -> bool:
    hashes = [audit.FIRST_HASH, *(row[2] for row in rows)]
    return all(row[1] == before for row, before in zip(rows, hashes, strict=False))


@contextmanager
def unprotected(database: Database, table: str) -> Iterator[Connection]:
    """A connection of somebody who takes the triggers of a table away first."""
    with database.writing() as connection:
        if database.is_sqlite:
            for act in ("update", "delete", "replace"):
                connection.execute(text(f"DROP TRIGGER {table}_no_{act}"))
        else:
            connection.execute(text(f"ALTER TABLE {table} DISABLE TRIGGER USER"))
        yield connection
        if not database.is_sqlite:
            connection.execute(text(f"ALTER TABLE {table} ENABLE TRIGGER USER"))


def test_rows_of_the_audit_are_numbered_and_chained(database: Database) -> None:
    with database.writing() as connection:
        assert [note(connection) for _ in range(3)] == [1, 2, 3]
    with pytest.raises(DBAPIError), database.writing() as connection:
        connection.execute(text(f"SELECT {note(connection)} FROM nothing"))
    with database.writing() as connection:
        assert note(connection) == 4
    with database.reading() as connection:
        rows = audited(connection)
        assert chain_heads.get(connection, chain_heads.AUDIT) == (4, rows[-1][2])
    assert is_chained(rows)
    assert len(rows) == 4


def test_many_transactions_at_once_do_not_fork_the_audit(database: Database) -> None:
    failures: list[Exception] = []

    def write() -> None:
        try:
            for _ in range(10):
                with database.writing() as connection:
                    note(connection)
        except Exception as error:
            failures.append(error)

    threads = [Thread(target=write) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    with database.reading() as connection:
        rows = audited(connection)
    assert [row[0] for row in rows] == list(range(1, 61))
    assert is_chained(rows)


def test_the_audit_goes_on_after_its_lost_end(database: Database) -> None:
    with database.writing() as connection:
        for _ in range(5):
            note(connection)
    with unprotected(database, "audit") as connection:
        connection.execute(text("DELETE FROM audit WHERE id > 2"))
    with database.writing() as connection:
        assert note(connection) == 6


def test_a_ledger_without_its_end_is_broken(database: Database) -> None:
    with database.writing() as connection:
        for number in range(3):
            ledger.append(connection, NOW, 1, an_entry(number))
    with database.reading() as connection:
        assert ledger.check_chain(connection) == 3
    with unprotected(database, "ledger") as connection:
        connection.execute(text("DELETE FROM ledger WHERE seq = 3"))
    with database.reading() as connection, pytest.raises(Inconsistent) as refused:
        ledger.check_chain(connection)
    assert refused.value.details["seq"] == 3


def test_the_hall_goes_on_from_what_it_knows_and_from_what_others_wrote(database: Database) -> None:
    with database.writing() as connection:
        known = hall_log.append(connection, [("event:x", 0, "a"), ("game:x-1-1", 0, "b")])
        assert known["x"].link == 2
        others = hall_log.append(connection, [("game:x-1-2", 0, "c")])
        assert others["x"].link == 3
        # `known` is out of date by now
        assert hall_log.append(connection, [("event:x", 1, "d")], known)["x"].link == 4
        stale = {"x": Head(1, "0" * 64)}
        with pytest.raises(Inconsistent):
            hall_log.append(connection, [("event:x", 1, "d")], stale)
    with database.reading() as connection:
        sealed = [
            record
            for stream in ("event:x", "game:x-1-1", "game:x-1-2")
            for record in hall_log.read_sealed(connection, stream)
        ]
        assert hall_log.last_written(connection, "event:x") == 1
        assert hall_log.last_written(connection, "event:y") is None
    by_link = sorted(sealed, key=lambda record: record.link)
    assert all(record.is_whole for record in sealed)
    assert [record.body for record in by_link] == ["a", "b", "c", "d"]
    assert [record.previous for record in by_link[1:]] == [r.hash for r in by_link[:-1]]


def go_back(database: Database, to: str) -> None:
    with database.writing() as connection:
        config = configuration()
        config.attributes["connection"] = connection
        command.downgrade(config, to)


@BOTH
def test_what_was_there_before_is_chained_and_can_be_taken_back(
    empty_url: Callable[[str], str], kind: str
) -> None:
    database = Database(empty_url(kind))
    migrate(database, BEFORE)
    rows = [("event:x", 0, "{è}"), ("event:x", 1, "1"), ("game:x-1-1", 0, "0")]
    with database.writing() as connection:
        for number in (1, 2, 5):  # a number that a transaction took and gave up
            connection.execute(
                text("INSERT INTO audit VALUES (:n, 'at', NULL, '', '', 'x', 'è', 'done', '{}')"),
                {"n": number},
            )
        for stream, number, body in rows:
            connection.execute(
                text("INSERT INTO hall_log VALUES (:s, :n, :b)"),
                {"s": stream, "n": number, "b": body},
            )
        connection.execute(text("INSERT INTO ledger VALUES (1, '', 1, 'x', '{}', '', 'h')"))
    migrate(database)
    with database.reading() as connection:
        chained = audited(connection)
        assert [row[0] for row in chained] == [1, 2, 5]
        assert is_chained(chained)
        found = [Sealed(*row) for row in connection.execute(select(t.hall_log))]
        heads = connection.execute(select(t.hall_heads).order_by("stream")).all()
        assert chain_heads.get(connection, chain_heads.LEDGER) == (1, "h")
    assert all(record.is_whole for record in found)
    assert sorted(record[:3] for record in found) == rows
    assert [(row.stream, row.number, row.link) for row in heads] == [
        ("event:x", 1, 2),
        ("game:x-1-1", 0, 3),
    ]
    with database.writing() as connection:
        assert note(connection) == 6
        hall_log.append(connection, [("game:x-1-1", 1, "1")])
    go_back(database, BEFORE)
    with database.reading() as connection:
        assert revision(connection) == BEFORE
        assert connection.execute(text("SELECT count(*) FROM audit")).scalar() == 4
        kept = connection.execute(text("SELECT * FROM hall_log ORDER BY stream, number")).all()
    assert [tuple(row) for row in kept] == [*rows, ("game:x-1-1", 1, "1")]
    migrate(database)
    with database.reading() as connection:
        assert revision(connection) == HEAD
        assert is_chained(audited(connection))
    with pytest.raises(Exception, match="written once"), database.writing() as connection:
        connection.execute(text("DELETE FROM audit"))
    database.close()
