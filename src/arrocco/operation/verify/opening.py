"""The office to be verified, opened without changing it: it may be too damaged to be used."""

from __future__ import annotations

from pathlib import Path

from arrocco.desk import address_of
from arrocco.desk.same_office import require_one_office, require_same_lists
from arrocco.errors import Inconsistent, Refusal
from arrocco.findings import Finding
from arrocco.operation.verify import Soundness, verify_office
from arrocco.operation.verify.databases import UNREADABLE
from arrocco.operation.verify.files import refusal_of
from arrocco.store import office_folder
from arrocco.store.sql.database import Database
from arrocco.store.sql.migrate import require_newest


def verify_folder(folder: Path, database: str = "") -> Soundness:
    """Verifies the office of a folder.

    Raises `Refusal` for a folder without one, for a database of another office or revision, and
    for one that does not answer. One that is damaged is for the verification to tell.
    """
    folder = folder.absolute()
    if not office_folder.is_office(folder):
        raise Inconsistent.of("desk.refused.not_an_office", folder=folder)
    opened = Database(address_of(folder, database), read_only=True)
    try:
        return verify_office(folder, opened, _pairing(folder, opened))
    finally:
        opened.close()


def _pairing(folder: Path, database: Database) -> list[Finding]:
    """Whether folder and database have the same lists; what is damaged cannot say so."""
    try:
        require_one_office(folder, database, create=False)
        require_newest(database)
    except UNREADABLE:
        return []
    try:
        require_same_lists(folder, database)
    except UNREADABLE:
        return []
    except Refusal as refusal:
        return [refusal_of(refusal)]
    return []
