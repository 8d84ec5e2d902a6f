"""The gate before a correction made by hand: the report as it would be, judged like any other."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection

from arrocco.desk.corrected_reports import CorrectedReports
from arrocco.desk.desk import Desk
from arrocco.desk.report_checks import Checker
from arrocco.engine.admission import Waiver, Waivers, waiver_key
from arrocco.errors import Illegal
from arrocco.findings import Finding
from arrocco.office.corrections import is_annulled
from arrocco.office.ledger import CorrectionOf, ReportAccepted, WaivedError
from arrocco.office.records import Tournament
from arrocco.records.report import Report
from arrocco.words import Phrase


class CorrectionGate:
    """Judges corrections by what they make of a report."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._corrected = CorrectedReports(desk)
        self._checker = Checker(desk)

    def errors(
        self,
        connection: Connection,
        tournament: Tournament,
        report: int,
        changes: Sequence[CorrectionOf],
    ) -> tuple[Finding, ...]:
        """The errors that changes bring into a report; what was let in with it stays let in."""
        if is_annulled(changes):
            return ()  # nothing of it is rated
        book = self._desk.book(connection)
        accepted = book.accepted(report)
        if accepted is None:
            raise Illegal.of("desk.refused.not_accepted")
        known, fixed = self._corrected.known(book, report), self._corrected.fixed
        before = self._found(connection, tournament, accepted[1], known)
        after = self._found(connection, tournament, accepted[1], fixed(book, report, changes))
        return tuple(finding for same, finding in after.items() if same not in before)

    def admit(
        self,
        connection: Connection,
        tournament: Tournament,
        report: int,
        changes: Sequence[CorrectionOf],
        waivers: Sequence[Waiver],
    ) -> tuple[WaivedError, ...]:
        """The errors that are waived. Raises `Illegal` for one that is not, and for a waiver too
        many."""
        gate = Waivers(waivers)
        admission = gate.admit(self.errors(connection, tournament, report, changes))
        if admission.refused:
            keys = tuple(sorted({waiver_key(error) for error in admission.refused}))
            raise Illegal.of(
                "desk.refused.correction_has_errors",
                findings=admission.refused,
                keys=keys,
                errors=tuple(Phrase(f"{e.key}.text", e.details) for e in admission.refused),
            )
        gate.require_used()
        reasons = {waiver_key(finding): reason for finding, reason in admission.waived}
        return tuple(WaivedError(key=key, reason=why) for key, why in sorted(reasons.items()))

    def _found(
        self, connection: Connection, tournament: Tournament, entry: ReportAccepted, report: Report
    ) -> dict[tuple[str, ...], Finding]:
        """The errors of a report as it was received, each by what it says."""
        checked = self._checker.check_read(connection, tournament, report, [], entry.received)
        return {
            (system, finding.key, str(finding.place), repr(finding.details)): finding
            for system, findings in checked.findings.items()
            for finding in findings
            if finding.is_error
        }
