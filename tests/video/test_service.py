"""What the video tells the hall, and when: a slow disk keeps it from nothing."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import cast

import pytest

from arrocco.hall.event.acts import Command
from arrocco.hall.presence import PlayerPresence, RecordingHead
from arrocco.live.event_room import CommandOutcome
from arrocco.live.reader import HallReader
from arrocco.video.engine import Engine
from arrocco.video.recordings import Recordings, recordings_of
from arrocco.video.segments import Segments
from arrocco.video.settings import VideoSettings
from arrocco.web import video_service
from arrocco.web.video_service import VideoService
from tests.video.slices import Sender, slices
from tests.video.test_engine import EVENT, Ear

NOBODY = cast(HallReader, None)
"""No event is read here."""


class SlowDisk(Recordings):
    """Whose `sync` takes as long as a test lets it."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, VideoSettings(keep_free=0))
        self.synced: list[str] = []
        self.is_quick = threading.Event()

    def sync(self, event: str, name: str) -> None:
        assert self.is_quick.wait(60)
        super().sync(event, name)
        self.synced.append(name)


class Hall:
    """What a hall hears."""

    def __init__(self, disk: SlowDisk) -> None:
        self.told = 0
        self.heads: list[str] = []
        self._disk = disk

    async def tell_presence(self, players: list[PlayerPresence]) -> list[tuple[str, str]]:
        self.told += len(players)
        return []

    async def tell_away(self) -> None:
        raise AssertionError("nothing is away")

    async def ask(self, event: str, command: Command) -> CommandOutcome:
        return CommandOutcome()

    async def keep_heads(self, event: str, heads: list[RecordingHead]) -> None:
        assert event == EVENT
        for head in heads:
            assert head.recording in self._disk.synced, "what the log has is on the disk"
            self.heads.append(head.recording)


async def until_told(hall: Hall, times: int) -> None:
    async with asyncio.timeout(60):
        while hall.told < times:
            await asyncio.sleep(0.01)


def test_while_the_disk_is_slow_the_hall_is_told_who_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else a hall would take the video for gone every twenty seconds, and watch nobody."""
    for name in ("LOOK", "TELL", "ANCHOR", "SPREAD"):
        monkeypatch.setattr(video_service, name, 0.02)

    async def scene() -> None:
        disk = SlowDisk(tmp_path)
        hall = Hall(disk)
        engine = Engine(Segments(disk), lambda: 1_000_000)
        service = VideoService(engine, NOBODY, hall)
        await service.start()
        session = engine.join(EVENT, "a1", 1, "Prova1", Ear(), needs_screen=False)
        begun = engine.begin(session, "camera")
        assert begun is not None
        sender = Sender(begun)
        engine.take(session, *sender.next(slices("camera")[0]))
        await until_told(hall, 5)  # the first slices are on their way to the disk by now
        await until_told(hall, hall.told + 20)
        assert hall.heads == []
        session.close_streams()  # whoever leaves meanwhile has sent it all the same
        disk.is_quick.set()
        async with asyncio.timeout(60):
            while not hall.heads:
                await asyncio.sleep(0.01)
        await service.stop()
        assert set(hall.heads) == set(recordings_of(tmp_path, EVENT)) == {"1-camera-1"}

    asyncio.run(scene())


def test_what_was_on_its_way_to_the_disk_at_the_end_is_entered_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(video_service, "ANCHOR", 0.02)

    async def scene() -> None:
        disk = SlowDisk(tmp_path)
        disk.is_quick.set()
        hall = Hall(disk)
        engine = Engine(Segments(disk), lambda: 1_000_000)
        service = VideoService(engine, NOBODY, hall)
        await service.start()
        for entry in (1, 2):
            joined = engine.join(EVENT, f"a{entry}", entry, "Prova", Ear(), needs_screen=False)
            begun = engine.begin(joined, "camera")
            assert begun is not None
            engine.take(joined, *Sender(begun).next(slices("camera")[0]))
        async with asyncio.timeout(60):
            while not disk.synced:
                await asyncio.sleep(0.01)
        assert not hall.heads  # the second waits for its turn
        await service.stop()
        assert sorted(hall.heads) == ["1-camera-1", "2-camera-1"]

    asyncio.run(scene())
