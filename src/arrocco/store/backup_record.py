"""What an office's folder tells of its backups: the last whole one, and the last that failed."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import msgspec
from msgspec import Struct

from arrocco.formats.atomic import replacing

FILE = "last-backup.json"
FAILED = "last-backup-failed.json"


class LastBackup(Struct, frozen=True, kw_only=True):
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


class FailedBackup(Struct, frozen=True, kw_only=True):
    """A backup that could not be made, since the last whole one."""

    at: datetime
    key: str
    text: str


def last_backup(folder: Path) -> LastBackup | None:
    """The last whole backup; `None` where none, or nothing readable, is written down."""
    try:
        return msgspec.json.decode((folder / FILE).read_bytes(), type=LastBackup)
    except (OSError, msgspec.MsgspecError):
        return None


def failed_backup(folder: Path) -> FailedBackup | None:
    """The last backup that failed, unless one was made since."""
    try:
        return msgspec.json.decode((folder / FAILED).read_bytes(), type=FailedBackup)
    except (OSError, msgspec.MsgspecError):
        return None


def note_backup(folder: Path, backup: LastBackup) -> None:
    """Writes down that there is a backup."""
    with replacing(folder / FILE) as file:
        file.write(msgspec.json.encode(backup))
    (folder / FAILED).unlink(missing_ok=True)


def note_failure(folder: Path, failure: FailedBackup) -> None:
    """Writes down that a backup could not be made."""
    with replacing(folder / FAILED) as file:
        file.write(msgspec.json.encode(failure))
