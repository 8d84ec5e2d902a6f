"""Direct encounter (C.07 6): the separate standings of players who are tied."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from arrocco.hall.event.cards import SlotKind
from arrocco.hall.event.tiebreaks import Results
from arrocco.laws.online.score import Scoring
from arrocco.laws.rounding import half_up

_FORFEITS = (SlotKind.FORFEIT_WIN, SlotKind.FORFEIT_LOSS)


class Separate(NamedTuple):
    """A player among the tied: the points against those met, and how many were not."""

    points: Fraction
    missing: int

    def worst(self, scoring: Scoring) -> Fraction:
        return self.points + self.missing * scoring.loss

    def best(self, scoring: Scoring) -> Fraction:
        return self.points + self.missing * scoring.win


def split(results: Results, tied: list[int]) -> list[list[int]]:
    """6 — tied players in groups, the highest first; a group of several stays tied.

    Where all have met, their separate standings decide (6.2). Where not all have, whoever comes
    first whatever the missing games would bring is first, and so on (6.3). Either way it is asked
    again of those who are still tied, as long as they are fewer.
    """
    if len(tied) < 2:
        return [tied]
    table = _separate_standings(results, tied)
    if any(row.missing for row in table.values()):
        parts = _surely_first(tied, table, results.scoring)
    else:
        scores = sorted({row.points for row in table.values()}, reverse=True)
        parts = [[entry for entry in tied if table[entry].points == score] for score in scores]
    if len(parts) == 1:
        return parts
    return [finer for part in parts for finer in split(results, part)]


def encounter_points(results: Results, tied: list[int]) -> dict[int, int]:
    """The points of each of the tied players against the others of them, as they are shown."""
    table = _separate_standings(results, tied)
    return {
        entry: half_up(one.points.numerator, one.points.denominator) for entry, one in table.items()
    }


def _separate_standings(results: Results, tied: list[int]) -> dict[int, Separate]:
    """6.1 — who met several times has the average of it (6.1.2).

    Forfeits are no encounters (6.1.1), but in a round robin they are results like others (15.2).
    """
    group = frozenset(tied)
    table = {}
    for entry in tied:
        met: dict[int, list[int]] = {}
        for slot in results.cards[entry]:
            counts = slot.was_played or (results.round_robin and slot.kind in _FORFEITS)
            if counts and slot.opponent is not None and slot.opponent in group:
                met.setdefault(slot.opponent, []).append(slot.points)
        points = sum((Fraction(sum(own), len(own)) for own in met.values()), Fraction(0))
        table[entry] = Separate(points, len(tied) - 1 - len(met))
    return table


def _surely_first(tied: list[int], table: dict[int, Separate], scoring: Scoring) -> list[list[int]]:
    """6.3 — those who are ahead even if they lose and the others win all that is missing."""
    parts: list[list[int]] = []
    rest = list(tied)
    while len(rest) > 1:
        first = max(rest, key=lambda entry: table[entry].worst(scoring))
        others = [entry for entry in rest if entry != first]
        if any(table[entry].best(scoring) >= table[first].worst(scoring) for entry in others):
            break
        parts.append([first])
        rest = others
    return [*parts, rest]
