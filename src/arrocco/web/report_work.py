"""What pages and API show of a report, made ready in a process for heavy work.

A report can hold hundreds of thousands of games; only what is shown of it comes back.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from pathlib import Path

from msgspec import Struct

from arrocco.findings import Finding
from arrocco.office.cutoff import NoList
from arrocco.office.intake import Adjustment
from arrocco.office.records import ReportStatus, SentReport, Tournament
from arrocco.office.roles import Asker, Permission, may
from arrocco.report import Report
from arrocco.store.sql.publications import Publication
from arrocco.web.pages import work_findings
from arrocco.web.pages.work_crosstable import CrossTable, cross_table
from arrocco.wiring.office import Office
from arrocco.wiring.office.desk import subject_of
from arrocco.wiring.office.uploads import taken
from arrocco.words import Language, say

STILL_OPEN = (
    ReportStatus.RETURNED, ReportStatus.NEEDS_ANSWERS, ReportStatus.SENT, ReportStatus.ACCEPTED,
)  # fmt: skip
"""Reports that may still be replaced, decided or withdrawn."""


class ShownReport(Struct, frozen=True, kw_only=True):
    """What a page shows of a report."""

    start: date | None
    end: date | None
    rounds: int
    players: int
    games: int
    table: CrossTable
    groups: list[work_findings.Group]


class CheckedFile(Struct, frozen=True, kw_only=True):
    """A report before it is sent, as `wiring.office.checking.Checked`, with what is shown of it."""

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
    office: Office, asker: Asker, tournament: int, name: str, data: bytes, language: Language
) -> CheckedFile:
    """Says what would become of a report. Raises `Refusal`."""
    checked = office.reports.check(asker, tournament, name, data)
    start = checked.report.start or office.tournaments.get(asker, tournament).registration.start
    groups = work_findings.of_check(checked.findings, taken(name, data)[1], start)
    return CheckedFile(
        status=checked.status, findings=checked.findings, adjustments=checked.adjustments,
        lists=checked.lists, shown=_shown(checked.report, groups, language),
    )  # fmt: skip


def send_file(office: Office, asker: Asker, tournament: int, name: str, data: bytes) -> SentReport:
    """Sends a report; once this returns it is on the disk. Raises `Refusal`."""
    return office.reports.send(asker, tournament, name, data)


def accept_report(office: Office, asker: Asker, report: int, note: str) -> SentReport:
    """Accepts a report: its games are compared with those that count already."""
    return office.reports.accept(asker, report, note)


def import_file(
    office: Office, asker: Asker, system: str, list_date: date, path: Path
) -> tuple[Publication, tuple[Finding, ...]]:
    """Takes over a list from elsewhere. Raises `Refusal`."""
    return office.lists.import_list(asker, system, list_date, path)


def open_report(office: Office, asker: Asker, number: int, language: Language) -> OpenedReport:
    """A report with what there is to say of it today. Raises `Refusal`."""
    sent = office.reports.get(asker, number)
    tournament = office.tournaments.get(asker, sent.tournament)
    data = office.reports.content(asker, number)
    read = office.reports.read(asker, number)
    groups = work_findings.of_sent(sent, data, read.start or tournament.registration.start)
    adjustments: Mapping[str, tuple[Adjustment, ...]] = {}
    would_fall: Mapping[str, date | NoList] = {}
    may_send = may(asker, Permission.SEND_REPORT, subject_of(tournament))
    if sent.status in STILL_OPEN and may_send:
        checked = office.reports.check(asker, tournament.id, sent.file_name, data)
        adjustments, would_fall = checked.adjustments, checked.lists
    return OpenedReport(
        sent=sent, tournament=tournament, shown=_shown(read, groups, language),
        adjustments=adjustments, would_fall=would_fall,
    )  # fmt: skip


def _shown(report: Report, groups: list[work_findings.Group], language: Language) -> ShownReport:
    white, black = (say(language, f"work.report.{colour}") for colour in ("white", "black"))
    return ShownReport(
        start=report.start, end=report.end, rounds=report.rounds, players=len(report.entries),
        games=len(report.games), table=cross_table(report, white, black), groups=groups,
    )  # fmt: skip
