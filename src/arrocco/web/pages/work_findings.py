"""Findings as a page shows them: with the line of the file, the column marked, and their law."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date

from arrocco.errors import NoLawInForce
from arrocco.findings import Finding, Severity, count_of
from arrocco.office.findings import finding_of
from arrocco.office.records import SentReport
from arrocco.office.systems import SYSTEMS

_LONGEST_LINE = 400
_ENDINGS = re.compile(r"\r\n|\r|\n")
_FIELD = re.compile(r"\s{0,12}\S{0,24}")
"""What is marked from a column on: a field begins with blanks where its value is short."""


@dataclass(frozen=True)
class MarkedLine:
    """A line of the file around the place a finding names; `at` is empty without a column."""

    number: int
    before: str
    at: str
    after: str


@dataclass(frozen=True)
class Shown:
    """One finding; `index` is its place among those kept with a report."""

    finding: Finding
    line: MarkedLine | None
    index: int = -1
    answer: str = ""


@dataclass
class Group:
    """The findings of one rating system; under the empty name those of reading the file."""

    system: str
    law: str = ""
    edition: str = ""
    found: list[Shown] = field(default_factory=list)

    def count(self, severity: str) -> int:
        return count_of(one.finding for one in self.found if one.finding.severity == severity)


class Lines:
    """The lines of a report's file."""

    def __init__(self, data: bytes) -> None:
        self._lines = _ENDINGS.split(_text(data))

    def marked(self, finding: Finding) -> MarkedLine | None:
        """The line that a finding is about; long ones are cut around the column."""
        number, column = finding.place.line, finding.place.column
        if number is None or not 1 <= number <= len(self._lines):
            return None
        text = "".join(c if c.isprintable() else "·" for c in self._lines[number - 1])
        if column is None:
            return MarkedLine(number, text[:_LONGEST_LINE], "", "")
        at = max(column - 1, 0)
        start = max(at - _LONGEST_LINE // 2, 0)
        found = _FIELD.match(text, at)
        end = found.end() if found is not None else at
        return MarkedLine(
            number, text[start:at], text[at:end] or " ", text[end : start + _LONGEST_LINE]
        )


def _text(data: bytes) -> str:
    """The text as the reader of reports takes it: UTF-8, else the Western code page."""
    for encoding in ("utf-8-sig", "cp1252"):
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    return data.decode("latin-1")


def of_check(
    findings: Mapping[str, Iterable[Finding]], data: bytes, start: date | None
) -> list[Group]:
    """The findings of a report that was only checked."""
    lines = Lines(data)
    groups = []
    seen: set[tuple[str, str, str]] = set()
    for system, found in findings.items():
        group = _group(system, start)
        for one in found:
            # What several systems say alike is told once, where it is told first.
            same = one.key, str(one.place), repr(sorted(one.details.items(), key=str))
            if same not in seen:
                seen.add(same)
                group.found.append(Shown(one, lines.marked(one)))
        groups.append(group)
    return _told(groups)


def of_sent(report: SentReport, data: bytes, start: date | None) -> list[Group]:
    """The findings kept with a report."""
    lines, groups = Lines(data), dict[str, Group]()
    for index, stored in enumerate(report.findings):
        group = groups.setdefault(stored.system, _group(stored.system, start))
        finding = finding_of(stored)
        group.found.append(Shown(finding, lines.marked(finding), index, stored.answer))
    return _told(list(groups.values()))


def editions(systems: Iterable[str], start: date | None) -> dict[str, Group]:
    """By system the edition its articles are of, as a group without findings."""
    return {system: _group(system, start) for system in systems}


def _told(groups: list[Group]) -> list[Group]:
    order = list(Severity)
    for group in groups:
        group.found.sort(key=lambda one: order.index(one.finding.severity))
    return [group for group in groups if group.found]


def _group(system: str, start: date | None) -> Group:
    """A group with the edition its articles are of."""
    known = SYSTEMS.get(system)
    if known is None or start is None:
        return Group(system)
    try:
        law = known.edition_on(start)
    except NoLawInForce:
        return Group(system)
    return Group(system, law.law, law.edition)
