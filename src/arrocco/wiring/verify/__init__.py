"""`office verify`: everything an office holds, as far as it can be read; nothing is changed.

What is damaged is named and the rest is looked at all the same: no fault of one part keeps another
from being checked.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path

from msgspec import Struct
from sqlalchemy import select

from arrocco.findings import Finding, Severity
from arrocco.office.ledger import AnyEntry, ListImported, ListPublished, ReportAccepted
from arrocco.store import hall_file, hall_schema
from arrocco.store.blobs import Blobs
from arrocco.store.sql import hall_events
from arrocco.store.sql import tables as t
from arrocco.store.sql.database import Database
from arrocco.wiring.verify import files, rows
from arrocco.wiring.verify.databases import UNREADABLE, error, integrity
from arrocco.wiring.verify.drafts import check_drafts
from arrocco.wiring.verify.hall import HallCheck, HallChecked
from arrocco.wiring.verify.hall_logs import DatabaseLogs, FileLogs
from arrocco.wiring.verify.protection import check_hall_protection, check_protection
from arrocco.wiring.verify.tables import TablesCheck

__all__ = ["Soundness", "verify_office"]

MAX_OF_A_KIND = 500
"""Findings of one kind that are told; of others only how many there are."""

MAX_EVENTS = 1 << 31


class Soundness(Struct, frozen=True, kw_only=True):
    """What was looked at, and what is not as it should be."""

    entries: int
    audited: int
    events: int
    games: int
    records: int
    blobs: int
    files: int
    findings: tuple[Finding, ...]

    @property
    def is_good(self) -> bool:
        """Whether nothing is damaged; a warning or a note is no damage."""
        return not any(finding.is_error for finding in self.findings)


def verify_office(folder: Path, database: Database, before: Iterable[Finding] = ()) -> Soundness:
    """Looks at the databases, ledger, audit and hall, and at every file; builds no list again.

    `before` is what was found when the office was opened.
    """
    found: list[Finding] = list(before)
    if database.file is not None:
        found += integrity(database.file)
    ledger, audit = rows.check_ledger(database), rows.check_audit(database)
    found += ledger.findings
    found += audit.findings
    found += check_protection(database)
    hall = _hall(folder, database, found)
    entries = rows.entries_of(ledger)
    blobs = Blobs(folder / "blobs")
    named = _named_blobs(database, entries, found)
    found += files.check_blobs(blobs, named if not ledger.findings else None)
    counted = 0
    for entry in entries.values():
        if isinstance(entry, ListPublished | ListImported):
            found += files.check_list(folder / "lists", entry, blobs)
            counted += len(entry.files) if isinstance(entry, ListPublished) else 1
    found += _published(database, folder, entries)
    found += TablesCheck(database, folder / "lists", entries).run()
    found += check_drafts(folder, database)
    found += files.check_views(folder / "views")
    found += files.check_backups(folder / "backups")
    found += files.check_last_backup(folder)
    found += files.check_names(folder)
    found += files.check_rights(folder)
    return Soundness(
        entries=ledger.total, audited=audit.total, events=hall.events, games=hall.games,
        records=hall.records, blobs=len(named), files=counted, findings=tuple(_capped(found)),
    )  # fmt: skip


def _hall(folder: Path, database: Database, found: list[Finding]) -> HallChecked:
    """Checks the hall's logs, wherever they are."""
    nothing = HallChecked(0, 0, 0, [])
    if not database.is_sqlite:
        check = HallCheck(DatabaseLogs(database), "hall_log")
        checked = check.run(_events(database, found))
        found += checked.findings
        return checked
    path = hall_file.hall_file(folder)
    if not path.exists():
        if _events(database, found):
            found.append(error("hall_missing", path.name))
        return nothing
    damage = list(integrity(path))
    found += damage
    try:
        logs = FileLogs(path)
    except sqlite3.Error as failure:
        if not damage:
            found.append(error("not_a_database", path.name, reason=str(failure)))
        return nothing
    with closing(logs):
        if logs.version not in (0, hall_schema.VERSION):
            found.append(files.warning("hall_version", path.name, version=logs.version))
            return nothing
        found += check_hall_protection(path)
        checked = HallCheck(logs, path.name).run(_events(database, found))
        found += checked.findings
        return checked


def _events(database: Database, found: list[Finding]) -> dict[str, hall_events.HallEvent] | None:
    """The events that the office knows of, by name; `None` where that cannot be read."""
    try:
        with database.reading() as connection:
            return {
                event.id: event for event in hall_events.search(connection, limit=MAX_EVENTS)[1]
            }
    except (*UNREADABLE, ValueError, TypeError):
        found.append(error("table", _file_of(database), table="hall_events"))
        return None


def _named_blobs(
    database: Database, entries: dict[int, AnyEntry], found: list[Finding]
) -> set[str]:
    """The blobs that reports and the ledger name."""
    named = {
        entry.blob for entry in entries.values() if isinstance(entry, ReportAccepted | ListImported)
    }
    try:
        with database.reading() as connection:
            named |= set(connection.execute(select(t.reports.c.blob)).scalars())
    except UNREADABLE:
        found.append(error("table", _file_of(database), table="reports"))
    return {name for name in named if isinstance(name, str) and Blobs.is_name(name)}


def _published(database: Database, folder: Path, entries: dict[int, AnyEntry]) -> Iterator[Finding]:
    """That the lists which are out are those of the ledger, and nothing else is among them."""
    published: list[tuple[str, str]] | None = None
    table = t.publications
    try:
        with database.reading() as connection:
            asked = select(table.c.system, table.c.list_date, table.c.seq)
            out = connection.execute(asked).all()
    except (*UNREADABLE, ValueError):
        yield error("table", _file_of(database), table="publications")
    else:
        published = [(row.system, row.list_date.isoformat()) for row in out]
        for row in out:
            entry = entries.get(row.seq)
            is_there = isinstance(entry, ListPublished | ListImported) and (
                (entry.system, entry.list_date) == (row.system, row.list_date)
            )
            if not is_there:
                details = {"system": row.system, "list_date": row.list_date}
                yield error("not_in_ledger", _file_of(database), **details)
    yield from files.check_lists(folder / "lists", entries, published)


def _file_of(database: Database) -> str:
    return "" if database.file is None else database.file.name


def _capped(found: Iterable[Finding]) -> Iterator[Finding]:
    """The findings, of each kind so many, and how many more there are."""
    counted: Counter[str] = Counter()
    for finding in found:
        counted[finding.key] += 1
        if counted[finding.key] <= MAX_OF_A_KIND:
            yield finding
    for key, count in counted.items():
        if count > MAX_OF_A_KIND:
            details = {"key": key, "count": count - MAX_OF_A_KIND}
            yield Finding(Severity.NOTE, "verify.more", details=details)
