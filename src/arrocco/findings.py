"""A finding: one thing a check saw, where, under which article, and what to do about it.

A finding carries a stable key and its parameters; the sentence a person reads is made from them in
Italian or English by `arrocco.words`. The key is what programs and tests compare.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

MAX_OF_A_KIND = 100
"""Findings of one kind that are listed; whatever else there is of it is counted."""


class Severity(StrEnum):
    """An error stops the report, a warning wants an answer, a note only informs."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True)
class Place:
    """Where in a file: line and column count from 1; `None` where there is no such place."""

    file: str = ""
    line: int | None = None
    column: int | None = None

    def __str__(self) -> str:
        parts = [self.file or "-"]
        if self.line is not None:
            parts.append(str(self.line))
            if self.column is not None:
                parts.append(str(self.column))
        return ":".join(parts)


@dataclass(frozen=True)
class Finding:
    """One thing seen by a check.

    `key` names the sentence in the catalogues (``words/en.toml`` and ``words/it.toml``, table
    ``finding``), `article` is empty where a file format, not a regulation, is what was broken.
    """

    severity: Severity
    key: str
    place: Place = Place()
    article: str = ""
    details: dict[str, Any] = field(default_factory=dict)
    more: int = 0
    """How many others of the same kind there are that are only counted, here."""

    @property
    def is_error(self) -> bool:
        return self.severity is Severity.ERROR


class Findings:
    """Gathers findings: of each kind the first are kept, the others are counted.

    A file can be wrong in a million places: what is kept of it stays small, and nothing is lost in
    silence, because the last one kept of a kind tells how many more there are.
    """

    def __init__(self, most: int = MAX_OF_A_KIND) -> None:
        self._most = most
        self._kept: list[Finding] = []
        self._places: dict[tuple[Severity, str], list[int]] = {}
        self._more: dict[tuple[Severity, str], int] = {}

    def has_room(self, severity: Severity, key: str) -> bool:
        """Whether another finding of a kind would be kept."""
        return len(self._places.get((severity, key), ())) < self._most

    def add(self, finding: Finding) -> None:
        """Keeps a finding, or counts it where there are enough of its kind."""
        kind = finding.severity, finding.key
        places = self._places.setdefault(kind, [])
        if len(places) < self._most:
            places.append(len(self._kept))
            self._kept.append(finding)
        else:
            self._more[kind] = self._more.get(kind, 0) + 1 + finding.more

    def count(self, severity: Severity, key: str) -> None:
        """Counts one of a kind that has no room."""
        self._more[severity, key] = self._more.get((severity, key), 0) + 1

    def all(self) -> list[Finding]:
        """The findings in the order they came."""
        findings = list(self._kept)
        for kind, more in self._more.items():
            last = self._places[kind][-1]
            findings[last] = replace(findings[last], more=findings[last].more + more)
        return findings


def capped(findings: Iterable[Finding], most: int = MAX_OF_A_KIND) -> list[Finding]:
    """The findings in their order, of each kind the first, with the number of the others."""
    gathered = Findings(most)
    for finding in findings:
        gathered.add(finding)
    return gathered.all()


def count_of(findings: Iterable[Finding]) -> int:
    """How many things were found, those included that are only counted."""
    return sum(1 + finding.more for finding in findings)


def has_errors(findings: list[Finding] | tuple[Finding, ...]) -> bool:
    return any(finding.is_error for finding in findings)


def by_severity(findings: Iterable[Finding]) -> list[Finding]:
    """Findings the gravest first, equally grave ones in the order of their lines."""
    gravity = list(Severity)
    return sorted(
        findings,
        key=lambda finding: (
            gravity.index(finding.severity),
            finding.place.line or 0,
            finding.place.column or 0,
        ),
    )
