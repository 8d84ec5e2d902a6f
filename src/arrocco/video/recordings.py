"""Recordings on the disk: a folder for each event, two files for each recording.

`<recording>.webm` has the slices one after the other and can be played as it is; what Janus has
recorded is a `.mjr` of its packets for each track. `<recording>.slices` has a line of JSON for each
slice. A recording that cannot be written any more ends: what is in it stays whole. None is ever
gone on with or written over: what comes next has another name.
"""

from __future__ import annotations

import logging
import os
import re
import shutil
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

import msgspec
from msgspec import Struct

from arrocco.hall.presence import RecordingHead
from arrocco.video.chain import first_hash
from arrocco.video.settings import VideoSettings
from arrocco.video.slices import SLICES, Slice, fits_its_list, written

log = logging.getLogger(__name__)

FOLDER = "video"
"""The folder of the recordings within that of the office."""
WEBM, MJR = ".webm", ".mjr"
LOOK_AT_DISK = 5.0
"""Seconds for which it is believed how much of the disk is free, and what was erased."""
CERTIFICATE = "erased.json"
"""What an event's folder has once recordings were erased."""
QUOTA, PLAYER_QUOTA, DISK = "quota", "player_quota", "disk"
"""Why a recording was stopped."""
NAME = re.compile(r"(\d{1,6})-(camera|screen|room)-(\d{1,6})(?:-(?:audio|video)-\d{1,3})?")
"""Entry, kind and number; then the track, where each has a file of its own."""
_SUFFIXES = frozenset({WEBM, MJR, SLICES})
_TO_SYNC = os.O_RDONLY | os.O_CLOEXEC
_TRACK = re.compile(r"-(?:audio|video)-\d{1,3}$")


class _Named(Struct):
    recording: str


class _Names(Struct):
    """What a certificate says of names."""

    recordings: list[_Named]


class Recording:
    """One recording while it is made."""

    def __init__(self, store: Recordings, event: str, name: str) -> None:
        self.event, self.name = event, name
        self.hash = first_hash(event, name)
        self.slices = 0
        self.size = 0
        self._lines_size = 0
        self.stopped = ""
        """Why it is not kept any more; empty while it is."""
        self._store = store
        folder = store.folder / event
        self._files: tuple[BinaryIO, BinaryIO] | None = None
        try:
            self._files = _make_files(folder, name)
        except OSError:  # the player is seen all the same: a full disk is no fault of theirs
            log.exception("nothing can be recorded of %s in %s", name, event)
            self.stopped = DISK

    @property
    def head(self) -> RecordingHead:
        return RecordingHead(
            recording=self.name, slices=self.slices, hash=self.hash, bytes=self.size
        )

    def add(self, data: bytes, digest: str, at: int, video: int, audio: int) -> None:
        """Keeps a slice; where that cannot be, the recording has ended and says why."""
        if self.stopped or self._files is None:
            return
        self.stopped = self._store.objection(self.event, self.name, len(data))
        if self.stopped:
            return
        line = Slice(
            number=self.slices,
            at=at,
            bytes=len(data),
            end=self.size + len(data),
            hash=digest,
            video=video,
            audio=audio,
        )
        media, lines = self._files
        text = written(line)
        try:
            _write_all(media, data)
            _write_all(lines, text)
        except OSError:  # whatever the reason: raised, it would close the player's socket
            log.exception("nothing more can be recorded of %s in %s", self.name, self.event)
            self.stopped = DISK
            _cut(media, self.size)
            _cut(lines, self._lines_size)
            return
        self.slices += 1
        self.size += len(data)
        self._lines_size += len(text)
        self.hash = digest
        self._store.count(self.event, self.name, len(data))

    def close(self) -> None:
        if self._files is not None:
            for file in self._files:
                file.close()
            self._files = None


def _make_files(folder: Path, name: str) -> tuple[BinaryIO, BinaryIO]:
    """The two files of a recording; none where one of them cannot be made."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    media = (folder / (name + WEBM)).open("xb", buffering=0)
    try:
        return media, (folder / (name + SLICES)).open("xb", buffering=0)
    except OSError:
        media.close()
        (folder / (name + WEBM)).unlink()
        raise


def _cut(file: BinaryIO, size: int) -> None:
    """Takes away what was half written."""
    with suppress(OSError):
        file.truncate(size)


def _tell_damage(event: str, media: Path) -> None:
    """Says in the log that a recording is damaged; nobody changes it."""
    try:
        is_damaged = not fits_its_list(media)
    except OSError:
        log.exception("the recording %s of %s cannot be read", media.stem, event)
        return
    if is_damaged:
        log.error(
            "the recording %s of %s and its list of slices do not fit each other: both are kept as"
            " they are, and new recordings go on beside them; look with"
            " 'arrocco recording verify %s'",
            media.stem,
            event,
            event,
        )


def _write_all(file: BinaryIO, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[file.write(view) :]


class Recordings:
    """All recordings of an office, and what room there is for more."""

    def __init__(self, folder: Path, settings: VideoSettings) -> None:
        self.folder, self.settings = folder, settings
        self.used = 0
        self.recorded = 0
        """Bytes that this process has recorded, whatever was erased since."""
        self._used_by: dict[tuple[str, str], int] = {}
        self._last: dict[tuple[str, str, str], int] = {}
        self._looked_at, self._free = 0.0, 0
        self._certified: dict[str, int] = {}
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        for event, path in recording_files(folder):
            _tell_damage(event, path)
            size = path.stat().st_size
            self.used += size
            match = NAME.fullmatch(path.stem)
            if match is not None:
                entry = match[1]
                self._used_by[event, entry] = self._used_by.get((event, entry), 0) + size
        for event, name in _taken_names(folder):
            match = NAME.fullmatch(name)
            if match is not None:
                entry, kind, number = match.groups()
                key = (event, entry, kind)
                self._last[key] = max(self._last.get(key, 0), int(number))
        self._certified = self._certificates()

    def begin(self, event: str, entry: int, kind: str) -> Recording:
        """A new recording; where its files cannot be made it has ended, and says why."""
        return Recording(self, event, self.next_name(event, entry, kind))

    def next_name(self, event: str, entry: int, kind: str) -> str:
        """The name of a new recording."""
        key = (event, str(entry), kind)
        number = self._last[key] = self._last.get(key, 0) + 1
        return f"{entry}-{kind}-{number}"

    def objection(self, event: str, name: str, size: int) -> str:
        """Why so many bytes more cannot be kept; empty where they can."""
        free = self.free()
        if self.used + size > self.settings.quota:
            return QUOTA
        if self._used_by.get(_owner(event, name), 0) + size > self.settings.player_quota:
            return PLAYER_QUOTA
        return DISK if free - size < self.settings.keep_free else ""

    def count(self, event: str, name: str, size: int) -> None:
        self._free -= size
        self.recorded += size
        self._add(_owner(event, name), size)

    def sync(self, event: str, name: str) -> None:
        """Puts what was written of a recording on the disk, also of one that has ended since."""
        for suffix in _SUFFIXES:
            with suppress(FileNotFoundError):  # another engine's, or erased
                descriptor = os.open(self.folder / event / (name + suffix), _TO_SYNC)
                try:
                    os.fdatasync(descriptor)
                finally:
                    os.close(descriptor)

    @property
    def left(self) -> int:
        """Bytes that can still be recorded, of the quota and of the disk."""
        free = self.free()
        return max(0, min(self.settings.quota - self.used, free - self.settings.keep_free))

    def free(self) -> int:
        """The bytes that are free on the disk."""
        now = time.monotonic()
        if not self._looked_at or now - self._looked_at > LOOK_AT_DISK:
            self._looked_at, self._free = now, 0
            with suppress(OSError):  # a folder that is gone has no room
                self._free = shutil.disk_usage(self.folder).free
            self._count_again()
        return self._free

    def _count_again(self) -> None:
        """Recordings are erased by other processes: what was certified since is counted anew."""
        certified = self._certificates()
        for event in (event for event, at in certified.items() if self._certified.get(event) != at):
            for owner in [owner for owner in self._used_by if owner[0] == event]:
                self.used -= self._used_by.pop(owner)
            for path in media_in(self.folder / event):
                if NAME.fullmatch(path.stem) is not None:
                    with suppress(FileNotFoundError):
                        self._add(_owner(event, path.stem), path.stat().st_size)
        self._certified = certified

    def _certificates(self) -> dict[str, int]:
        """When recordings of events were erased last."""
        certificates = {}
        for event in {event for event, _ in self._used_by}:
            with suppress(FileNotFoundError):
                certificates[event] = (self.folder / event / CERTIFICATE).stat().st_mtime_ns
        return certificates

    def _add(self, owner: tuple[str, str], size: int) -> None:
        self.used += size
        self._used_by[owner] = self._used_by.get(owner, 0) + size


def recording_files(folder: Path) -> Iterator[tuple[str, Path]]:
    """The media files of all recordings, each with its event."""
    if not folder.is_dir():
        return
    for event in sorted(path for path in folder.iterdir() if path.is_dir()):
        for path in media_in(event):
            yield event.name, path


def media_in(event: Path) -> list[Path]:
    """The media files of one event."""
    return sorted(path for path in event.iterdir() if path.suffix in (WEBM, MJR))


def recordings_of(folder: Path, event: str) -> list[str]:
    """The names of an event's recordings that something is there of: the film or its list."""
    return sorted({path.stem for path in _paths_in(folder / event) if path.suffix in _SUFFIXES})


def _taken_names(folder: Path) -> Iterator[tuple[str, str]]:
    """Events and names that no new recording may have, those that were erased among them."""
    for event in sorted(path for path in _paths_in(folder) if path.is_dir()):
        for name in recordings_of(folder, event.name):
            yield event.name, name
        for name in _erased_names(event / CERTIFICATE):
            yield event.name, name


def _erased_names(certificate: Path) -> list[str]:
    """The recordings that a certificate names; none where there is none that can be read."""
    try:
        read = msgspec.json.decode(certificate.read_bytes(), type=_Names)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return []
    return [erased.recording for erased in read.recordings]


def _paths_in(folder: Path) -> list[Path]:
    return sorted(folder.iterdir()) if folder.is_dir() else []


def recording_of(name: str) -> str:
    """The recording that a track is of."""
    return _TRACK.sub("", name)


def media_file(folder: Path, event: str, recording: str) -> Path:
    """The file of a recording, whichever engine made it."""
    own = folder / event / (recording + MJR)
    return own if own.exists() else own.with_suffix(WEBM)


def _owner(event: str, name: str) -> tuple[str, str]:
    return event, name.partition("-")[0]
