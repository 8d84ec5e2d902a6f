"""What a watch has seen at one moment: whether the office can work, and its numbers."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct

from arrocco.live.numbers import HallNumbers
from arrocco.live.process_numbers import ProcessNumbers
from arrocco.operation.disk import Disk
from arrocco.store.backup_record import FailedBackup, LastBackup
from arrocco.store.engine_trouble import EngineTrouble

DATABASE, SCHEMA, FOLDER, DISK, HALL = "database", "schema", "folder", "disk", "hall"
CHECKS = (DATABASE, SCHEMA, FOLDER, DISK, HALL)
"""What must hold for an office to be ready."""


class DatabaseSeen(Struct, frozen=True, kw_only=True):
    """What the database answered."""

    kind: str
    version: str = ""
    revision: str = ""
    """Of its schema."""
    seconds: float = 0.0
    first_entry: datetime | None = None
    entries: int = 0
    lists: dict[str, int] = {}
    """Lists that are out, by system."""
    reports_to_decide: int = 0
    running_drafts: int = 0


class Observation(Struct, frozen=True, kw_only=True):
    """The office at one moment."""

    at: datetime
    steady: float
    """The same moment by the clock that nobody sets."""
    failed: dict[str, str]
    """Checks that failed, and why, in words for the operator's log."""
    process: ProcessNumbers
    disk: Disk | None
    full_in_seconds: float | None
    backup: LastBackup | None
    failed_backup: FailedBackup | None
    """The last attempt, where it failed."""
    database: DatabaseSeen | None
    hall: HallNumbers | None
    with_hall: bool
    engine_trouble: EngineTrouble | None = None
    """12.1 — the engine of the watch does not start."""

    @property
    def is_ready(self) -> bool:
        return not self.failed

    @property
    def checks(self) -> dict[str, bool]:
        """Each check that was made, and whether it held."""
        names = CHECKS if self.with_hall else CHECKS[:-1]
        return {name: name not in self.failed for name in names}
