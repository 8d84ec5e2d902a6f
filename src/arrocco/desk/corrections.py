"""Corrections of reports: what one would change, and entering it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from sqlalchemy import Connection

from arrocco.desk.book import Book, plan_of
from arrocco.desk.corrected_reports import CorrectedReports
from arrocco.desk.correction_gate import CorrectionGate
from arrocco.desk.desk import Act, Desk, account_of, report_named, require_for
from arrocco.desk.list_builder import Maker, opening_of_list
from arrocco.desk.reasons import check_reason
from arrocco.engine.admission import Waiver
from arrocco.findings import Finding
from arrocco.laws.systems import system_named
from arrocco.office.carrying import Impact
from arrocco.office.ledger import Correction, CorrectionOf, ErrorsWaived
from arrocco.office.roles import Asker, Permission
from arrocco.records.report import Report
from arrocco.store.list_folder import ListFolder
from arrocco.store.sql import ledger


@dataclass(frozen=True)
class CorrectionPreview:
    """What a correction would do."""

    report: Report
    """The report with the changes made."""
    impacts: Mapping[str, Impact] = field(default_factory=dict)
    """By system: whom it touches through the next list, where the report was rated already."""
    next_lists: Mapping[str, date] = field(default_factory=dict)
    """By system: the list it enters with."""
    errors: tuple[Finding, ...] = ()
    """What the report has wrong with it that it had not before: it stops unless it is waived."""


class Corrections:
    """Corrections enter the next list; lists that are out stay as they are."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._corrected = CorrectedReports(desk)
        self._gate = CorrectionGate(desk)

    def preview(
        self, asker: Asker, report: int, changes: Sequence[CorrectionOf]
    ) -> CorrectionPreview:
        """What a correction would do; changes nothing."""
        with self._desk.looking(asker, "preview_correction", f"report:{report}") as connection:
            _, tournament = report_named(connection, report)
            require_for(asker, Permission.CORRECT, tournament)
            book = self._desk.book(connection)
            fixed = self._corrected.fixed(book, report, changes)
            errors = self._gate.errors(connection, tournament, report, changes)
        correction = Correction(report=report, changes=tuple(changes), reason="-")
        systems = tournament.registration.systems
        impacts, next_lists = impact_of(self._desk, book, systems, [correction])
        return CorrectionPreview(fixed, impacts, next_lists, errors)

    def enter(
        self,
        asker: Asker,
        report: int,
        changes: Sequence[CorrectionOf],
        reason: str,
        waivers: Sequence[Waiver] = (),
    ) -> int:
        """Enters a correction; the place in the ledger.

        Errors that it brings into the report stop it unless they are waived, each by its key and
        with a reason.
        """
        with self._desk.acting(asker, "enter_correction", f"report:{report}") as act:
            _, tournament = report_named(act.connection, report)
            require_for(asker, Permission.CORRECT, tournament)
            self.admit(act, asker, report, changes, waivers)
            return self.append(act, asker, report, changes, reason)

    def admit(
        self,
        act: Act,
        asker: Asker,
        report: int,
        changes: Sequence[CorrectionOf],
        waivers: Sequence[Waiver],
    ) -> None:
        """The gate of a correction made by hand, as part of an act. Raises `Refusal`."""
        _, tournament = report_named(act.connection, report)
        if waivers:
            require_for(asker, Permission.DECIDE_REPORT, tournament)
        errors = self._gate.admit(act.connection, tournament, report, changes, waivers)
        if errors:
            waived = ErrorsWaived(report=report, errors=errors)
            ledger.append(act.connection, act.at, account_of(asker), waived)
            act.details["waived"] = {error.key: error.reason for error in errors}

    def append(
        self, act: Act, asker: Asker, report: int, changes: Sequence[CorrectionOf], reason: str
    ) -> int:
        """Enters a correction that was let in, as part of an act; the place in the ledger."""
        check_reason(reason)
        self._corrected.fixed(self._desk.book(act.connection), report, changes)
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
            return self._corrected.known(self._desk.book(connection), report)


def impact_of(
    desk: Desk, book: Book, systems: Sequence[str], corrections: Sequence[Correction]
) -> tuple[dict[str, Impact], dict[str, date]]:
    """By system: whom corrections touch, and the list they enter with; only where rated already."""
    impacts, next_lists = {}, {}
    for key in systems:
        by_list: dict[date, list[Correction]] = {}
        for correction in corrections:
            rated = book.rated(key).get(correction.report)
            if rated is not None:
                by_list.setdefault(rated[1], []).append(correction)
        if not by_list:
            continue
        system, last = system_named(key), max(book.lists(key))
        next_list = system.edition_on(last).next_list(last)
        plan = plan_of(book, system, next_list)
        maker = Maker(book, desk.lists, desk.blobs.get)
        opening = opening_of_list(ListFolder(desk.lists / key, system.kind).read(last))
        impact = Impact()
        for list_date, of_list in sorted(by_list.items()):
            opening, more = maker.carried(plan, opening, list_date, of_list, pending=True)
            impact = impact.then(more)
        impacts[key], next_lists[key] = impact, next_list
    return impacts, next_lists


def _entered(connection: Connection, report: int) -> list[tuple[int, Correction]]:
    return [
        (ledger_entry.seq, ledger_entry.entry)
        for ledger_entry in ledger.of_kind(connection, Correction)
        if isinstance(ledger_entry.entry, Correction) and ledger_entry.entry.report == report
    ]
