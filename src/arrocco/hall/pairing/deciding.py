"""Which criterion decides between the candidate that was taken and another one (C.04.3, 2.2).

The other candidate is not tried among all: its bracket is solved again with what it is to have, or
not to have, made fast, and the best of that is compared criterion by criterion.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from arrocco.hall.pairing.dutch import Kind, PairedBracket, Round
from arrocco.hall.pairing.dutch_2017 import NAMES
from arrocco.hall.pairing.matching import Matching
from arrocco.hall.pairing.records import Edition
from arrocco.hall.pairing.weights import Scene, Weights

ORDER = "4"
"""All criteria are alike: the candidate that comes first in the order of article 4 is taken."""
COMPLETION = "C4"
BETTER = "?"
"""The other candidate is better: the pairing compared with it was not made by these rules."""


class Decided(NamedTuple):
    """The first criterion that tells two candidates apart, and what each has of it."""

    criterion: str
    """As the edition calls it."""
    meaning: str = ""
    """What the text of 2026 calls it."""
    taken: int = 0
    other: int = 0


class Decider:
    """A bracket with everybody below it, to be solved again under conditions."""

    def __init__(self, round_: Round, bracket: PairedBracket) -> None:
        self.bracket = bracket
        residents, *below = bracket.groups
        self.here = bracket.moved + residents
        following = below[0] if below and bracket.kind is Kind.USUAL else []
        later = [player for group in below for player in group if player not in set(following)]
        # Before 2026 a usual bracket does not look further than the next one (A.9).
        everybody = (
            round_.edition is not Edition.DUTCH_2017 or bracket.kind is not Kind.USUAL or not below
        )
        self.vertices = self.here + following + (later if everybody else [])
        level = round_.players[residents[0]].score
        bye_from_here = round_.bye_score is not None and round_.bye_score >= level
        with_bye = (everybody or not later) and round_.bye is not None
        if with_bye and round_.bye is not None:
            self.vertices.append(round_.bye)
        self._scene = Scene(
            [round_.players[vertex] for vertex in self.vertices if vertex != round_.bye],
            moved_down=len(bracket.moved),
            here=len(self.here),
            up_to_next=len(self.here) + len(following),
            initial=round_.initial,
            with_bye=with_bye,
            everybody=everybody,
            bye_from_here=bye_from_here and len(bracket.left) == 1,
            collapsed_win=round_.win if bracket.kind is Kind.COLLAPSED else None,
        )
        self._names = NAMES if round_.edition is Edition.DUTCH_2017 else {}
        self._edges = round_.edges
        self._weights = Weights(self._scene)
        self._taken = self._best(made=bracket.pairs, left=bracket.left)

    def without_float(self, player: int) -> Decided:
        """Why a player floats: the best candidate that pairs the player here is worse in this."""
        return self._compared(self._best(here_too=[player]))

    def with_pair(self, first: int, other: int) -> Decided:
        """Why two do not meet here: the best candidate with that pair is worse in this."""
        return self._compared(self._best(made=[(first, other)]))

    def with_candidate(self, pairs: list[tuple[int, int]]) -> Decided:
        """Why these are not the pairs of the bracket."""
        paired = {player for pair in pairs for player in pair}
        left = [player for player in self.here if player not in paired]
        return self._compared(self._best(made=pairs, left=left))

    def _compared(self, other: list[tuple[str, int]] | None) -> Decided:
        if other is None or self._taken is None:
            return Decided(COMPLETION, COMPLETION)
        for (name, taken), (_, value) in zip(self._taken, other, strict=True):
            if taken != value:
                known = self._names.get(name, name)
                return Decided(known if taken > value else BETTER, name, taken, value)
        return Decided(self._names.get(ORDER, ORDER), ORDER)

    def _best(
        self,
        made: Iterable[tuple[int, int]] = (),
        left: Iterable[int] = (),
        here_too: Iterable[int] = (),
    ) -> list[tuple[str, int]] | None:
        """What the criteria count in the best candidate so made; `None` where there is none."""
        scene, weights = self._scene, self._weights
        mate = {one: other for pair in made for one, other in (pair, pair[::-1])}
        alone, kept = set(left), set(here_too)
        graph = Matching(scene.size, weights.most)
        here = set(self.here)
        for at, one in enumerate(self.vertices):
            first = max(at + 1, scene.moved_down)
            for index in range(first, len(self.vertices)):
                other = self.vertices[index]
                if not self._edges[one] >> other & 1:
                    continue
                if mate.get(one, other) != other or mate.get(other, one) != one:
                    continue
                inside = one in here and other in here
                if inside and (one in alone or other in alone):
                    continue
                if not inside and (one in kept or other in kept):
                    continue
                graph.set(at, index, weights.of(at, index))
        mates = graph.solve()
        if scene.everybody and any(vertex == other for vertex, other in enumerate(mates)):
            return None
        return weights.values(mates)
