"""Writes WebM: one track of VP8, one of Opus, or both, for every player of films."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

from arrocco.video.webm import (
    AUDIO,
    CLUSTER,
    EBML,
    SEGMENT,
    SIMPLE_BLOCK,
    TRACK_ENTRY,
    TRACK_NUMBER,
    TRACK_TYPE,
    TRACKS,
    VIDEO,
)

LONGEST_CLUSTER = 5_000
"""Milliseconds; a block has 15 bits for its own."""
_INFO, _SCALE, _DURATION, _MADE_BY, _WRITTEN_BY = 0x1549A966, 0x2AD7B1, 0x4489, 0x4D80, 0x5741
_TRACK_ID, _CODEC, _PRIVATE = 0x73C5, 0x86, 0x63A2
_VIDEO, _WIDTH, _HEIGHT = 0xE0, 0xB0, 0xBA
_AUDIO, _RATE, _CHANNELS = 0xE1, 0xB5, 0x9F
_TIME, _DOC_TYPE, _DOC_VERSION, _READ_VERSION = 0xE7, 0x4282, 0x4287, 0x4285
_KEY = 0x80
_UNKNOWN = b"\x01" + b"\xff" * 7
"""The size of what is not over yet."""
_OPUS_HEAD = b"OpusHead\x01\x02\x00\x00" + (48_000).to_bytes(4, "little") + bytes(3)


class Size(NamedTuple):
    """Of a picture."""

    width: int
    height: int


def size_of(key_frame: bytes) -> Size:
    """What a whole picture of VP8 says of its size."""
    width = int.from_bytes(key_frame[6:8], "little") & 0x3FFF
    return Size(width, int.from_bytes(key_frame[8:10], "little") & 0x3FFF)


class Clusters:
    """Blocks, given in the order of their time, gathered into clusters."""

    def __init__(self) -> None:
        self._blocks: bytearray | None = None
        self._began = self.last = 0

    def add(self, track: int, milliseconds: int, data: bytes, *, is_key: bool) -> Iterator[bytes]:
        """Takes a block of a track, `VIDEO` or `AUDIO`; the cluster that it ends, if it does."""
        milliseconds = max(milliseconds, self.last)
        is_long = milliseconds - self._began >= LONGEST_CLUSTER
        if self._blocks is None or is_long or (track == VIDEO and is_key):
            yield from self.end()
            self._blocks, self._began = bytearray(), milliseconds
        self._blocks += block(track, milliseconds - self._began, data, is_key=is_key)
        self.last = milliseconds

    def end(self) -> Iterator[bytes]:
        """The last cluster, if there is one."""
        if self._blocks is not None:
            yield cluster(self._began, bytes(self._blocks))
            self._blocks = None


class WebmWriter:
    """One file; blocks are given in the order of their time."""

    def __init__(self, file: BinaryIO, size: Size | None, *, has_sound: bool) -> None:
        self._file, self._clusters = file, Clusters()
        file.write(_FIRST + _id(SEGMENT))
        self._size_at = file.tell()
        file.write(_wide_size(0))
        self._segment_at = file.tell()
        info = _ABOUT + _id(_DURATION) + b"\x88"
        file.write(_id(_INFO) + _size(len(info) + 8) + info)
        self._duration_at = file.tell()
        file.write(bytes(8))
        file.write(_tracks(size, has_sound=has_sound))

    def add(self, track: int, milliseconds: int, data: bytes, *, is_key: bool) -> None:
        """A block of a track: `VIDEO` or `AUDIO`."""
        for whole in self._clusters.add(track, milliseconds, data, is_key=is_key):
            self._file.write(whole)

    def close(self) -> None:
        """Ends the file, which is whole then."""
        for whole in self._clusters.end():
            self._file.write(whole)
        end = self._file.tell()
        self._file.seek(self._size_at)
        self._file.write(_wide_size(end - self._segment_at))
        self._file.seek(self._duration_at)
        self._file.write(struct.pack(">d", float(self._clusters.last)))
        self._file.seek(end)


# --- a stream, whose end nobody knows yet ---------------------------------------------------------


def live_head(size: Size | None, *, has_sound: bool) -> bytes:
    """What stands before the first cluster of a stream."""
    info = _element(_INFO, _ABOUT)
    return _FIRST + _id(SEGMENT) + _UNKNOWN + info + _tracks(size, has_sound=has_sound)


def block(track: int, offset: int, data: bytes, *, is_key: bool) -> bytes:
    """A picture or a bit of sound, so many milliseconds after its cluster began."""
    head = bytes([0x80 | track]) + offset.to_bytes(2, "big", signed=True)
    return _element(SIMPLE_BLOCK, head + bytes([_KEY if is_key else 0]) + data)


def cluster(milliseconds: int, blocks: bytes) -> bytes:
    """Blocks from one moment of a stream on."""
    return _element(CLUSTER, _number(_TIME, milliseconds) + blocks)


# --- elements -------------------------------------------------------------------------------------


def _tracks(size: Size | None, *, has_sound: bool) -> bytes:
    picture = b"" if size is None else _picture_track(size)
    return _element(TRACKS, picture + (_sound_track() if has_sound else b""))


def _picture_track(size: Size) -> bytes:
    picture = _number(_WIDTH, size.width) + _number(_HEIGHT, size.height)
    return _track(VIDEO, "V_VP8", _element(_VIDEO, picture))


def _sound_track() -> bytes:
    rate = _element(_RATE, struct.pack(">d", 48_000.0))
    sound = _element(_AUDIO, rate + _number(_CHANNELS, 2))
    return _track(AUDIO, "A_OPUS", _element(_PRIVATE, _OPUS_HEAD) + sound)


def _track(kind: int, codec: str, more: bytes) -> bytes:
    numbers = _number(TRACK_NUMBER, kind) + _number(_TRACK_ID, kind) + _number(TRACK_TYPE, kind)
    return _element(TRACK_ENTRY, numbers + _text(_CODEC, codec) + more)


def _element(kind: int, body: bytes) -> bytes:
    return _id(kind) + _size(len(body)) + body


def _id(kind: int) -> bytes:
    return kind.to_bytes((kind.bit_length() + 7) // 8, "big")


def _size(size: int) -> bytes:
    width = next(width for width in range(1, 9) if size < (1 << 7 * width) - 1)
    return (size | 1 << 7 * width).to_bytes(width, "big")


def _wide_size(size: int) -> bytes:
    return (size | 1 << 56).to_bytes(8, "big")


def _number(kind: int, value: int) -> bytes:
    return _element(kind, value.to_bytes(max(1, (value.bit_length() + 7) // 8), "big"))


def _text(kind: int, text: str) -> bytes:
    return _element(kind, text.encode("ascii"))


_FIRST = _element(
    EBML, _text(_DOC_TYPE, "webm") + _number(_DOC_VERSION, 4) + _number(_READ_VERSION, 2)
)
_ABOUT = _number(_SCALE, 1_000_000) + _text(_MADE_BY, "arrocco") + _text(_WRITTEN_BY, "arrocco")
