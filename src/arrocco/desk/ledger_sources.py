"""Where an outsider has the ledger and the lists from: an office's address, or a folder."""

from __future__ import annotations

import http.client
import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import BinaryIO, Protocol
from urllib.error import URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import msgspec

from arrocco.desk.ledger_copy import HEAD_FILE, IMPORTED, LEDGER_FILE, LISTS, Head
from arrocco.errors import Malformed, Unavailable
from arrocco.words import system as system_words

MAX_LINE = 32 << 20
"""Bytes of one entry: the longest list of a month with its reports has some hundred thousand."""
MAX_FILE = 8 << 30
_MAX_HEAD = 1 << 16
_SECONDS = 60
_PART = 1 << 20
_NAME = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}", re.ASCII)


class Source(Protocol):
    """What is checked."""

    def head(self) -> Head:
        """The end of the ledger as the source tells it."""
        ...

    def lines(self) -> Iterator[bytes]:
        """The entries, a line each."""
        ...

    def file(self, system: str, list_date: date, name: str) -> Iterator[bytes]:
        """The bytes of a file of a list."""
        ...

    def imported(self, blob: str) -> Iterator[bytes]:
        """The bytes of a file that a list was imported from."""
        ...


def source_of(where: str) -> Source:
    """A source by its address or folder."""
    return SiteSource(where) if "://" in where else FolderSource(Path(where))


class FolderSource:
    """A folder that `ledger export` or `ledger verify --save` has written."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def head(self) -> Head:
        with self._open(HEAD_FILE) as file:
            return _head(file.read(_MAX_HEAD), str(self._folder / HEAD_FILE))

    def lines(self) -> Iterator[bytes]:
        with self._open(LEDGER_FILE) as file:
            yield from _lines(file)

    def file(self, system: str, list_date: date, name: str) -> Iterator[bytes]:
        return self._parts(f"{LISTS}/{_safe(system)}/{list_date.isoformat()}/{_safe(name)}")

    def imported(self, blob: str) -> Iterator[bytes]:
        return self._parts(f"{IMPORTED}/{_safe(blob)}")

    def _parts(self, name: str) -> Iterator[bytes]:
        with self._open(name) as file:
            yield from _parts(file)

    def _open(self, name: str) -> BinaryIO:
        try:
            return (self._folder / name).open("rb")
        except OSError as error:
            raise Unavailable.of(
                "outside.refused.unreadable", what=self._folder / name, reason=system_words(error)
            ) from None


class SiteSource:
    """The site of an office; nothing is asked that needs an account."""

    def __init__(self, address: str) -> None:
        parts = urlsplit(address)
        if parts.scheme not in ("http", "https") or not parts.netloc:
            raise Malformed.of("outside.refused.no_address", address=address)
        self._base = f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}"

    def head(self) -> Head:
        address = f"{self._base}/api/v1/ledger/head"
        return _head(b"".join(self._fetch(address, _MAX_HEAD)), address)

    def lines(self) -> Iterator[bytes]:
        with self._open(f"{self._base}/api/v1/ledger/entries") as answer:
            yield from _lines(answer)

    def file(self, system: str, list_date: date, name: str) -> Iterator[bytes]:
        day = f"{_safe(system)}/{list_date.isoformat()}"
        return self._fetch(f"{self._base}/en/lists/{day}/files/{_safe(name)}", MAX_FILE)

    def imported(self, blob: str) -> Iterator[bytes]:
        return self._fetch(f"{self._base}/api/v1/ledger/imported/{_safe(blob)}", MAX_FILE)

    def _fetch(self, address: str, most: int) -> Iterator[bytes]:
        with self._open(address) as answer:
            yield from _parts(answer, most)

    def _open(self, address: str) -> BinaryIO:
        request = Request(address, headers={"user-agent": "arrocco ledger verify"})
        try:
            answer: BinaryIO = urlopen(request, timeout=_SECONDS)
        except (URLError, OSError, http.client.HTTPException, ValueError) as error:
            raise Unavailable.of(
                "outside.refused.unreadable", what=address, reason=str(error)
            ) from None
        return answer


def _safe(name: str) -> str:
    """A name out of a ledger that may be part of a path. Raises `Malformed` for any other."""
    if not _NAME.fullmatch(name):
        raise Malformed.of("outside.refused.strange_name", name=name[:100])
    return name


def _head(data: bytes, what: str) -> Head:
    try:
        return msgspec.json.decode(data, type=Head)
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise Malformed.of("outside.refused.no_head", what=what) from None


def _lines(stream: BinaryIO) -> Iterator[bytes]:
    try:
        while line := stream.readline(MAX_LINE + 1):
            if len(line) > MAX_LINE:
                raise Malformed.of("outside.refused.long_line", most=MAX_LINE)
            yield line
    except (OSError, http.client.HTTPException) as error:
        raise Unavailable.of(
            "outside.refused.unreadable", what=LEDGER_FILE, reason=str(error)
        ) from None


def _parts(stream: BinaryIO, most: int = MAX_FILE) -> Iterator[bytes]:
    size = 0
    try:
        while part := stream.read(_PART):
            size += len(part)
            if size > most:
                raise Malformed.of("outside.refused.long_file", most=most)
            yield part
    except (OSError, http.client.HTTPException) as error:
        raise Unavailable.of("outside.refused.unreadable", what="", reason=str(error)) from None
