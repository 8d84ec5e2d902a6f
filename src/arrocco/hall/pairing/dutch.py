"""The FIDE (Dutch) Swiss system of 2026 (Handbook C.04.3, in force since 1 February 2026).

The rules are followed to the letter, bracket by bracket, down to the candidate that is to be taken
of equally good ones, so that any program that follows them pairs alike. `NOTES.md` beside this file
says how open places of the text are read and how the result was checked.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from itertools import groupby

from arrocco.hall.pairing.bracket import Choice
from arrocco.hall.pairing.colours import has_white
from arrocco.hall.pairing.completion import Completion
from arrocco.hall.pairing.contenders import Contender, contenders, may_meet
from arrocco.hall.pairing.criteria import are_delicate, have_clash
from arrocco.hall.pairing.records import Edition, Field, NoPairing, RoundPairing
from arrocco.hall.pairing.weights import Scene
from arrocco.laws.online.side import Side

_TRIES_TO_COMPLETE = 8
"""How many players of the next bracket are tried as the one who floats on before looking closer."""


def pair_round(field: Field) -> RoundPairing:
    """The pairing of the coming round.

    Raises `NoPairing` where the absolute criteria allow none (1.9.3).
    """
    players = contenders(field)
    if not players:
        return RoundPairing((), None)
    round_ = Round.of(players, field)
    pairs: list[tuple[Contender, Contender]] = []
    bye: int | None = None
    for bracket in brackets(round_):
        pairs += [(players[first], players[other]) for first, other in bracket.pairs]
        bye = players[bracket.left[0]].number if bracket.left else None
    boards = [with_colours(first, other, field.initial_colour) for first, other in in_order(pairs)]
    return RoundPairing(tuple(boards), bye)


class Kind(Enum):
    """How far a bracket looks, in the text before 2026 (A.9)."""

    USUAL = "usual"
    PENULTIMATE = "penultimate"
    COLLAPSED = "collapsed"


@dataclass(frozen=True)
class PairedBracket:
    """A bracket as it was paired, by places in `Round.players`."""

    moved: list[int]
    groups: list[list[int]]
    """The residents, then the scoregroups below."""
    pairs: list[tuple[int, int]]
    left: list[int]
    """Who floats on, or has the bye after the last bracket."""
    kind: Kind


def brackets(round_: Round) -> Iterator[PairedBracket]:
    """1.9 — the brackets of a round, the highest first, each paired."""
    players = round_.players
    groups = [list(group) for _, group in groupby(range(len(players)), lambda i: players[i].score)]
    moved: list[int] = []
    for index in range(len(groups)):
        bracket = _Brackets(round_, moved, groups[index:])
        if round_.edition is Edition.DUTCH_2017:
            made, left, kind = bracket.pair_before_2026()
        else:
            (made, left), kind = bracket.pair(), Kind.USUAL
        yield PairedBracket(moved, groups[index:], made, left, kind)
        moved = left
        if kind is Kind.PENULTIMATE:
            below = [[player for group in groups[index + 1 :] for player in group]]
            made, left = _Brackets(round_, moved, below).pair_collapsed()
            yield PairedBracket(moved, below, made, left, Kind.COLLAPSED)
            return


def in_order(pairs: list[tuple[Contender, Contender]]) -> list[tuple[Contender, Contender]]:
    """C.04.2 — boards by the score of the higher player, of both, and the higher one's number."""
    return sorted(pairs, key=lambda p: (-p[0].score, -p[0].score - p[1].score, p[0].number))


def with_colours(first: Contender, other: Contender, initial: Side) -> tuple[int, int]:
    if has_white(first, other, initial):
        return first.number, other.number
    return other.number, first.number


@dataclass
class Round:
    """The players, the highest first, who may meet whom, and the score of the bye."""

    players: list[Contender]
    edges: list[int]
    """For each player a mask of those it may meet; the bye is one more, after the last."""
    completion: Completion
    bye: int | None
    bye_score: int | None
    initial: Side
    win: int = 10
    edition: Edition = Edition.DUTCH_2026

    @classmethod
    def of(cls, players: list[Contender], field: Field) -> Round:
        edges = _edges(players, field)
        initial = field.initial_colour
        everybody = (1 << len(players)) - 1
        if len(players) % 2 == 0:
            completion = Completion(edges)
            if completion.is_possible(everybody):
                return cls(
                    players, edges, completion, None, None, initial, field.win, field.edition
                )
        elif field.edition is Edition.DUTCH_2017:
            with_bye = _with_bye(players, edges, None)
            completion = Completion(with_bye)
            if completion.is_possible(everybody | 1 << len(players)):
                bye = len(players)
                return cls(
                    players, with_bye, completion, bye, None, initial, field.win, field.edition
                )
        else:
            everybody |= 1 << len(players)
            for score in sorted({player.score for player in players}):  # C5: the lowest first
                with_bye = _with_bye(players, edges, score)
                completion = Completion(with_bye)
                if completion.is_possible(everybody):
                    return cls(players, with_bye, completion, len(players), score, initial)
        raise NoPairing.of("event.no_pairing", players=len(players))


def _edges(players: list[Contender], field: Field) -> list[int]:
    """C1, C3 and what the event forbids."""
    place = {player.number: index for index, player in enumerate(players)}
    forbidden: dict[int, set[int]] = {}
    for first, other in field.forbidden:
        forbidden.setdefault(first, set()).add(other)
        forbidden.setdefault(other, set()).add(first)
    everybody = (1 << len(players)) - 1
    delicate = [index for index, player in enumerate(players) if are_delicate(player, player)]
    edges = []
    for index, player in enumerate(players):
        mask = everybody & ~(1 << index)
        for number in player.met | forbidden.get(player.number, set()):
            if number in place:
                mask &= ~(1 << place[number])
        if are_delicate(player, player):
            for other in delicate:
                if not may_meet(player, players[other]):
                    mask &= ~(1 << other)
        edges.append(mask)
    return edges


def _with_bye(players: list[Contender], edges: list[int], score: int | None) -> list[int]:
    """The same edges with one more vertex, the bye, for those who can have it (C2).

    Only players of a score can, where one is given.
    """
    bye = len(players)
    can = [
        index
        for index, player in enumerate(players)
        if not player.barred and score in (None, player.score)
    ]
    with_bye = [*edges, 0]
    for index in can:
        with_bye[index] |= 1 << bye
        with_bye[bye] |= 1 << index
    return with_bye


class _Brackets:
    """A bracket together with all scoregroups below it.

    Who is looked at beside the bracket itself makes the work large. So first nobody is: if what
    comes out leaves the next bracket nothing to wish for, and all others can be paired, then it is
    the best there is. If not, the next scoregroup is looked at too, and in the end everybody.
    """

    def __init__(self, round_: Round, moved: list[int], groups: list[list[int]]) -> None:
        self.round = round_
        self.moved = moved
        self.residents = groups[0]
        self.following = groups[1] if len(groups) > 1 else []
        self.later = [player for group in groups[2:] for player in group]
        self.here = moved + self.residents

    def pair(self) -> tuple[list[tuple[int, int]], list[int]]:
        """The pairs of the bracket and its downfloaters."""
        round_ = self.round
        level = round_.players[self.residents[0]].score
        bye_from_here = round_.bye_score is not None and round_.bye_score >= level
        first = self._first_candidate()
        if self._is_perfect(first, bye_from_here):
            return first, self._left(first)
        if self.following and not bye_from_here:
            for following in ([], self.following):
                made, below = self._solve(following)
                floaters = self._left(made)
                if self._is_best(floaters, below, following):
                    return made, floaters
        made, _ = self._solve(self.following, everybody=True, bye_from_here=bye_from_here)
        if bye_from_here and len(self._left(made)) != 1:  # C9 is not for more downfloaters
            made, _ = self._solve(self.following, everybody=True)
        return made, self._left(made)

    def pair_before_2026(self) -> tuple[list[tuple[int, int]], list[int], Kind]:
        """A.9 — the pairs, the downfloaters, and whether all below collapses into one bracket."""
        first = self._first_candidate()
        if self._is_perfect(first, bye_from_here=False):
            return first, self._left(first), Kind.USUAL
        if not self.following:
            made, _ = self._solve([], everybody=True)
            return made, self._left(made), Kind.USUAL
        made, _ = self._solve(self.following)
        floaters = self._left(made)
        rest = _mask(floaters) | _mask(self.following) | _mask(self.later)
        if self.round.bye is not None:
            rest |= 1 << self.round.bye
        if self.round.completion.is_possible(rest):
            return made, floaters, Kind.USUAL
        self.later = [*self.following, *self.later]
        made, _ = self._solve([], everybody=True)
        return made, self._left(made), Kind.PENULTIMATE

    def pair_collapsed(self) -> tuple[list[tuple[int, int]], list[int]]:
        """A.9 — the pairs of the collapsed last bracket, and who has the bye."""
        made, _ = self._solve([], everybody=True, collapsed=True)
        return made, self._left(made)

    def _first_candidate(self) -> list[tuple[int, int]]:
        """3.2, 3.3 — the upper half against the lower one; nothing where some were moved down."""
        if self.moved:
            return []
        half = len(self.residents) // 2
        return list(zip(self.residents[:half], self.residents[half:], strict=False))

    def _is_perfect(self, pairs: list[tuple[int, int]], bye_from_here: bool) -> bool:
        """3.4 — whether a candidate leaves nothing to wish for, so that no other need be tried."""
        round_ = self.round
        if not pairs:
            return False
        for first, other in pairs:
            if not round_.edges[first] >> other & 1:
                return False
            if have_clash(round_.players[first], round_.players[other]):
                return False
        left = self._left(pairs)
        if any(any(round_.players[player].down) for player in left):
            return False
        if self.following:
            return not bye_from_here and self._is_best(left, [], [])
        return not left or self._is_best_bye(left[0])

    def _is_best_bye(self, player: int) -> bool:
        """C2, C9 — whether nobody who can have the bye has fewer unplayed games."""
        round_ = self.round
        if round_.bye is None:
            return False
        can = round_.edges[round_.bye]
        unplayed = round_.players[player].unplayed
        others = (round_.players[other].unplayed for other in self.residents if can >> other & 1)
        return bool(can >> player & 1) and unplayed <= min(others)

    def _left(self, pairs: list[tuple[int, int]]) -> list[int]:
        paired = {player for pair in pairs for player in pair}
        return [player for player in self.here if player not in paired]

    def _solve(
        self,
        following: list[int],
        *,
        everybody: bool = False,
        bye_from_here: bool = False,
        collapsed: bool = False,
    ) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
        """The pairs of the bracket, and those below it in what is looked at."""
        round_ = self.round
        vertices = self.here + following + (self.later if everybody else [])
        before_last = round_.edition is Edition.DUTCH_2017 and not self.later and bool(following)
        with_bye = (everybody or before_last) and round_.bye is not None
        scene = Scene(
            [round_.players[vertex] for vertex in vertices],
            moved_down=len(self.moved),
            here=len(self.here),
            up_to_next=len(self.here) + len(following),
            initial=round_.initial,
            with_bye=with_bye,
            everybody=everybody,
            bye_from_here=bye_from_here,
            collapsed_win=round_.win if collapsed else None,
        )
        if with_bye and round_.bye is not None:
            vertices = [*vertices, round_.bye]
        candidate = Choice(scene, _local(round_.edges, vertices)).candidate()
        return _named(candidate.pairs, vertices), _named(candidate.below, vertices)

    def _is_best(
        self, floaters: list[int], below: list[tuple[int, int]], following: list[int]
    ) -> bool:
        """Whether a solution that did not look at everybody is the one that looking would find."""
        possible = self.round.completion.is_possible
        rest = _mask(self.later) | (0 if self.round.bye is None else 1 << self.round.bye)
        if following:
            paired = {player for pair in below for player in pair}
            left = [player for player in (*floaters, *following) if player not in paired]
            return possible(_mask(left) | rest)
        together = _mask(floaters) | _mask(self.following)
        if not floaters:
            return possible(together | rest)
        if together.bit_count() % 2 == 0:
            return possible(together) and possible(rest)
        return any(
            possible(together & ~(1 << on)) and possible(rest | 1 << on)
            for on in self.following[: -_TRIES_TO_COMPLETE - 1 : -1]
        )


def _mask(vertices: list[int]) -> int:
    mask = 0
    for vertex in vertices:
        mask |= 1 << vertex
    return mask


def _local(edges: list[int], vertices: list[int]) -> list[int]:
    """The edges among some vertices, which are numbered anew in their order."""
    local = []
    for vertex in vertices:
        mask = edges[vertex]
        local.append(sum(1 << index for index, other in enumerate(vertices) if mask >> other & 1))
    return local


def _named(pairs: list[tuple[int, int]], vertices: list[int]) -> list[tuple[int, int]]:
    return [(vertices[first], vertices[other]) for first, other in pairs]
