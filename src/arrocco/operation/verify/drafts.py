"""Drafts of lists that wait to be published: their files as they were made."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from arrocco.desk.draft_records import body_of
from arrocco.findings import Finding
from arrocco.office.records import DraftStatus
from arrocco.operation.verify.databases import UNREADABLE, error
from arrocco.operation.verify.files import compare
from arrocco.store.sql import drafts
from arrocco.store.sql.database import Database


def check_drafts(folder: Path, database: Database) -> Iterator[Finding]:
    """The files of every draft that is ready against the hashes that were kept of them."""
    try:
        with database.reading() as connection:
            ready = drafts.with_status(connection, DraftStatus.READY)
            bodies = [(row, body_of(row)) for row in ready]
    except (*UNREADABLE, ValueError):
        file = "" if database.file is None else database.file.name
        yield error("table", file, table="drafts")
        return
    for row, body in bodies:
        made = folder / "drafts" / str(row.id) / row.list_date.isoformat()
        for key, name in compare(made, body.files):
            place = f"{made.relative_to(folder)}/{name}"
            yield error(f"draft_{key}", place, draft=row.id, system=row.system, file=name)
