"""Findings as the pages of reports order them: errors first, equal ones together."""

from __future__ import annotations

from datetime import date

from arrocco.findings import Finding, Place, Severity
from arrocco.web import report_findings


def finding(severity: Severity, key: str, line: int = 1) -> Finding:
    return Finding(severity, key, Place("t.trf", line))


def test_errors_stand_first_in_every_group_and_a_group_with_one_before_the_others() -> None:
    note, warning = finding(Severity.NOTE, "check.a"), finding(Severity.WARNING, "check.b")
    error = finding(Severity.ERROR, "check.c")
    groups = report_findings.of_check(
        {"": [note], "fide": [warning, note], "uisp": [note, error, warning]}, b"", date(2025, 5, 1)
    )
    # What several systems say alike is told once, where it is told first.
    assert [(each.system, [one.finding.key for one in each.found]) for each in groups] == [
        ("uisp", ["check.c"]),
        ("fide", ["check.b"]),
        ("", ["check.a"]),
    ]


def test_equal_findings_of_many_lines_are_told_together() -> None:
    missing = [finding(Severity.WARNING, "check.id_missing", line) for line in range(1, 40)]
    other = finding(Severity.WARNING, "check.end_missing")
    (group,) = report_findings.of_check({"": [*missing, other]}, b"", date(2025, 5, 1))
    assert [(one.finding.key, one.count, one.fix) for one in group.alike] == [
        ("check.id_missing", 39, "numbers"),
        ("check.end_missing", 1, ""),
    ]
