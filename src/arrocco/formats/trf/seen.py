"""What was seen while reading: findings gathered with their places, and refusals.

Every key of the format stands here with its gravity. Errors and warnings are reported one by one,
because each wants an answer; a note is reported once for a file, at its first place, with the
number of times and the lines it was seen on, because three hundred equal notes inform nobody.
"""

from __future__ import annotations

from typing import Any

from arrocco.errors import Malformed
from arrocco.findings import Finding, Place, Severity

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


class Seen:
    """Gathers the findings of one file."""

    def __init__(self, source: str) -> None:
        self.source = source
        self._found: list[Finding] = []
        self._notes: dict[str, tuple[Place, dict[str, Any], list[int]]] = {}

    def add(
        self, key: str, line: int | None = None, column: int | None = None, **details: Any
    ) -> None:
        """Adds what was seen; the key decides how grave it is."""
        severity = SEVERITIES[key]
        place = Place(self.source, line, column)
        if severity is Severity.NOTE:
            lines = self._notes.setdefault(key, (place, details, []))[2]
            lines.append(line or 0)
        else:
            self._found.append(Finding(severity, f"trf.{key}", place, details=details))

    def findings(self) -> list[Finding]:
        """All findings in the order of their places, what concerns the whole file first."""
        notes = [
            Finding(
                Severity.NOTE,
                f"trf.{key}",
                place,
                details=details | {"count": len(lines), "lines": _some(lines)},
            )
            for key, (place, details, lines) in self._notes.items()
        ]
        return in_order(self._found + notes)


def in_order(findings: list[Finding]) -> list[Finding]:
    """Findings sorted by line and column; those of the whole file come first."""
    return sorted(findings, key=lambda found: (found.place.line or 0, found.place.column or 0))


def _some(lines: list[int]) -> str:
    distinct = list(dict.fromkeys(line for line in lines if line))
    shown = ", ".join(map(str, distinct[:_LINES_SHOWN])) or "-"
    return shown + (", …" if len(distinct) > _LINES_SHOWN else "")


def refusal(key: str, source: str, line: int | None = None, **details: Any) -> Malformed:
    """The refusal of a whole file; its finding gives the place besides."""
    finding = Finding(Severity.ERROR, f"trf.{key}", Place(source, line), details=details)
    return Malformed.of(finding.key, findings=(finding,), **details)
