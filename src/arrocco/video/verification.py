"""Whether recordings are as they were made: every slice fits its hash, and the log has the last."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from arrocco.hall.presence import RecordingHead
from arrocco.video.chain import first_hash, slice_hash
from arrocco.video.recordings import media_file
from arrocco.video.settings import MAX_SLICE
from arrocco.video.slices import (
    LONGEST_LINE,
    SLICES,
    DamagedLine,
    Slice,
    is_half_line,
    read_line,
)


class Damage(StrEnum):
    """What can be wrong with a recording."""

    CHANGED = "changed"
    """The bytes of a slice are not those that were sent."""
    LIST = "list"
    """The line of a slice in the list is not as it was written: what follows cannot be told."""
    NO_LIST = "no_list"
    """The film is there, the list of its slices is not."""
    MISSING = "missing"
    """Slices that the hall's log knows of are not there."""
    LONGER = "longer"
    """There is more behind the last slice than a process can leave that was killed."""
    OTHER = "other"
    """It is whole in itself, and not the one that the hall's log knows of."""


class Fault(NamedTuple):
    """The first slice of a recording that is not as it was made."""

    damage: Damage
    slice: int
    at: int | None
    """When that slice came, in milliseconds, where its line says so."""


class Checked(NamedTuple):
    """A recording that was looked at."""

    event: str
    recording: str
    slices: int
    bytes: int
    fault: Fault | None
    rest: int = 0
    """Bytes behind the last slice: of one that is being written, or was when a process ended."""


def verify(
    folder: Path, event: str, recording: str, heads: Iterable[RecordingHead] = ()
) -> Checked:
    """Looks at one recording; `heads` are those of it that the hall's log has."""
    known = {head.slices: head.hash for head in heads if head.recording == recording}
    before, number, size, rest = first_hash(event, recording), 0, 0, 0
    fault: Fault | None = None
    path, lines_path = media_file(folder, event, recording), folder / event / (recording + SLICES)
    if path.exists() and not lines_path.exists():
        return Checked(event, recording, 0, 0, Fault(Damage.NO_LIST, 0, None))
    try:
        with path.open("rb") as media, lines_path.open("rb") as lines:
            while (text := lines.readline(LONGEST_LINE)) and not is_half_line(text):
                fault, line = _look_at(text, number, size, before, media.read)
                if fault is not None or line is None:
                    break
                before, number, size = line.hash, number + 1, size + line.bytes
                if known.get(number, before) != before:
                    fault = Fault(Damage.OTHER, number - 1, line.at)
                    break
            rest = os.fstat(media.fileno()).st_size - size
    except FileNotFoundError:
        fault = Fault(Damage.MISSING, 0, None)
    if fault is None and max(known, default=0) > number:
        fault = Fault(Damage.MISSING, number, None)
    if fault is None and rest > MAX_SLICE:
        fault = Fault(Damage.LONGER, number, None)
    return Checked(event, recording, number, size, fault, 0 if fault else rest)


def _look_at(
    text: bytes, number: int, begins: int, before: str, read: Callable[[int], bytes]
) -> tuple[Fault | None, Slice | None]:
    try:
        line = read_line(text, number, begins)
    except DamagedLine:
        return Fault(Damage.LIST, number, None), None
    data = read(line.bytes)
    if len(data) < line.bytes:
        return Fault(Damage.MISSING, number, line.at), None
    if slice_hash(before, data) != line.hash:
        return Fault(Damage.CHANGED, number, line.at), None
    return None, line
