"""Whether everybody left can still be paired: perfect matchings in a graph of who may meet whom.

Edmonds' search for augmenting paths, on bit sets. Matchings found are kept as hints, so that asking
again about fewer players repairs the last answer instead of starting anew.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

_NONE = -1


def bits(mask: int) -> Iterator[int]:
    """The positions of the bits set in a mask, the lowest first."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


class Completion:
    """Answers whether the vertices of a mask can be matched with one another without a rest."""

    def __init__(self, adjacent: Sequence[int]) -> None:
        self.adjacent = list(adjacent)
        self._mate = [_NONE] * len(adjacent)

    def is_possible(self, vertices: int) -> bool:
        """Whether all vertices of the mask have a partner in one and the same matching."""
        if vertices.bit_count() % 2:
            return False
        free = self._unmatched(vertices)
        for vertex in bits(free):
            if self._mate[vertex] == _NONE and not self._augment(vertex, vertices):
                return False
        return True

    def _unmatched(self, vertices: int) -> int:
        """The vertices whose known partner is not among them, after pairing off the easy ones."""
        free = 0
        for vertex in bits(vertices):
            mate = self._mate[vertex]
            if mate == _NONE or not vertices >> mate & 1 or self._mate[mate] != vertex:
                free |= 1 << vertex
                self._mate[vertex] = _NONE
        for vertex in bits(free):
            if free >> vertex & 1:
                near = self.adjacent[vertex] & free
                if near:
                    other = (near & -near).bit_length() - 1
                    self._mate[vertex], self._mate[other] = other, vertex
                    free &= ~(1 << vertex | 1 << other)
        return free

    def _augment(self, root: int, vertices: int) -> bool:
        """Finds a path that gives `root` a partner and takes none from anybody."""
        search = _Search(root, self._mate)
        unseen = vertices & ~(1 << root)
        for vertex in search.queue:
            near = self.adjacent[vertex] & vertices
            for other in bits(near & unseen):
                search.parent[other] = vertex
                mate = self._mate[other]
                if mate == _NONE:
                    search.flip(other)
                    return True
                unseen &= ~(1 << other | 1 << mate)
                search.add_even(mate)
            for other in bits(near & search.even):
                if search.base[vertex] != search.base[other]:
                    search.contract(vertex, other)
        return False


class _Search:
    """The tree of alternating paths from one vertex, odd cycles contracted to their base."""

    def __init__(self, root: int, mate: list[int]) -> None:
        self.root = root
        self.mate = mate
        self.base = list(range(len(mate)))
        self.parent = [_NONE] * len(mate)
        self.even = 0
        self.queue: list[int] = []
        self.add_even(root)

    def add_even(self, vertex: int) -> None:
        if not self.even >> vertex & 1:
            self.even |= 1 << vertex
            self.queue.append(vertex)

    def flip(self, vertex: int) -> None:
        """Exchanges matched and unmatched edges on the path from `vertex` back to the root."""
        while vertex != _NONE:
            parent = self.parent[vertex]
            following = self.mate[parent]
            self.mate[vertex], self.mate[parent] = parent, vertex
            vertex = following

    def contract(self, first: int, other: int) -> None:
        """Makes one vertex of the odd cycle that an edge between two even vertices closes."""
        meeting = self._common_base(first, other)
        in_cycle: set[int] = set()
        self._mark(first, meeting, other, in_cycle)
        self._mark(other, meeting, first, in_cycle)
        for vertex, base in enumerate(self.base):
            if base in in_cycle:
                self.base[vertex] = meeting
                self.add_even(vertex)

    def _common_base(self, first: int, other: int) -> int:
        passed: set[int] = set()
        vertex = first
        while True:
            vertex = self.base[vertex]
            passed.add(vertex)
            if vertex == self.root:
                break
            vertex = self.parent[self.mate[vertex]]
        vertex = other
        while True:
            vertex = self.base[vertex]
            if vertex in passed:
                return vertex
            vertex = self.parent[self.mate[vertex]]

    def _mark(self, vertex: int, meeting: int, child: int, in_cycle: set[int]) -> None:
        while self.base[vertex] != meeting:
            mate = self.mate[vertex]
            in_cycle.add(self.base[vertex])
            in_cycle.add(self.base[mate])
            self.parent[vertex] = child
            child = mate
            vertex = self.parent[mate]
