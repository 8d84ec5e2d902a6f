"""A report file is read once on its way through the office, and what is kept is bounded."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from arrocco.desk import Office, parsed_reports
from arrocco.desk.parsed_reports import ParsedReports
from arrocco.errors import Malformed
from arrocco.findings import Finding
from arrocco.formats.trf import read_report
from arrocco.records.report import Report
from tests.desk.offices import Clock, accepted, data_of, people_of, report, write_opening


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the files that the reader reads from now on."""
    names: list[str] = []

    def counted(data: bytes, name: str) -> tuple[Report, list[Finding]]:
        names.append(name)
        return read_report(data, name)

    monkeypatch.setattr(parsed_reports, "read_report", counted)
    return names


def test_a_report_is_read_once_until_it_is_accepted(
    small_office: Office, clock: Clock, tmp_path: Path, read: list[str]
) -> None:
    people = people_of(small_office)
    opening = write_opening(tmp_path / "fide.csv")
    small_office.lists.import_list(people.administrator, "fide", date(2025, 5, 1), opening)
    sent = accepted(small_office, clock, people, report(1, date(2025, 5, 3)), ("fide",))
    small_office.reports.read(people.arbiter, sent.id)
    assert read == ["report.trf"]


def test_what_is_kept_is_bounded_and_the_oldest_goes_first(read: list[str]) -> None:
    files = [data_of(report(seed, date(2025, 5, seed))) for seed in (1, 2, 3)]
    kept = ParsedReports(len(files[0]) + len(files[1]))
    for number in (0, 1, 0, 2, 0, 1):
        kept.read(files[number], str(number))
    assert read == ["0", "1", "2", "1"]


def test_names_and_findings_are_those_of_the_file(read: list[str]) -> None:
    kept, data = ParsedReports(), data_of(report(1, date(2025, 5, 1)))
    assert [kept.read(data, name)[0].source for name in "aba"] == ["a", "b", "a"]
    _, findings = kept.read(data, "a")
    findings.append(Finding("error", "x"))  # type: ignore[arg-type]
    assert kept.read(data, "a")[1] != findings
    for _ in range(2):
        with pytest.raises(Malformed):
            kept.read(b"nothing", "c")
    assert read == ["a", "b", "c", "c"]
