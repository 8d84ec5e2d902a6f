"""What becomes of a report that was sent, and what cannot become of it."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import msgspec
import pytest

from arrocco.errors import Illegal, Inconsistent
from arrocco.findings import Finding, Severity
from arrocco.office.intake import status_of
from arrocco.office.records import ReportStatus, SentReport, StoredFinding
from arrocco.office.reports import accepted, answered, rated, rejected, superseded, withdrawn
from tests.office.build import AT, said

S = ReportStatus


def finding(severity: Severity, answer: str = "") -> StoredFinding:
    return StoredFinding(system="fide", severity=severity.value, key="x", answer=answer)


def sent(*severities: Severity, status: ReportStatus | None = None) -> SentReport:
    findings = tuple(finding(severity) for severity in severities)
    return SentReport(
        id=1,
        tournament=7,
        version=1,
        blob="00",
        file_name="t.trf",
        sent_by=3,
        sent_at=AT,
        status=status or status_of(findings),
        findings=findings,
    )


@pytest.mark.parametrize(
    ("severities", "expected"),
    [
        ((), S.SENT),
        ((Severity.NOTE,), S.SENT),
        ((Severity.NOTE, Severity.WARNING), S.NEEDS_ANSWERS),
        ((Severity.WARNING, Severity.ERROR), S.RETURNED),
    ],
)
def test_the_gravest_finding_decides(
    severities: tuple[Severity, ...], expected: ReportStatus
) -> None:
    assert sent(*severities).status is expected
    assert status_of([Finding(severity, "x") for severity in severities]) is expected


def test_once_every_warning_is_answered_the_report_is_sent() -> None:
    report = sent(Severity.WARNING, Severity.NOTE, Severity.WARNING)
    half = answered(report, {0: " moved by the federation "})
    assert half.status is S.NEEDS_ANSWERS
    assert half.findings[0].answer == "moved by the federation"
    whole = answered(half, {2: "so it was"})
    assert whole.status is S.SENT
    assert answered(whole, {2: "said better"}).findings[2].answer == "said better"


@pytest.mark.parametrize("severity", [Severity.ERROR, Severity.NOTE])
def test_only_warnings_are_answered(severity: Severity) -> None:
    with pytest.raises(Illegal) as refusal:
        answered(sent(Severity.WARNING, severity, status=S.NEEDS_ANSWERS), {1: "because"})
    assert said(refusal.value)[0] == "not_answerable"


@pytest.mark.parametrize("index", [-1, 1])
def test_a_finding_that_is_not_there_cannot_be_answered(index: int) -> None:
    with pytest.raises(Inconsistent) as refusal:
        answered(sent(Severity.WARNING), {index: "because"})
    assert said(refusal.value)[0] == "no_such_finding"


@pytest.mark.parametrize("reason", ["", " \n", "x" * 2001])
def test_an_answer_says_something_and_not_too_much(reason: str) -> None:
    with pytest.raises(Inconsistent) as refusal:
        answered(sent(Severity.WARNING), {0: reason})
    assert said(refusal.value)[0] == "field"
    for act in (rejected, withdrawn):
        with pytest.raises(Inconsistent):
            act(sent(), reason, by=1, at=AT)


def test_decisions_tell_who_and_when_and_why() -> None:
    done = accepted(sent(), by=9, at=AT, note="in order")
    assert (done.status, done.decided_by, done.decided_at, done.note) == (
        S.ACCEPTED,
        9,
        AT,
        "in order",
    )
    assert rejected(sent(), "wrong event", by=9, at=AT).note == "wrong event"


UNDECIDED = {S.RETURNED, S.NEEDS_ANSWERS, S.SENT}
ACTS: dict[str, tuple[Callable[[SentReport], SentReport], set[ReportStatus]]] = {
    "answer": (lambda r: answered(r, {}), UNDECIDED),
    "accept": (lambda r: accepted(r, by=1, at=AT), {S.SENT}),
    "reject": (lambda r: rejected(r, "why", by=1, at=AT), UNDECIDED),
    "supersede": (superseded, UNDECIDED | {S.REJECTED, S.WITHDRAWN}),
    "withdraw": (lambda r: withdrawn(r, "why", by=1, at=AT), UNDECIDED | {S.ACCEPTED}),
    "publish": (rated, {S.ACCEPTED, S.RATED}),
}


@pytest.mark.parametrize(("act", "status"), list(product(ACTS, S)))
def test_each_act_is_possible_only_from_its_states(act: str, status: ReportStatus) -> None:
    do, possible = ACTS[act]
    if status in possible:
        assert isinstance(do(sent(status=status)), SentReport)
        return
    with pytest.raises(Illegal) as refusal:
        do(sent(status=status))
    assert said(refusal.value)[0] == "report_state"


def test_a_report_is_kept_as_JSON_whole() -> None:
    report = answered(sent(Severity.WARNING), {0: "because"})
    assert msgspec.json.decode(msgspec.json.encode(report), type=SentReport) == report
