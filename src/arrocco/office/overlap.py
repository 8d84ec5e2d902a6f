"""Whether two reports tell of the same games: each game is rated once (FIDE 2024 4, 9.1).

Names and days of a tournament can be corrected, and results too. Within one registered tournament
a game is therefore known by its round and its two players; across tournaments by its players,
colours and result, since rounds may be counted otherwise there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from arrocco.engine.checks.likeness import fold
from arrocco.report import Entry, GameKind, Report

Person = int | str
"""A player by number, or by the letters of the name where there is none."""

LEAST_SHARED = 3
"""Games that two tournaments may have alike by chance."""


@dataclass(frozen=True)
class Overlap:
    """What an earlier and a later report of one tournament have in common."""

    shared: int
    missing: int
    """Games of the earlier report that the later one does not have."""


def overlap(earlier: Report, later: Report, merged: Mapping[int, int] | None = None) -> Overlap:
    """How many games of an earlier report of the same tournament a later one has too.

    Parts of a long tournament may count their rounds anew: where no day is in both reports, only
    games that agree in colours and result as well, and many of them, are the same.
    """
    before, after = _pairings(earlier, merged), _pairings(later, merged)
    shared = (before & after).total()
    if shared and _are_apart(earlier, later) and not is_same_event(earlier, later, merged):
        shared = 0
    return Overlap(shared, before.total() - shared)


def _are_apart(one: Report, other: Report) -> bool:
    """Whether two reports tell of different days."""
    if one.start is None or one.end is None or other.start is None or other.end is None:
        return False
    return one.end < other.start or other.end < one.start


def is_same_event(report: Report, other: Report, merged: Mapping[int, int] | None = None) -> bool:
    """Whether reports of two tournaments tell of one and the same play.

    The same people may well meet again on the same days, in another class of play or a return
    match: half of the games of the smaller report must agree in colours and result.
    """
    games, others = _results(report, merged), _results(other, merged)
    shared = (games & others).total()
    return shared >= LEAST_SHARED and 2 * shared >= min(games.total(), others.total())


def _pairings(report: Report, merged: Mapping[int, int] | None) -> Counter[object]:
    people = _people(report, merged)
    return Counter(
        (game.round, frozenset((people[game.white], people[game.black])))
        for game in report.games
        if game.white in people and game.black in people
    )


def _results(report: Report, merged: Mapping[int, int] | None) -> Counter[object]:
    people = _people(report, merged)
    return Counter(
        (people[game.white], people[game.black], int(game.white_score), int(game.black_score))
        for game in report.games
        if game.kind is GameKind.PLAYED and game.white in people and game.black in people
    )


def _people(report: Report, merged: Mapping[int, int] | None) -> dict[int, Person]:
    return {entry.number: _person(entry, merged or {}) for entry in report.entries}


def _person(entry: Entry, merged: Mapping[int, int]) -> Person:
    if entry.id is not None:
        return merged.get(entry.id, entry.id)
    return fold(entry.name)
