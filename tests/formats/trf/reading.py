"""Reading in tests: every finding is also put into words, so that none lacks a parameter."""

from __future__ import annotations

from dataclasses import replace

import pytest

from arrocco.errors import Malformed
from arrocco.findings import Finding, Place
from arrocco.formats.trf import read_report
from arrocco.records.report import Report
from arrocco.words import LANGUAGES, finding_advice, finding_text

FILE = "prova.trf"


def read(data: bytes) -> tuple[Report, list[Finding]]:
    """Reads a report and renders every finding in both languages."""
    report, findings = read_report(data, FILE)
    in_words(findings)
    return report, findings


def in_words(findings: list[Finding] | tuple[Finding, ...]) -> None:
    """Renders findings; a missing key or parameter raises `KeyError`."""
    for finding in findings:
        for language in LANGUAGES:
            text = finding_text(language, finding)
            advice = finding_advice(language, finding)
            assert text
            assert advice
            assert "None" not in text


def seen(data: bytes) -> dict[str, str]:
    """The findings of a file as key to ``severity line:column``, the first of each key."""
    found: dict[str, str] = {}
    for finding in read(data)[1]:
        place = finding.place
        assert place.file == FILE
        key = finding.key.removeprefix("trf.")
        found.setdefault(key, f"{finding.severity} {place.line}:{place.column}")
    return found


def one(data: bytes, key: str) -> Finding:
    """The only finding of a file with that key."""
    (finding,) = [found for found in read(data)[1] if found.key == f"trf.{key}"]
    return finding


def refused(data: bytes) -> Finding:
    """The finding of a refused file."""
    with pytest.raises(Malformed) as refusal:
        read_report(data, FILE)
    assert refusal.value.message
    assert refusal.value.advice
    in_words(refusal.value.findings)
    (finding,) = refusal.value.findings
    return finding


def without_places(report: Report) -> Report:
    """A report without its source and places, to compare what it says."""
    return replace(
        report,
        source="",
        entries=[
            replace(
                entry,
                place=Place(),
                national=tuple(replace(record, place=Place()) for record in entry.national),
            )
            for entry in report.entries
        ],
        games=[replace(game, place=Place()) for game in report.games],
        byes=[replace(bye, place=Place()) for bye in report.byes],
    )
