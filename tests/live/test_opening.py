"""A hall in an office: its logs beside the office's database, its events on the office's list."""

from __future__ import annotations

import asyncio
import sys
from contextlib import closing
from datetime import date
from pathlib import Path

from litestar import Litestar

from arrocco.desk import Office
from arrocco.hall.event.acts.closing import CloseEvent
from arrocco.hall.event.creation import Create
from arrocco.live.analysis import Thinking
from arrocco.live.hall import Hall
from arrocco.live.index import CLOSED, OPEN, OfficeIndex
from arrocco.live.sqlite_log import SqliteLog
from arrocco.store.sql import hall_events, seals
from arrocco.store.sql.database import Database, sqlite_url
from arrocco.store.sql.tables import accounts, metadata
from arrocco.web.hall_app import HANDLERS, hall_of_app
from arrocco.web.routes import PERMISSION
from tests.live.stage import by_material

OWNER = 5
DAY = date(2026, 11, 16)


def office(folder: Path) -> Database:
    database = Database(sqlite_url(folder))
    with database.writing() as connection:
        metadata.create_all(connection)
        owner = {
            "id": OWNER,
            "email": "a@example.org",
            "name": "A",
            "password_hash": "x",
            "role": "arbiter",
            "created_at": "2026-11-16",
        }
        seals.insert(connection, accounts, owner)
    return database


def hall_of(folder: Path, database: Database) -> Hall:
    store = SqliteLog(folder / "hall.sqlite")
    return Hall(store, Thinking(by_material), index=OfficeIndex(database))


def status(database: Database) -> str:
    with database.reading() as connection:
        listed = hall_events.get(connection, "open")
    assert listed is not None
    return listed.status


def test_the_list_of_events_has_as_much_of_a_name_as_it_can_keep(tmp_path: Path) -> None:
    database = office(tmp_path)

    async def scene() -> None:
        hall = hall_of(tmp_path, database)
        await hall.start()
        create = Create(by=str(OWNER), event="open", name="x" * 2000, start=DAY, end=DAY)
        assert not (await hall.create_event(create)).objections
        await hall.stop()

    asyncio.run(scene())
    with database.reading() as connection:
        listed = hall_events.get(connection, "open")
    database.close()
    assert listed is not None
    assert listed.name == "x" * 300


def test_events_under_way_are_opened_and_closed_ones_only_when_asked_for(tmp_path: Path) -> None:
    database = office(tmp_path)

    async def scene() -> None:
        hall = hall_of(tmp_path, database)
        await hall.start()
        create = Create(by=str(OWNER), event="open", name="Open", start=DAY, end=DAY)
        await hall.create_event(create)
        assert status(database) == OPEN
        await hall.stop()
        hall = hall_of(tmp_path, database)
        await hall.start()
        assert list(hall.events) == ["open"]
        await hall.events["open"].ask(CloseEvent(by=str(OWNER), reason="rain"))
        await hall.stop()
        assert status(database) == CLOSED
        hall = hall_of(tmp_path, database)
        await hall.start()
        assert list(hall.events) == []
        assert await hall.find_event("open") is not None
        assert await hall.find_event("none") is None
        await hall.stop()

    asyncio.run(scene())


def test_an_application_has_a_hall_as_long_as_it_lives(tmp_path: Path) -> None:
    before = sys.getswitchinterval()

    async def scene() -> None:
        app = Litestar([], openapi_config=None, logging_config=None)
        with closing(Office.open(tmp_path)) as opened:
            app.state.office = opened
            async with hall_of_app(app):
                assert isinstance(app.state.live, Hall)
                assert sys.getswitchinterval() < before
        assert sys.getswitchinterval() == before

    asyncio.run(scene())
    assert (tmp_path / "hall.sqlite").exists()
    assert not (tmp_path / "hall.sqlite-wal").exists(), "it was closed"


def test_every_handler_of_the_hall_names_its_permission() -> None:
    assert all(handler.opt.get(PERMISSION) for handler in HANDLERS)
