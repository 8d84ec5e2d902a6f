"""What was seen while reading: findings gathered with their places, and refusals.

Every key of the format stands here with its gravity. Errors and warnings are reported one by one,
because each wants an answer, up to a hundred of a kind, with the number of the others; a note is
reported once for a file, at its first place, with the number of times and the lines it was seen on,
because three hundred equal notes inform nobody.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from arrocco.errors import Malformed
from arrocco.findings import Finding, Findings, Place, Severity

ERRORS = (
    "start_number_missing",
    "start_number_repeated",
    "opponent_not_a_number",
    "result_unknown",
    "round_not_aligned",
    "result_missing",
    "bye_with_opponent",
    "result_without_opponent",
    "unknown_opponent",
    "paired_with_self",
    "mirror_missing",
    "two_games_in_round",
    "result_not_mirrored",
    "colours_equal",
)
"""A game cannot be taken without guessing, and is left out of the report."""

WARNINGS = (
    "control_character",
    "encoding_mixed",
    "columns_in_bytes",
    "unknown_record",
    "record_repeated",
    "mandatory_missing",
    "field_not_a_number",
    "field_not_understood",
    "number_overflows",
    "rating_not_a_number",
    "id_not_a_number",
    "id_missing",
    "id_repeated",
    "birth_not_understood",
    "points_not_a_number",
    "points_differ",
    "day_not_understood",
    "day_order_assumed",
    "end_before_start",
    "round_date_outside",
    "colour_unknown",
    "bye_unknown",
    "bye_as_result",
    "bye_contradicts_240",
    "unusual_score_pair",
    "players_miscounted",
    "rounds_missing",
    "rounds_undeclared",
    "no_games",
    "time_control_missing",
    "time_control_code_wrong",
    "time_control_not_understood",
    "time_controls_differ",
    "type_not_understood",
    "national_without_player",
    "national_repeated",
)
"""Something that a rating rests on may be wrong or missing."""

NOTES = (
    "encoding_not_utf8",
    "line_endings_mixed",
    "line_short",
    "blanks_cut",
    "column_not_blank",
    "unknown_text",
    "title_legacy",
    "title_unknown",
    "sex_form",
    "sex_unknown",
    "birth_form",
    "day_form",
    "points_form",
    "points_missing",
    "rank_missing",
    "rank_not_a_number",
    "rank_repeated",
    "numbers_unsorted",
    "result_form",
    "colour_form",
    "colour_missing",
    "colour_one_sided",
    "bye_with_colour",
    "forfeit_without_opponent",
    "empty_rounds",
    "rated_miscounted",
    "second_bye_in_round",
    "second_bye_of_player",
    "round_dates_miscounted",
    "national_id_form",
    "member_unknown",
    "informative_not_understood",
    "looks_like_round_robin",
    "looks_like_match",
    "match_length_from_rounds",
)
"""Tolerated as many files have it, or of no weight for a rating."""

REFUSALS = (
    "empty",
    "binary",
    "too_large",
    "line_too_long",
    "too_many_lines",
    "too_many_rounds",
    "too_many_results",
    "no_players",
)
"""Nothing can be taken from the file."""

SEVERITIES = (
    dict.fromkeys(ERRORS, Severity.ERROR)
    | dict.fromkeys(WARNINGS, Severity.WARNING)
    | dict.fromkeys(NOTES, Severity.NOTE)
)

_LINES_SHOWN = 8
_LONGEST_TEXT = 100
"""Characters of what a file says that a finding repeats."""


@dataclass(slots=True)
class _Note:
    """A note with its first place, and how often and on which first lines it was seen."""

    place: Place
    details: dict[str, Any]
    count: int = 0
    lines: list[int] = field(default_factory=list)

    def see(self, line: int) -> None:
        self.count += 1
        if line and len(self.lines) <= _LINES_SHOWN and line not in self.lines:
            self.lines.append(line)

    def shown_lines(self) -> str:
        shown = ", ".join(map(str, self.lines[:_LINES_SHOWN])) or "-"
        return shown + (", …" if len(self.lines) > _LINES_SHOWN else "")


class Seen:
    """Gathers the findings of one file; what it keeps is bounded, whatever the file."""

    def __init__(self, source: str) -> None:
        self.source = source
        self._found = Findings()
        self._notes: dict[str, _Note] = {}

    def add(
        self, key: str, line: int | None = None, column: int | None = None, **details: Any
    ) -> None:
        """Adds what was seen; the key decides how grave it is."""
        severity, name = SEVERITIES[key], f"trf.{key}"
        if severity is Severity.NOTE:
            note = self._notes.get(key)
            if note is None:
                note = _Note(Place(self.source, line, column), _clipped(details))
                self._notes[key] = note
            note.see(line or 0)
        elif self._found.has_room(severity, name):
            place = Place(self.source, line, column)
            self._found.add(Finding(severity, name, place, details=_clipped(details)))
        else:
            self._found.count(severity, name)

    def findings(self) -> list[Finding]:
        """All findings in the order of their places, what concerns the whole file first."""
        notes = [
            Finding(
                Severity.NOTE,
                f"trf.{key}",
                note.place,
                details=note.details | {"count": note.count, "lines": note.shown_lines()},
            )
            for key, note in self._notes.items()
        ]
        return in_order(self._found.all() + notes)

    @property
    def is_empty(self) -> bool:
        """Whether nothing was seen."""
        return not self._notes and not self._found.all()


def in_order(findings: list[Finding]) -> list[Finding]:
    """Findings sorted by line and column; those of the whole file come first."""
    return sorted(
        findings, key=lambda finding: (finding.place.line or 0, finding.place.column or 0)
    )


def _clipped(details: dict[str, Any]) -> dict[str, Any]:
    """Details with texts of a length that can be shown: a line has up to 100,000 characters."""
    return {
        name: f"{value[: _LONGEST_TEXT - 1]}…"
        if isinstance(value, str) and len(value) > _LONGEST_TEXT
        else value
        for name, value in details.items()
    }


def refusal(key: str, source: str, line: int | None = None, **details: Any) -> Malformed:
    """The refusal of a whole file; its finding gives the place besides."""
    finding = Finding(Severity.ERROR, f"trf.{key}", Place(source, line), details=details)
    return Malformed.of(finding.key, findings=(finding,), **details)
