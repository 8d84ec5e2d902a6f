"""Each game counts once: which accepted reports tell of the games of another one."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Connection

from arrocco.desk.corrected_reports import CorrectedReports
from arrocco.desk.desk import Desk, merged_numbers
from arrocco.desk.withdrawals import is_on_a_list
from arrocco.engine.checks.likeness import fold
from arrocco.findings import Finding, Place, Severity
from arrocco.office.intake import is_reported_in_parts
from arrocco.office.new_players import numbered
from arrocco.office.overlap import Overlap, differences, is_same_event, overlap
from arrocco.office.records import ReportStatus, SentReport, Tournament
from arrocco.office.same_players import shared_players
from arrocco.records.report import Report
from arrocco.store.sql import reports
from arrocco.words import Phrase

TAKEN = (ReportStatus.ACCEPTED, ReportStatus.RATED)
"""Reports whose games count, or are about to."""
WAITING = (ReportStatus.SENT, ReportStatus.NEEDS_ANSWERS)
"""Reports that are still to be decided."""
MAX_COMPARED = 500
"""Reports of other tournaments on the same days that are looked at."""


class Earlier(NamedTuple):
    """An earlier report of the same tournament that has games of another one."""

    sent: SentReport
    overlap: Overlap


class Corrects(NamedTuple):
    """The rated report that another one of the same games corrects, and where the two differ."""

    rated: SentReport
    differences: list[Phrase]


class Counting:
    """Compares reports by their games."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._corrected = CorrectedReports(desk)

    def earlier(
        self, connection: Connection, tournament: int, report: Report, apart_from: int = 0
    ) -> list[Earlier]:
        """The other reports of a tournament of the same games or days, the newest first."""
        merged = merged_numbers(connection)
        earliers = []
        for sent in reports.of_tournament(connection, tournament):
            if sent.id == apart_from:
                continue
            before = self._read(sent)
            common = overlap(before, report, merged)
            if common.shared or (before.start, before.end) == (report.start, report.end):
                earliers.append(Earlier(sent, common))
        return earliers

    def findings(
        self, connection: Connection, tournament: Tournament, report: Report
    ) -> list[Finding]:
        """What a report that tells of games already taken is to be told."""
        repeated = []
        corrects = self.corrects(connection, tournament, report)
        earlier = self.earlier(connection, tournament.id, report)
        in_parts = len(self._rated(connection, earlier)) > 1
        for sent, common in earlier:
            if sent.status not in TAKEN:
                continue
            details: dict[str, object] = {
                "version": sent.version,
                "games": common.shared,
                "missing": common.missing,
            }
            if sent.status is ReportStatus.RATED or is_on_a_list(connection, sent):
                key, severity = "office.games_rated", Severity.ERROR
                if not common.shared:
                    key = "office.days_rated"
                elif in_parts:
                    key = "office.parts_rated"
                elif corrects is not None:
                    key, severity = "office.corrects_rated", Severity.NOTE
                    details["differences"] = len(corrects.differences)
            elif common.missing:
                key, severity = "office.replaces_with_fewer", Severity.WARNING
            else:
                key, severity = "office.replaces", Severity.NOTE
            repeated.append(Finding(severity, key, Place(report.source), "9.1", details))
            if key.startswith("office.replaces") and (
                lost := self._lost_corrections(connection, sent, report)
            ):
                told = {"version": sent.version, "changes": lost}
                undoes = "office.replaces_corrected"
                repeated.append(
                    Finding(Severity.WARNING, undoes, Place(report.source), "9.1", told)
                )
        return [*repeated, *self.elsewhere(connection, tournament, report)]

    def _lost_corrections(self, connection: Connection, sent: SentReport, report: Report) -> int:
        """How much of what was corrected in an accepted report another one of its games undoes."""
        before = self._read(sent)
        known = self._corrected.known(self._desk.book(connection), sent.id)
        merged = merged_numbers(connection)
        already = differences(before, report, merged)
        results = [new for new in differences(known, report, merged) if new not in already]
        ids = {fold(entry.name): entry.id for entry in report.entries}
        numbers = [
            new.id
            for old, new in zip(before.entries, known.entries, strict=True)
            if old.id != new.id and ids.get(fold(new.name)) != new.id
        ]
        return len(results) + len(numbers)

    def corrects(
        self, connection: Connection, tournament: Tournament, report: Report, apart_from: int = 0
    ) -> Corrects | None:
        """The one rated report that a report corrects; none where it is not such a correction.

        Rounds that came since are a report of their own, where a tournament is reported in parts.
        """
        rated = self._rated(connection, self.earlier(connection, tournament.id, report, apart_from))
        if len(rated) != 1:
            return None
        known = self._corrected.known(self._desk.book(connection), rated[0].id)
        phrases = differences(known, report, merged_numbers(connection))
        added = any(phrase.key == "office.difference.added" for phrase in phrases)
        if not phrases or (added and is_reported_in_parts(tournament.registration)):
            return None
        return Corrects(rated[0], phrases)

    def _rated(self, connection: Connection, earlier: list[Earlier]) -> list[SentReport]:
        """The reports of the same games that are on a list; several are parts of a tournament."""
        return [
            before.sent
            for before in earlier
            if before.sent.status in TAKEN
            and before.overlap.shared
            and is_on_a_list(connection, before.sent)
        ]

    def elsewhere(
        self, connection: Connection, tournament: Tournament, report: Report
    ) -> list[Finding]:
        """The same play under another registration, on the same days and in the same system.

        Where only the players are the same somebody has to say why, also of a report that waits:
        once both are accepted nobody would be asked.
        """
        registration = tournament.registration
        start, end = report.start or registration.start, report.end or registration.end
        merged = merged_numbers(connection)
        systems = set(registration.systems)
        findings = []
        for sent, other in reports.on_days(
            connection, start, end, TAKEN + WAITING, apart_from=tournament.id, limit=MAX_COMPARED
        ):
            if not systems & set(other.registration.systems):
                continue
            before, name = self._read(sent), other.registration.name
            told: dict[str, object] = {"tournament": other.id, "name": name}
            told["version"] = sent.version
            if is_same_event(before, report, merged):
                if sent.status not in TAKEN:
                    continue  # the first of the two that is accepted has the other refused
                key, severity = "office.same_games_elsewhere", Severity.ERROR
            elif shared := shared_players(before, report, merged):
                key, severity = "office.same_players_elsewhere", Severity.WARNING
                told["players"] = shared
            else:
                continue
            findings.append(Finding(severity, key, Place(report.source), "9.1", told))
        return findings

    def _read(self, sent: SentReport) -> Report:
        read, _ = self._desk.parsed.read(self._desk.blobs.get(sent.blob), sent.file_name)
        return numbered(read, sent.numbers)
