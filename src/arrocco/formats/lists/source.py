"""The file a list comes from: plain, or alone in a zip archive; and which format it holds."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, BinaryIO

from arrocco.errors import Malformed, Refusal
from arrocco.formats.lists.registry import ListFormat, format_of
from arrocco.words import system

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

_HEAD = 1 << 16
_MAX_BYTES = 3 << 30
"""The largest FIDE list, as XML, has less than a third of this."""
_MAX_SWELLING = 200
"""A list packs to a tenth or a thirtieth; what swells more is not a list."""


class Source:
    """A file to read, any number of times: the file itself, or the one inside an archive."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.file = str(path)
        self._member: zipfile.ZipInfo | None = None
        with _refusing(self.file), path.open("rb") as stream:
            head = stream.read(_HEAD)
            if head[:4] in (b"PK\x03\x04", b"PK\x05\x06"):
                with _archive(stream) as archive:
                    self._member = _only_member(archive, self.file)
        if self._member is not None:
            self.file = f"{path}!{self._member.filename}"
            with self._open(whole=False) as stream:
                head = stream.read(_HEAD)
        self.format = recognised(head, self.file)

    def open(self) -> AbstractContextManager[BinaryIO]:
        """Opens it from the start. What goes wrong while reading becomes a refusal."""
        return self._open(whole=self.format.read_from_end)

    @contextmanager
    def _open(self, *, whole: bool) -> Iterator[BinaryIO]:
        with _refusing(self.file), self.path.open("rb") as stream:
            if self._member is None:
                yield stream
                return
            with _archive(stream) as archive, archive.open(self._member) as member:
                bounded = _Bounded(member, self.file, self._member.compress_size)
                if whole:
                    yield io.BytesIO(bounded.read())
                else:
                    yield io.BufferedReader(bounded, 1 << 20)


class _Bounded(io.RawIOBase):
    """A stream from an archive that refuses to swell beyond what a list can."""

    def __init__(self, member: IO[bytes], file: str, packed: int) -> None:
        self._member = member
        self._file = file
        self._left = min(_MAX_BYTES, max(packed * _MAX_SWELLING, 1 << 20))

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        view = memoryview(buffer)
        data = self._member.read(len(view))
        self._left -= len(data)
        if self._left < 0:
            raise Refusal.of("lists.refused.archive_swells", file=self._file)
        view[: len(data)] = data
        return len(data)


def _archive(stream: BinaryIO) -> zipfile.ZipFile:
    """The archive in a file. Raises `BadZipFile` also where a name in it is no text."""
    try:
        return zipfile.ZipFile(stream)
    except UnicodeDecodeError as error:
        raise zipfile.BadZipFile(str(error)) from None


def _only_member(archive: zipfile.ZipFile, file: str) -> zipfile.ZipInfo:
    """The one file of an archive; what the packer added of its own does not count."""
    members = [
        member
        for member in archive.infolist()
        if not member.filename.endswith("/") and not member.filename.startswith("__MACOSX/")
    ]
    if len(members) != 1:
        names = tuple(member.filename for member in members[:5])
        key = "lists.refused.archive_of_several" if names else "lists.refused.archive_of_none"
        raise Refusal.of(key, file=file, count=len(members), names=names)
    if members[0].flag_bits & 1:
        raise Refusal.of("lists.refused.archive_locked", file=file)
    return members[0]


@contextmanager
def _refusing(file: str) -> Iterator[None]:
    """Turns what the system and the archive say into refusals."""
    try:
        yield
    except OSError as error:
        raise Refusal.of("lists.refused.unreadable", file=file, reason=system(error)) from None
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, EOFError) as error:
        raise Malformed.of("lists.refused.archive_damaged", file=file, reason=str(error)) from None


def recognised(head: bytes, file: str) -> ListFormat:
    """The format of a file, told from its first bytes. Raises `Malformed` for none of ours."""
    if head[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise Malformed.of("lists.refused.utf_16", file=file)
    format_ = format_of(head.removeprefix(b"\xef\xbb\xbf").decode("latin-1"))
    if format_ is None:
        from arrocco.formats.lists.list_csv import COLUMNS

        raise Malformed.of("lists.refused.no_known_format", file=file, heading=",".join(COLUMNS))
    return format_
