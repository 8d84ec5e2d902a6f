"""Every round of a tournament paired again and compared, with the criterion that decides."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from arrocco.hall.pairing.colours import rule_of
from arrocco.hall.pairing.contenders import Contender, contenders, may_meet
from arrocco.hall.pairing.deciding import Decider
from arrocco.hall.pairing.dutch import Round, brackets, pair_round
from arrocco.hall.pairing.records import Field, NoPairing, RoundPairing
from arrocco.hall.pairing.tournament import Tournament


@dataclass(frozen=True)
class RoundCheck:
    """A round as it was paired and as the rules pair it.

    `criterion` is what decides where they differ: a criterion (C1 to C21), ``4`` for the order of
    equally good candidates (``D`` before 2026), an article of the colours (5.2.1 to 5.2.5), or
    ``?`` where the round in the file cannot be compared.
    """

    round: int
    file: RoundPairing
    rules: RoundPairing | None
    """`None` where the rules allow no pairing."""
    criterion: str = ""
    meaning: str = ""
    """What the text of 2026 calls the criterion."""

    @property
    def is_same(self) -> bool:
        return self.rules is not None and not self.criterion


def check_rounds(tournament: Tournament) -> Iterator[RoundCheck]:
    """The rounds of a tournament, each paired again from what came before it."""
    for number in range(1, tournament.played + 1):
        yield check_round(tournament, number)


def check_round(tournament: Tournament, number: int) -> RoundCheck:
    """One round compared."""
    field, file = tournament.before(number), tournament.pairing_of(number)
    try:
        rules = pair_round(field)
    except NoPairing:
        return RoundCheck(number, file, None)
    file = _with_colours(file, rules, tournament.without_colours(number))
    if set(rules.boards) == set(file.boards) and rules.bye == file.bye:
        return RoundCheck(number, file, rules)
    return RoundCheck(number, file, rules, *_deciding(field, rules, file))


def _deciding(field: Field, rules: RoundPairing, file: RoundPairing) -> tuple[str, str]:
    players = contenders(field)
    by_number = {player.number: player for player in players}
    if _pairs(rules) == _pairs(file) and rules.bye == file.bye:
        white, black = next(board for board in rules.boards if board not in file.boards)
        rule = rule_of(by_number[white], by_number[black], field.initial_colour)
        return rule, rule
    absolute = _absolute(by_number, file)
    return (absolute, absolute) if absolute else _first_difference(field, players, file)


def _with_colours(
    file: RoundPairing, rules: RoundPairing, unknown: frozenset[tuple[int, int]]
) -> RoundPairing:
    """The file's pairs, with the colours of the rules where the file has none to compare."""
    reversed_ = {(black, white) for white, black in rules.boards} & unknown
    boards = (board[::-1] if board in reversed_ else board for board in file.boards)
    return RoundPairing(tuple(sorted(boards)), file.bye)


def _pairs(pairing: RoundPairing) -> set[frozenset[int]]:
    return {frozenset(board) for board in pairing.boards}


def _absolute(by_number: dict[int, Contender], file: RoundPairing) -> str:
    """The absolute criterion that the file breaks, if it does."""
    for white, black in file.boards:
        first, other = by_number.get(white), by_number.get(black)
        if first is None or other is None:
            return "?"
        if other.number in first.met:
            return "C1"
        if not may_meet(first, other):
            return "C3"
    if file.bye is not None and by_number[file.bye].barred:
        return "C2"
    return ""


def _first_difference(
    field: Field, players: list[Contender], file: RoundPairing
) -> tuple[str, str]:
    """The criterion that decides in the first bracket in which the two pairings part."""
    round_ = Round.of(players, field)
    if file.bye is not None and round_.bye_score is not None:
        bye = next(player for player in players if player.number == file.bye)
        if bye.score != round_.bye_score:
            return "C5", "C5"
    theirs = _pairs(file)
    for bracket in brackets(round_):
        here = sorted(bracket.moved + bracket.groups[0])
        in_file = [
            (one, other)
            for at, one in enumerate(here)
            for other in here[at + 1 :]
            if frozenset((players[one].number, players[other].number)) in theirs
        ]
        if {frozenset(pair) for pair in in_file} != {frozenset(pair) for pair in bracket.pairs}:
            decided = Decider(round_, bracket).with_candidate(in_file)
            return decided.criterion, decided.meaning
    return "?", ""
