"""Whether a write-ahead log of SQLite is whole: SQLite itself passes over a damaged one in silence.

Frames count up to the first that does not fit its checksum; whatever comes after it is lost. A log
that ends with half a transaction is no damage: that one was never acknowledged.
"""

from __future__ import annotations

import struct
from pathlib import Path

_HEADER, _FRAME = 32, 24
_MAGIC_LITTLE, _MAGIC_BIG = 0x377F0682, 0x377F0683
_WORD = 0xFFFFFFFF


def damaged_frame(database: Path) -> int | None:
    """The number of the first damaged frame, from 1, where a commit stands at it or after it.

    0 where the head of the log itself is damaged; `None` where all is well. To be asked before
    anybody opens the database, since that is when damaged frames are passed over.
    """
    path = database.with_name(f"{database.name}-wal")
    try:
        data = path.read_bytes()
    except OSError:
        return None
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
        frame = data[start : start + size]
        sums = _checksum(frame[:8], sums, order)
        sums = _checksum(frame[_FRAME:], sums, order)
        if frame[8:16] != salts or sums != struct.unpack(">2I", frame[16:24]):
            return number if _has_commit(data[start:], size, salts) else None
    return None


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
