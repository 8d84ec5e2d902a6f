"""Each game counts once: which accepted reports tell of the games of another one."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Connection

from arrocco.findings import Finding, Place, Severity
from arrocco.formats.trf import read_report
from arrocco.office.overlap import Overlap, is_same_event, overlap
from arrocco.office.records import ReportStatus, SentReport, Tournament
from arrocco.report import Report
from arrocco.store.sql import reports
from arrocco.wiring.office.desk import Desk, merged_numbers

TAKEN = (ReportStatus.ACCEPTED, ReportStatus.RATED)
"""Reports whose games count, or are about to."""
MAX_COMPARED = 500
"""Reports of other tournaments on the same days that are looked at."""


class Earlier(NamedTuple):
    """An earlier report of the same tournament that has games of another one."""

    sent: SentReport
    overlap: Overlap


class Counting:
    """Compares reports by their games."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def earlier(
        self, connection: Connection, tournament: int, report: Report, apart_from: int = 0
    ) -> list[Earlier]:
        """The other reports of a tournament of the same games or days, the newest first."""
        merged = merged_numbers(connection)
        found = []
        for sent in reports.of_tournament(connection, tournament):
            if sent.id == apart_from:
                continue
            before = self._read(sent)
            common = overlap(before, report, merged)
            if common.shared or (before.start, before.end) == (report.start, report.end):
                found.append(Earlier(sent, common))
        return found

    def findings(
        self, connection: Connection, tournament: Tournament, report: Report
    ) -> list[Finding]:
        """What a report that tells of games already taken is to be told."""
        found = []
        for sent, common in self.earlier(connection, tournament.id, report):
            if sent.status not in TAKEN or not common.shared:
                continue
            details = {"version": sent.version, "games": common.shared, "missing": common.missing}
            if sent.status is ReportStatus.RATED:
                key, severity = "office.games_rated", Severity.ERROR
            elif common.missing:
                key, severity = "office.replaces_with_fewer", Severity.WARNING
            else:
                key, severity = "office.replaces", Severity.NOTE
            found.append(Finding(severity, key, Place(report.source), "9.1", details))
        return [*found, *self.elsewhere(connection, tournament, report)]

    def elsewhere(
        self, connection: Connection, tournament: Tournament, report: Report
    ) -> list[Finding]:
        """The same play under another registration, on the same days and in the same system."""
        registration = tournament.registration
        start, end = report.start or registration.start, report.end or registration.end
        merged = merged_numbers(connection)
        systems = set(registration.systems)
        return [
            Finding(
                Severity.ERROR, "office.same_games_elsewhere", Place(report.source), "9.1",
                {"tournament": other.id, "name": other.registration.name, "version": sent.version},
            )
            for sent, other in reports.on_days(
                connection, start, end, TAKEN, apart_from=tournament.id, limit=MAX_COMPARED
            )
            if systems & set(other.registration.systems)
            and is_same_event(self._read(sent), report, merged)
        ]  # fmt: skip

    def _read(self, sent: SentReport) -> Report:
        return read_report(self._desk.blobs.get(sent.blob), sent.file_name)[0]
