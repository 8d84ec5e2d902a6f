"""The other tables of an office: what can be told from something else is compared with it.

Rows of accounts, invitations, sessions and drafts stand alone: nothing else says what they should
be, and only SQLite's own checks look at them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import Table, select

from arrocco.errors import Refusal
from arrocco.findings import Finding
from arrocco.formats.lists import read_list
from arrocco.office.ledger import AnyEntry, ListImported, ListPublished
from arrocco.office.records import SentReport, Tournament
from arrocco.ratinglist import RatingList
from arrocco.store.list_folder import LIST
from arrocco.store.sql import records, reports, tournaments
from arrocco.store.sql import tables as t
from arrocco.store.sql.database import Database
from arrocco.store.sql.history import Change
from arrocco.wiring.office.importing import kind_of
from arrocco.wiring.office.publishing import changes, tournament_rows
from arrocco.wiring.verify.databases import UNREADABLE, error

_DAMAGED = (*UNREADABLE, ValueError, TypeError, LookupError)
"""What a damaged value may come to where it is used."""
_HISTORY = ("player", *Change._fields[1:])


class TablesCheck:
    """Looks at the tables of an office, one after the other."""

    def __init__(self, database: Database, lists: Path, entries: Mapping[int, AnyEntry]) -> None:
        self._database, self._lists, self._entries = database, lists, entries
        self._file = "" if database.file is None else database.file.name

    def run(self) -> Iterator[Finding]:
        """Everything that is not as something else tells."""
        yield from self._records(t.tournaments, Tournament, tournaments.columns_of)
        yield from self._records(t.reports, SentReport, reports.columns_of)
        before: dict[str, RatingList] = {}
        for entry in self._entries.values():
            if isinstance(entry, ListPublished | ListImported):
                yield from self._list(entry, before)

    def _records(
        self, table: Table, kind: type[Any], columns_of: Callable[[Any], dict[str, Any]]
    ) -> Iterator[Finding]:
        """Records that are kept whole, against the columns that they are found by."""
        try:
            rows = self._rows(table)
        except _DAMAGED:
            yield error("table", self._file, table=table.name)
            return
        for row in rows:
            value = row._mapping
            try:
                record = msgspec.json.decode(value["record"], type=kind)
                expected = columns_of(record) | {"id": record.id}
                kept = msgspec.json.decode(value["record"])
                again = msgspec.json.decode(records.encoded(record))
                is_same = _is_part(kept, again) and all(
                    value[name] == told for name, told in expected.items()
                )
            except _DAMAGED:
                is_same = False
            if not is_same:
                yield error("row", self._file, table=table.name, row=value["id"])

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
        brought = {one.player: tuple(one) for one in changes(opening, listed, note)}
        yield from self._compare(t.history, entry, "player", _HISTORY, brought, where)
        rows = {number: (number, row) for number, row in rated.items()}
        columns = ("tournament", "row")
        yield from self._compare(t.rated_tournaments, entry, "tournament", columns, rows, where)
        out = {entry.system: (entry.system, len(listed))}
        yield from self._compare(t.publications, entry, "system", ("system", "players"), out, where)

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
            found = {row._mapping[key]: tuple(row) for row in rows}
        except _DAMAGED:
            yield error("table", self._file, table=table.name)
            return
        for name in sorted(expected.keys() | found.keys(), key=str):
            if expected.get(name) != found.get(name):
                row = where if key == "system" else f"{where} {name}"
                yield error("row", self._file, table=table.name, row=row)

    def _rows(self, table: Table) -> list[Any]:
        with self._database.reading() as connection:
            return list(connection.execute(select(table).order_by(table.c.id)))


def _is_part(kept: Any, again: Any) -> bool:
    """Whether all that was kept is read; what later programs know besides is not in it."""
    if isinstance(kept, dict) and isinstance(again, dict):
        return all(name in again and _is_part(kept[name], again[name]) for name in kept)
    if isinstance(kept, list) and isinstance(again, list):
        return len(kept) == len(again) and all(map(_is_part, kept, again))
    return bool(kept == again)
