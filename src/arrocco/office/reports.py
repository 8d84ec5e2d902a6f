"""Where a report that was sent stands, and what can become of it from there."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from msgspec.structs import replace

from arrocco.errors import Illegal, Inconsistent
from arrocco.findings import Severity
from arrocco.office.intake import status_of
from arrocco.office.records import ReportStatus, SentReport
from arrocco.words import Phrase

LONGEST_ANSWER = 2000
_S = ReportStatus
_UNDECIDED = (_S.RETURNED, _S.NEEDS_ANSWERS, _S.SENT)


def answered(report: SentReport, answers: Mapping[int, str]) -> SentReport:
    """With reasons given for warnings, by their place among the findings.

    Errors cannot be answered: they are corrected in another report. Notes ask nothing.
    """
    _require(report, "answer", _S.NEEDS_ANSWERS, _S.SENT)
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


def accepted(report: SentReport, *, by: int, at: datetime, note: str = "") -> SentReport:
    """Accepted to be rated: it has no errors and every warning was answered."""
    _require(report, "accept", _S.SENT)
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
