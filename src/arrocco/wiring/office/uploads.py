"""What people send: bounded, and out of an archive where one file stands alone in it."""

from __future__ import annotations

import io
import zipfile
import zlib
from typing import IO, Any

from arrocco.errors import Malformed

MOST_BYTES = 8 << 20
"""Of a report as sent, and of one taken out of an archive."""
_LONGEST_NAME = 120
_AT_ONCE = 1 << 16


def taken(file_name: str, data: bytes) -> tuple[str, bytes]:
    """The report in what was sent, and the name of its file.

    Raises `Malformed` for what is too large, empty, or an archive with anything but one file.
    """
    name = plain_name(file_name)
    if len(data) > MOST_BYTES:
        raise _refusal("upload_too_large", name)
    if not data:
        raise _refusal("upload_empty", name)
    if data.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return _alone_in(data, name)
    return name, data


def plain_name(file_name: str) -> str:
    """The last part of a file's name, with nothing in it that cannot be shown."""
    last = file_name.replace("\\", "/").rpartition("/")[2]
    kept = "".join(letter for letter in last if letter.isprintable()).strip()
    return kept[-_LONGEST_NAME:] or "report"


def _alone_in(data: bytes, name: str) -> tuple[str, bytes]:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = [member for member in archive.infolist() if not member.is_dir()]
            if len(members) != 1:
                raise _refusal("upload_members", name, count=len(members))
            (member,) = members
            if member.flag_bits & 1:
                raise _refusal("upload_encrypted", name)
            with archive.open(member) as file:
                found = _bounded(file, name)
    except Malformed:
        raise
    # What a broken archive makes the library raise is not one kind of thing.
    except (zipfile.BadZipFile, zlib.error, OSError, EOFError, ValueError, RuntimeError):
        raise _refusal("upload_broken", name) from None
    if not found:
        raise _refusal("upload_empty", name)
    return plain_name(member.filename), found


def _bounded(file: IO[bytes], name: str) -> bytes:
    """What a file holds; counted while it is inflated, because headers may lie."""
    parts, size = [], 0
    while part := file.read(_AT_ONCE):
        size += len(part)
        if size > MOST_BYTES:
            raise _refusal("upload_too_large", name)
        parts.append(part)
    return b"".join(parts)


def _refusal(key: str, name: str, **details: Any) -> Malformed:
    megabytes = MOST_BYTES >> 20
    return Malformed.of(f"desk.refused.{key}", file=name, megabytes=megabytes, **details)
