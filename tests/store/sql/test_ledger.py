"""The ledger: no gaps, every entry chained, and every touch noticed."""

from __future__ import annotations

from datetime import timedelta, timezone
from threading import Thread

import pytest
from sqlalchemy import text

from arrocco.errors import Inconsistent
from arrocco.office.ledger import (
    FIRST_HASH,
    Entered,
    ListImported,
    PlayersMerged,
    ReportAccepted,
    chained,
)
from arrocco.store.sql import ledger
from arrocco.store.sql.database import Database
from arrocco.words import LANGUAGES
from tests.store.sql.people import NOW, an_entry


def fill(database: Database, count: int) -> list[Entered]:
    with database.writing() as connection:
        return [
            ledger.append(connection, NOW + timedelta(seconds=n), n, an_entry(n))
            for n in range(1, count + 1)
        ]


def test_entries_are_numbered_and_chained(database: Database) -> None:
    added = fill(database, 7)
    assert [one.seq for one in added] == list(range(1, 8))
    previous = FIRST_HASH
    for one in added:
        assert one.previous == previous
        assert one.hash == chained(one.seq, one.at, one.by, one.entry, previous)
        previous = one.hash
    with database.reading() as connection:
        assert list(ledger.read(connection)) == added
        assert list(ledger.read(connection, 5)) == added[4:]
        assert ledger.head(connection) == added[-1]
        assert ledger.head_seq(connection) == 7
        assert ledger.get(connection, 3) == added[2]
        assert ledger.get(connection, 8) is None
        assert ledger.check_chain(connection) == 7


def test_an_empty_ledger_has_no_head_and_an_unbroken_chain(database: Database) -> None:
    with database.reading() as connection:
        assert ledger.head(connection) is None
        assert ledger.head_seq(connection) == 0
        assert ledger.check_chain(connection) == 0
        assert list(ledger.read(connection)) == []


def test_entries_are_found_by_kind(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ledger, "_AT_ONCE", 2)
    added = fill(database, 8)
    with database.reading() as connection:
        merged = list(ledger.of_kind(connection, PlayersMerged))
        assert merged == [one for one in added if isinstance(one.entry, PlayersMerged)]
        assert merged
        both = list(ledger.of_kind(connection, PlayersMerged, ReportAccepted, from_seq=3))
        assert both == added[2:]
        assert list(ledger.of_kind(connection, ListImported)) == []
        assert ledger.check_chain(connection) == 8


def test_a_moment_of_another_zone_is_the_same_moment(database: Database) -> None:
    elsewhere = NOW.astimezone(timezone(timedelta(hours=5, minutes=30)))
    with database.writing() as connection:
        added = ledger.append(connection, elsewhere, 1, an_entry(1))
    with database.reading() as connection:
        assert ledger.head(connection) == added
        assert ledger.check_chain(connection) == 1


def test_many_writers_leave_no_gap(database: Database) -> None:
    failures: list[Exception] = []

    def write(by: int) -> None:
        try:
            for step in range(4):
                with database.writing() as connection:
                    ledger.append(connection, NOW, by, an_entry(step))
                    if step == 2:
                        ledger.append(connection, NOW, by, an_entry(step + 1))
        except Exception as error:
            failures.append(error)

    threads = [Thread(target=write, args=(by,)) for by in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    with database.reading() as connection:
        assert ledger.check_chain(connection) == 30


def test_an_entry_that_was_not_committed_leaves_its_number_to_the_next(database: Database) -> None:
    def fail() -> None:
        with database.writing() as connection:
            ledger.append(connection, NOW, 1, an_entry(1))
            raise RuntimeError("no")

    fill(database, 2)
    with pytest.raises(RuntimeError):
        fail()
    with database.writing() as connection:
        assert ledger.append(connection, NOW, 1, an_entry(1)).seq == 3
    with database.reading() as connection:
        assert ledger.check_chain(connection) == 3


@pytest.mark.parametrize(
    "touch",
    [
        "UPDATE ledger SET body = replace(body, 'così 4', 'mai 4') WHERE seq = 4",
        "UPDATE ledger SET body = replace(body, ':', ': ') WHERE seq = 4",
        "UPDATE ledger SET body = 'x' WHERE seq = 4",
        "UPDATE ledger SET by = 9 WHERE seq = 4",
        "UPDATE ledger SET kind = 'report_accepted' WHERE seq = 4",
        "UPDATE ledger SET at = '2026-03-01T12:30:19.250001+00:00' WHERE seq = 4",
        "UPDATE ledger SET at = '2026-03-01T14:30:19.250000+02:00' WHERE seq = 4",
        "UPDATE ledger SET at = 'yesterday' WHERE seq = 4",
        "UPDATE ledger SET hash = 'f' WHERE seq = 4",
        "UPDATE ledger SET previous = 'f' WHERE seq = 4",
        "DELETE FROM ledger WHERE seq = 4",
        "UPDATE ledger SET seq = 40 WHERE seq = 4",
    ],
)
def test_every_touch_breaks_the_chain_where_it_was_made(database: Database, touch: str) -> None:
    fill(database, 6)
    with database.writing() as connection:  # as somebody with the keys of the database could
        if database.is_sqlite:
            for trigger in ("ledger_no_update", "ledger_no_delete"):
                connection.execute(text(f"DROP TRIGGER {trigger}"))
        else:
            connection.execute(text("SET LOCAL session_replication_role = replica"))
        connection.exec_driver_sql(touch)
    with database.reading() as connection, pytest.raises(Inconsistent) as refused:
        ledger.check_chain(connection)
    assert refused.value.details == {"seq": 4}
    for language in LANGUAGES:
        assert "4" in refused.value.said(language)[0]
