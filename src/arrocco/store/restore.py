"""An office from its backup, into either database; verified before anything is used."""

from __future__ import annotations

import hashlib
import re
import secrets
import shutil
import sqlite3
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import msgspec
from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from arrocco.errors import Inconsistent, Malformed, Refusal
from arrocco.files import sync
from arrocco.hall.chain import RECORDINGS
from arrocco.office.records import DraftStatus
from arrocco.store import backup_record, hall_file, office_folder
from arrocco.store.backup import FORMAT, MANIFEST, Kept, Manifest
from arrocco.store.backup_rows import LEFT_OUT, Rows, are_empty
from arrocco.store.sql import ledger, office_id, seals
from arrocco.store.sql.database import Database, sqlite_url
from arrocco.store.sql.migrate import migrate
from arrocco.store.sql.tables import drafts
from arrocco.words import system

_ROWS = re.compile(r"rows/([a-z_]+)\.jsonl")
_NAMES = re.compile(
    r"rows/[a-z_]+\.jsonl"
    r"|blobs/[0-9a-f]{2}/[0-9a-f]{62}"
    r"|office-key"
    r"|lists/[a-z0-9-]+/\d{4}-\d{2}-\d{2}(/[A-Za-z0-9_-][A-Za-z0-9._-]*|\.[a-z]+)",
    re.ASCII,
)
"""The names an archive may have; none of them leads out of a folder."""
_RECORDINGS = f'"{RECORDINGS}:'.encode()
_MAX_MANIFEST = 1 << 29
_PART = 1 << 20
_BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    RuntimeError,
    NotImplementedError,
    ValueError,
    msgspec.DecodeError,
)
"""What reading a damaged archive may come to."""


class _LogLine(msgspec.Struct):
    stream: str
    number: int


def restore(archive: Path, folder: Path, database_url: str = "") -> Manifest:
    """Makes an office of an archive: its folder and its database, which must both be empty.

    Without an address the database is a file in the folder. Raises `Refusal` where the archive is
    damaged or something is in the way; the folder is then as it was, and the database empty.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise Inconsistent.of("store.backup.in_the_way", target=folder)
    folder.parent.mkdir(parents=True, exist_ok=True)
    beside = folder.with_name(f".{folder.name}.{secrets.token_hex(6)}.part")
    beside.mkdir(mode=0o700)
    try:
        manifest = _unpack(archive, beside)
        if database_url in ("", sqlite_url(folder)):  # then it gets its name with the folder
            database_url = sqlite_url(beside)
        _fill(archive, manifest, beside, database_url)
        _note_recordings(beside)
        for part in office_folder.PARTS:  # an office without a report or list is one as well
            (beside / part).mkdir(exist_ok=True)
        shutil.rmtree(beside / "rows")
        office_folder.close_to_others(beside, even_closed=True)
        for path in sorted(beside.rglob("*")):
            sync(path)
        if folder.exists():
            folder.rmdir()
        beside.rename(folder)
        sync(folder.parent)
    except BaseException:
        shutil.rmtree(beside, ignore_errors=True)
        raise
    return manifest


def check(archive: Path) -> Manifest:
    """What a whole archive holds. Raises `Malformed` where it is damaged."""
    with _opened(archive) as (opened, manifest):
        for name, kept in manifest.files.items():
            for _ in _verified(opened, archive, name, kept):
                pass
        return manifest


@contextmanager
def _opened(archive: Path) -> Iterator[tuple[zipfile.ZipFile, Manifest]]:
    with ExitStack() as stack:
        try:
            opened = stack.enter_context(zipfile.ZipFile(archive))
            manifest = _manifest(opened, archive)
        except OSError as error:
            raise Malformed.of(
                "store.backup.unreadable", file=archive, reason=system(error)
            ) from None
        except Refusal:
            raise
        except _BROKEN:
            raise Malformed.of("store.backup.damaged", archive=archive, name=MANIFEST) from None
        yield opened, manifest


def _manifest(opened: zipfile.ZipFile, archive: Path) -> Manifest:
    """The manifest, once it agrees with the names and sizes of what is in the archive."""
    damaged = Malformed.of("store.backup.damaged", archive=archive, name=MANIFEST)
    infos = {info.filename: info for info in opened.infolist()}
    if MANIFEST not in infos or infos[MANIFEST].file_size > _MAX_MANIFEST:
        raise damaged
    data = opened.read(MANIFEST)
    version = msgspec.json.decode(data, type=dict[str, msgspec.Raw]).get("format", b"")
    if bytes(version) != str(FORMAT).encode():
        raise Malformed.of("store.backup.other_format", archive=archive)
    manifest = msgspec.json.decode(data, type=Manifest)
    for name, kept in manifest.files.items():
        if not _NAMES.fullmatch(name):
            raise Malformed.of("store.backup.strange_name", archive=archive, name=name[:200])
        if name not in infos or infos[name].file_size != kept.size:
            raise Malformed.of("store.backup.damaged", archive=archive, name=name)
    tables = {match[1] for name in manifest.files if (match := _ROWS.fullmatch(name))}
    is_whole = len(infos) == len(opened.infolist()) and infos.keys() - {MANIFEST} == set(
        manifest.files
    )
    if not is_whole or tables != set(manifest.rows) or tables & LEFT_OUT:
        raise damaged
    return manifest


def _verified(opened: zipfile.ZipFile, archive: Path, name: str, kept: Kept) -> Iterator[bytes]:
    """The bytes of a file; its last ones come only if all are as they were."""
    damaged = Malformed.of("store.backup.damaged", archive=archive, name=name)
    digest, size = hashlib.sha256(), 0
    held = b""
    try:
        with opened.open(name) as stream:
            while part := stream.read(_PART):
                size += len(part)
                if size > kept.size:
                    raise damaged
                digest.update(part)
                yield held
                held = part
    except (OSError, *_BROKEN) as error:  # a flipped bit may name a compression that fails so
        raise (error if isinstance(error, Refusal) else damaged) from None
    is_blob = name.startswith("blobs/")
    if digest.hexdigest() != kept.sha256 or (is_blob and name[6:].replace("/", "") != kept.sha256):
        raise damaged
    yield held


def _unpack(archive: Path, folder: Path) -> Manifest:
    """Writes every file of an archive below a folder, verified."""
    with _opened(archive) as (opened, manifest):
        needed = sum(kept.size for kept in manifest.files.values())
        if needed > shutil.disk_usage(folder).free:
            raise Inconsistent.of("store.backup.no_room", bytes=needed)
        (folder / "rows").mkdir()
        for name, kept in manifest.files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("xb") as file:
                for part in _verified(opened, archive, name, kept):
                    file.write(part)
    return manifest


def _fill(archive: Path, manifest: Manifest, folder: Path, url: str) -> None:
    """Writes the rows into the database, all or none, and sees that the ledger is unbroken."""
    database = Database(url)
    try:
        with database.reading() as connection:
            if not are_empty(connection):
                raise Inconsistent.of("store.backup.in_the_way", target=database.url)
        migrate(database, manifest.revision)
        with database.writing() as connection:
            _load(connection, archive, manifest, folder)
            ledger.check_chain(connection)
            id_there = office_id.get(connection)
        if id_there is not None:  # a backup of an older program has none; it gets one when opened
            office_folder.write_id(folder, id_there)
        migrate(database)
        with database.writing() as connection:
            # The folders of drafts are not in archives: such drafts are made again.
            gone = drafts.c.status.in_((DraftStatus.RUNNING.value, DraftStatus.READY.value))
            status = {"status": DraftStatus.DISCARDED.value}
            seals.update(connection, drafts, gone, values=status)
    finally:
        database.close()


def _note_recordings(folder: Path) -> None:
    """Writes down which recordings the logs know of: the archive has none of them."""
    last: dict[str, int] = {}
    path = folder / "rows" / "hall_log.jsonl"
    if path.exists():
        with path.open("rb") as lines:
            for line in lines:
                if _RECORDINGS in line:
                    record = msgspec.json.decode(line, type=_LogLine)
                    kind, _, event = record.stream.partition(":")
                    if kind == RECORDINGS:
                        last[event] = max(last.get(event, 0), record.number)
    if last:
        backup_record.note_restored(folder, backup_record.Restored(recordings=last))


def _load(connection: Connection, archive: Path, manifest: Manifest, folder: Path) -> None:
    rows = Rows(connection)
    for table in rows.tables:
        if table in manifest.rows:
            name = f"rows/{table}.jsonl"
            try:
                with (folder / name).open("rb") as lines:
                    is_hall = table in hall_file.TABLES and manifest.rows[table]
                    if is_hall and connection.dialect.name == "sqlite":
                        count = hall_file.load(hall_file.hall_file(folder), table, lines)
                    else:
                        count = rows.load(table, lines)
            except (ValueError, msgspec.DecodeError, DBAPIError, sqlite3.Error):
                raise Malformed.of("store.backup.damaged", archive=archive, name=name) from None
            if count != manifest.rows[table]:
                raise Malformed.of("store.backup.damaged", archive=archive, name=name)
    if manifest.rows.keys() - rows.tables.keys():
        raise Malformed.of("store.backup.damaged", archive=archive, name=MANIFEST)
