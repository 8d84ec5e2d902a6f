"""Corrections of reports: what one would change, and entering it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from sqlalchemy import Connection

from arrocco.errors import Illegal
from arrocco.formats.trf import read_report
from arrocco.office.carrying import Impact
from arrocco.office.corrections import corrected
from arrocco.office.ledger import Correction, CorrectionOf
from arrocco.office.roles import Asker, Permission
from arrocco.office.systems import system_named
from arrocco.report import Report
from arrocco.store.list_folder import ListFolder
from arrocco.store.sql import ledger
from arrocco.wiring.office.book import Book, plan_of
from arrocco.wiring.office.desk import Desk, account_of, report_named, require_for
from arrocco.wiring.office.making import Maker, opening_of_list
from arrocco.wiring.office.people import check_reason


@dataclass(frozen=True)
class CorrectionPreview:
    """What a correction would do."""

    report: Report
    """The report with the changes made."""
    impacts: Mapping[str, Impact] = field(default_factory=dict)
    """By system: whom it touches through the next list, where the report was rated already."""
    next_lists: Mapping[str, date] = field(default_factory=dict)
    """By system: the list it enters with."""


class Corrections:
    """Corrections enter the next list; lists that are out stay as they are."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def preview(
        self, asker: Asker, report: int, changes: Sequence[CorrectionOf]
    ) -> CorrectionPreview:
        """What a correction would do; changes nothing."""
        with self._desk.looking(asker, "preview_correction", f"report:{report}") as connection:
            _, tournament = report_named(connection, report)
            require_for(asker, Permission.CORRECT, tournament)
            book = self._desk.book(connection)
            fixed = corrected(self._known(book, report), changes)
        correction = Correction(report=report, changes=tuple(changes), reason="-")
        impacts, next_lists = {}, {}
        for key in tournament.registration.systems:
            rated = book.rated(key).get(report)
            if rated is None:
                continue
            system, (_, list_date) = system_named(key), rated
            last = max(book.lists(key))
            next_list = system.edition_on(last).next_list(last)
            plan = plan_of(book, system, next_list)
            maker = Maker(book, self._desk.lists, self._desk.blobs.get)
            opening = opening_of_list(ListFolder(self._desk.lists / key, system.kind).read(last))
            _, impacts[key] = maker.carried(plan, opening, list_date, [correction], pending=True)
            next_lists[key] = next_list
        return CorrectionPreview(fixed, impacts, next_lists)

    def enter(self, asker: Asker, report: int, changes: Sequence[CorrectionOf], reason: str) -> int:
        """Enters a correction; the place in the ledger."""
        with self._desk.acting(asker, "enter_correction", f"report:{report}") as act:
            _, tournament = report_named(act.connection, report)
            require_for(asker, Permission.CORRECT, tournament)
            check_reason(reason)
            corrected(self._known(self._desk.book(act.connection), report), changes)
            entry = Correction(report=report, changes=tuple(changes), reason=reason.strip())
            seq = ledger.append(act.connection, act.at, account_of(asker), entry).seq
            act.details |= {"seq": seq, "changes": len(changes)}
            return seq

    def of_report(self, asker: Asker, report: int) -> list[tuple[int, Correction]]:
        """The corrections of a report with their places, in order."""
        with self._desk.looking(asker, "see_corrections", f"report:{report}") as connection:
            _, tournament = report_named(connection, report)
            require_for(asker, Permission.SEE_TOURNAMENT_FILE, tournament)
            return _entered(connection, report)

    def as_corrected(self, asker: Asker, report: int) -> Report:
        """A report with all corrections entered so far."""
        with self._desk.looking(asker, "see_corrections", f"report:{report}") as connection:
            _, tournament = report_named(connection, report)
            require_for(asker, Permission.SEE_TOURNAMENT_FILE, tournament)
            return self._known(self._desk.book(connection), report)

    def _known(self, book: Book, report: int) -> Report:
        accepted = book.accepted(report)
        if accepted is None:
            raise Illegal.of("desk.refused.not_accepted")
        entry = accepted[1]
        known, _ = read_report(self._desk.blobs.get(entry.blob), entry.file_name)
        for _, correction in book.of(Correction):
            if correction.report == report:
                known = corrected(known, correction.changes)
        return known


def _entered(connection: Connection, report: int) -> list[tuple[int, Correction]]:
    return [
        (one.seq, one.entry)
        for one in ledger.of_kind(connection, Correction)
        if isinstance(one.entry, Correction) and one.entry.report == report
    ]
