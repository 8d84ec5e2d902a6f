"""Where a report that was sent stands, and what can become of it from there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from msgspec.structs import replace

from arrocco.engine.admission import NEVER_WAIVED, Waiver, Waivers, waiver_key
from arrocco.errors import Illegal, Inconsistent
from arrocco.findings import Severity
from arrocco.office.findings import finding_of
from arrocco.office.intake import status_of
from arrocco.office.ledger import WaivedError
from arrocco.office.records import ReportStatus, SentReport
from arrocco.words import Phrase

LONGEST_ANSWER = 2000
_S = ReportStatus
_UNDECIDED = (_S.RETURNED, _S.NEEDS_ANSWERS, _S.SENT)


def answered(report: SentReport, answers: Mapping[int, str]) -> SentReport:
    """With reasons given for warnings, by their place among the findings.

    Errors cannot be answered: they are corrected in another report, or waived by who accepts this
    one. Notes ask nothing.
    """
    _require(report, "answer", *_UNDECIDED)
    findings = list(report.findings)
    for index, reason in answers.items():
        if not 0 <= index < len(findings):
            raise Inconsistent.of("office.refused.no_such_finding", index=index)
        finding = findings[index]
        if finding.severity != Severity.WARNING:
            raise Illegal.of(
                "office.refused.not_answerable",
                index=index,
                severity=Phrase(f"office.severity.{finding.severity}"),
            )
        _require_text("answer", reason)
        findings[index] = replace(finding, answer=reason.strip())
    kept = tuple(findings)
    return replace(report, findings=kept, status=status_of(kept))


def waived(report: SentReport, waivers: Sequence[Waiver]) -> SentReport:
    """With errors let pass, each with the reason given.

    Raises `Refusal` for what cannot be waived and for a waiver that waives nothing.
    """
    _require(report, "accept", *_UNDECIDED)
    gate = Waivers(waivers)
    admission = gate.admit(finding_of(finding) for finding in report.findings)
    gate.require_used()
    reasons = {waiver_key(finding): reason for finding, reason in admission.waived}
    findings = tuple(
        replace(finding, answer=reasons.get(waiver_key(finding_of(finding)), ""))
        if finding.severity == Severity.ERROR
        else finding
        for finding in report.findings
    )
    return replace(report, findings=findings, status=status_of(findings))


def errors_waived(report: SentReport) -> tuple[WaivedError, ...]:
    """The errors that `waived` let pass, by their keys."""
    reasons = {
        waiver_key(finding_of(finding)): finding.answer
        for finding in report.findings
        if finding.severity == Severity.ERROR and finding.answer
    }
    return tuple(WaivedError(key=key, reason=reason) for key, reason in sorted(reasons.items()))


def may_be_waived(report: SentReport) -> bool:
    """Whether each of a report's errors is one that can be let pass."""
    errors = [finding for finding in report.findings if finding.severity == Severity.ERROR]
    return not {waiver_key(finding_of(finding)) for finding in errors} & NEVER_WAIVED


def require_acceptable(report: SentReport) -> None:
    """Refuses to accept a report that has errors, unanswered warnings, or was decided."""
    _require(report, "accept", _S.SENT)


def accepted(report: SentReport, *, by: int, at: datetime, note: str = "") -> SentReport:
    """Accepted to be rated: it has no errors and every warning was answered."""
    require_acceptable(report)
    return replace(report, status=_S.ACCEPTED, decided_by=by, decided_at=at, note=note.strip())


def rejected(report: SentReport, reason: str, *, by: int, at: datetime) -> SentReport:
    """Rejected, with a reason."""
    _require(report, "reject", *_UNDECIDED)
    _require_text("reason", reason)
    return replace(report, status=_S.REJECTED, decided_by=by, decided_at=at, note=reason.strip())


def superseded(report: SentReport) -> SentReport:
    """Another report of the tournament has taken its place; one accepted is withdrawn first."""
    _require(report, "supersede", *_UNDECIDED, _S.REJECTED, _S.WITHDRAWN)
    return replace(report, status=_S.SUPERSEDED)


def withdrawn(report: SentReport, reason: str, *, by: int, at: datetime) -> SentReport:
    """Not to be rated after all; once on a published list it can only be corrected."""
    _require(report, "withdraw", *_UNDECIDED, _S.ACCEPTED)
    _require_text("reason", reason)
    return replace(report, status=_S.WITHDRAWN, decided_by=by, decided_at=at, note=reason.strip())


def rated(report: SentReport) -> SentReport:
    """On a published list."""
    _require(report, "publish", _S.ACCEPTED, _S.RATED)
    return replace(report, status=_S.RATED)


def entered_as_correction(report: SentReport, note: str, *, by: int, at: datetime) -> SentReport:
    """Its games are on a list already: it corrects the report that is on it."""
    _require(report, "correct", _S.SENT)
    return replace(report, status=_S.CORRECTION, decided_by=by, decided_at=at, note=note.strip())


def annulled(report: SentReport, reason: str, *, by: int, at: datetime) -> SentReport:
    """It was on a published list; the next one takes out what it brought."""
    _require(report, "annul", _S.ACCEPTED, _S.RATED)
    _require_text("reason", reason)
    return replace(report, status=_S.ANNULLED, decided_by=by, decided_at=at, note=reason.strip())


def _require(report: SentReport, act: str, *possible: ReportStatus) -> None:
    if report.status not in possible:
        raise Illegal.of(
            "office.refused.report_state",
            act=Phrase(f"office.act.{act}"),
            status=Phrase(f"office.report.{report.status.value}"),
            possible=tuple(Phrase(f"office.report.{status.value}") for status in possible),
        )


def _require_text(name: str, text: str) -> None:
    why = None
    if not text.strip():
        why = Phrase("office.fault.empty")
    elif len(text) > LONGEST_ANSWER:
        why = Phrase("office.fault.too_long", {"length": len(text), "most": LONGEST_ANSWER})
    if why is not None:
        raise Inconsistent.of(
            "office.refused.field", field=Phrase(f"office.field.{name}"), why=why, name=name
        )
