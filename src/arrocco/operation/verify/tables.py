"""What the database says of published lists, compared with the files of the lists."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from sqlalchemy import Table, select

from arrocco.desk.list_import import kind_of
from arrocco.desk.publication import changes, tournament_rows
from arrocco.errors import Refusal
from arrocco.findings import Finding
from arrocco.formats.lists import read_list
from arrocco.office.ledger import AnyEntry, ListImported, ListPublished
from arrocco.operation.verify.databases import UNREADABLE, error
from arrocco.records.ratinglist import RatingList
from arrocco.store.list_folder import LIST
from arrocco.store.sql import tables as t
from arrocco.store.sql.database import Database
from arrocco.store.sql.history import Change

_DAMAGED = (*UNREADABLE, ValueError, TypeError, LookupError)
"""What a damaged value may come to where it is used."""
_HISTORY = ("player", *Change._fields[1:])


class TablesCheck:
    """Looks at the lists of an office, one after the other."""

    def __init__(self, database: Database, lists: Path, entries: Mapping[int, AnyEntry]) -> None:
        self._database, self._lists, self._entries = database, lists, entries
        self._file = "" if database.file is None else database.file.name

    def run(self) -> Iterator[Finding]:
        """Everything that is not as something else tells."""
        before: dict[str, RatingList] = {}
        for entry in self._entries.values():
            if isinstance(entry, ListPublished | ListImported):
                yield from self._list(entry, before)

    def _list(
        self, entry: ListPublished | ListImported, before: dict[str, RatingList]
    ) -> Iterator[Finding]:
        """What the database says of a list, against the files of the list."""
        where = f"{entry.system} {entry.list_date}"
        folder = self._lists / entry.system / entry.list_date.isoformat()
        is_imported = isinstance(entry, ListImported)
        try:
            listed = read_list(folder / LIST, kind_of(entry.system))[0]
            rated = {} if is_imported else tournament_rows(folder)
        except (Refusal, *_DAMAGED, OSError):
            return  # the files are told of already
        opening = before.get(entry.system)
        before[entry.system] = listed
        note = "imported" if is_imported else ""
        brought = {change.player: tuple(change) for change in changes(opening, listed, note)}
        yield from self._compare(t.history, entry, "player", _HISTORY, brought, where)
        rows = {number: (number, row) for number, row in rated.items()}
        columns = ("tournament", "row")
        yield from self._compare(t.rated_tournaments, entry, "tournament", columns, rows, where)

    def _compare(
        self,
        table: Table,
        entry: ListPublished | ListImported,
        key: str,
        columns: tuple[str, ...],
        expected: Mapping[Any, tuple[Any, ...]],
        where: str,
    ) -> Iterator[Finding]:
        """The rows of a list in a table against what they should be."""
        asked = [table.c[name] for name in columns]
        mine = (table.c.system == entry.system, table.c.list_date == entry.list_date)
        try:
            with self._database.reading() as connection:
                rows = connection.execute(select(*asked).where(*mine)).all()
            rows_by_key = {row._mapping[key]: tuple(row) for row in rows}
        except _DAMAGED:
            yield error("table", self._file, table=table.name)
            return
        for name in sorted(expected.keys() | rows_by_key.keys(), key=str):
            if expected.get(name) != rows_by_key.get(name):
                yield error("row", self._file, table=table.name, row=f"{where} {name}")
