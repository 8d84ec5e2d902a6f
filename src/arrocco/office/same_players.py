"""Whether the same people play two tournaments on the same days: somebody has to say that they do.

A report sent again under another registration whose games cannot be told from others (all colours
turned, a round robin with many results put right) still has its players and its days (9.1). Clubs
do play twice in an evening, so this is asked and not refused.
"""

from __future__ import annotations

from collections.abc import Mapping

from arrocco.office.overlap import Person, people_of
from arrocco.records.report import EXCLUDED_KINDS, GameKind, Report

LEAST_PLAYERS = 2
"""A match has two."""


def are_the_same_people(shared: int, players: int, others: int) -> bool:
    """Whether two tournaments with so many players have so many in common that they are alike."""
    return shared >= LEAST_PLAYERS and 4 * shared >= 3 * max(players, others)


def shared_players(
    report: Report, other: Report, merged: Mapping[int, int] | None = None
) -> int | None:
    """How many play in both, where these are three quarters of either; else `None`."""
    players, others = _who_played(report, other, merged), _who_played(other, report, merged)
    shared = len(players & others)
    return shared if are_the_same_people(shared, len(players), len(others)) else None


def _who_played(report: Report, other: Report, merged: Mapping[int, int] | None) -> set[Person]:
    people = people_of(report, other, merged)
    return {
        people[number]
        for game in report.games
        if game.kind in (GameKind.PLAYED, *EXCLUDED_KINDS)
        for number in (game.white, game.black)
        if number in people
    }
