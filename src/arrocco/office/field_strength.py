"""The field as it turned out: stronger than announced, it may ask for an approval again (0.2.1)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from arrocco.engine.checks.case import sex_of
from arrocco.engine.checks.questions import Registers
from arrocco.findings import Finding, Place, Severity
from arrocco.laws.fide.text_2024.registration import RegistrationStatus
from arrocco.laws.rating import RatingLaw
from arrocco.office.records import Approval
from arrocco.records.ratinglist import RatingList
from arrocco.records.report import Report

KEY = "office.field_stronger"
LATE = {
    RegistrationStatus.LATE_NEEDS_PRESIDENT: "president",
    RegistrationStatus.LATE_NEEDS_QC: "qc",
}
"""Whose approval a late registration needs."""


def stronger_field(
    report: Report,
    law: RatingLaw,
    listed: RatingList | None,
    began: date,
    announced: date,
    approvals: tuple[Approval, ...],
    merged: Mapping[int, int] | None = None,
) -> Finding | None:
    """0.2.1, 0.2.3 — the approval that the players who came ask for and nobody was asked for yet.

    The ratings are those of the list in force when the tournament began, under the numbers that
    are kept; a report of a part of it starts later.
    """
    if not isinstance(law, Registers) or report.start is None or listed is None:
        return None
    top = woman = 0
    for entry in report.entries:
        number = None if entry.id is None else (merged or {}).get(entry.id, entry.id)
        player = listed.player(number) if number is not None else None
        if player is None or player.rating is None:
            continue
        top = max(top, player.rating)
        if entry.sex == "w" or sex_of(player) == "w":
            woman = max(woman, player.rating)
    status = law.registration_status(began, announced, top or None, woman or None)
    needed = LATE.get(status)
    # A registration that was late as announced was asked for its approval then.
    if needed != "president" or any(approval.needed == needed for approval in approvals):
        return None
    article = getattr(law, "LATE_APPROVAL", {}).get(status, "")
    details = {"top": top, "woman": woman or "-", "announced": announced}
    return Finding(Severity.NOTE, KEY, Place(report.source), article, details)


def approval_of(finding: Finding) -> Approval:
    """The approval that such a finding asks for."""
    return Approval(needed="president", article=finding.article)
