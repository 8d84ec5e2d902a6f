"""Reports among several that tell of the same games, or of the same players and days (9.1)."""

from __future__ import annotations

from collections.abc import Sequence

from arrocco.engine.checks.likeness import fold
from arrocco.findings import Finding, Place, Severity
from arrocco.office.overlap import Person, are_apart, is_same_event
from arrocco.office.same_players import shared_players
from arrocco.records.report import Report

PLAYERS_OF_A_GAME = 2


def repeated_reports(reports: Sequence[Report]) -> dict[int, Finding]:
    """By place of a report among others: that an earlier one tells of its games, an error.

    That an earlier one has its players on the same days is a warning.
    """
    repeated: dict[int, Finding] = {}
    known = [_names_and_numbers(report) for report in reports]
    for place, report in enumerate(reports):
        for before, other in enumerate(reports[:place]):
            apart = are_apart(report, other) or None in (report.start, other.start)
            if apart or len(known[before] & known[place]) < PLAYERS_OF_A_GAME:
                continue
            if before in repeated and repeated[before].severity is Severity.ERROR:
                continue
            if is_same_event(other, report):
                repeated[place] = same_games(report.source, other.source)
                break
            if shared := shared_players(other, report):
                repeated[place] = same_players(report.source, other.source, shared)
    return repeated


def _names_and_numbers(report: Report) -> set[Person]:
    """All that the players of a report can be known by."""
    numbers = {entry.id for entry in report.entries if entry.id is not None}
    return numbers | {fold(entry.name) for entry in report.entries}


def same_games(report: str, other: str) -> Finding:
    """9.1 — what is said of a report whose games another one has, each by its file."""
    return Finding(Severity.ERROR, "check.same_games", Place(report), "", {"other": other})


def same_players(report: str, other: str, shared: int) -> Finding:
    """9.1 — what is said of a report whose players another one has too, each by its file."""
    details = {"other": other, "players": shared}
    return Finding(Severity.WARNING, "check.same_players", Place(report), "", details)
