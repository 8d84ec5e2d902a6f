"""What reading a list finds: every defect with its place, bounded by kind, none silent."""

from __future__ import annotations

from typing import Any

from arrocco.findings import Finding, Findings, Place, Severity


class Notes:
    """The findings of one file as they come, and the sums told at the end."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.rows_left_out = 0
        self._findings = Findings()
        self._sums: dict[str, list[int]] = {}

    def _add(
        self, severity: Severity, key: str, line: int | None, column: int | None, **details: Any
    ) -> None:
        place = Place(self.file, line, column)
        self._findings.add(Finding(severity, f"lists.{key}", place, details=details))

    def left_out(self, key: str, line: int, column: int | None = None, **details: Any) -> None:
        """A defect for which the row is left out."""
        self.rows_left_out += 1
        self._add(Severity.ERROR, key, line, column, **details)

    def doubt(
        self, key: str, line: int | None = None, column: int | None = None, **details: Any
    ) -> None:
        """A defect that takes no row: a field then taken as unknown, a doubt about the file."""
        self._add(Severity.WARNING, key, line, column, **details)

    def note(self, key: str, **details: Any) -> None:
        """Something about the whole file."""
        self._add(Severity.NOTE, key, None, None, **details)

    def count(self, key: str, line: int) -> None:
        """One more line with a harmless oddity; told once, with the first line and the number."""
        self._sums.setdefault(key, [line, 0])[1] += 1

    def findings(self) -> list[Finding]:
        """All that was found in the order of the file, the sums at the end."""
        findings = sorted(self._findings.all(), key=lambda finding: finding.place.line or 0)
        for key, (line, count) in sorted(self._sums.items()):
            place = Place(self.file, line)
            findings.append(Finding(Severity.NOTE, f"lists.{key}", place, details={"count": count}))
        if self.rows_left_out:
            details = {"count": self.rows_left_out}
            findings.append(
                Finding(Severity.ERROR, "lists.left_out", Place(self.file), details=details)
            )
        return findings
