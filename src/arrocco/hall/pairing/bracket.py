"""One bracket of the Dutch system: its pairs and its downfloaters (C.04.3, articles 3 and 4).

The best candidate is a matching of greatest weight (`weights`). Of equally good candidates the
rules take the one that is tried first; their order (article 4) is followed choice by choice: each
is tried in the lowest digit of the weights and then made fast: the other edges are taken away, and
those that are left outweigh everything else.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from arrocco.hall.pairing.matching import Matching
from arrocco.hall.pairing.weights import Scene, Weights


class Candidate(NamedTuple):
    """The pairs made in a bracket, and who is paired with whom in what was looked at below it."""

    pairs: list[tuple[int, int]]
    below: list[tuple[int, int]]


class Choice:
    """The choice of the first of the best candidates of a scene.

    `edges` has, for each vertex, a mask of those it may be paired with.
    """

    def __init__(self, scene: Scene, edges: Sequence[int]) -> None:
        self.scene = scene
        self.weights = Weights(scene)
        self.graph = Matching(scene.size, self.weights.most)
        self._set_weights(edges)
        self.mate = self.graph.solve()
        self._fast: set[int] = set()

    def _set_weights(self, edges: Sequence[int]) -> None:
        scene, weight = self.scene, self.weights.of
        for one in range(scene.size):
            # Two moved-down players never meet: had they been able to, they would not be here.
            first = max(one + 1, scene.moved_down)
            mask = edges[one] >> first
            other = first
            while mask:
                skip = (mask & -mask).bit_length() - 1
                other += skip
                self.graph.set(one, other, weight(one, other))
                mask >>= skip + 1
                other += 1

    # --- the steps -----------------------------------------------------------------------------

    def candidate(self) -> Candidate:
        """The first of the best candidates."""
        scene = self.scene
        if scene.moved_down:
            self._choose_moved_down()
            for vertex in range(scene.moved_down):
                if self.mate[vertex] in range(scene.moved_down, scene.here):
                    self._choose_partner(vertex, range(scene.moved_down, scene.here))
        remainder = [v for v in range(scene.moved_down, scene.here) if not self._with_moved(v)]
        self._choose_exchanges(remainder)
        for vertex in remainder:
            if self._is_upper(vertex):
                self._choose_partner(vertex, [v for v in remainder if v > vertex])
        return self._read()

    def _with_moved(self, vertex: int) -> bool:
        return self.mate[vertex] < self.scene.moved_down

    def _is_upper(self, vertex: int) -> bool:
        """Whether a resident is the higher ranked in a pair of the bracket."""
        return vertex < self.mate[vertex] < self.scene.here

    def _choose_moved_down(self) -> None:
        """4.4 — which moved-down players are paired: those of the lowest numbers, in turn."""
        here = range(self.scene.moved_down, self.scene.here)
        if all(self.mate[vertex] in here for vertex in range(self.scene.moved_down)):
            return
        for vertex in range(self.scene.moved_down):
            self._settle(vertex, here, wanted=True)

    def _choose_exchanges(self, remainder: list[int]) -> None:
        """4.3 — which players of the two halves of a remainder change places, if any must.

        The higher ranked of each pair make up the first half. Exchanges are as few as possible,
        then as small; then the lowest of the first half go, and the highest of the second come.
        """
        pairs = sum(self._is_upper(vertex) for vertex in remainder)
        self._weigh_exchanges(remainder, pairs)
        self.mate = self.graph.solve()
        first, second = remainder[:pairs], remainder[pairs:]
        exchanges = sum(self._is_upper(vertex) for vertex in second)
        left = exchanges
        for vertex in reversed(first):
            if not left:
                break
            left -= not self._settle(vertex, _after(vertex, remainder), wanted=False)
        left = exchanges
        for vertex in second:
            if not left:
                break
            left -= self._settle(vertex, _after(vertex, remainder), wanted=True)

    def _weigh_exchanges(self, remainder: list[int], pairs: int) -> None:
        graph, weights = self.graph, self.weights
        for place, one in enumerate(remainder):
            worth = (place < pairs) * weights.exchange_size + len(remainder) - place
            row = graph.row(one)
            for other in remainder[place + 1 :]:
                if row[other]:
                    graph.set(one, other, row[other] + worth * weights.choice)

    # --- single choices ------------------------------------------------------------------------

    def _settle(self, vertex: int, others: Iterable[int], *, wanted: bool) -> bool:
        """Whether a vertex is paired with one of `others`, if possible as wanted; made fast."""
        row = self.graph.row(vertex)
        edges = [other for other in others if row[other]]
        if (self.mate[vertex] in edges) is not wanted:
            change = 1 if wanted else -1
            for other in edges:
                self.graph.set(vertex, other, row[other] + change)
            self.mate = self.graph.solve()
            for other in edges:
                self.graph.set(vertex, other, row[other] - change)
        is_so = self.mate[vertex] in edges
        if is_so:
            self._make_fast(vertex, edges)
        else:
            for other in edges:
                self.graph.set(vertex, other, 0)
        return is_so

    def _make_fast(self, vertex: int, others: Iterable[int]) -> None:
        """Takes care that a vertex stays paired with one of `others`."""
        kept, bonus = set(others), 0 if vertex in self._fast else self.weights.fast
        self._fast.add(vertex)
        for other, weight in enumerate(self.graph.row(vertex)):
            if weight:
                self.graph.set(vertex, other, weight + bonus if other in kept else 0)

    def _choose_partner(self, vertex: int, others: Iterable[int]) -> None:
        """4.2 — the partner with the lowest number, made fast."""
        row = self.graph.row(vertex)
        in_question = [other for other in others if row[other] and other <= self.mate[vertex]]
        if len(in_question) > 1:
            weights = {other: row[other] for other in in_question}
            for worth, other in enumerate(reversed(in_question), start=1):
                self.graph.set(vertex, other, row[other] + worth)
            self.mate = self.graph.solve()
            for other, weight in weights.items():
                self.graph.set(vertex, other, weight)
        mate = self.mate[vertex]
        self._make_fast(vertex, [mate])
        self._make_fast(mate, [vertex])

    def _read(self) -> Candidate:
        pairs: list[tuple[int, int]] = []
        below: list[tuple[int, int]] = []
        for vertex, mate in enumerate(self.mate):
            if vertex < mate:
                (pairs if mate < self.scene.here else below).append((vertex, mate))
        return Candidate(pairs, below)


def _after(vertex: int, remainder: list[int]) -> list[int]:
    return remainder[remainder.index(vertex) + 1 :]
