"""Maximum weight matchings of whole numbers of any size, changed step by step.

The search itself is `py4swiss`'s compiled one; here plain integers become its numbers and back.
"""

from __future__ import annotations

# The library has stubs but does not say so to type checkers.
from py4swiss.dynamicuint import DynamicUint  # type: ignore[import-untyped]
from py4swiss.matching_computer import (  # type: ignore[import-untyped]
    ComputerDutchOptimality,
)

_PART = 24
"""How many bits are handed over at once; the library takes less than 32."""
_MARGIN = 2
"""The bits that the search needs above the largest weight."""


class Matching:
    """A graph whose best matching is asked for again and again while weights change.

    A weight of 0 means that the two cannot be matched. `most` is a bound for every weight.
    """

    def __init__(self, size: int, most: int) -> None:
        width = most.bit_length() + _MARGIN
        self._parts = -(-width // _PART)
        self._zero = DynamicUint(1)
        self._zero.shift_grow(self._parts * _PART)
        self._zero &= 0
        for _ in range(self._parts):  # what is left above the lowest part goes out at the top
            self._zero <<= _PART
        self._known: dict[int, DynamicUint] = {0: self._zero}
        self._weights = [[0] * size for _ in range(size)]
        self._search = ComputerDutchOptimality(size, self._number((1 << most.bit_length()) - 1))
        for _ in range(size):
            self._search.add_vertex()

    def _number(self, weight: int) -> DynamicUint:
        number = self._known.get(weight)
        if number is None:
            number = DynamicUint(self._zero)
            for part in range(self._parts - 1, -1, -1):
                number <<= _PART
                number |= weight >> part * _PART & (1 << _PART) - 1
            self._known[weight] = number
        return number

    def weight(self, first: int, other: int) -> int:
        return self._weights[first][other]

    def row(self, one: int) -> list[int]:
        """The weights of one vertex by the other vertex."""
        return self._weights[one]

    def set(self, first: int, other: int, weight: int) -> None:
        """Changes a weight. The first vertex is the one whose partner is looked for anew."""
        if self._weights[first][other] != weight:
            self._weights[first][other] = self._weights[other][first] = weight
            self._search.set_edge_weight(first, other, self._number(weight))

    def solve(self) -> list[int]:
        """The partner of every vertex in a best matching; its own number where it has none."""
        self._search.compute_matching()
        mates: list[int] = self._search.get_matching()
        return mates
