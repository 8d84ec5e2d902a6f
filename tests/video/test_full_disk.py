"""The disk of the recordings is full, for real: told, shown on, and no player pays for it."""

from __future__ import annotations

import asyncio
import resource
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from arrocco.hall.event.acts.consent import WORDS, ConsentToVideo
from arrocco.hall.event.rules import Supervision
from arrocco.hall.game.acts.pause import Paused
from arrocco.hall.game.log import decode
from arrocco.live.log_reader import SqliteLogReader
from arrocco.store.hall_file import hall_file
from arrocco.video import recordings as recordings_module
from arrocco.video.chain import slice_hash
from arrocco.video.janus.tracks import Track
from arrocco.video.recordings import FOLDER, Recordings, recordings_of
from arrocco.video.settings import KEEP_FREE, VideoSettings
from arrocco.video.verification import verify
from tests.serving import EVENT, make_office, open_round, seated, serving
from tests.video.full_disk import BALLAST, fill, fill_names, small_disk
from tests.video.test_faults_process import game, moves
from tests.video.test_video_process import (
    BLACK,
    CHIEF,
    GAME,
    WHITE,
    Here,
    Player,
    hear,
    play,
    say,
)
from tests.video.tracks import PICTURE

FULL_TIME = 300_000
SLACK = 1_000
"""Milliseconds that the server may give back for its own lateness."""
BLOCK = 4096


@contextmanager
def supervised(tmp_path: Path, options: str) -> Iterator[Here]:
    """A supervised board, whose recordings have a disk of their own; the logs have another."""
    folder = tmp_path / "office"
    tokens = make_office(folder, 3)
    with small_disk(folder / FOLDER, options), serving(folder) as server:

        async def made() -> None:
            await open_round(server.hall, 1, supervision=Supervision.FULL)
            for account in ("2", "3"):
                consent = ConsentToVideo(by=account, words=WORDS)
                assert not (await server.hall.ask(EVENT, consent)).objections

        asyncio.run(made())
        yield Here(server, tokens)


@pytest.fixture(autouse=True)
def to_the_last_byte(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is kept free, so that the disk itself refuses."""
    monkeypatch.setenv(KEEP_FREE, "0")


def nobody_paid(here: Here) -> None:
    """The clocks ran as ever, nobody was off, nothing was imposed, and the video was not gone."""
    state = game(here)
    logs = SqliteLogReader(hall_file(here.server.folder))
    log = [decode(line) for line in logs.read(f"game:{GAME}")]
    logs.close()
    assert not any(isinstance(event, Paused) for event in log), "no clock was stopped"
    assert state.is_supervised
    assert not state.acts
    assert not state.white.vcs.gaps
    assert not state.black.vcs.gaps
    last = state.moves[-1]
    assert state.started is not None
    used = 2 * FULL_TIME - last.white - last.black
    assert abs(last.at - state.started - used) <= SLACK


def is_unkept(told: Any) -> bool:
    players = told["players"]
    return len(players) == 2 and all(one["not_recorded"] == "disk" for one in players)


def test_a_disk_that_fills_up_stops_no_picture_no_clock_and_no_move(tmp_path: Path) -> None:
    async def scene(here: Here) -> None:
        disk = here.server.folder / FOLDER
        async with here.page(WHITE) as one, here.page(BLACK) as two, here.page(CHIEF) as chief:
            players = Player(one), Player(two)
            await say(chief, type="follow", event=EVENT)
            for player in players:
                await player.join()
                await player.send(0)
                await player.send(1)
            sending = [asyncio.create_task(player.send_on()) for player in players]
            _, at_white, at_black = await seated(here.server, here.tokens, 1)
            await moves(at_white, "e2e4", 0)
            video = here.server.pid("video")

            await asyncio.to_thread(fill, disk)
            for page in (one, two):
                told = await hear(page, "status", lambda told: not told["recorded"])
                assert told["on"]
            present = await hear(chief, "present", is_unkept)
            assert all(one["on"] for one in present["players"])
            await moves(at_black, "e7e5", 1)
            await say(chief, type="watch", event=EVENT, entry=1, kind="camera")
            assert b"webm" in await hear(chief, "bytes")
            await moves(at_white, "g1f3", 2)
            assert shutil.disk_usage(disk).free == 0, "it is full still"
            nobody_paid(here)

            (disk / BALLAST).unlink()  # what begins after that is kept again
            for task in sending:
                task.cancel()
            await asyncio.gather(*sending, return_exceptions=True)
            await asyncio.sleep(recordings_module.LOOK_AT_DISK + 0.2)
            await players[1].join()
            await players[1].send(0)
            kept = players[1].senders["camera"].recording
            await hear(two, "status", lambda told: told["recorded"])
            assert here.server.pid("video") == video, "it was never gone"
            for board in (at_white, at_black):
                await board.close()
        every = recordings_of(disk, EVENT)
        assert kept in every
        checked = [verify(disk, EVENT, name) for name in every]
        assert all(one.fault is None for one in checked), checked
        assert all(one.slices for one in checked if one.recording.endswith("camera-1"))

    with supervised(tmp_path, "size=8m") as here:
        play(lambda: scene(here))


def no_file_can_be_made(here: Here) -> None:
    fill_names(here.server.folder / FOLDER)


def no_file_can_grow(here: Here) -> None:
    """As on a disk whose quota is not one of ours (`EFBIG`)."""
    resource.prlimit(here.server.pid("video"), resource.RLIMIT_FSIZE, (1, 1))


@pytest.mark.parametrize(
    "fault", [pytest.param(no_file_can_be_made, marks=pytest.mark.soak), no_file_can_grow]
)
def test_who_joins_when_nothing_can_be_kept_is_seen_and_plays(
    tmp_path: Path, fault: Callable[[Here], None]
) -> None:
    async def scene(here: Here) -> None:
        async with here.page(WHITE) as one, here.page(BLACK) as two, here.page(CHIEF) as chief:
            await say(chief, type="follow", event=EVENT)
            await hear(chief, "present")
            await asyncio.to_thread(fault, here)
            players = Player(one), Player(two)
            for player in players:
                await player.join()
                await player.send(0)
                await player.send(1)
            sending = [asyncio.create_task(player.send_on()) for player in players]
            await hear(chief, "present", is_unkept)
            await hear(chief, "present", lambda told: all(one["on"] for one in told["players"]))
            _, at_white, at_black = await seated(here.server, here.tokens, 1)
            await moves(at_white, "e2e4", 0)
            await moves(at_black, "e7e5", 1)
            nobody_paid(here)
            assert not any(task.done() for task in sending), "no socket was closed"
            for task in sending:
                task.cancel()
            for board in (at_white, at_black):
                await board.close()

    with supervised(tmp_path, "size=4m,nr_inodes=64") as here:
        play(lambda: scene(here))


def test_half_a_slice_is_taken_away_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The disk fills up between two looks at it, and refuses in the middle of a slice."""
    monkeypatch.setattr(recordings_module, "LOOK_AT_DISK", 3600.0)
    with small_disk(tmp_path / "disk", "size=256k") as disk:
        store = Recordings(disk, VideoSettings(keep_free=0))
        recording = store.begin(EVENT, 1, "camera")
        data = bytes(BLOCK // 2)
        recording.add(data, slice_hash(recording.hash, data), 1, 1, 1)
        fill(disk, leave=BLOCK)
        data = bytes(4 * BLOCK)
        assert not store.objection(EVENT, recording.name, len(data)), "nobody knows of it yet"
        recording.add(data, slice_hash(recording.hash, data), 2, 1, 1)
        recording.close()
        assert recording.stopped == "disk"
        checked = verify(disk, EVENT, recording.name)
        assert (checked.slices, checked.bytes, checked.fault) == (1, BLOCK // 2, None)


def test_half_a_line_of_a_track_is_taken_away_again(tmp_path: Path) -> None:
    """Over Janus: what it wrote and nobody could chain is not kept either."""
    with small_disk(tmp_path / "disk", "size=256k") as disk:
        store = Recordings(disk, VideoSettings(keep_free=0))
        (disk / EVENT).mkdir()
        path = disk / EVENT / PICTURE.name
        shutil.copy(PICTURE, path)
        track = Track(store, EVENT, path)
        fill(disk)
        assert track.grow(1) == "disk"
        assert track.slices == 0
        track.trim()
        track.close()
        checked = verify(disk, EVENT, path.stem)
        assert (checked.slices, checked.fault) == (0, None)
