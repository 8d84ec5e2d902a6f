"""The logs of the hall: many streams in one go, in order, never twice."""

from __future__ import annotations

from datetime import date

import pytest

from arrocco.errors import Inconsistent
from arrocco.store.sql import hall_events, hall_log
from arrocco.store.sql.database import Database
from arrocco.store.sql.hall_events import HallEvent
from tests.store.sql.people import HOUR, NOW, an_account


def test_records_of_many_streams_go_in_together(database: Database) -> None:
    with database.writing() as connection:
        hall_log.append(
            connection, [("game:a", 0, "{}"), ("event:x", 0, "{è}"), ("game:a", 1, "1")]
        )
        hall_log.append(connection, [("game:b", 0, "b0"), ("game:a", 2, "2")])
        hall_log.append(connection, [])
    with database.reading() as connection:
        assert hall_log.read(connection, "game:a") == [(0, "{}"), (1, "1"), (2, "2")]
        assert hall_log.read(connection, "game:a", 2) == [(2, "2")]
        assert hall_log.read(connection, "event:x") == [(0, "{è}")]
        assert hall_log.read(connection, "event:y") == []
        assert hall_log.last_number(connection, "game:a") == 2
        assert hall_log.last_number(connection, "event:y") is None


@pytest.mark.parametrize(
    "records",
    [
        [("game:b", 0, "new"), ("game:a", 1, "other")],
        [("game:a", 1, "old")],
        [("game:c", 0, "x"), ("game:c", 0, "y")],
    ],
)
def test_a_number_that_is_taken_refuses_all_of_them(
    database: Database, records: list[tuple[str, int, str]]
) -> None:
    with database.writing() as connection:
        hall_log.append(connection, [("game:a", 0, "old"), ("game:a", 1, "old")])
    with pytest.raises(Inconsistent) as refused, database.writing() as connection:
        hall_log.append(connection, records)
    assert refused.value.key == "sql.refused.stream_moved_on"
    assert refused.value.details["stream"] == records[-1][0]
    with database.reading() as connection:
        assert hall_log.streams(connection) == ["game:a"]
        assert hall_log.read(connection, "game:a") == [(0, "old"), (1, "old")]


def test_streams_are_found_by_how_they_begin(database: Database) -> None:
    names = [
        "event:a",
        "event:b",
        "game:A",
        "game:Z",
        "game:a-1",
        "game:a1",
        "game:a_1",
        "gamf",
        "é",
    ]
    with database.writing() as connection:
        for name in names:
            hall_log.append(connection, [(name, number, "") for number in range(3)])
    with database.reading() as connection:
        assert hall_log.streams(connection) == names
        assert hall_log.streams(connection, "game:") == names[2:7]
        assert hall_log.streams(connection, "game:a") == names[4:7]
        assert hall_log.streams(connection, "game:a_") == ["game:a_1"]
        assert hall_log.streams(connection, "%") == []
        assert hall_log.streams(connection, "zzz") == []


def test_events_are_listed_and_found(database: Database) -> None:
    with database.writing() as connection:
        anna, bruno = an_account(connection).id, an_account(connection, "b@example.org").id
        events = [
            HallEvent(
                id=f"e{number}",
                name=f"Blitz {number}",
                owner=anna if number else bruno,
                status="open" if number % 2 else "over",
                start=date(2026, 3, 1 + number),
                created_at=NOW + number * HOUR,
            )
            for number in range(4)
        ]
        for event in events:
            hall_events.add(connection, event)
        with pytest.raises(Inconsistent) as refused:
            hall_events.add(connection, events[0])
        assert refused.value.key == "sql.refused.event_there_already"
        assert hall_events.get(connection, "e2") == events[2]
        assert hall_events.get(connection, "e9") is None
        assert hall_events.search(connection) == (4, events[::-1])
        assert hall_events.search(connection, status=["open"]) == (2, [events[3], events[1]])
        assert hall_events.search(connection, owner=bruno) == (1, events[:1])
        days = hall_events.search(
            connection, from_day=date(2026, 3, 2), to_day=date(2026, 3, 3), limit=1
        )
        assert days == (2, [events[2]])
        assert hall_events.change(connection, "e2", status="open")
        assert hall_events.change(connection, "e2")
        assert not hall_events.change(connection, "e9", name="x")
        assert not hall_events.change(connection, "e9")
        assert hall_events.search(connection, status=["open"])[0] == 3
