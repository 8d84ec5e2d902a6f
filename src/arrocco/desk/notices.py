"""What the acts of the office tell people by mail, in the act's own transaction."""

from __future__ import annotations

import logging
from datetime import datetime
from urllib.parse import urlencode

from arrocco.desk.desk import OPERATOR, Act
from arrocco.desk.mail import MailKind, queue, queue_to
from arrocco.errors import Refusal
from arrocco.office.records import ReportStatus, SentReport, Tournament
from arrocco.office.roles import Asker, Role
from arrocco.words import Phrase

log = logging.getLogger(__name__)

_DECISIONS = {
    "approve_tournament": "approved",
    "refuse_tournament": "refused",
    "decide_appeal": "appeal_decided",
}
"""What is decided about a tournament by others than who registered it, and its words."""


def tell_about_report(act: Act, asker: Asker, tournament: Tournament, report: SentReport) -> None:
    """Tells who sent a report, and who registered the tournament, what became of it."""
    readers = {report.sent_by, tournament.registered_by} - {OPERATOR, asker.account}
    name, path = tournament.registration.name, f"/desk/reports/{report.id}"
    reason = report.note or "–"
    for reader in sorted(readers):
        if report.status is ReportStatus.REJECTED:
            queue(
                act.connection,
                act.at,
                MailKind.REPORT_RETURNED,
                reader,
                path,
                tournament=name,
                reason=reason,
            )
        else:
            decision = Phrase("mail.decided.report_accepted")
            queue(
                act.connection,
                act.at,
                MailKind.DECISION,
                reader,
                path,
                tournament=name,
                decision=decision,
                reason=reason,
            )


def tell_about_tournament(act: Act, asker: Asker, action: str, tournament: Tournament) -> None:
    """Tells who registered a tournament what was decided about it."""
    owner = tournament.registered_by
    if action not in _DECISIONS or owner in (OPERATOR, asker.account):
        return
    queue(
        act.connection,
        act.at,
        MailKind.DECISION,
        owner,
        f"/desk/tournaments/{tournament.id}",
        tournament=tournament.registration.name,
        decision=Phrase(f"mail.decided.{_DECISIONS[action]}"),
        reason=tournament.appeal_note or tournament.refusal_reason or "–",
    )


def tell_invited(
    act: Act, asker: Asker, email: str, role: Role, token: str, until: datetime, language: str = ""
) -> None:
    """Writes an invitation to the invited; an address that gets no mail is told its link anyhow."""
    try:
        queue_to(
            act.connection,
            act.at,
            MailKind.INVITATION,
            email,
            language or "en",
            f"/invitation?{urlencode({'token': token})}",
            inviter=asker.name or "Arrocco",
            role=Phrase(f"web.role.{role.value}"),
            until=until.date(),
        )
    except Refusal as refusal:  # the page shows the link: no reason to invite nobody
        log.warning("no mail about an invitation: %s", refusal.key)
