"""Reads the file of a track as Janus writes it (`.mjr`): RTP packets, put back into frames.

Packets are in the file as they came over the network: out of order, twice, or not at all. A frame
of which a packet is missing is left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec import Struct

from arrocco.errors import Malformed

FILE, PACKET = b"MJR0", b"MEET"
HEAD, LENGTH = 8, 2
"""Bytes of a mark with what belongs to it, then of the length of what follows."""
MARKER = 0x80
_RTP = 12
_WRAP, _WRAP_TIME = 1 << 16, 1 << 32
_EXTENDED, _PADDED = 0x10, 0x20


class TrackHead(Struct, frozen=True):
    """What Janus says at the beginning of a file."""

    t: str
    """`v` for pictures, `a` for sound."""
    c: str
    """The codec."""
    u: int = 0
    """When the first packet came, in microseconds."""

    @property
    def is_video(self) -> bool:
        return self.t == "v"


class Frame(NamedTuple):
    """A picture, or a piece of sound."""

    at: int
    """Microseconds since the first of its track."""
    is_key: bool
    data: bytes


class _Rtp(NamedTuple):
    number: int
    time: int
    is_last: bool
    payload: bytes


def head_of(path: Path) -> TrackHead | None:
    """What is said of a track; `None` where nothing of it came. Raises `Malformed`."""
    with path.open("rb") as file:
        begins = file.read(HEAD + LENGTH)
        if not begins:
            return None
        text = file.read(int.from_bytes(begins[HEAD:], "big"))
    try:
        if begins[:4] != FILE:
            raise Malformed.of("recording.not_a_track", file=path.name)
        return msgspec.json.decode(text, type=TrackHead)
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise Malformed.of("recording.not_a_track", file=path.name) from None


def frames_of(path: Path) -> Iterator[Frame]:
    """The frames of a track, in their order. Raises `Malformed`."""
    head = head_of(path)
    if head is None:
        return
    ticks = 90 if head.is_video else 48  # of RTP's clock in a millisecond
    packets = sorted(_packets(path.read_bytes()), key=lambda packet: packet.number)
    if not packets:
        return
    first = min(packet.time for packet in packets)
    for gathered in _by_time(packets):
        at = (gathered[0].time - first) * 1000 // ticks
        if not head.is_video:
            yield from (Frame(at, True, packet.payload) for packet in gathered if packet.payload)
        elif (picture := _picture(gathered)) is not None:
            yield Frame(at, not picture[0] & 1, picture)


def _packets(data: bytes) -> Iterator[_Rtp]:
    at, seen, number, time = 0, set[int](), None, None
    while at + HEAD + LENGTH <= len(data):
        mark, begins = data[at : at + 4], at + HEAD + LENGTH
        at = begins + int.from_bytes(data[begins - LENGTH : begins], "big")
        packet = data[begins:at]
        if mark != PACKET or len(packet) < _RTP:
            continue
        number = _unwrapped(int.from_bytes(packet[2:4], "big"), number, _WRAP)
        time = _unwrapped(int.from_bytes(packet[4:8], "big"), time, _WRAP_TIME)
        if number not in seen:
            seen.add(number)
            yield _Rtp(number, time, bool(packet[1] & MARKER), _payload(packet))


def _unwrapped(value: int, before: int | None, wrap: int) -> int:
    """The number that a value stands for, near the one before it: it starts again at `wrap`."""
    if before is None:
        return value
    ahead = (value - before) % wrap
    return before + (ahead if ahead < wrap // 2 else ahead - wrap)


def _payload(packet: bytes) -> bytes:
    begins = _RTP + 4 * (packet[0] & 0x0F)
    if packet[0] & _EXTENDED:
        begins += 4 + 4 * int.from_bytes(packet[begins + 2 : begins + 4], "big")
    ends = len(packet) - (packet[-1] if packet[0] & _PADDED else 0)
    return packet[begins:ends]


def _by_time(packets: list[_Rtp]) -> Iterator[list[_Rtp]]:
    gathered: list[_Rtp] = []
    for packet in packets:
        if gathered and packet.time != gathered[0].time:
            yield gathered
            gathered = []
        gathered.append(packet)
    yield gathered


def _picture(packets: list[_Rtp]) -> bytes | None:
    """A picture of VP8 (RFC 7741); `None` where a part of it is missing."""
    parts = [packet for packet in packets if packet.payload]
    if not parts or not parts[-1].is_last:
        return None
    if parts[-1].number - parts[0].number != len(parts) - 1:
        return None
    pieces = []
    for place, packet in enumerate(parts):
        begins = _descriptor(packet.payload)
        is_start = bool(packet.payload[0] & 0x10) and not packet.payload[0] & 0x07
        if begins >= len(packet.payload) or (place == 0 and not is_start):
            return None
        pieces.append(packet.payload[begins:])
    return b"".join(pieces)


def _descriptor(payload: bytes) -> int:
    """Bytes that RTP has before a piece of VP8."""
    if not payload[0] & 0x80 or len(payload) < 3:
        return 1
    size, has = 2, payload[1]
    if has & 0x80:  # the number of the picture
        size += 2 if payload[2] & 0x80 else 1
    size += bool(has & 0x40)
    return size + bool(has & 0x30)
