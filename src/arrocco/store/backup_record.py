"""What an office's folder tells of its backups: the last whole one, the last that failed, and what
the office lacks since it was restored from one."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import msgspec

from arrocco.store.sealed_file import UNREADABLE, SealedFile, is_damaged, write

FILE = "last-backup.json"
FAILED = "last-backup-failed.json"
RESTORED = "restored.json"


class LastBackup(SealedFile, frozen=True, kw_only=True):
    """The last backup that was whole."""

    at: datetime
    file: str = ""
    bytes: int = 0
    sha256: str = ""
    checked: bool = False
    encrypted: bool = False
    damage: int = 0
    """How much was damaged in the office when it was checked."""

    def age(self, now: datetime) -> float:
        """Its age in seconds; never below 0."""
        at = self.at if self.at.tzinfo else self.at.replace(tzinfo=UTC)
        return max((now - at).total_seconds(), 0.0)


class FailedBackup(SealedFile, frozen=True, kw_only=True):
    """A backup that could not be made, since the last whole one."""

    at: datetime
    key: str
    text: str


class Restored(SealedFile, frozen=True, kw_only=True):
    """What the office was restored without: recordings are in no backup."""

    recordings: dict[str, int]
    """By event: the last record of its log that tells of recordings made before."""


def last_backup(folder: Path) -> LastBackup | None:
    """The last whole backup; `None` where none, or nothing readable, is written down."""
    try:
        return msgspec.json.decode((folder / FILE).read_bytes(), type=LastBackup)
    except UNREADABLE:
        return None


def failed_backup(folder: Path) -> FailedBackup | None:
    """The last backup that failed, unless one was made since."""
    try:
        return msgspec.json.decode((folder / FAILED).read_bytes(), type=FailedBackup)
    except UNREADABLE:
        return None


def restored(folder: Path) -> Restored | None:
    """What the office was restored without; `None` where nothing readable says so."""
    try:
        return msgspec.json.decode((folder / RESTORED).read_bytes(), type=Restored)
    except UNREADABLE:
        return None


def note_restored(folder: Path, restored: Restored) -> None:
    """Writes down that the office was restored."""
    write(folder / RESTORED, restored)


def note_backup(folder: Path, backup: LastBackup) -> None:
    """Writes down that there is a backup."""
    write(folder / FILE, backup)
    (folder / FAILED).unlink(missing_ok=True)


def note_failure(folder: Path, failure: FailedBackup) -> None:
    """Writes down that a backup could not be made."""
    write(folder / FAILED, failure)


def damaged(folder: Path) -> list[str]:
    """The names of those records that are not as they were written."""
    kinds: dict[str, type[SealedFile]] = {
        FILE: LastBackup,
        FAILED: FailedBackup,
        RESTORED: Restored,
    }
    return [name for name, kind in kinds.items() if is_damaged(folder / name, kind)]
