"""One stream of a player: taken slice by slice, kept, and handed on to whoever watches it.

`LiveStream` is what every media engine has of a stream; `Stream` is that of the segments.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple, Protocol

import msgspec
from msgspec import Meta, Struct

from arrocco.errors import Refusal
from arrocco.video.chain import slice_hash
from arrocco.video.messages import Begun
from arrocco.video.recordings import Recording
from arrocco.video.settings import MAX_SLICE
from arrocco.video.webm import Frames, WebmReader

KINDS = ("camera", "screen", "room")
"""The camera with the microphone, the screen, and a second camera that shows the room (10.3)."""
ROOM = "room"
OF_PAGE, OF_PHONE = ("camera", "screen"), (ROOM,)
"""What a player's page sends, and what their phone does."""
MAX_LIVE = 2 * 1024 * 1024
"""Bytes since the last key frame that are kept for whoever begins to watch."""
SLICE, STILL, TRIAL = b"\x01", b"\x02", b"\x03"
"""What a binary message is."""
_LENGTH = 2

Hash = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]


class SliceRefused(Refusal):
    """A slice that is not taken; nothing else follows from it."""

    http_status = 409


class Header(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is said before the bytes of a slice."""

    recording: Annotated[str, Meta(max_length=32)]
    number: Annotated[int, Meta(ge=0)]
    before: Hash
    hash: Hash


class Peer(Protocol):
    """A socket."""

    def tell(self, message: Struct) -> None:
        """Sends a message."""
        ...

    def send(self, data: bytes) -> None:
        """Sends bytes; whoever is too slow for them is closed."""
        ...

    def refuse(self, refusal: Refusal) -> None:
        """Says why something is not done."""
        ...

    def close(self, code: int) -> None: ...


class LiveStream(Protocol):
    """A stream under way, whichever engine carries it."""

    kind: str
    begun: Begun | None
    """What its page has to know to begin; `None` where the page is told later."""

    @property
    def stopped(self) -> str:
        """Why nothing more is kept of it; empty while it is."""
        ...

    def watch(self, viewer: Peer) -> None:
        """Shows the stream to somebody, now or as soon as it can be."""
        ...

    def unwatch(self, viewer: Peer) -> None: ...

    def close(self) -> None: ...


class LiveVoice(Protocol):
    """An arbiter's voice on its way to a player."""

    number: int

    def hear(self, answer: str) -> None:
        """The player's page takes it. Raises `SliceRefused`."""
        ...

    def close(self) -> None: ...


class LiveTrial(Protocol):
    """A connection that is tried."""

    def close(self) -> None: ...


class Part(Struct, frozen=True, kw_only=True):
    """What is said before bytes that go to an arbiter."""

    entry: int
    kind: str
    first: bool = False


class Sent(NamedTuple):
    """A binary message: its header in JSON, and what follows."""

    header: bytes
    body: memoryview


def framed(kind: bytes, header: Struct, body: bytes) -> bytes:
    """A binary message."""
    text = msgspec.json.encode(header)
    return kind + len(text).to_bytes(_LENGTH, "big") + text + body


def unframed(data: bytes) -> Sent:
    """A binary message in its parts. Raises `SliceRefused` for what is none."""
    length = int.from_bytes(data[1 : 1 + _LENGTH], "big")
    begins = 1 + _LENGTH + length
    if not length or begins > len(data):
        raise SliceRefused.of("video.not_a_message")
    return Sent(data[1 + _LENGTH : begins], memoryview(data)[begins:])


class Stream:
    """A stream under way."""

    def __init__(self, recording: Recording, entry: int, kind: str) -> None:
        self.recording, self.entry, self.kind = recording, entry, kind
        self.begun: Begun | None = Begun(kind=kind, recording=recording.name, before=recording.hash)
        self.number, self.hash = 0, recording.hash
        """Of the slice that is expected next: its number, and the hash before it."""
        self.viewers: set[Peer] = set()
        self._reader = WebmReader()
        self._head = bytearray()
        self._live = bytearray()
        self._live_from: int | None = None
        self._size = 0

    def take(self, header: Header, data: bytes, at: int) -> Frames:
        """Takes the next slice. Raises `SliceRefused`, and is then as it was before."""
        if len(data) > MAX_SLICE:
            raise SliceRefused.of("video.too_large", most=MAX_SLICE // 1024)
        if header.number < self.number:
            raise SliceRefused.of("video.replayed", number=header.number)
        if header.number > self.number or header.before != self.hash:
            raise SliceRefused.of("video.out_of_order", number=header.number, next=self.number)
        digest = slice_hash(self.hash, data)
        if digest != header.hash:
            raise SliceRefused.of("video.hash_differs", number=header.number)
        frames = self._reader.feed(data)
        self.number, self.hash = self.number + 1, digest
        self.recording.add(data, digest, at, frames.video, frames.audio)
        self._hand_on(data, frames)
        return frames

    def watch(self, viewer: Peer) -> None:
        """Shows the stream to somebody, from the last key frame on."""
        self.viewers.add(viewer)
        if self._live_from is not None:
            viewer.send(self._framed(bytes(self._head + self._live), first=True))

    @property
    def stopped(self) -> str:
        return self.recording.stopped

    def unwatch(self, viewer: Peer) -> None:
        self.viewers.discard(viewer)

    def close(self) -> None:
        self.recording.close()
        self.viewers.clear()

    def _hand_on(self, data: bytes, frames: Frames) -> None:
        begins = self._size
        self._size += len(data)
        head_ends = self._reader.head_ends
        if len(self._head) == begins:  # all that came so far stands before the first cluster
            self._head += data
            if head_ends is not None:  # its first bytes may have come with the slice before
                del self._head[head_ends:]
        was_shown = self._live_from is not None
        self._live += data
        start = self._size - len(self._live)
        if frames.key_at is not None:
            del self._live[: max(0, frames.key_at - start)]
            self._live_from = frames.key_at
        elif len(self._live) > MAX_LIVE:
            del self._live[:-MAX_SLICE]
            self._live_from = None
        for viewer in tuple(self.viewers):
            if was_shown:
                viewer.send(self._framed(data))
            elif self._live_from is not None:
                viewer.send(self._framed(bytes(self._head + self._live), first=True))

    def _framed(self, data: bytes, *, first: bool = False) -> bytes:
        return framed(SLICE, Part(entry=self.entry, kind=self.kind, first=first), data)
