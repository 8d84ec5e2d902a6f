"""A finding: one thing a check saw, where, under which article, and what to do about it.

A finding carries a stable key and its parameters; the sentence a person reads is made from them in
Italian or English by `arrocco.words`. The key is what programs and tests compare.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


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

    @property
    def is_error(self) -> bool:
        return self.severity is Severity.ERROR


def has_errors(findings: list[Finding] | tuple[Finding, ...]) -> bool:
    return any(finding.is_error for finding in findings)


def by_severity(findings: Iterable[Finding]) -> list[Finding]:
    """Findings the gravest first, equally grave ones in the order of their lines."""
    gravity = list(Severity)
    return sorted(
        findings,
        key=lambda found: (
            gravity.index(found.severity),
            found.place.line or 0,
            found.place.column or 0,
        ),
    )
