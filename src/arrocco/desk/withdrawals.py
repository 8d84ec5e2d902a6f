"""Taking reports out of the lists to come: one by one, or all of a tournament that is refused."""

from __future__ import annotations

from sqlalchemy import Connection

from arrocco.desk.desk import Act, account_of
from arrocco.errors import Illegal
from arrocco.office import reports as states
from arrocco.office.ledger import ReportWithdrawn
from arrocco.office.records import ReportStatus, SentReport
from arrocco.office.roles import Asker
from arrocco.store.sql import assignments, ledger, reports


def is_on_a_list(connection: Connection, report: SentReport) -> bool:
    """Whether a report is on a list that is out."""
    return any(out for _, out in assignments.of_report(connection, report.id).values())


def withdraw_report(act: Act, asker: Asker, report: SentReport, reason: str) -> SentReport:
    """Withdraws a report that is on no list yet. Raises `Illegal` where it is on one."""
    if is_on_a_list(act.connection, report):
        raise Illegal.of("desk.refused.rated_already", version=report.version)
    changed = states.withdrawn(report, reason, by=account_of(asker), at=act.at)
    if report.status is ReportStatus.ACCEPTED:
        ledger.append(
            act.connection,
            act.at,
            account_of(asker),
            ReportWithdrawn(report=report.id, reason=changed.note),
        )
        assignments.remove(act.connection, report.id)
    return reports.change(act.connection, report, changed)


def withdraw_accepted(act: Act, asker: Asker, tournament: int, reason: str) -> int:
    """0.4 — takes the accepted reports of a tournament out of every list to come; how many.

    Raises `Illegal` where one is on a published list: what was rated is corrected, not undone here.
    """
    accepted = [
        report
        for report in reports.of_tournament(act.connection, tournament)
        if report.status in (ReportStatus.ACCEPTED, ReportStatus.RATED)
    ]
    for report in accepted:
        withdraw_report(act, asker, report, reason)
    return len(accepted)
