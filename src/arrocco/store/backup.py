"""A backup of an office in one file, made while the office runs.

The archive is a ZIP: ``rows/<table>.jsonl`` are the tables, of one moment; ``blobs/`` and
``lists/`` are the files that the rows of that moment name, and ``manifest.json`` has the SHA-256
of everything. Files are written before the rows that name them and never change: so those that the
rows name are there, whole, whatever the office does meanwhile. Drafts and views are not kept, they
can be made again; neither are sessions. ``office-key`` is the key that signs lists.

An office on SQLite has the hall's logs in a file of their own. In an archive they are rows of their
table like any other, so that it goes into either database.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct, json
from sqlalchemy import Connection

from arrocco.errors import Inconsistent
from arrocco.files import replacing
from arrocco.office.ledger import ListImported, ListPublished, ReportAccepted
from arrocco.store import hall_file, office_folder, office_key
from arrocco.store.backup_rows import kept_tables, lines_of
from arrocco.store.blobs import Blobs
from arrocco.store.sql import ledger, office_id, publications
from arrocco.store.sql.database import Database
from arrocco.store.sql.migrate import HEAD
from arrocco.store.sql.named_blobs import named_blobs
from arrocco.words import system

FORMAT = 1
MANIFEST = "manifest.json"
_PART = 1 << 20


class Kept(Struct, frozen=True):
    """A file of an archive."""

    sha256: str
    size: int


class Manifest(Struct, frozen=True, kw_only=True):
    """What an archive holds."""

    format: int
    revision: str
    rows: dict[str, int]
    files: dict[str, Kept]
    office: str = ""
    """The id of the office; empty in backups of older programs."""


class _List(NamedTuple):
    """A list that is out; `files` has the SHA-256 of its files where it was made here."""

    system: str
    day: str
    files: dict[str, str]


def backup(office_folder: Path, database: Database, target: Path) -> Manifest:
    """Writes the archive of an office, whole or not at all, and gives what is in it.

    Raises `Inconsistent` where the target is there already, where a file of the office is missing
    or damaged, where folder and database are of two offices, or where there is nothing to keep.
    """
    if target.exists():
        raise Inconsistent.of("store.backup.in_the_way", target=target)
    with replacing(target) as file:
        os.fchmod(file.fileno(), 0o600)  # it holds what the office knows of people
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
            return _Writer(archive, office_folder).write(database)


class _Writer:
    """Writes files into an archive and keeps their hashes."""

    def __init__(self, archive: zipfile.ZipFile, office: Path) -> None:
        self.archive, self.office = archive, office
        self.files: dict[str, Kept] = {}

    def write(self, database: Database) -> Manifest:
        rows: dict[str, int] = {}
        # One moment for all that is asked. The hall's comes first by a hair: an event is listed
        # before its log begins, so whatever has a log is listed too.
        with self._hall_logs(database) as logs, database.reading() as connection:
            office = self._same_office(connection, database)
            for table in kept_tables():
                if logs is not None and table.name in hall_file.TABLES:
                    lines = _Counted(hall_file.lines_of(logs, table.name))
                else:
                    lines = _Counted(lines_of(connection, table))
                self._add(f"rows/{table.name}.jsonl", lines)
                rows[table.name] = lines.count
            named, lists = _named_blobs(connection), _lists(connection)
        if not (named or lists or rows["accounts"]):
            raise Inconsistent.of("store.backup.nothing", folder=self.office, database=database.url)
        self._add_blobs(named)
        for listed in lists:
            self._add_list(listed)
        secret = office_key.read_key(self.office)
        if secret is not None:
            self._add(office_key.KEY_FILE, [f"{secret}\n".encode()])
        manifest = Manifest(
            format=FORMAT, revision=HEAD, rows=rows, files=self.files, office=office or ""
        )
        self._put(MANIFEST, [json.encode(manifest, order="deterministic")])
        return manifest

    def _same_office(self, connection: Connection, database: Database) -> str | None:
        """The id that folder and database have."""
        here, there = office_folder.read_id(self.office), office_id.get(connection)
        if here != there:
            raise Inconsistent.of(
                "store.backup.other_office",
                folder=self.office,
                office=here or "-",
                database=database.url,
                other=there or "-",
            )
        return there

    def _hall_logs(self, database: Database) -> AbstractContextManager[sqlite3.Connection | None]:
        """The logs of the hall where they are not among the tables."""
        if not database.is_sqlite:
            return nullcontext()
        return hall_file.snapshot(hall_file.hall_file(self.office))

    def _add_blobs(self, named: set[str]) -> None:
        """Every blob that is named, each as it should be; what nobody names stays behind."""
        blobs = Blobs(self.office / "blobs")
        for name in sorted(named):
            self._add(f"blobs/{name[:2]}/{name[2:]}", [blobs.get(name)])

    def _add_list(self, listed: _List) -> None:
        folder = self.office / "lists" / listed.system
        day = folder / listed.day
        paths = sorted(day.iterdir()) if day.is_dir() else sorted(folder.glob(f"{listed.day}.*"))
        for path in paths:
            if path.is_file() and not path.name.startswith("."):
                name = path.relative_to(self.office).as_posix()
                self._add(name, _parts(path), is_packed=path.suffix in (".parquet", ".zip"))
        if not any(path.is_file() for path in paths):
            raise Inconsistent.of("store.backup.list_damaged", file=day)
        for name, expected in listed.files.items():
            kept = self.files.get(f"lists/{listed.system}/{listed.day}/{name}")
            if kept is None or kept.sha256 != expected:
                raise Inconsistent.of("store.backup.list_damaged", file=day / name)

    def _add(self, name: str, parts: Iterable[bytes], *, is_packed: bool = False) -> None:
        self.files[name] = self._put(name, parts, is_packed=is_packed)

    def _put(self, name: str, parts: Iterable[bytes], *, is_packed: bool = False) -> Kept:
        entry = zipfile.ZipInfo(name)  # without a date: the same office gives the same archive
        entry.external_attr = 0o600 << 16
        entry.compress_type = zipfile.ZIP_STORED if is_packed else zipfile.ZIP_DEFLATED
        digest, size = hashlib.sha256(), 0
        with self.archive.open(entry, "w", force_zip64=True) as stream:
            for part in parts:
                digest.update(part)
                size += len(part)
                stream.write(part)
        return Kept(digest.hexdigest(), size)


class _Counted:
    """Lines, with how many of them went by; small ones go together."""

    def __init__(self, lines: Iterator[bytes]) -> None:
        self.lines, self.count = lines, 0

    def __iter__(self) -> Iterator[bytes]:
        together = bytearray()
        for line in self.lines:
            self.count += 1
            together += line
            if len(together) > _PART:
                yield bytes(together)
                together.clear()
        yield bytes(together)


def _parts(path: Path) -> Iterator[bytes]:
    try:
        with path.open("rb") as file:
            while part := file.read(_PART):
                yield part
    except OSError as error:
        raise Inconsistent.of("store.backup.unreadable", file=path, reason=system(error)) from None


def _named_blobs(connection: Connection) -> set[str]:
    names = named_blobs(connection)
    for entered in ledger.of_kind(connection, ReportAccepted, ListImported):
        if isinstance(entered.entry, ReportAccepted | ListImported):
            names.add(entered.entry.blob)
    return names


def _lists(connection: Connection) -> list[_List]:
    made = {
        (ledger_entry.entry.system, ledger_entry.entry.list_date): ledger_entry.entry.files
        for ledger_entry in ledger.of_kind(connection, ListPublished)
        if isinstance(ledger_entry.entry, ListPublished)
    }
    return [
        _List(out.system, out.list_date.isoformat(), made.get((out.system, out.list_date), {}))
        for out in publications.every(connection)
    ]
