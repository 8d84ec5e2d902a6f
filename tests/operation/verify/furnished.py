"""An office with something of every kind: lists, a draft, views, an audit, a hall that played, and
what was recorded of it."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from contextlib import closing
from datetime import UTC, date, datetime
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, cast

import msgspec
import pytest
from argon2 import PasswordHasher

from arrocco.desk import Office, passwords
from arrocco.desk.list_statistics import Watching
from arrocco.desk.replay_files import ReplayFiles
from arrocco.desk.replay_records import Asked, Ended, Found, HowFar, ReplayStatus
from arrocco.hall.event.acts.rounds import CloseRound
from arrocco.hall.game import commands as c
from arrocco.hall.presence import RecordingHead
from arrocco.laws.online.side import Side
from arrocco.live.analysis import Thinking
from arrocco.live.anchors import AnchoredLog
from arrocco.live.database_log import DatabaseLog
from arrocco.live.hall import Hall
from arrocco.live.index import OfficeIndex
from arrocco.live.journal import LogStore
from arrocco.live.opening import log_reader
from arrocco.live.room import Room
from arrocco.live.server_time import as_datetime
from arrocco.live.sqlite_log import SqliteLog
from arrocco.office.replaying import Other
from arrocco.store import backup_record
from arrocco.store.backup import backup
from arrocco.store.backup_record import FailedBackup, LastBackup, Restored
from arrocco.store.engine_trouble import note_trouble
from arrocco.store.hall_file import hall_file
from arrocco.store.list_folder import LIST
from arrocco.store.sql import seals
from arrocco.store.sql.database import Database
from arrocco.store.sql.tables import accounts
from arrocco.video.chain import slice_hash
from arrocco.video.erasure import erase
from arrocco.video.recordings import FOLDER, Recordings
from arrocco.video.settings import VideoSettings
from arrocco.video.slices import SLICES, Slice
from tests.desk.offices import (
    Clock,
    People,
    accepted,
    people_of,
    published,
    report,
    write_opening,
)
from tests.live import stage
from tests.video import slices, tracks

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
        _records(folder)
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


def _records(folder: Path) -> None:
    """A replay that has ended, and what is noted of backups and of the engine."""
    replays = ReplayFiles(folder)
    at = datetime(2025, 6, 20, tzinfo=UTC)
    replays.add(
        Asked(
            number=1,
            system="fide",
            first=JUNE,
            last=JUNE,
            other=Other(law="fide"),
            by=1,
            name="A",
            at=at,
            ledger_seq=3,
        )
    )
    replays.note(1, HowFar(period=1, periods=1))
    shutil.copyfile(folder / "lists" / "fide" / JUNE.isoformat() / LIST, replays.players(1))
    replays.end(1, Ended(status=ReplayStatus.DONE, at=at, found=Found(reports=1, lists=[])))
    backup_record.note_backup(folder, LastBackup(at=at, file="elsewhere.zip", bytes=7))
    backup_record.note_failure(folder, FailedBackup(at=at, key="", text="the disk is full"))
    backup_record.note_restored(folder, Restored(recordings={"cup": 0}))
    note_trouble(folder, at, "no such program")


def _audit(office: Office, people: People) -> None:
    for number in range(80):
        with office.desk.acting(people.root, "look_around", f"thing:{number}"):
            pass


def record(kept: Path, event: str) -> list[RecordingHead]:
    """Two cameras of an event, as the program and as Janus records; their last slices."""
    recording = Recordings(kept, VideoSettings(keep_free=0)).begin(event, 1, "camera")
    for at, data in enumerate(slices.slices("camera")):
        recording.add(data, slice_hash(recording.hash, data), at, 0, 0)
    recording.close()
    tracks.recorded(kept, event, "2-camera-1", tracks.PICTURE)
    return [_head_of(path) for path in sorted((kept / event).glob(f"*{SLICES}"))]


def _head_of(path: Path) -> RecordingHead:
    line = msgspec.json.decode(path.read_bytes().splitlines()[-1], type=Slice)
    return RecordingHead(
        recording=path.stem, slices=line.number + 1, hash=line.hash, bytes=line.end
    )


def hall_of(database: Database, folder: Path) -> Hall:
    store: LogStore
    store = SqliteLog(hall_file(folder)) if database.is_sqlite else DatabaseLog(database)
    time = stage.VirtualTime()
    reader = log_reader(folder, database)
    store = AnchoredLog(store, reader, database, lambda: as_datetime(time.now()), every=0.2)
    return Hall(store, Thinking(stage.by_material), time=time, index=OfficeIndex(database))


def play(database: Database, folder: Path) -> None:
    """Two events with a round each, played to the end and left open, and a game of no event."""
    with database.writing() as connection:
        owner = {
            "id": int(stage.ORGANISER),
            "email": "o@example.org",
            "name": "O",
            "password_hash": "x",
            "role": "arbiter",
            "created_at": "2025-05-01",
        }
        seals.insert(connection, accounts, owner)

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
        assert not (await event.ask(CloseRound(by=stage.CHIEF))).objections
        await hall.create_game(stage.created())
        kept = folder / FOLDER
        await hall.keep_heads("open", record(kept, "open"))
        await hall.keep_heads("cup", record(kept, "cup"))
        erase(kept, "cup", "2025-06-20T12:00:00Z", "dora", "announced")
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
