"""The cross-tables of tournaments: small reports are read at once, large ones as heavy work.

What was read is kept by the hash of the report, as far as it is small enough to be kept.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from datetime import date
from threading import Lock
from typing import Any

from anyio import to_thread
from litestar import Response
from msgspec import Struct

from arrocco.desk import Office
from arrocco.desk.lookup import AcceptedFile
from arrocco.errors import Refusal
from arrocco.web import heavy
from arrocco.web.crosstable import MAX_CELLS, CrossTable, cross_table
from arrocco.web.view import View

SMALL_REPORTS = 64 * 1024
"""Bytes of a tournament's reports that a thread of a page may read: some hundredths of a second."""
MAX_KEPT_CELLS = 10 * MAX_CELLS

Key = tuple[tuple[str, int, int], ...]


class ReportTable(Struct, frozen=True):
    """What is shown of an accepted report."""

    start: date | None
    end: date | None
    table: CrossTable
    names: dict[int, str]
    """Of those who have a number, also where the table is cut."""


Finish = Callable[[View, list[ReportTable]], Response[Any]]


def read_tables(
    office: Office, accepted: tuple[AcceptedFile, ...], max_lines: int | None
) -> list[ReportTable]:
    """The tables of reports in order of their days; damaged ones are left out."""
    reports = [
        report
        for accepted_file in accepted
        if (report := accepted_file.read(office.desk)) is not None
    ]
    return [
        ReportTable(
            report.start,
            report.end,
            cross_table(report, max_lines),
            {entry.id: entry.name for entry in report.entries if entry.id},
        )
        for report in sorted(reports, key=lambda one: one.start or date.max)
    ]


class KeptTables:
    """The tables that were shown lately, bounded in all by the number of their cells."""

    def __init__(self, max_cells: int = MAX_KEPT_CELLS) -> None:
        self._max_cells = max_cells
        self._kept: OrderedDict[Key, list[ReportTable]] = OrderedDict()
        self._cells = 0
        self._lock = Lock()

    def get(self, key: Key) -> list[ReportTable] | None:
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def keep(self, key: Key, tables: list[ReportTable]) -> None:
        with self._lock:
            if key in self._kept:
                return
            self._kept[key] = tables
            self._cells += _cells(tables)
            while self._cells > self._max_cells:
                _, oldest = self._kept.popitem(last=False)
                self._cells -= _cells(oldest)


def _cells(tables: list[ReportTable]) -> int:
    return sum(
        len(table.names) + len(table.table.lines) * (1 + table.table.rounds) for table in tables
    )


async def with_tables(
    view: View, accepted: tuple[AcceptedFile, ...], finish: Finish
) -> Response[Any]:
    """Answers with the tables of a tournament as a page shows them."""
    kept: KeptTables = view.request.app.state.tables
    key = tuple(accepted_file.key for accepted_file in accepted)
    tables = kept.get(key)
    if tables is None and await to_thread.run_sync(_is_small, view.office, accepted):
        tables = await to_thread.run_sync(read_tables, view.office, accepted, MAX_CELLS)
        kept.keep(key, tables)
    if tables is not None:
        return await to_thread.run_sync(finish, view, tables)

    def answer(later: View, outcome: list[ReportTable] | Refusal) -> Response[Any]:
        if isinstance(outcome, Refusal):
            raise outcome
        kept.keep(key, outcome)
        return finish(later, outcome)

    return await heavy.answer_in_office(view, answer, read_tables, accepted, MAX_CELLS)


async def whole_tables(view: View, accepted: tuple[AcceptedFile, ...]) -> list[ReportTable]:
    """The tables of a tournament with all their lines, for programs. Raises `Refusal`."""
    if await to_thread.run_sync(_is_small, view.office, accepted):
        return await to_thread.run_sync(read_tables, view.office, accepted, None)
    tables: list[ReportTable] = await heavy.result_in_office(view, read_tables, accepted, None)
    return tables


def _is_small(office: Office, accepted: tuple[AcceptedFile, ...]) -> bool:
    paths = (office.desk.blobs.path(accepted_file.entry.blob) for accepted_file in accepted)
    return sum(path.stat().st_size for path in paths if path.exists()) <= SMALL_REPORTS
