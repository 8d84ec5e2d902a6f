"""`office verify`: everything an office holds, as far as it can be read; nothing is changed.

What is damaged is named and the rest is looked at all the same: no fault of one part keeps another
from being checked.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path

from msgspec import Struct
from sqlalchemy import select

from arrocco.errors import Refusal
from arrocco.findings import Finding, capped
from arrocco.office.ledger import AnyEntry, ListImported, ListPublished, ReportAccepted
from arrocco.operation.verify import files, rows
from arrocco.operation.verify.analyses import check_analyses
from arrocco.operation.verify.databases import UNREADABLE, error, integrity
from arrocco.operation.verify.drafts import check_drafts
from arrocco.operation.verify.hall import HallCheck, HallChecked
from arrocco.operation.verify.hall_logs import DatabaseLogs, FileLogs
from arrocco.operation.verify.protection import check_hall_protection, check_protection
from arrocco.operation.verify.recordings import check_recordings
from arrocco.operation.verify.seals import check_seals
from arrocco.operation.verify.tables import TablesCheck
from arrocco.store import hall_file, hall_schema
from arrocco.store.blobs import Blobs
from arrocco.store.sql import hall_anchors, hall_events
from arrocco.store.sql import tables as t
from arrocco.store.sql.database import Database
from arrocco.store.sql.named_blobs import NAMED_BY

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


def verify_office(
    folder: Path,
    database: Database,
    before: Iterable[Finding] = (),
    *,
    has_recordings: bool = True,
) -> Soundness:
    """Looks at the databases, ledger, audit and hall, and at every file; builds no list again.

    `before` is what was found when the office was opened. Without recordings it tells what a backup
    would have, which has none of them.
    """
    findings: list[Finding] = list(before)
    if database.file is not None:
        findings += integrity(database.file)
    ledger, audit = rows.check_ledger(database), rows.check_audit(database)
    findings += ledger.findings
    findings += audit.findings
    findings += check_protection(database)
    findings += check_seals(database)
    findings += check_analyses(database)
    hall = _hall(folder, database, findings)
    if has_recordings:
        findings += check_recordings(folder, hall.recordings, _known_events(database, hall))
    entries = rows.entries_of(ledger)
    blobs = Blobs(folder / "blobs")
    named = _named_blobs(database, entries, findings)
    findings += files.check_blobs(blobs, named if not ledger.findings else None)
    counted = 0
    for entry in entries.values():
        if isinstance(entry, ListPublished | ListImported):
            findings += files.check_list(folder / "lists", entry, blobs)
            counted += len(entry.files) if isinstance(entry, ListPublished) else 1
    findings += _published(database, folder, entries)
    findings += TablesCheck(database, folder / "lists", entries).run()
    findings += check_drafts(folder, database)
    findings += files.check_views(folder / "views")
    findings += files.check_replays(folder)
    findings += files.check_backups(folder / "backups")
    findings += files.check_last_backup(folder)
    findings += files.check_engine(folder)
    findings += files.check_key(folder, entries)
    findings += files.check_names(folder)
    findings += files.check_rights(folder)
    return Soundness(
        entries=ledger.total,
        audited=audit.total,
        events=hall.events,
        games=hall.games,
        records=hall.records,
        blobs=len(named),
        files=counted,
        findings=tuple(capped(findings, MAX_OF_A_KIND)),
    )


def _hall(folder: Path, database: Database, findings: list[Finding]) -> HallChecked:
    """Checks the hall's logs, wherever they are."""
    nothing = HallChecked(0, 0, 0, [], {})
    anchors = _anchors(database, findings)
    if not database.is_sqlite:
        check = HallCheck(DatabaseLogs(database), "hall_log", anchors)
        checked = check.run(_events(database, findings))
        findings += checked.findings
        return checked
    path = hall_file.hall_file(folder)
    if not path.exists():
        if _events(database, findings) or anchors:
            findings.append(error("hall_missing", path.name))
        return nothing
    damage = list(integrity(path))
    findings += damage
    try:
        logs = FileLogs(path)
    except (sqlite3.Error, UnicodeDecodeError) as failure:
        if not damage:
            findings.append(error("not_a_database", path.name, reason=str(failure)))
        return nothing
    with closing(logs):
        if logs.version not in (0, hall_schema.VERSION):
            findings.append(files.warning("hall_version", path.name, version=logs.version))
            return nothing
        findings += check_hall_protection(path)
        checked = HallCheck(logs, path.name, anchors).run(_events(database, findings))
        findings += checked.findings
        return checked


def _anchors(database: Database, findings: list[Finding]) -> dict[str, hall_anchors.Anchor]:
    """What the chains of the hall have had, as far as that can be read."""
    try:
        with database.reading() as connection:
            return hall_anchors.every(connection)
    except (*UNREADABLE, ValueError, TypeError):
        findings.append(error("table", _file_of(database), table="hall_anchors"))
        return {}


def _events(database: Database, findings: list[Finding]) -> dict[str, hall_events.HallEvent] | None:
    """The events that the office knows of, by name; `None` where that cannot be read."""
    try:
        with database.reading() as connection:
            return {
                event.id: event for event in hall_events.search(connection, limit=MAX_EVENTS)[1]
            }
    except (*UNREADABLE, ValueError, TypeError):
        findings.append(error("table", _file_of(database), table="hall_events"))
        return None


def _known_events(database: Database, hall: HallChecked) -> set[str] | None:
    """The events that the office or a log knows of; `None` where that cannot be read."""
    listed = _events(database, [])  # what cannot be read is told already
    return None if listed is None else {*listed, *hall.recordings}


def _named_blobs(
    database: Database, entries: dict[int, AnyEntry], findings: list[Finding]
) -> set[str]:
    """The blobs that the ledger and rows of the database name."""
    named = {
        entry.blob for entry in entries.values() if isinstance(entry, ReportAccepted | ListImported)
    }
    for table, named_by in NAMED_BY.items():
        try:
            with database.reading() as connection:
                named |= named_by(connection)
        except (*UNREADABLE, Refusal, ValueError, TypeError):  # a record may be damaged too
            findings.append(error("table", _file_of(database), table=table))
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
