"""When an office was last backed up, as the backup itself has written it down."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

import msgspec

FILE = "last-backup.json"


class LastBackup(msgspec.Struct, frozen=True, kw_only=True):
    """The last backup that was whole."""

    at: datetime
    file: str = ""
    bytes: int = 0

    def age(self, now: datetime) -> float:
        """Its age in seconds; never below 0."""
        at = self.at if self.at.tzinfo else self.at.replace(tzinfo=UTC)
        return max((now - at).total_seconds(), 0.0)


def last_backup(folder: Path) -> LastBackup | None:
    """What is written in the folder of an office; `None` where nothing, or nothing readable, is."""
    try:
        return msgspec.json.decode((folder / FILE).read_bytes(), type=LastBackup)
    except (OSError, msgspec.MsgspecError):
        return None


def note_backup(folder: Path, backup: LastBackup) -> None:
    """Writes down that there is a backup; whole or not at all."""
    target = folder / FILE
    beside = target.with_name(f".{FILE}.{os.getpid()}")
    handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "wb") as stream:
        stream.write(msgspec.json.encode(backup))
        stream.flush()
        os.fsync(stream.fileno())
    beside.replace(target)
