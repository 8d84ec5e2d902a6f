"""Small records in the office's folder, each a file that proves itself: one of its fields is the
hash of the others."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import Struct

from arrocco.files import replacing

UNREADABLE = (OSError, msgspec.MsgspecError, UnicodeDecodeError)
"""What reading one may come to."""


class SealedFile(Struct, frozen=True, kw_only=True):
    """What all of them have."""

    seal: str = ""
    """The hash of the rest; empty where an older program wrote it."""


S = TypeVar("S", bound=SealedFile)


def write(path: Path, record: S) -> S:
    """Writes a record with its seal, for people to read as well; gives it as it was written."""
    sealed = _sealed(record)
    with replacing(path) as file:
        file.write(msgspec.json.format(msgspec.json.encode(sealed)) + b"\n")
    return sealed


def is_whole(data: bytes, kind: type[SealedFile]) -> bool:
    """Whether the bytes of a file are as they were written."""
    try:
        record = msgspec.json.decode(data, type=kind)
        names = msgspec.json.decode(data, type=dict[str, msgspec.Raw]).keys()
    except UNREADABLE:
        return False
    is_sealed = record.seal in ("", _sealed(record).seal)
    return is_sealed and names <= set(kind.__struct_fields__)


def is_damaged(path: Path, kind: type[SealedFile]) -> bool:
    """Whether a file is there that is not as it was written."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return False
    except OSError:
        return True
    return not is_whole(data, kind)


def _sealed(record: S) -> S:
    rest = msgspec.structs.replace(record, seal="")
    digest = hashlib.sha256(msgspec.json.encode(rest)).hexdigest()
    return msgspec.structs.replace(rest, seal=digest)
