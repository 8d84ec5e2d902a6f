"""Whether a folder and a database are those of one office; nothing is made or changed here.

Both carry the id of the office. Besides, every published list of the database must be in the
folder, and every list of the folder must be known to the database: an older database put back, or
an empty one, must not pass for the office.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection

from arrocco.desk import locks
from arrocco.errors import Inconsistent
from arrocco.office.ledger import ListImported
from arrocco.office.records import DraftStatus
from arrocco.store import office_folder
from arrocco.store.backup_rows import are_empty
from arrocco.store.blobs import Blobs
from arrocco.store.office_folder import ListName
from arrocco.store.sql import drafts, ledger, office_id, publications
from arrocco.store.sql.database import Database
from arrocco.store.sql.publications import Publication

_SHOWN = 12
"""How many lists a refusal names; of the others it says how many they are."""


@dataclass(frozen=True)
class Comparison:
    """How the lists of a folder and those of a database differ."""

    interrupted: tuple[ListName, ...] = ()
    """In the folder only: their publication was interrupted."""
    unknown: tuple[ListName, ...] = ()
    """In the folder only, though nobody was publishing them."""
    to_put_back: tuple[ListName, ...] = ()
    """In the database only; what they are made of is there."""
    missing: tuple[ListName, ...] = ()
    """In the database only."""

    @property
    def belongs_together(self) -> bool:
        return not (self.unknown or self.missing)


def require_one_office(folder: Path, database: Database, *, create: bool) -> bool:
    """Whether there is an office in the folder and the database; false where both are empty.

    Raises `Inconsistent` where they are not of one office, or where only one of them holds one.
    """
    here = office_folder.read_id(folder)
    if database.is_missing:
        return _require_empty(folder, here, database, create=create)
    with database.reading() as connection:
        if are_empty(connection):
            return _require_empty(folder, here, database, create=create)
        there = office_id.get(connection)
        has_lists = bool(publications.every(connection))
        is_begun = _is_only_begun(connection, there)
    if here and there and here != there:
        raise Inconsistent.of(
            "desk.refused.other_office",
            folder=folder,
            office=here,
            database=database.url,
            other=there,
        )
    if office_folder.is_office(folder) or (create and has_lists):
        return True
    if not create:
        raise Inconsistent.of("desk.refused.not_an_office", folder=folder)
    if not is_begun:
        raise Inconsistent.of("desk.refused.folder_is_none", folder=folder, database=database.url)
    return False


def _require_empty(folder: Path, here: str | None, database: Database, *, create: bool) -> bool:
    lists = office_folder.lists_in(folder)
    if here or lists or office_folder.has_blobs(folder):
        raise Inconsistent.of(
            "desk.refused.empty_database",
            folder=folder,
            database=database.url,
            lists=len(lists),
        )
    if not create:
        raise Inconsistent.of("desk.refused.not_an_office", folder=folder)
    return False


def _is_only_begun(connection: Connection, there: str | None) -> bool:
    """Whether the making of an office was stopped when its database had an id and nothing else."""
    return there is not None and are_empty(connection, "office", "seals")


def compare(folder: Path, database: Database) -> Comparison:
    """Compares the lists of a folder with those of its database."""
    under_way = {office_folder.publication_under_way(folder)}
    days = office_folder.lists_in(folder)
    with database.reading() as connection:
        published = publications.every(connection)
        known = {ListName(publication.system, publication.list_date) for publication in published}
        lost = [
            publication
            for publication in published
            if ListName(publication.system, publication.list_date) not in days
        ]
        to_put_back = [
            publication for publication in lost if can_be_put_back(connection, folder, publication)
        ]
    under_way.add(office_folder.publication_under_way(folder))
    extra = sorted(days.keys() - known)
    missing = [publication for publication in lost if publication not in to_put_back]
    return Comparison(
        interrupted=tuple(name for name in extra if name in under_way),
        unknown=tuple(name for name in extra if name not in under_way),
        to_put_back=tuple(
            ListName(publication.system, publication.list_date) for publication in to_put_back
        ),
        missing=tuple(
            ListName(publication.system, publication.list_date) for publication in missing
        ),
    )


def can_be_put_back(connection: Connection, folder: Path, publication: Publication) -> bool:
    """Whether a list without its folder can be had again: its draft or its file is there."""
    wanted = publication.system, publication.list_date
    for row in drafts.with_status(connection, DraftStatus.PUBLISHED):
        draft = folder / "drafts" / str(row.id) / row.list_date.isoformat()
        if (row.system, row.list_date) == wanted and draft.is_dir():
            return True
    entered = ledger.get(connection, publication.seq)
    return (
        entered is not None
        and isinstance(entered.entry, ListImported)
        and Blobs(folder / "blobs").has(entered.entry.blob)
    )


def require_same_lists(folder: Path, database: Database) -> Comparison:
    """How the lists differ where a crash can have left it so. Raises `Inconsistent` otherwise."""
    compared = compare(folder, database)
    if not compared.belongs_together:
        with locks.held_to_read(folder / office_folder.LISTS_LOCK):
            compared = compare(folder, database)  # nobody is publishing now
        require_together(folder, database, compared)
    return compared


def require_together(folder: Path, database: Database, compared: Comparison) -> None:
    """Raises `Inconsistent` naming the lists that only one of the two has."""
    for key, names in (
        ("desk.refused.unknown_lists", compared.unknown),
        ("desk.refused.missing_lists", compared.missing),
    ):
        if names:
            raise Inconsistent.of(
                key, folder=folder, database=database.url, lists=_named(names), count=len(names)
            )


def _named(names: tuple[ListName, ...]) -> tuple[str, ...]:
    shown = tuple(str(name) for name in names[:_SHOWN])
    return (*shown, f"(+{len(names) - _SHOWN})") if len(names) > _SHOWN else shown
