"""The write-ahead log of SQLite: whether it is whole, and how a file is read that has one.

SQLite itself passes over a damaged log in silence.

Frames count up to the first that does not fit its checksum; whatever comes after it is lost. A log
that ends with half a transaction is no damage: that one was never acknowledged.
"""

from __future__ import annotations

import struct
import time
from pathlib import Path

_HEADER, _FRAME = 32, 24
_MAGIC_LITTLE, _MAGIC_BIG = 0x377F0682, 0x377F0683
_WORD = 0xFFFFFFFF
_LOOKS, _PAUSE = 8, 0.05


def mode_to_read(database: Path) -> str:
    """The mode in which SQLite reads a file, changes nothing of it and leaves no file beside it.

    A connection that may write nothing cannot take away the empty log that it makes; one that may
    would carry what a crash has left into the file, damaged or not.
    """
    try:
        is_empty = _log_of(database).stat().st_size == 0
    except FileNotFoundError:
        is_empty = True
    return "rw" if is_empty else "ro"


def damaged_frame(database: Path) -> int | None:
    """The number of the first damaged frame, from 1, where a commit stands at it or after it.

    0 where the head of the log itself is damaged; `None` where all is well. To be asked before
    anybody opens the database, since that is when damaged frames are passed over.

    A log that is being written is seen half old and half new now and then: it is damaged where it
    does not change any more, or where every look says so.
    """
    frame, before = None, b""
    for look in range(_LOOKS):
        try:
            data = _log_of(database).read_bytes()
        except OSError:
            return None
        if look and data == before:
            break
        frame, before = _damaged_in(data), data
        if frame is None:
            break
        time.sleep(_PAUSE)
    return frame


def _log_of(database: Path) -> Path:
    return database.with_name(f"{database.name}-wal")


def _damaged_in(data: bytes) -> int | None:
    if len(data) <= _HEADER:
        return None
    head = struct.unpack(">8I", data[:_HEADER])
    magic, page_size, salts = head[0], head[2], data[16:24]
    order = "<" if magic == _MAGIC_LITTLE else ">"
    if magic not in (_MAGIC_LITTLE, _MAGIC_BIG) or not 512 <= page_size <= 65536:
        return 0
    sums = _checksum(data[:24], (0, 0), order)
    if sums != head[6:8]:
        return 0
    size = _FRAME + page_size
    for number, start in enumerate(range(_HEADER, len(data) - size + 1, size), start=1):
        frame, before = data[start : start + size], sums
        sums = _frame_sums(frame, before, order)
        fits = sums == _sums_of(frame)
        if frame[8:16] != salts or not fits:
            is_commit = frame[4:8] != bytes(4) if fits else _lost_its_commit(frame, before, order)
            is_acknowledged = is_commit or _has_commit(data[start:], size, salts)
            return number if is_acknowledged else None
    return None


def _frame_sums(frame: bytes, sums: tuple[int, int], order: str) -> tuple[int, int]:
    """The checksums of a frame, which go on from those before it and leave its salts out.

    So a frame of an earlier log fits no more, and one of this log fits whatever its salts are.
    """
    return _checksum(frame[_FRAME:], _checksum(frame[:8], sums, order), order)


def _sums_of(frame: bytes) -> tuple[int, int]:
    one, other = struct.unpack(">2I", frame[16:24])
    return one, other


def _lost_its_commit(frame: bytes, sums: tuple[int, int], order: str) -> bool:
    """Whether a frame that ends no transaction ended one before one of its bits was changed."""
    if frame[4:8] != bytes(4):
        return False
    sizes = ((1 << bit).to_bytes(4, "big") for bit in range(32))
    return any(
        _frame_sums(frame[:4] + size + frame[8:], sums, order) == _sums_of(frame) for size in sizes
    )


def _has_commit(data: bytes, size: int, salts: bytes) -> bool:
    """Whether frames of the same log end a transaction; an earlier log had other salts."""
    return any(
        data[start + 8 : start + 16] == salts and data[start + 4 : start + 8] != bytes(4)
        for start in range(0, len(data) - size + 1, size)
    )


def _checksum(data: bytes, sums: tuple[int, int], order: str) -> tuple[int, int]:
    one, other = sums
    words = struct.unpack(f"{order}{len(data) // 4}I", data)
    for first, second in zip(words[::2], words[1::2], strict=True):
        one = (one + first + other) & _WORD
        other = (other + second + one) & _WORD
    return one, other
