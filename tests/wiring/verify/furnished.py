"""An office with something of every kind: lists, a draft, views, an audit, a hall that played."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from datetime import date
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, cast

import pytest
from argon2 import PasswordHasher
from sqlalchemy import insert

from arrocco.hall.event import commands as ec
from arrocco.hall.game import commands as c
from arrocco.laws.online.side import Side
from arrocco.store.backup import backup
from arrocco.store.hall_file import hall_file
from arrocco.store.sql.database import Database
from arrocco.store.sql.tables import accounts
from arrocco.wiring.hall.database_log import DatabaseLog
from arrocco.wiring.hall.hall import Hall
from arrocco.wiring.hall.index import OfficeIndex
from arrocco.wiring.hall.journal import LogStore
from arrocco.wiring.hall.room import Room
from arrocco.wiring.hall.sqlite_log import SqliteLog
from arrocco.wiring.hall.thinking import Thinking
from arrocco.wiring.office import Office, passwords
from arrocco.wiring.watching import Watching
from tests.wiring.hall import stage
from tests.wiring.office.offices import (
    Clock,
    People,
    accepted,
    people_of,
    published,
    report,
    write_opening,
)

MAY, JUNE, JULY = (date(2025, month, 1) for month in (5, 6, 7))
PLAYERS, MOVES = 16, 24
BOARDS = PLAYERS // 2


def furnish(folder: Path, database: str = "") -> Path:
    """Makes the office in a folder, and gives the folder."""
    clock = Clock()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(passwords, "_HASHER", PasswordHasher(1, 64, 1))
        office = Office.open(folder, database=database, now=clock)
        people = people_of(office)
        _lists(office, clock, people, folder.parent)
        _audit(office, people)
        play(office.desk.database, folder)
        (folder / "backups").mkdir()
        backup(folder, office.desk.database, folder / "backups" / "one.zip")
        office.close()
    return folder


def _lists(office: Office, clock: Clock, people: People, beside: Path) -> None:
    opening = write_opening(beside / "fide.csv")
    office.lists.import_list(people.administrator, "fide", MAY, opening)
    accepted(office, clock, people, report(1, date(2025, 5, 8)), ("fide",))
    published(office, people, "fide", JUNE)
    accepted(office, clock, people, report(2, date(2025, 6, 8)), ("fide",))
    number = office.lists.enter_draft(people.administrator, "fide", JULY)
    assert office.lists.run_draft(number).status.value == "ready"
    office.lists.view("fide", JUNE)
    assert Watching(office).of("fide", patience=30).tables is not None


def _audit(office: Office, people: People) -> None:
    for number in range(80):
        with office.desk.acting(people.root, "look_around", f"thing:{number}"):
            pass


def hall_of(database: Database, folder: Path) -> Hall:
    store: LogStore
    store = SqliteLog(hall_file(folder)) if database.is_sqlite else DatabaseLog(database)
    time = stage.VirtualTime()
    return Hall(store, Thinking(stage.by_material), time=time, index=OfficeIndex(database))


def play(database: Database, folder: Path) -> None:
    """Two events with a round each, played to the end and left open, and a game of no event."""
    with database.writing() as connection:
        connection.execute(
            insert(accounts).values(
                id=int(stage.ORGANISER), email="o@example.org", name="O", password_hash="x",
                role="arbiter", created_at="2025-05-01",
            )
        )  # fmt: skip

    async def scene() -> None:
        on_stage = stage.Stage(cast(Any, SimpleNamespace()))
        hall = on_stage.hall = hall_of(database, folder)
        on_stage.time = cast(stage.VirtualTime, hall.time)
        await hall.start()
        for name in ("open", "cup"):
            event = await stage.event(on_stage, players=PLAYERS, name=name)
            rooms = await stage.open_round(on_stage, event)
            for seed, room in enumerate(rooms):
                await _play(room, Random(seed))
        event = hall.events["open"]
        assert not (await event.ask(ec.CloseRound(by=stage.CHIEF))).objections
        await hall.create_game(stage.created())
        await hall.stop()

    asyncio.run(scene())


async def _play(room: Room, rng: Random) -> None:
    await room.answer(c.Start(by=""))
    for side in Side:
        await room.answer(c.Connect(by=room.state.seat(side).player.id))
    for _ in range(MOVES):
        state = room.state
        move = rng.choice(list(state.board.legal_moves))
        player = state.seat(state.turn).player.id
        answer = await room.answer(c.Move(by=player, uci=move.uci(), ply=state.ply))
        assert answer.refusal is None
        if room.state.outcome is not None:
            return
    await room.answer(c.Resign(by=room.state.seat(room.state.turn).player.id))


def without_triggers(path: Path, *statements: str) -> int:
    """Changes a SQLite file as who takes its triggers away could; how many rows were touched."""
    touched = 0
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        kept = connection.execute(
            "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"
        ).fetchall()
        for name, _ in kept:
            connection.execute(f"DROP TRIGGER {name}")
        for statement in statements:
            touched += connection.execute(statement).rowcount
        for _, made in kept:
            connection.execute(made)
    return touched
