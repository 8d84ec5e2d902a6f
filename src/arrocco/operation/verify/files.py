"""The files of an office: kept reports, lists, drafts, views, backups, and what nobody names."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from arrocco.desk import folders
from arrocco.desk.list_import import write_imported
from arrocco.desk.replay_files import ReplayFiles
from arrocco.errors import Refusal
from arrocco.findings import Finding, Place, Severity
from arrocco.office import signatures
from arrocco.office.ledger import AnyEntry, ListImported, ListPublished, OfficeKey, list_format
from arrocco.operation import state_file
from arrocco.operation.verify.databases import error
from arrocco.store import backup_record, engine_trouble, office_folder, office_key
from arrocco.store.blobs import Blobs
from arrocco.store.list_view_build import damaged_file
from arrocco.store.restore import check as check_backup
from arrocco.store.statistics_kept import is_damaged
from arrocco.words import Phrase, system

KNOWN = frozenset(
    {
        office_folder.ID_FILE,
        office_key.KEY_FILE,
        backup_record.FILE,
        backup_record.FAILED,
        backup_record.RESTORED,
        engine_trouble.FILE,
        state_file.FILE,
        *"blobs lists drafts views replays backups set-aside video janus".split(),
        *(f"{name}.sqlite{end}" for name in ("office", "hall") for end in ("", "-wal", "-shm")),
    }
)
"""What the folder of an office holds; a name that begins with a dot is a lock or unfinished."""
STATISTICS = "statistics"
_ARCHIVE = b"PK\x03\x04"


def warning(key: str, file: str, /, **details: Any) -> Finding:
    return Finding(Severity.WARNING, f"verify.{key}", Place(file), details=details)


def refusal_of(refusal: Refusal, file: str = "") -> Finding:
    """A refusal as a finding."""
    if refusal.key:
        return Finding(Severity.ERROR, refusal.key, Place(file), details=refusal.details)
    return error("refused", file, reason=refusal.message)


def check_blobs(blobs: Blobs, named: Collection[str] | None) -> Iterator[Finding]:
    """Every blob against its name, every name against its blob; `None` where no name is known."""
    there = set(blobs.all())
    for name in sorted(there | set(named or ())):
        try:
            blobs.get(name)
        except Refusal as refusal:
            yield refusal_of(refusal, f"blobs/{name[:2]}/{name[2:]}")
            continue
        if named is not None and name not in named:
            yield Finding(
                Severity.NOTE, "verify.unnamed_blob", Place(f"blobs/{name[:2]}/{name[2:]}")
            )
    for path in sorted(blobs.root.rglob("*")):
        name = path.parent.name + path.name
        if path.is_file() and name not in there and not path.name.startswith("."):
            yield warning("unnamed_file", f"blobs/{path.relative_to(blobs.root)}")


def check_list(lists: Path, entry: ListPublished | ListImported, blobs: Blobs) -> Iterator[Finding]:
    """The files of a list against those that were published, or against what was imported."""
    where = {"system": entry.system, "list_date": entry.list_date}
    folder = lists / entry.system / entry.list_date.isoformat()
    try:
        sealed = entry.files if isinstance(entry, ListPublished) else _imported(entry, blobs)
    except Refusal as refusal:
        reason = Phrase(f"{refusal.key}.text", refusal.details)
        yield Finding(Severity.ERROR, "desk.verify.refused", details={"reason": reason, **where})
        return
    for key, name in compare(folder, sealed):
        place = Place(f"lists/{entry.system}/{entry.list_date}/{name}")
        details = {"file": name, **where}
        yield Finding(Severity.ERROR, f"desk.verify.{key}", place, details=details)


def _imported(entry: ListImported, blobs: Blobs) -> Mapping[str, str]:
    """What the files of an imported list must be: it is imported again, beside."""
    blobs.get(entry.blob)
    with TemporaryDirectory(prefix="arrocco-") as scratch:
        target = Path(scratch) / entry.list_date.isoformat()
        blob = blobs.path(entry.blob)
        write_imported(entry.system, entry.list_date, blob, target, list_format(entry))
        return folders.hashes(target)


def compare(folder: Path, sealed: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Where the files of a folder are not those that were sealed: what is wrong, and the file."""
    hashes: dict[str, str] = {}
    unreadable: dict[str, OSError] = {}
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        try:
            hashes[path.name] = hashlib.sha256(path.read_bytes()).hexdigest()
        except OSError as failure:
            unreadable[path.name] = failure
    for name in sorted(sealed.keys() | hashes.keys() | unreadable.keys()):
        if name in unreadable:
            yield "changed", name
        elif name not in hashes:
            yield "missing", name
        elif name not in sealed:
            yield "extra", name
        elif hashes[name] != sealed[name]:
            yield "changed", name


def check_lists(
    lists: Path, entries: Mapping[int, AnyEntry], published: Collection[tuple[str, str]] | None
) -> Iterator[Finding]:
    """That nothing is among the lists that is none; `published` are those that are out."""
    known = {
        (entry.system, entry.list_date.isoformat())
        for entry in entries.values()
        if isinstance(entry, ListPublished | ListImported)
    } | set(published or ())
    for folder in sorted(lists.iterdir()) if lists.is_dir() else ():
        if not folder.is_dir():
            yield warning("unnamed_file", f"lists/{folder.name}")
            continue
        for path in sorted(folder.iterdir()):
            is_known = (folder.name, path.name.partition(".")[0]) in known
            if not is_known and not path.name.startswith("."):
                yield warning("unnamed_file", f"lists/{folder.name}/{path.name}")


def check_views(views: Path) -> Iterator[Finding]:
    """Views and statistics against the hashes that were kept with them."""
    for folder in sorted(views.iterdir()) if views.is_dir() else ():
        if folder.name.startswith("."):
            continue
        for path in sorted(folder.iterdir()) if folder.is_dir() else ():
            name = f"views/{folder.name}/{path.name}"
            if folder.name == STATISTICS:
                for kept in sorted(path.glob("*.json")):
                    if is_damaged(kept):
                        yield error("derived", f"{name}/{kept.name}")
            elif path.is_dir() and not path.name.startswith("."):
                damaged = damaged_file(path)
                if damaged is not None:
                    yield error("derived", f"{name}/{damaged}")


def check_replays(folder: Path) -> Iterator[Finding]:
    """Replays that have ended against the hashes that were kept with them."""
    replays = ReplayFiles(folder)
    for number in replays.numbers():
        for name in replays.damaged(number):
            yield error("replay", f"{replays.root.name}/{number}/{name}")


def check_backups(folder: Path) -> Iterator[Finding]:
    """Archives that are kept in the folder, each against its own hashes."""
    for path in sorted(folder.rglob("*")) if folder.is_dir() else ():
        if not path.is_file() or path.name.startswith("."):
            continue
        try:
            with path.open("rb") as file:
                is_archive = file.read(4) == _ARCHIVE or path.suffix == ".zip"
            if is_archive:
                check_backup(path)
        except Refusal as refusal:
            yield refusal_of(refusal, f"{folder.name}/{path.relative_to(folder)}")
        except OSError as failure:
            place = f"{folder.name}/{path.relative_to(folder)}"
            yield error("unreadable_file", place, reason=system(failure))


def check_last_backup(folder: Path) -> Iterator[Finding]:
    """The last backup against the hash that was kept of it, where it is a file that is still there.

    An encrypted one can be checked in no other way.
    """
    for name in backup_record.damaged(folder):
        yield error("restored_record" if name == backup_record.RESTORED else "backup_record", name)
    last = backup_record.last_backup(folder)
    if last is None or not last.sha256 or not (path := Path(last.file)).is_file():
        return
    try:
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as failure:
        yield error("unreadable_file", str(path), reason=system(failure))
        return
    if digest != last.sha256:
        yield error("backup_changed", str(path))


def check_engine(folder: Path) -> Iterator[Finding]:
    """What the watch noted of an engine that does not start."""
    if engine_trouble.is_damaged(folder):
        yield error("engine_record", engine_trouble.FILE)


def check_key(folder: Path, entries: Mapping[int, AnyEntry]) -> Iterator[Finding]:
    """That the private key in the folder is that of the public one in the ledger, and private."""
    known = [entry.public for entry in entries.values() if isinstance(entry, OfficeKey)]
    try:
        secret = office_key.read_key(folder)
    except Refusal as refusal:
        yield refusal_of(refusal, office_key.KEY_FILE)
        return
    if known and (secret is None or signatures.public_of(secret) != known[-1]):
        yield error("office_key", office_key.KEY_FILE)


def check_names(folder: Path) -> Iterator[Finding]:
    """Files in the folder of an office that are nobody's."""
    for path in sorted(folder.iterdir()):
        if path.name not in KNOWN and not path.name.startswith("."):
            yield warning("unnamed_file", path.name)


def check_rights(folder: Path) -> Iterator[Finding]:
    """That nobody but the owner can read the office."""
    paths = office_folder.open_to_others(folder)
    if paths:
        details = {"file": str(paths[0]), "count": len(paths)}
        yield Finding(Severity.WARNING, "desk.verify.open_to_others", details=details)
