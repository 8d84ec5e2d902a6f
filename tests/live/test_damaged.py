"""A damaged hall: what is whole is opened and played, what is not stands still and is named."""

from __future__ import annotations

import asyncio
import logging
import shutil
import sqlite3
from collections.abc import Callable, Coroutine
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from litestar.testing import TestClient

from arrocco.desk import Office
from arrocco.hall.chain import DamagedLog
from arrocco.hall.game import commands as c
from arrocco.live.damage import HallDamaged
from arrocco.live.opening import open_hall
from arrocco.live.sqlite_log import SqliteLog
from arrocco.store.sql.database import Database, sqlite_url
from tests.live import stage
from tests.operation.verify.furnished import furnish, hall_of, without_triggers
from tests.operation.verify.test_verify import garbage_pages
from tests.web.apps import app_of

REWRITTEN = (
    'UPDATE hall_log SET body = replace(body, \'"uci":"\', \'"uci":"a\')'
    " WHERE stream = 'game:cup-1-3' AND number = 9"
)


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return furnish(tmp_path_factory.mktemp("furnished") / "office")


@pytest.fixture
def folder(original: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(original, tmp_path / "office"))


def started(folder: Path, play: Callable[[stage.Stage], Coroutine[Any, Any, None]]) -> None:
    """Starts the hall of an office and does something in it."""
    database = Database(sqlite_url(folder))

    async def scene() -> None:
        on_stage = stage.Stage(cast(Any, SimpleNamespace()))
        on_stage.hall = hall_of(database, folder)
        await on_stage.hall.start()
        await play(on_stage)
        await on_stage.hall.stop()

    asyncio.run(scene())
    database.close()


def test_a_damaged_game_is_not_continued_and_the_others_are(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    assert without_triggers(folder / "hall.sqlite", REWRITTEN) == 1

    async def play(on_stage: stage.Stage) -> None:
        hall = on_stage.hall
        assert set(hall.events) == {"open", "cup"}
        assert "cup-1-3" not in hall.rooms
        assert "cup-1-4" in hall.rooms
        assert hall.damaged.boards(hall.events["cup"].state) == (3,)
        with pytest.raises(DamagedLog):
            await hall.find_room("cup-1-3")
        chief = on_stage.connect(stage.CHIEF)
        chief.say(type="join", game="cup-1-3")
        await asyncio.sleep(0.2)
        assert "hall_live.damaged.rewritten" in {one.get("key") for one in await chief.hear()}
        game = hall.rooms[stage.GAME]
        assert (await game.answer(c.Start(by=stage.ARBITER))).refusal is None

    with caplog.at_level(logging.ERROR):
        started(folder, play)
    assert "game:cup-1-3" in caplog.text
    with closing(sqlite3.connect(folder / "hall.sqlite")) as connection:
        count = "SELECT count(*) FROM hall_log WHERE stream = 'game:cup-1-3'"
        before = connection.execute(count).fetchone()
    started(folder, _nothing)
    with closing(sqlite3.connect(folder / "hall.sqlite")) as connection:
        assert connection.execute(count).fetchone() == before


async def _nothing(_: stage.Stage) -> None:
    """Starts and stops."""


def test_a_damaged_event_leaves_the_other_to_be_played(folder: Path) -> None:
    statement = "DELETE FROM hall_log WHERE stream = 'event:open' AND number = 4"
    assert without_triggers(folder / "hall.sqlite", statement) == 1

    async def play(on_stage: stage.Stage) -> None:
        assert set(on_stage.hall.events) == {"cup"}
        assert "event:open" in on_stage.hall.damaged
        with pytest.raises(DamagedLog):
            await on_stage.hall.find_event("open")

    started(folder, play)


@pytest.mark.parametrize("seed", range(5))
def test_damaged_pages_keep_no_hall_from_starting(folder: Path, seed: int) -> None:
    garbage_pages(folder / "hall.sqlite", 6, seed)
    try:
        SqliteLog(folder / "hall.sqlite").close()
    except sqlite3.DatabaseError:
        return  # its tables are gone: see below
    started(folder, _nothing)


def test_a_file_that_is_no_database_leaves_the_office_to_be_used(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = folder / "hall.sqlite"
    path.write_bytes(b"no more" + path.read_bytes()[7:])
    office = Office.open(folder)

    async def opened() -> None:
        open_hall(folder, office.desk.database)

    with caplog.at_level(logging.ERROR), pytest.raises(HallDamaged):
        asyncio.run(opened())
    assert "hall.sqlite is damaged" in caplog.text
    with TestClient(app_of(office, with_hall=True)) as client:
        assert client.get("/en").status_code == 200
        assert client.get("/en/lists/fide").status_code == 200
        for page in ("/en/hall/open", "/en/hall/game/open-1-1", "/it/hall/cup"):
            answer = client.get(page)
            assert answer.status_code == 503, page
            assert "office verify" in answer.text
        assert client.get("/api/v1/hall/events/open").status_code == 503
    office.close()
