"""What pages and API show of a report, made ready in a process for heavy work.

A report can hold hundreds of thousands of games; only what is shown of it comes back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path

from msgspec import Struct

from arrocco.desk import Office
from arrocco.desk.desk import subject_of
from arrocco.desk.uploads import File, taken
from arrocco.engine.admission import Waiver
from arrocco.findings import Finding
from arrocco.office.cutoff import NoList
from arrocco.office.intake import Adjustment, law_day
from arrocco.office.new_players import EntrySuggestion
from arrocco.office.records import Registration, ReportStatus, SentReport, Tournament
from arrocco.office.roles import Asker, Permission, may
from arrocco.records.report import Report
from arrocco.store.sql.publications import Publication
from arrocco.web import report_findings
from arrocco.web.crosstable import MAX_LINES, CrossTable, cross_table

STILL_OPEN = (
    ReportStatus.RETURNED,
    ReportStatus.NEEDS_ANSWERS,
    ReportStatus.SENT,
    ReportStatus.ACCEPTED,
)
"""Reports that may still be replaced, decided or withdrawn."""


class ShownReport(Struct, frozen=True, kw_only=True):
    """What a page shows of a report."""

    began: date
    """The first day of the tournament, by which its edition goes: of a part, of the whole."""
    start: date | None
    end: date | None
    rounds: int
    players: int
    games: int
    table: CrossTable
    groups: list[report_findings.Group]


class CheckedFile(Struct, frozen=True, kw_only=True):
    """A report before it is sent, as `desk.report_checks.Checked`, with what is shown of it."""

    status: ReportStatus
    findings: Mapping[str, tuple[Finding, ...]]
    adjustments: Mapping[str, tuple[Adjustment, ...]]
    lists: Mapping[str, date | NoList]
    shown: ShownReport


class OpenedReport(Struct, frozen=True, kw_only=True):
    """A report that was sent, what is shown of it, and what would become of it now."""

    sent: SentReport
    tournament: Tournament
    shown: ShownReport
    adjustments: Mapping[str, tuple[Adjustment, ...]]
    would_fall: Mapping[str, date | NoList]


def check_file(
    office: Office,
    asker: Asker,
    tournament: int,
    name: str,
    data: bytes,
    games: File | None = None,
) -> CheckedFile:
    """Says what would become of a report. Raises `Refusal`."""
    checked = office.reports.check(asker, tournament, name, data, games)
    began = law_day(checked.report, office.tournaments.get(asker, tournament).registration)
    groups = report_findings.of_check(checked.findings, taken(name, data).content, began)
    return CheckedFile(
        status=checked.status,
        findings=checked.findings,
        adjustments=checked.adjustments,
        lists=checked.lists,
        shown=_shown(checked.report, groups, began),
    )


def send_file(
    office: Office,
    asker: Asker,
    tournament: int,
    name: str,
    data: bytes,
    games: File | None = None,
) -> SentReport:
    """Sends a report; once this returns it is on the disk. Raises `Refusal`."""
    return office.reports.send(asker, tournament, name, data, games)


def amend_registration(
    office: Office, asker: Asker, tournament: int, registration: Registration, reason: str
) -> Tournament:
    """Amends a registration; its reports that wait are read and checked again."""
    return office.tournaments.amend(asker, tournament, registration, reason)


def number_suggestions(office: Office, asker: Asker, report: int) -> list[EntrySuggestion]:
    """The entries of a report without a number, and whom they may be. Raises `Refusal`."""
    return office.numbers.suggestions(asker, report)


def give_numbers(
    office: Office, asker: Asker, report: int, numbers: Mapping[int, int]
) -> SentReport:
    """Says who entries without a number are; the report is read and checked again."""
    return office.numbers.give(asker, report, numbers)


def accept_report(
    office: Office, asker: Asker, report: int, note: str, waivers: Sequence[Waiver] = ()
) -> SentReport:
    """Accepts a report: its games are compared with those that count already."""
    return office.reports.accept(asker, report, note, waivers)


def import_file(
    office: Office, asker: Asker, system: str, list_date: date, path: Path
) -> tuple[Publication, tuple[Finding, ...]]:
    """Takes over a list from elsewhere. Raises `Refusal`."""
    return office.lists.import_list(asker, system, list_date, path)


def open_report(office: Office, asker: Asker, number: int) -> OpenedReport:
    """A report with what there is to say of it today. Raises `Refusal`."""
    sent = office.reports.get(asker, number)
    tournament = office.tournaments.get(asker, sent.tournament)
    data = office.reports.content(asker, number)
    read = office.reports.read(asker, number)
    began = law_day(read, tournament.registration)
    groups = report_findings.of_sent(sent, data, began)
    adjustments: Mapping[str, tuple[Adjustment, ...]] = {}
    would_fall: Mapping[str, date | NoList] = {}
    may_send = may(asker, Permission.SEND_REPORT, subject_of(tournament))
    if sent.status in STILL_OPEN and may_send:
        checked = office.reports.check(asker, tournament.id, sent.file_name, data)
        adjustments, would_fall = checked.adjustments, checked.lists
    return OpenedReport(
        sent=sent,
        tournament=tournament,
        shown=_shown(read, groups, began),
        adjustments=adjustments,
        would_fall=would_fall,
    )


def _shown(report: Report, groups: list[report_findings.Group], began: date) -> ShownReport:
    return ShownReport(
        began=began,
        start=report.start,
        end=report.end,
        rounds=report.rounds,
        players=len(report.entries),
        games=len(report.games),
        table=cross_table(report, MAX_LINES),
        groups=groups,
    )
