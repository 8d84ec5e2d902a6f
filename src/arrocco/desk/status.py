"""How an office stands: its lists, and what waits."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from msgspec import Struct

from arrocco.desk.book import IMPORTABLE
from arrocco.desk.set_aside import kept_aside
from arrocco.office.records import DraftStatus, ReportStatus, TournamentStatus
from arrocco.store import backup_record, office_folder
from arrocco.store.backup_record import FailedBackup, LastBackup
from arrocco.store.sql import (
    accounts,
    assignments,
    drafts,
    ledger,
    office_id,
    publications,
    reports,
    tournaments,
)

if TYPE_CHECKING:
    from arrocco.desk.desk import Desk


class SystemStatus(Struct, frozen=True, kw_only=True):
    """The lists of one system."""

    system: str
    lists: int
    latest: date | None
    players: int
    waiting: dict[str, int]
    """How many reports wait, by the day of the list."""


class Status(Struct, frozen=True, kw_only=True):
    """An office in numbers."""

    folder: str
    database: str
    accounts: int
    tournaments: int
    awaiting_approval: int
    reports_to_decide: int
    entries: int
    running_drafts: int
    systems: tuple[SystemStatus, ...]
    office: str = ""
    """The id that folder and database have."""
    set_aside: int = 0
    """How many times something was found that the office did not know; it is kept aside."""
    open_to_others: int = 0
    """How many files and folders others than the owner can read."""
    last_backup: LastBackup | None = None
    failed_backup: FailedBackup | None = None


def status_of(desk: Desk) -> Status:
    """How an office stands."""
    with desk.database.reading() as connection:
        systems = []
        for system in IMPORTABLE:
            out = publications.of_system(connection, system)
            waiting = assignments.waiting(connection, system)
            if out or waiting:
                systems.append(
                    SystemStatus(
                        system=system,
                        lists=len(out),
                        latest=out[0].list_date if out else None,
                        players=out[0].players if out else 0,
                        waiting={day.isoformat(): count for day, count in waiting.items()},
                    )
                )
        asked = (TournamentStatus.AWAITING_APPROVAL,)
        return Status(
            folder=str(desk.folder),
            database=desk.database.url,
            accounts=accounts.count(connection),
            tournaments=tournaments.search(connection, limit=0)[0],
            awaiting_approval=tournaments.search(connection, status=asked, limit=0)[0],
            reports_to_decide=reports.with_status(connection, (ReportStatus.SENT,), limit=0)[0],
            entries=ledger.head_seq(connection),
            running_drafts=len(drafts.with_status(connection, DraftStatus.RUNNING)),
            systems=tuple(systems),
            office=office_id.get(connection) or "",
            set_aside=len(kept_aside(desk.folder)),
            open_to_others=len(office_folder.open_to_others(desk.folder)),
            last_backup=backup_record.last_backup(desk.folder),
            failed_backup=backup_record.failed_backup(desk.folder),
        )
