"""The file of a track while Janus writes it: what is new is chained to what was, slice by slice.

Janus keeps RTP packets as they come (`.mjr`). A slice is some whole packets, about a second of
them, so that a recording which ends anywhere can still be read.
"""

from __future__ import annotations

import logging
import os
from pathlib import Path
from typing import NamedTuple

from arrocco.hall.presence import RecordingHead
from arrocco.video.chain import first_hash, slice_hash
from arrocco.video.janus.packets import FILE, HEAD, LENGTH, MARKER, PACKET
from arrocco.video.recordings import DISK, Recordings
from arrocco.video.settings import MAX_SLICE
from arrocco.video.slices import SLICES, Slice, written

log = logging.getLogger(__name__)


class Packets(NamedTuple):
    """The whole packets at the beginning of some bytes."""

    size: int
    packets: int
    frames: int
    """Packets that end a frame, as RTP marks them."""


def whole_packets(data: bytes) -> Packets:
    """How much of the bytes is whole; what is no recording of Janus is taken as it is."""
    at = count = frames = 0
    while at + HEAD + LENGTH <= len(data):
        mark = data[at : at + 4]
        if mark not in (FILE, PACKET):
            return Packets(len(data), count, frames)
        begins = at + HEAD + LENGTH
        ends = begins + int.from_bytes(data[begins - LENGTH : begins], "big")
        if ends > len(data):
            break
        if mark == PACKET:
            count += 1
            frames += ends - begins > 1 and bool(data[begins + 1] & MARKER)
        at = ends
    return Packets(at, count, frames)


class Track:
    """One track of a recording."""

    def __init__(self, store: Recordings, event: str, path: Path) -> None:
        self._store, self._event = store, event
        self.name, self._path = path.stem, path
        self.is_video = "-video-" in self.name
        self.hash = first_hash(event, self.name)
        self.slices = self.size = self._lines_size = 0
        self._media = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
        self._lines = os.open(path.with_suffix(SLICES), flags, 0o600)

    @property
    def head(self) -> RecordingHead:
        return RecordingHead(
            recording=self.name, slices=self.slices, hash=self.hash, bytes=self.size
        )

    def grow(self, at: int) -> str | None:
        """Chains what is new; `None` where nothing is, else why nothing more can be kept."""
        objection: str | None = None
        while data := os.pread(self._media, MAX_SLICE, self.size):
            whole = whole_packets(data)
            if not whole.size:
                break
            data = data[: whole.size]
            objection = self._store.objection(self._event, self.name, len(data))
            try:
                self._chain(data, at, whole)
            except OSError:
                log.exception("the recording %s cannot be chained", self.name)
                os.ftruncate(self._lines, self._lines_size)  # no half lines
                return DISK
        return objection

    def _chain(self, data: bytes, at: int, whole: Packets) -> None:
        digest = slice_hash(self.hash, data)
        line = Slice(
            number=self.slices,
            at=at,
            bytes=len(data),
            end=self.size + len(data),
            hash=digest,
            video=whole.frames if self.is_video else 0,
            audio=0 if self.is_video else whole.packets,
        )
        text = written(line)
        view = memoryview(text)
        while view:  # a disk that fills up takes a part of it first
            view = view[os.write(self._lines, view) :]
        self._lines_size += len(text)
        self.slices, self.size, self.hash = self.slices + 1, line.end, digest
        self._store.count(self._event, self.name, len(data))

    @property
    def has_rest(self) -> bool:
        """Whether the file has more than was chained: half a packet, while it is written."""
        return os.fstat(self._media).st_size > self.size

    def trim(self) -> None:
        """Takes away what was not chained: half a packet of a Janus that was killed, or what came
        when the disk was full."""
        if self.has_rest:
            os.truncate(self._path, self.size)

    def close(self) -> None:
        if self._media >= 0:
            os.close(self._media)
            os.close(self._lines)
            self._media = self._lines = -1
