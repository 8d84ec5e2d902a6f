"""Findings as a page shows them: with the line of the file, the column marked, and their law."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date

from arrocco.errors import NoLawInForce
from arrocco.findings import Finding, Severity, count_of
from arrocco.laws.systems import SYSTEMS
from arrocco.office.findings import finding_of
from arrocco.office.records import SentReport

_LONGEST_LINE = 400
_ENDINGS = re.compile(r"\r\n|\r|\n")
_FIELD = re.compile(r"\s{0,12}\S{0,24}")
"""What is marked from a column on: a field begins with blanks where its value is short."""


FIXES = {
    "check.id_missing": "numbers",
    "check.member_unknown": "numbers",
    "check.unrated_without_id": "numbers",
    "office.days_differ": "amend",
    "office.rounds_differ": "amend",
    "office.round_days_differ": "amend",
    "office.arbiter_differs": "amend",
    "office.pairing_differs": "amend",
    "office.time_control_differs": "amend",
}
"""What can be put right without another file, and where."""


@dataclass(frozen=True)
class MarkedLine:
    """A line of the file around the place a finding names; `at` is empty without a column."""

    number: int
    before: str
    at: str
    after: str


@dataclass(frozen=True)
class ShownFinding:
    """One finding; `index` is its place among those kept with a report."""

    finding: Finding
    line: MarkedLine | None
    index: int = -1
    answer: str = ""


@dataclass(frozen=True)
class Alike:
    """Findings that say the same of several entries or lines, told together."""

    found: tuple[ShownFinding, ...]

    @property
    def first(self) -> ShownFinding:
        return self.found[0]

    @property
    def finding(self) -> Finding:
        return self.first.finding

    @property
    def count(self) -> int:
        """How many there are, those included that are only counted."""
        return count_of(shown_finding.finding for shown_finding in self.found)

    @property
    def answers(self) -> tuple[str, ...]:
        """The reasons that were given, each once."""
        return tuple(
            dict.fromkeys(
                shown_finding.answer for shown_finding in self.found if shown_finding.answer
            )
        )

    @property
    def is_answered(self) -> bool:
        return all(shown_finding.answer for shown_finding in self.found)

    @property
    def fix(self) -> str:
        """Where it is put right, if not in the file: ``numbers`` or ``amend``."""
        return FIXES.get(self.finding.key, "")


@dataclass
class Group:
    """The findings of one rating system; under the empty name of reading, or of earlier reports."""

    system: str
    law: str = ""
    edition: str = ""
    found: list[ShownFinding] = field(default_factory=list)

    @property
    def title(self) -> str:
        """The key of the words above the group."""
        if self.system:
            return f"web.system.{self.system}"
        is_office = all(
            shown_finding.finding.key.startswith("office.") for shown_finding in self.found
        )
        return f"desk_pages.report.{'earlier' if is_office else 'reading'}"

    @property
    def alike(self) -> list[Alike]:
        """The findings by what they say, the gravest first."""
        kinds: dict[tuple[str, str], list[ShownFinding]] = {}
        for shown_finding in self.found:
            kinds.setdefault(
                (shown_finding.finding.severity.value, shown_finding.finding.key), []
            ).append(shown_finding)
        return [Alike(tuple(kind)) for kind in kinds.values()]

    def count(self, severity: str) -> int:
        return count_of(
            shown_finding.finding
            for shown_finding in self.found
            if shown_finding.finding.severity == severity
        )


class Lines:
    """The lines of a report's file."""

    def __init__(self, data: bytes) -> None:
        self._lines = _ENDINGS.split(_text(data))

    def marked(self, finding: Finding) -> MarkedLine | None:
        """The line that a finding is about; long ones are cut around the column."""
        number, column = finding.place.line, finding.place.column
        is_elsewhere = finding.key.startswith("pgn.")  # its line is one of the games' file
        if number is None or is_elsewhere or not 1 <= number <= len(self._lines):
            return None
        text = "".join(c if c.isprintable() else "·" for c in self._lines[number - 1])
        if column is None:
            return MarkedLine(number, text[:_LONGEST_LINE], "", "")
        at = max(column - 1, 0)
        start = max(at - _LONGEST_LINE // 2, 0)
        match = _FIELD.match(text, at)
        end = match.end() if match is not None else at
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
    for system, shown in findings.items():
        group = _group(system, start)
        for finding in shown:
            # What several systems say alike is told once, where it is told first.
            same = finding.key, str(finding.place), repr(sorted(finding.details.items(), key=str))
            if same not in seen:
                seen.add(same)
                group.found.append(ShownFinding(finding, lines.marked(finding)))
        groups.append(group)
    return _told(groups)


def of_sent(report: SentReport, data: bytes, start: date | None) -> list[Group]:
    """The findings kept with a report."""
    lines, groups = Lines(data), dict[str, Group]()
    for index, stored in enumerate(report.findings):
        group = groups.setdefault(stored.system, _group(stored.system, start))
        finding = finding_of(stored)
        group.found.append(ShownFinding(finding, lines.marked(finding), index, stored.answer))
    return _told(list(groups.values()))


def editions(systems: Iterable[str], start: date | None) -> dict[str, Group]:
    """By system the edition its articles are of, as a group without findings."""
    return {system: _group(system, start) for system in systems}


def _told(groups: list[Group]) -> list[Group]:
    order = list(Severity)
    groups = [part for group in groups for part in _parts(group)]
    for group in groups:
        group.found.sort(key=lambda shown_finding: order.index(shown_finding.finding.severity))
    shown = [group for group in groups if group.found]
    # Errors first: a system that refuses the report stands above notes on reading it.
    return sorted(shown, key=lambda one: order.index(one.found[0].finding.severity))


def _parts(group: Group) -> list[Group]:
    """What the office says about earlier reports stands apart from what reading the file finds."""
    if group.system:
        return [group]
    office, reading = Group(""), Group("")
    for shown_finding in group.found:
        (office if shown_finding.finding.key.startswith("office.") else reading).found.append(
            shown_finding
        )
    return [reading, office]


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
