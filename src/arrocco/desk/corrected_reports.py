"""Accepted reports with the corrections of the ledger, and with others on top of them."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection

from arrocco.desk.book import Book
from arrocco.desk.desk import Desk
from arrocco.errors import Illegal
from arrocco.office.corrections import corrected, is_annulled, moved_exclusion
from arrocco.office.ledger import Correction, CorrectionOf, GameExclusion, ReportReplacement
from arrocco.records.report import Report


class CorrectedReports:
    """Reads reports as they have been corrected."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def fixed(self, book: Book, report: int, changes: Sequence[CorrectionOf]) -> Report:
        """A report with changes on top of those entered. Raises `Refusal` where they do not fit."""
        if any(
            correction.report == report and is_annulled(correction.changes)
            for _, correction in book.of(Correction)
        ):
            raise Illegal.of("desk.refused.annulled_already")
        return corrected(self.known(book, report), changes, self._replacement)

    def known(self, book: Book, report: int) -> Report:
        """An accepted report with all corrections in a ledger."""
        accepted = book.accepted(report)
        if accepted is None:
            raise Illegal.of("desk.refused.not_accepted")
        entry = accepted[1]
        known, _ = self._desk.parsed.read(self._desk.blobs.get(entry.blob), entry.file_name)
        for _, correction in book.of(Correction):
            if correction.report == report:
                known = corrected(known, correction.changes, self._replacement)
        return known

    def exclusions_for(
        self, connection: Connection, report: int, new: int, read: Report
    ) -> list[Correction]:
        """The exclusions of a report that still stand, for one that takes its place (5.1)."""
        book = self._desk.book(connection)
        known = self.known(book, report)
        corrections = []
        for _, correction in book.of(Correction):
            if correction.report != report:
                continue
            changes = [
                moved
                for change in correction.changes
                if isinstance(change, GameExclusion)
                and (moved := moved_exclusion(known, change, read)) is not None
            ]
            if changes:
                corrections.append(
                    Correction(report=new, changes=tuple(changes), reason=correction.reason)
                )
        return corrections

    def _replacement(self, change: ReportReplacement) -> Report:
        return self._desk.parsed.read(self._desk.blobs.get(change.blob), change.file_name)[0]
