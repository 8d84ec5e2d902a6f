"""Whether two reports tell of the same games: each game is rated once (FIDE 2024 4, 9.1).

Names and days of a tournament can be corrected, results, numbers of players and the count of rounds
too. Within one registered tournament a game is therefore known by its round and its two players, or
by its players alone where rounds are counted otherwise; across tournaments by its players, colours
and result.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass

from arrocco.engine.checks.likeness import fold
from arrocco.records.report import EXCLUDED_KINDS, Game, GameKind, Report, System
from arrocco.words import Phrase

Person = int | str
"""A player by number, or by the letters of the name where there is none."""

LEAST_SHARED = 3
"""Games that two tournaments may have alike by chance."""

PAIRED_BY_NUMBERS = frozenset(System) - {System.SWISS, System.UNKNOWN}
"""Where who meets whom follows from a table, the boards of a team or who wins."""


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
    before, after = _pairings(earlier, later, merged), _pairings(later, earlier, merged)
    shared = (before & after).total()
    first, second = _results(earlier, later, merged), _results(later, earlier, merged)
    is_same = are_alike((first & second).total(), first.total(), second.total())
    if is_same and not _follow_each_other(earlier, later):
        shared = max(shared, (_pairs(before) & _pairs(after)).total())
    elif not is_same and are_apart(earlier, later):
        shared = 0
    return Overlap(shared, before.total() - shared)


def are_apart(first: Report, other: Report) -> bool:
    """Whether two reports tell of different days."""
    if first.start is None or first.end is None or other.start is None or other.end is None:
        return False
    return first.end < other.start or other.end < first.start


def _follow_each_other(first: Report, other: Report) -> bool:
    """Whether one report goes on where the other ends: other rounds, at most one day in common."""
    if first.start is None or first.end is None or other.start is None or other.end is None:
        return False
    rounds = {game.round for game in first.games} & {game.round for game in other.games}
    return not rounds and (first.end <= other.start or other.end <= first.start)


def is_same_event(report: Report, other: Report, merged: Mapping[int, int] | None = None) -> bool:
    """Whether reports of two tournaments tell of one and the same play.

    The same people may well meet again on the same days, in another class of play or a return
    match: three quarters of the games of the smaller report must agree in colours and result. Of
    one name less is enough: where the same players met, half of the results; the others were put
    right. Whatever the results, as many games of the same two with the same colours in the same
    round are no chance, unless the pairings follow from numbers.
    """
    if _are_paired_alike(report, other, merged):
        return True
    games, others = _results(report, other, merged), _results(other, report, merged)
    shared, many = (games & others).total(), (games.total(), others.total())
    if are_alike(shared, *many):
        return True
    put_right = are_put_right(shared, *many) and have_one_name(report.name, other.name)
    return put_right and _whatever_colours(games) == _whatever_colours(others)


def are_alike(shared: int, games: int, others: int) -> bool:
    """Whether two reports with so many games have so many in common that they are of one play."""
    return shared >= LEAST_SHARED and 4 * shared >= 3 * min(games, others)


def are_put_right(shared: int, games: int, others: int) -> bool:
    """Whether equally many games, of one name, have so many in common that the others changed.

    A single game may well be played again.
    """
    return 1 < games == others <= 2 * shared


def _are_paired_alike(report: Report, other: Report, merged: Mapping[int, int] | None) -> bool:
    """Whether most games of the smaller report are in the other one, whatever their results."""
    games, others = _boards(report, other, merged), _boards(other, report, merged)
    if not are_alike((games & others).total(), games.total(), others.total()):
        return False
    if {report.system, other.system} <= PAIRED_BY_NUMBERS:
        return False
    return not any(met_by_numbers(two[1:] for two in boards) for boards in (games, others))


def met_by_numbers(games: Iterable[tuple[Hashable, Hashable]]) -> bool:
    """Whether who met whom says nothing, because it follows from numbers or from who won.

    So it is where everybody met everybody, or everybody of the other side, in each group: in three
    quarters of the games that there can be, as some do not come. And in a match, a knockout or two
    rounds, in which no more pairs met than there are players.
    """
    met: dict[Hashable, set[Hashable]] = {}
    for white, black in games:
        met.setdefault(white, set()).add(black)
        met.setdefault(black, set()).add(white)
    pairs = sum(map(len, met.values())) // 2
    return pairs <= len(met) or 4 * pairs >= 3 * _most_pairs(met)


def _most_pairs(met: Mapping[Hashable, set[Hashable]]) -> int:
    """How many pairs there can be in the groups that met among themselves, of two sides or not."""
    most, side = 0, dict[Hashable, int]()
    for first in met:
        if first in side:
            continue
        side[first], group, has_sides = 0, [first], True
        for player in group:
            for opponent in met[player]:
                if opponent not in side:
                    side[opponent] = 1 - side[player]
                    group.append(opponent)
                has_sides &= side[opponent] != side[player]
        others, size = sum(side[player] for player in group), len(group)
        most += others * (size - others) if has_sides else size * (size - 1) // 2
    return most


def have_one_name(first: str, other: str) -> bool:
    """Whether two tournaments are called alike; those without a name are not."""
    return bool(fold(first)) and fold(first) == fold(other)


def _whatever_colours(
    results: Counter[tuple[Person, Person, int, int]],
) -> Counter[frozenset[Person]]:
    """Who met whom how often."""
    pairs: Counter[frozenset[Person]] = Counter()
    for (white, black, _, _), times in results.items():
        pairs[frozenset((white, black))] += times
    return pairs


def same_game(
    report: Report, game: Game, other: Report, merged: Mapping[int, int] | None = None
) -> int | None:
    """Where another report of the same tournament has a game: in its round, of the same two."""
    by_round = _count_rounds_alike(report, other, merged)
    known = _keys(report, other, merged, by_round=by_round)
    others = _keys(other, report, merged, by_round=by_round)
    try:
        return others.index(known[report.games.index(game)])
    except ValueError:
        return None


def _count_rounds_alike(first: Report, other: Report, merged: Mapping[int, int] | None) -> bool:
    """Whether two reports of a tournament give most games that both have the same rounds."""
    games, others = _pairings(first, other, merged), _pairings(other, first, merged)
    return 2 * (games & others).total() >= (_pairs(games) & _pairs(others)).total()


def _keys(
    report: Report, other: Report, merged: Mapping[int, int] | None, *, by_round: bool
) -> list[object]:
    """What each game is known by: the two players and the round, or how often they met before."""
    people = people_of(report, other, merged)
    met: Counter[object] = Counter()
    keys: list[object] = []
    for game in report.games:
        two = frozenset((people.get(game.white), people.get(game.black)))
        keys.append((game.round if by_round else met[two], two))
        met[two] += 1
    return keys


def differences(
    before: Report, after: Report, merged: Mapping[int, int] | None = None
) -> list[Phrase]:
    """What a report says otherwise than one of the same games before it, in words."""
    phrases = []
    if (before.start, before.end) != (after.start, after.end):
        days = {"start": before.start, "end": before.end, "to_start": after.start}
        phrases.append(Phrase("office.difference.days", days | {"to_end": after.end}))
    by_round = _count_rounds_alike(before, after, merged)
    old = _by_game(before, after, merged, by_round=by_round)
    new = _by_game(after, before, merged, by_round=by_round)
    for game, (one, names, result) in old.items():
        details = {"round": one.round, "players": names, "before": result}
        if game not in new:
            phrases.append(Phrase("office.difference.missing", details))
        elif new[game][1:] != (names, result):
            changed = {"to_players": new[game][1], "after": new[game][2]}
            phrases.append(Phrase("office.difference.game", details | changed))
    for game, (one, names, result) in new.items():
        if game not in old:
            details = {"round": one.round, "players": names, "after": result}
            phrases.append(Phrase("office.difference.added", details))
    return phrases


def _by_game(
    report: Report, other: Report, merged: Mapping[int, int] | None, *, by_round: bool
) -> dict[object, tuple[Game, str, str]]:
    """By what it is known by: the game, who had White and Black, and its result."""
    names = {entry.number: entry.name or str(entry.number) for entry in report.entries}
    halves = {0: "0", 1: "½", 2: "1"}
    keys = _keys(report, other, merged, by_round=by_round)
    return {
        key: (
            game,
            f"{names[game.white]} – {names[game.black]}",
            f"{halves[game.white_score]}-{halves[game.black_score]}"
            + ("" if game.kind is GameKind.PLAYED or game.kind in EXCLUDED_KINDS else " F"),
        )
        for key, game in zip(keys, report.games, strict=True)
        if game.white in names and game.black in names
    }


def _pairings(
    report: Report, other: Report, merged: Mapping[int, int] | None
) -> Counter[tuple[int, frozenset[Person]]]:
    people = people_of(report, other, merged)
    return Counter(
        (game.round, frozenset((people[game.white], people[game.black])))
        for game in report.games
        if game.white in people and game.black in people
    )


def _pairs(pairings: Counter[tuple[int, frozenset[Person]]]) -> Counter[frozenset[Person]]:
    """Who met whom how often, in whatever round."""
    pairs: Counter[frozenset[Person]] = Counter()
    for (_, two), times in pairings.items():
        pairs[two] += times
    return pairs


def _results(
    report: Report, other: Report, merged: Mapping[int, int] | None
) -> Counter[tuple[Person, Person, int, int]]:
    people = people_of(report, other, merged)
    return Counter(
        (people[game.white], people[game.black], int(game.white_score), int(game.black_score))
        for game in report.games
        if game.kind in (GameKind.PLAYED, *EXCLUDED_KINDS)
        and game.white in people
        and game.black in people
    )


def _boards(
    report: Report, other: Report, merged: Mapping[int, int] | None
) -> Counter[tuple[int, Person, Person]]:
    """The played games by round, White and Black."""
    people = people_of(report, other, merged)
    return Counter(
        (game.round, people[game.white], people[game.black])
        for game in report.games
        if game.kind in (GameKind.PLAYED, *EXCLUDED_KINDS)
        and game.white in people
        and game.black in people
    )


def people_of(report: Report, other: Report, merged: Mapping[int, int] | None) -> dict[int, Person]:
    """By starting number: who plays, known by a number that both reports have, or by the name."""
    followed = merged or {}
    there = {followed.get(entry.id, entry.id) for entry in other.entries if entry.id is not None}
    people: dict[int, Person] = {}
    for entry in report.entries:
        number = None if entry.id is None else followed.get(entry.id, entry.id)
        is_shared = number is not None and number in there
        people[entry.number] = number if is_shared and number else fold(entry.name) or number or 0
    return people
