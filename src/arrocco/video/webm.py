"""Reads a WebM stream as it arrives and counts its frames; a browser may cut it anywhere.

Only headers are looked at: pictures and sound pass by unread. What misleads otherwise is a camera
that was stopped and leaves slices with sound only, so frames are counted by track.
"""

from __future__ import annotations

from typing import NamedTuple

from arrocco.errors import Malformed

EBML, SEGMENT, TRACKS, CLUSTER = 0x1A45DFA3, 0x18538067, 0x1654AE6B, 0x1F43B675
TRACK_ENTRY, TRACK_NUMBER, TRACK_TYPE = 0xAE, 0xD7, 0x83
SIMPLE_BLOCK, BLOCK_GROUP, BLOCK = 0xA3, 0xA0, 0xA1
VIDEO, AUDIO = 1, 2
MAX_HEADER = 64 * 1024
"""Bytes before the first cluster, and of the description of the tracks."""
MAX_ELEMENT = 4 * 1024 * 1024
"""Bytes of one frame: no camera of this size sends as much."""
_ENTERED = frozenset({SEGMENT, CLUSTER, BLOCK_GROUP})
_BLOCK_HEAD = 12
_KEY = 0x80
_LONGEST_ID, _LONGEST_SIZE = 4, 8


class Frames(NamedTuple):
    """What came with some bytes: frames by kind, and where the last key frame's cluster begins."""

    video: int
    audio: int
    key_at: int | None
    """The offset in the whole stream from which somebody can begin to watch."""


class WebmReader:
    """One stream; bytes are fed in as they come."""

    def __init__(self) -> None:
        self.head_ends: int | None = None
        """The offset of the first cluster: what stands before it every viewer needs first."""
        self._rest = b""
        self._offset = 0
        """Where `_rest` begins in the whole stream."""
        self._skip = 0
        self._kinds: dict[int, int] = {}
        self._cluster = 0
        self._cluster_is_new = False
        self._has_begun = False

    def feed(self, data: bytes) -> Frames:
        """What is new in the next bytes. Raises `Malformed` for what is no WebM."""
        if self._skip:
            passed = min(self._skip, len(data))
            self._skip -= passed
            self._offset += passed
            data = data[passed:]
        data = self._rest + data
        counted, key_at, at = {VIDEO: 0, AUDIO: 0}, None, 0
        while True:
            element = _element(data, at)
            if element is None:
                break
            kind, size, body = element
            self._check(kind, size)
            if kind in _ENTERED:
                if kind == CLUSTER:
                    self._begin_cluster(self._offset + at)
                at = body
                continue
            assert size is not None
            if kind == TRACKS:
                if len(data) < body + size:
                    break
                self._kinds = _tracks(data[body : body + size])
            elif kind in (SIMPLE_BLOCK, BLOCK):
                if len(data) < body + min(size, _BLOCK_HEAD):
                    break
                track, is_key = _block(data, body, is_simple=kind == SIMPLE_BLOCK)
                of_kind = self._kinds.get(track, 0)
                if of_kind in counted:
                    counted[of_kind] += 1
                if of_kind == VIDEO and self._cluster_is_new:
                    self._cluster_is_new = False
                    key_at = self._cluster if is_key else key_at
            end = body + size
            if end > len(data):
                self._skip = end - len(data)
                at = len(data)
                break
            at = end
        self._offset += at
        self._rest = data[at:]
        if len(self._rest) > MAX_HEADER:
            raise Malformed.of("video.not_webm")
        return Frames(counted[VIDEO], counted[AUDIO], key_at)

    def _check(self, kind: int, size: int | None) -> None:
        if not self._has_begun:
            if kind != EBML:
                raise Malformed.of("video.not_webm")
            self._has_begun = True
        limit = MAX_ELEMENT if self.head_ends is not None else MAX_HEADER
        if kind not in _ENTERED and (size is None or size > limit):
            raise Malformed.of("video.not_webm")

    def _begin_cluster(self, at: int) -> None:
        if self.head_ends is None:
            self.head_ends = at
        self._cluster, self._cluster_is_new = at, True


def _element(data: bytes, at: int) -> tuple[int, int | None, int] | None:
    """An element's kind, its size (`None` where it is not said) and where its content begins."""
    if at >= len(data):
        return None
    width = _width(data[at], _LONGEST_ID)
    size_at = at + width
    if size_at >= len(data):
        return None
    size_width = _width(data[size_at], _LONGEST_SIZE)
    body = size_at + size_width
    if body > len(data):
        return None
    kind = int.from_bytes(data[at:size_at], "big")
    size = _number(data[size_at:body])
    unknown = (1 << 7 * size_width) - 1
    return kind, None if size == unknown else size, body


def _width(first: int, longest: int) -> int:
    width = 9 - first.bit_length() if first else longest + 1
    if width > longest:
        raise Malformed.of("video.not_webm")
    return width


def _number(data: bytes) -> int:
    return int.from_bytes(data, "big") & ((1 << 7 * len(data)) - 1)


def _block(data: bytes, at: int, *, is_simple: bool) -> tuple[int, bool]:
    """The track of a block, and whether it can be seen without those before it."""
    width = _width(data[at], _LONGEST_SIZE)
    track = _number(data[at : at + width])
    flags = data[at + width + 2] if len(data) > at + width + 2 else 0
    return track, is_simple and bool(flags & _KEY)


def _tracks(data: bytes) -> dict[int, int]:
    """The kind of each track by its number."""
    kinds: dict[int, int] = {}
    for kind, body in _children(data):
        if kind == TRACK_ENTRY:
            fields = {key: int.from_bytes(value[:8], "big") for key, value in _children(body)}
            kinds[fields.get(TRACK_NUMBER, 0)] = fields.get(TRACK_TYPE, 0)
    return kinds


def _children(data: bytes) -> list[tuple[int, bytes]]:
    children, at = [], 0
    while (element := _element(data, at)) is not None:
        kind, size, body = element
        if size is None or body + size > len(data):
            raise Malformed.of("video.not_webm")
        children.append((kind, data[body : body + size]))
        at = body + size
    return children
