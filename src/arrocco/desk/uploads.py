"""What people send: bounded, and out of an archive with the report and perhaps its games."""

from __future__ import annotations

import io
import zipfile
import zlib
from typing import IO, Any, NamedTuple

from arrocco.errors import Malformed

MAX_BYTES = 8 << 20
"""Of a report as sent, and of one taken out of an archive."""
_LONGEST_NAME = 120
_AT_ONCE = 1 << 16


class File(NamedTuple):
    """A file by its name, and what is in it."""

    name: str
    data: bytes


class Taken(NamedTuple):
    """A report as it was sent, and its games where they came along."""

    name: str
    content: bytes
    games: File | None = None


def taken(file_name: str, data: bytes, games: File | None = None) -> Taken:
    """The report in what was sent, with the name of its file, and its games in PGN.

    Games come as a file of their own or with the report in one archive. Raises `Malformed` for
    what is too large, empty, or an archive with anything but a report and perhaps its games.
    """
    files = _opened(file_name, data)
    report = [file for file in files if not _is_games(file.name)]
    inside = [file for file in files if _is_games(file.name)]
    if not report and len(files) == 1:
        report, inside = inside, report  # refused by the reader of reports, with its words
    if games is not None:
        if inside:
            raise _refusal("games_twice", plain_name(file_name))
        inside = _opened(games.name, games.data)
    if len(report) != 1 or len(inside) > 1:
        raise _refusal("upload_members", plain_name(file_name), count=len(report) + len(inside))
    return Taken(*report[0], *inside)


def _is_games(name: str) -> bool:
    return name.lower().endswith(".pgn")


def _opened(file_name: str, data: bytes) -> list[File]:
    name = plain_name(file_name)
    if len(data) > MAX_BYTES:
        raise _refusal("upload_too_large", name)
    if not data:
        raise _refusal("upload_empty", name)
    if data.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return _inside(data, name)
    return [File(name, data)]


def plain_name(file_name: str) -> str:
    """The last part of a file's name, with nothing in it that cannot be shown."""
    last = file_name.replace("\\", "/").rpartition("/")[2]
    kept = "".join(letter for letter in last if letter.isprintable()).strip()
    return kept[-_LONGEST_NAME:] or "report"


def _inside(data: bytes, name: str) -> list[File]:
    """The one or two files of an archive."""
    files = []
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = [member for member in archive.infolist() if _is_sent(member)]
            if not 1 <= len(members) <= 2:
                raise _refusal("upload_members", name, count=len(members))
            for member in members:
                if member.flag_bits & 1:
                    raise _refusal("upload_encrypted", name)
                with archive.open(member) as file:
                    files.append(File(plain_name(member.filename), _bounded(file, name)))
    except Malformed:
        raise
    # What a broken archive makes the library raise is not one kind of thing.
    except (zipfile.BadZipFile, zlib.error, OSError, EOFError, ValueError, RuntimeError):
        raise _refusal("upload_broken", name) from None
    if not all(file.data for file in files):
        raise _refusal("upload_empty", name)
    return files


def _is_sent(member: zipfile.ZipInfo) -> bool:
    """Whether a file is what somebody put in: macOS adds hidden ones and a folder of its own."""
    *folders, last = member.filename.split("/")
    if not folders and not last:
        return True  # a member without a name, on which `is_dir` fails
    return bool(last) and "__MACOSX" not in folders and not last.startswith(".")


def _bounded(file: IO[bytes], name: str) -> bytes:
    """What a file holds; counted while it is inflated, because headers may lie."""
    parts, size = [], 0
    while part := file.read(_AT_ONCE):
        size += len(part)
        if size > MAX_BYTES:
            raise _refusal("upload_too_large", name)
        parts.append(part)
    return b"".join(parts)


def _refusal(key: str, name: str, **details: Any) -> Malformed:
    megabytes = MAX_BYTES >> 20
    return Malformed.of(f"desk.refused.{key}", file=name, megabytes=megabytes, **details)
