"""The quality criteria C6 to C21 of the Dutch system (C.04.3, article 2), a function for each.

A bracket is paired by the best of all matchings. What a criterion asks of the whole bracket is said
here for a single pair, as a number that adds up over the pairs: the more the better. A criterion
that minimises something among those left unpaired counts what is paired instead.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from functools import partial
from typing import NamedTuple

from arrocco.hall.pairing.colours import has_white
from arrocco.hall.pairing.contenders import Contender, Strength
from arrocco.laws.online.side import Side


class Where(Enum):
    """Where a pair would be made, seen from the bracket being paired."""

    HERE = "here"
    NEXT = "next"
    """In the following bracket."""
    LATER = "later"


class Pair(NamedTuple):
    """Two players, the higher ranked first; the bye stands as a `lower` of `None`."""

    higher: Contender
    lower: Contender | None
    where: Where


class Criterion(NamedTuple):
    """One thing asked of a pairing, with the most that a single pair can add to it."""

    name: str
    most: int
    worth: Callable[[Pair], int]


def _here(worth: Callable[[Contender, Contender], int]) -> Callable[[Pair], int]:
    """A criterion that looks only at the pairs of the bracket itself."""

    def of_pair(pair: Pair) -> int:
        if pair.where is not Where.HERE or pair.lower is None:
            return 0
        return worth(pair.higher, pair.lower)

    return of_pair


class Bracket(NamedTuple):
    """What the criteria need to know of a bracket."""

    moved_down: Sequence[Contender]
    residents: Sequence[Contender]
    initial_colour: Side

    @property
    def score(self) -> int:
        """The residents' score."""
        return self.residents[0].score

    @property
    def moved_scores(self) -> list[int]:
        """The scores of the moved-down players, the highest first."""
        return sorted({player.score for player in self.moved_down}, reverse=True)


def completion() -> Criterion:
    """C4 — everybody left can be paired: every pair counts, wherever it is made."""
    return Criterion("C4", 1, lambda _: 1)


def c6() -> Criterion:
    """C6 — as many pairs as possible, that is as few downfloaters."""
    return Criterion("C6", 1, _here(lambda _, __: 1))


def c7(bracket: Bracket) -> list[Criterion]:
    """C7 — the lowest scores of downfloaters: moved-down players are paired, the highest first."""
    return [Criterion("C7", 1, _here(partial(_has_score, score))) for score in bracket.moved_scores]


def _has_score(score: int, higher: Contender, _: Contender) -> int:
    return int(higher.score == score)


def c8(bracket: Bracket) -> list[Criterion]:
    """C8 — downfloaters with whom the following bracket does best in C6 and C7."""
    scores = [*bracket.moved_scores, bracket.score]
    next_pairs = Criterion("C8", 1, lambda pair: int(pair.where is Where.NEXT))
    return [next_pairs] + [Criterion("C8", 1, partial(_next_of_score, score)) for score in scores]


def _next_of_score(score: int, pair: Pair) -> int:
    return int(pair.where is Where.NEXT and pair.higher.score == score)


def c9(bracket: Bracket) -> Criterion:
    """C9 — the bye for one with the fewest unplayed games.

    Only where the bracket has one downfloater, who will have the bye.
    """
    most = max(player.unplayed for player in (*bracket.moved_down, *bracket.residents))
    return Criterion(
        "C9", most, lambda pair: most - pair.higher.unplayed if pair.lower is None else 0
    )


def colours(bracket: Bracket) -> list[Criterion]:
    """C10 to C13 — colours of topscorers and their opponents, then everybody's preferences."""
    criteria = [
        Criterion("C12", 1, _here(lambda higher, lower: int(not have_clash(higher, lower)))),
        Criterion("C13", 1, _here(lambda higher, lower: int(not _strong_clash(higher, lower)))),
    ]
    if any(player.topscorer for player in (*bracket.moved_down, *bracket.residents)):
        initial = bracket.initial_colour
        criteria[:0] = [
            Criterion("C10", 2, _here(lambda h, low: 2 - _wide_balances(h, low, initial))),
            Criterion("C11", 2, _here(lambda h, low: 2 - _triples(h, low, initial))),
        ]
    return criteria


def have_clash(first: Contender, other: Contender) -> bool:
    """Whether two want the same colour."""
    return first.wanted is not None and first.wanted is other.wanted


def _strong_clash(first: Contender, other: Contender) -> bool:
    """Whether one of two gets the other colour than strongly wanted: an absolute want wins."""
    strengths = {first.strength, other.strength}
    return (
        have_clash(first, other)
        and Strength.STRONG in strengths
        and strengths <= {Strength.STRONG, Strength.ABSOLUTE}
    )


def are_delicate(first: Contender, other: Contender) -> bool:
    """Whether colours of these two can break what C3 keeps whole among others."""
    return have_clash(first, other) and first.strength is other.strength is Strength.ABSOLUTE


def _after(first: Contender, other: Contender, initial: Side) -> list[tuple[Contender, Side]]:
    """The colours that two players would have."""
    white = has_white(first, other, initial)
    return [
        (first, Side.WHITE if white else Side.BLACK),
        (other, Side.BLACK if white else Side.WHITE),
    ]


def _wide_balances(first: Contender, other: Contender, initial: Side) -> int:
    """How many of two would have more than two games more with one colour."""
    if not are_delicate(first, other):
        return 0
    return sum(
        abs(player.balance + (1 if colour is Side.WHITE else -1)) > 2
        for player, colour in _after(first, other, initial)
    )


def _triples(first: Contender, other: Contender, initial: Side) -> int:
    """How many of two would have the same colour three times in a row."""
    if not are_delicate(first, other):
        return 0
    return sum(
        player.double and player.colours[-1] is colour
        for player, colour in _after(first, other, initial)
    )


def floats(bracket: Bracket) -> list[Criterion]:
    """C14 to C21 — who floated one and two rounds ago does not do so again.

    Residents left unpaired float down (C14, C16), those paired with a moved-down player float up
    (C15, C17); after their number come the score differences of both (C18 to C21). All residents
    have one score, so a difference is told by the score of the moved-down player. What cannot make
    a difference in this bracket is left out.
    """
    criteria = []
    for back, names in ((0, ("C14", "C15")), (1, ("C16", "C17"))):
        criteria += _repeated(bracket, back, *names)
    for back, names in ((0, ("C18", "C19")), (1, ("C20", "C21"))):
        criteria += _differences(bracket, back, *names)
    return criteria


def _repeated(bracket: Bracket, back: int, down: str, up: str) -> list[Criterion]:
    level, criteria = bracket.score, []
    if any(player.down[back] for player in bracket.residents):
        criteria.append(Criterion(down, 2, _here(lambda h, low: _kept(h, low, level, back))))
    if bracket.moved_down and any(player.up[back] for player in bracket.residents):
        criteria.append(Criterion(up, 1, _here(lambda h, low: int(not _lifted(h, low, back)))))
    return criteria


def _differences(bracket: Bracket, back: int, down: str, up: str) -> list[Criterion]:
    criteria = []
    if any(player.down[back] for player in bracket.moved_down):
        for score in bracket.moved_scores:
            criteria.append(Criterion(down, 1, _here(partial(_falls_less, score, back))))
    if any(player.up[back] for player in bracket.residents):
        for score in bracket.moved_scores:
            criteria.append(Criterion(up, 1, _here(partial(_rises_less, score, back))))
    return criteria


def _falls_less(score: int, back: int, higher: Contender, _: Contender) -> int:
    """Whether a pair keeps one of that score, with a downfloat so long ago, from falling on."""
    return int(higher.score == score and higher.down[back])


def _rises_less(score: int, back: int, higher: Contender, lower: Contender) -> int:
    """Whether a pair lifts nobody, with an upfloat so long ago, to one of that score."""
    return int(higher.score != score or not _lifted(higher, lower, back))


def _kept(higher: Contender, lower: Contender, level: int, back: int) -> int:
    """How many residents with a downfloat so long ago a pair keeps from another one."""
    return int(lower.down[back]) + int(higher.score == level and higher.down[back])


def _lifted(higher: Contender, lower: Contender, back: int) -> bool:
    """Whether the lower player would float up as so long ago."""
    return higher.score > lower.score and lower.up[back]
