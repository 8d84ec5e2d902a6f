"""Direct encounter (C.07 6): the games that tied players played against each other."""

from __future__ import annotations

from arrocco.hall.event.cards import SlotKind
from arrocco.hall.event.tiebreaks import Results

_FORFEITS = (SlotKind.FORFEIT_WIN, SlotKind.FORFEIT_LOSS)


def split(results: Results, tied: list[int], meetings: int = 1) -> list[list[int]]:
    """6 — tied players in groups, the highest first; a group of several stays tied.

    `meetings` is how often two players meet in the event. Where all have met, their points against
    each other decide, and again among those who are still equal (6.1). Where not all have, whoever
    comes first whatever the missing games would bring is first, and so on (6.2).
    """
    if len(tied) < 2:
        return [tied]
    points = encounter_points(results, tied)
    group, games = frozenset(tied), meetings * (len(tied) - 1)
    missing = {entry: games - len(_encounters(results, entry, group)) for entry in tied}
    if any(missing.values()):
        return _surely_first(results, tied, points, missing)
    values = sorted(set(points.values()), reverse=True)
    parts = [[entry for entry in tied if points[entry] == value] for value in values]
    if len(parts) == 1:
        return parts
    return [finer for part in parts for finer in split(results, part, meetings)]


def encounter_points(results: Results, tied: list[int]) -> dict[int, int]:
    """The points of each of the tied players against the others of them."""
    group = frozenset(tied)
    return {entry: sum(_encounters(results, entry, group)) for entry in tied}


def _encounters(results: Results, entry: int, tied: frozenset[int]) -> list[int]:
    """6.1.1 — points of games that were played; in a round robin forfeits are results too."""
    return [
        slot.points
        for slot in results.cards[entry]
        if slot.opponent in tied
        and (slot.was_played or (results.round_robin and slot.kind in _FORFEITS))
    ]


def _surely_first(
    results: Results, tied: list[int], points: dict[int, int], missing: dict[int, int]
) -> list[list[int]]:
    """6.2 — those who are ahead even if they lose and the others win all that is missing."""
    scoring = results.scoring
    worst = {entry: points[entry] + missing[entry] * scoring.loss for entry in tied}
    best = {entry: points[entry] + missing[entry] * scoring.win for entry in tied}
    groups: list[list[int]] = []
    rest = list(tied)
    while len(rest) > 1:
        sure = [e for e in rest if all(worst[e] > best[other] for other in rest if other != e)]
        if not sure:
            break
        groups.append(sure)
        rest.remove(sure[0])
    return [*groups, rest]
