"""Makes a backup and calls it one only when it is whole where it is kept."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec import Struct

from arrocco.desk import Office, locks
from arrocco.errors import Inconsistent, Refusal
from arrocco.findings import Finding
from arrocco.operation.verify import verify_office
from arrocco.store import backup_crypt, backup_record, office_folder
from arrocco.store.backup import Manifest, backup
from arrocco.store.backup_places import FolderPlace, Place, place_and_name, place_of
from arrocco.store.backup_record import FailedBackup, LastBackup
from arrocco.store.restore import restore
from arrocco.store.sql.database import Database, sqlite_url

LOCK = ".backup.lock"
_NAME = re.compile(r"arrocco-([0-9a-f]{32})-(\d{8}T\d{9}Z)\.zip(\.age)?", re.ASCII)


class Wanted(Struct, frozen=True, kw_only=True):
    """How a backup is to be made."""

    to: str = ""
    """A folder or ``s3://bucket/prefix``; the name tells the office and the moment."""
    file: str = ""
    """A file instead, under a name of one's own."""
    encrypt_to: tuple[str, ...] = ()
    check: bool = False
    """Whether it is restored and verified before it is called a backup."""
    keep: int | None = None
    """How many backups of this office stay in the place; older ones go."""
    endpoint: str = ""


class Made(Struct, frozen=True, kw_only=True):
    """A backup that was made."""

    file: str
    bytes: int
    sha256: str
    rows: dict[str, int]
    files: int
    checked: bool
    encrypted: bool
    removed: tuple[str, ...] = ()
    damage: tuple[Finding, ...] = ()
    """What is damaged in the office itself; nothing is pruned then."""


def make_backup(folder: Path, database: Database, wanted: Wanted, now: datetime) -> Made:
    """Makes a backup; how it went is written down in the folder of the office.

    Raises `Refusal` where it cannot be made, and where another one is being made.
    """
    with _alone(folder):
        try:
            made = _make(folder, database, wanted, now)
        except (Refusal, OSError) as error:
            with suppress(OSError):  # a folder that cannot be written to is told of as it is
                key = error.key if isinstance(error, Refusal) else ""
                backup_record.note_failure(folder, FailedBackup(at=now, key=key, text=str(error)))
            raise
        backup_record.note_backup(
            folder,
            LastBackup(
                at=now,
                file=made.file,
                bytes=made.bytes,
                sha256=made.sha256,
                checked=made.checked,
                encrypted=made.encrypted,
                damage=len(made.damage),
            ),
        )
        return made


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    with locks.held_if_free(folder / LOCK) as is_free:
        if not is_free:
            raise Inconsistent.of("desk.refused.backup_under_way", folder=folder)
        yield


def _make(folder: Path, database: Database, wanted: Wanted, now: datetime) -> Made:
    backup_crypt.require_recipients(wanted.encrypt_to)
    office = office_folder.read_id(folder) or ""
    if wanted.file:
        place, name = place_and_name(wanted.file, wanted.endpoint)
        if isinstance(place, FolderPlace) and (place.folder / name).exists():
            raise Inconsistent.of("store.backup.in_the_way", target=wanted.file)
    else:
        place, name = place_of(wanted.to, wanted.endpoint), _name(office, now, wanted)
    with TemporaryDirectory(dir=place.scratch, prefix=".arrocco-backup-") as scratch:
        archive = Path(scratch) / "archive.zip"
        manifest = backup(folder, database, archive)
        damage: tuple[Finding, ...] = ()
        if wanted.check:
            damage = _check(archive, manifest, Path(scratch) / "restored", folder, database)
        if wanted.encrypt_to:
            plain, archive = archive, archive.with_suffix(".zip.age")
            backup_crypt.encrypt(plain, archive, wanted.encrypt_to)
            plain.unlink()
        size, digest = archive.stat().st_size, _sha256(archive)
        place.put(name, archive)
    if wanted.check and place.sha256(name) != digest:
        raise Inconsistent.of("store.backup.damaged", archive=f"{place}/{name}", name=name)
    # The backups of a damaged office must not push out those from before the damage.
    may_prune = wanted.keep is not None and not damage
    removed = _prune(place, office, name, wanted.keep or 1) if may_prune else []
    return Made(
        file=wanted.file or f"{place}/{name}",
        bytes=size,
        sha256=digest,
        rows=manifest.rows,
        files=len(manifest.files),
        checked=wanted.check,
        encrypted=bool(wanted.encrypt_to),
        removed=tuple(removed),
        damage=damage,
    )


def _check(
    archive: Path, manifest: Manifest, restored: Path, folder: Path, database: Database
) -> tuple[Finding, ...]:
    """Restores an archive into a place of its own and verifies it there; the office's own damage.

    What is damaged in the office too is no fault of the backup: without it there would be none
    from then on. Raises `Inconsistent` for damage that the office does not have.
    """
    if restore(archive, restored, sqlite_url(restored)) != manifest:
        raise Inconsistent.of("store.backup.damaged", archive=archive, name=archive.name)
    with closing(Office.open_to_read(restored, database=sqlite_url(restored))) as office:
        damage = _damage(restored, office.desk.database)
    own = {
        (finding.key, repr(finding.details))
        for finding in (_damage(folder, database) if damage else ())
    }
    new = tuple(finding for finding in damage if (finding.key, repr(finding.details)) not in own)
    if new:
        raise Inconsistent.of("desk.refused.backup_not_good", count=len(new), findings=new)
    return damage


def _damage(folder: Path, database: Database) -> tuple[Finding, ...]:
    findings = verify_office(folder, database, has_recordings=False).findings
    return tuple(finding for finding in findings if finding.is_error)


def _name(office: str, now: datetime, wanted: Wanted) -> str:
    moment = now.astimezone(UTC)
    stamp = f"{moment:%Y%m%dT%H%M%S}{moment.microsecond // 1000:03}Z"
    return f"arrocco-{office}-{stamp}.zip" + (".age" if wanted.encrypt_to else "")


def _prune(place: Place, office: str, made: str, keep: int) -> list[str]:
    """Takes the oldest backups of this office away, never the one just made; their names."""
    names = [name for name in place.names() if (m := _NAME.fullmatch(name)) and m[1] == office]
    others = sorted(name for name in names if name != made)  # by their moments
    old = others[: max(len(others) - (keep - 1), 0)]
    for name in old:
        place.remove(name)
    return old


def _sha256(file: Path) -> str:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()
