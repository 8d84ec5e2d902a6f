"""The hall on both databases: a round is played, the server starts again, a backup has it all."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from arrocco.errors import Refusal
from arrocco.hall import event as ev
from arrocco.hall.event.acts.rounds import CloseRound
from arrocco.hall.game import Phase
from arrocco.live.analysis import Thinking
from arrocco.live.database_log import DatabaseLog
from arrocco.live.hall import Hall
from arrocco.live.index import OfficeIndex
from arrocco.live.journal import LogStore, Record
from arrocco.live.sqlite_log import SqliteLog
from arrocco.store.backup import backup
from arrocco.store.hall_file import hall_file
from arrocco.store.restore import restore
from arrocco.store.sql import seals
from arrocco.store.sql.database import Database
from arrocco.store.sql.tables import accounts
from tests.databases import *  # noqa: F403
from tests.live.stage import (
    CHIEF,
    ORGANISER,
    Stage,
    VirtualTime,
    by_material,
    event,
    open_round,
    start_round,
)

FIRST = "open-1-1"


def store_of(database: Database, folder: Path) -> LogStore:
    return SqliteLog(hall_file(folder)) if database.is_sqlite else DatabaseLog(database)


def hall_of(database: Database, folder: Path, time: VirtualTime) -> Stage:
    """A stage whose logs are where an office on that database has them."""
    stage = Stage(cast(Any, SimpleNamespace()), time)
    stage.hall = Hall(
        store_of(database, folder), Thinking(by_material), time=time, index=OfficeIndex(database)
    )
    return stage


def with_organiser(database: Database) -> None:
    with database.writing() as connection:
        owner = {
            "id": int(ORGANISER),
            "email": "a@example.org",
            "name": "A",
            "password_hash": "x",
            "role": "arbiter",
            "created_at": "2026-11-16",
        }
        seals.insert(connection, accounts, owner)


def test_records_are_written_together_or_not_at_all_and_read_in_order(
    database: Database, tmp_path: Path
) -> None:
    store = store_of(database, tmp_path)
    store.append([Record("game:a-1-1", n, f'{{"n":{n},"è":1}}'.encode()) for n in range(12)])
    store.append([Record("event:a", 0, b"{}"), Record("game:a-1-2", 0, b"{}")])
    with pytest.raises(Exception, match=r".") as taken:
        store.append([Record("event:a", 1, b"{}"), Record("game:a-1-1", 3, b"{}")])
    assert isinstance(taken.value, Refusal) is not database.is_sqlite
    assert store.read("event:a") == [b"{}"], "nothing of a write that failed is there"
    assert store.read("game:a-1-1") == [f'{{"n":{n},"è":1}}'.encode() for n in range(12)]
    assert store.read("none") == []
    assert store.streams("game:") == ["game:a-1-1", "game:a-1-2"]
    assert store.streams("game:a-1-2") == ["game:a-1-2"]
    assert store.streams("x") == []
    store.close()


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_round_outlives_the_server_and_a_backup_of_it(
    database: Database, empty_url: Callable[[str], str], tmp_path: Path, kind: str
) -> None:
    with_organiser(database)
    office = tmp_path / "office"
    office.mkdir()
    time = VirtualTime()

    async def play() -> list[bytes]:
        stage = hall_of(database, office, time)
        await stage.hall.start()
        room = await event(stage, players=4)
        await open_round(stage, room)
        white, black = stage.connect("1"), stage.connect("2")
        for client in (white, black):
            await client.join(FIRST)
        await start_round(stage)
        assert (await white.wish("move", FIRST, uci="e2e4", ply=0))["type"] == "done"
        assert (await black.wish("move", FIRST, uci="e7e5", ply=1))["type"] == "done"
        assert (await black.wish("resign", FIRST))["type"] == "done"
        backup(office, database, tmp_path / "live.zip")  # while the other board is on
        log = await stage.hall.journal.read("event:open")
        await stage.hall.stop()
        return log

    async def play_on(again: Database, folder: Path) -> list[bytes]:
        stage = hall_of(again, folder, time)
        await stage.hall.start()
        state = stage.hall.events["open"].state
        board = state.board(1, 1)
        assert board is not None
        assert board.result is not None
        assert board.result.points == (10, 0)
        assert stage.hall.rooms["open-1-2"].state.phase is Phase.PAUSED
        log = await stage.hall.journal.read("event:open")
        chief = stage.connect(CHIEF)
        await chief.join("open-1-2")
        assert (await chief.wish("resume", "open-1-2", reason="back"))["type"] == "done"
        outcome = await stage.hall.events["open"].ask(CloseRound(by=CHIEF))
        assert outcome.objections[0].key == "event.results_missing"
        await stage.hall.stop()
        return log

    written = asyncio.run(play())
    assert [ev.decode(line).v for line in written]
    url = empty_url(kind)
    restore(tmp_path / "live.zip", tmp_path / "new", url)
    restored = Database(url)
    assert asyncio.run(play_on(restored, tmp_path / "new")) == written
    restored.close()
    assert asyncio.run(play_on(database, office)) == written
