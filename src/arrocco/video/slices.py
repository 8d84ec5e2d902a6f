"""The list of slices beside a recording: a line of JSON for each, sealed.

A list that is damaged never costs the recording: what cannot be told from it is left on the disk as
it is, whoever opens the folder, and new recordings go on under other names.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import msgspec
from msgspec import UNSET, Struct, UnsetType

from arrocco.video.settings import MAX_SLICE

SLICES = ".slices"
LONGEST_LINE = 4096
_SEAL_DIGITS = 16


class Slice(Struct, frozen=True, kw_only=True):
    """A line of the list of slices."""

    number: int
    at: int
    """When it arrived, in milliseconds of the server's time."""
    bytes: int
    end: int
    """Where it ends in the file."""
    hash: str
    video: int = 0
    audio: int = 0
    """Frames."""
    seal: str | UnsetType = UNSET
    """The hash of the rest of the line; older programs wrote none."""


class DamagedLine(ValueError):
    """A line of a list that is not as it was written."""


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Slice).decode


def written(line: Slice) -> bytes:
    """A line as it stands in the list, sealed."""
    return _encode(msgspec.structs.replace(line, seal=_seal(line))) + b"\n"


def read_line(text: bytes, number: int, begins: int) -> Slice:
    """The line of a slice that has this number and begins there. Raises `DamagedLine`."""
    try:
        line = _decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise DamagedLine from None
    is_placed = line.number == number and line.end == begins + line.bytes
    is_sealed = line.seal is UNSET or line.seal == _seal(line)
    # What was damaged may still be JSON, with a name that nobody reads any more.
    if not (is_placed and is_sealed and _encode(line) == text.removesuffix(b"\n")):
        raise DamagedLine
    if not 0 <= line.bytes <= MAX_SLICE:
        raise DamagedLine
    return line


def is_half_line(text: bytes) -> bool:
    """Whether a process was killed, or a disk full, in the middle of this line."""
    return (
        len(text) < LONGEST_LINE
        and not text.endswith(b"\n")
        and not _is_a_line(text)
        and not _is_a_line(text[:-1])  # then its end was damaged
    )


def fits_its_list(media: Path) -> bool:
    """Whether a film is as long as its list says; a killed process leaves half a slice more.

    Both files are only read. A film of which nothing was written yet needs no list.
    """
    lines = media.with_suffix(SLICES)
    size = media.stat().st_size
    if not lines.exists():
        return not size
    text = lines.read_bytes()
    half = text.rpartition(b"\n")[2]
    if half and is_half_line(half):
        text = text.removesuffix(half)
    try:
        end = max((line.end for line in _lines(text)), default=0)
    except DamagedLine:
        return False
    return 0 <= size - end <= MAX_SLICE


def _lines(text: bytes) -> Iterator[Slice]:
    """The lines of a list. Raises `DamagedLine`."""
    end = 0
    for number, line in enumerate(text.removesuffix(b"\n").split(b"\n") if text else ()):
        read = read_line(line, number, end)
        end = read.end
        yield read


def _is_a_line(text: bytes) -> bool:
    try:
        _decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return False
    return True


def _seal(line: Slice) -> str:
    parts = (line.number, line.at, line.bytes, line.end, line.hash, line.video, line.audio)
    return sha256("\n".join(map(str, parts)).encode()).hexdigest()[:_SEAL_DIGITS]
