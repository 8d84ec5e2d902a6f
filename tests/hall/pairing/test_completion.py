"""Perfect matchings, and matchings of greatest weight, against plain recursion."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

from arrocco.hall.pairing.completion import Completion, bits
from arrocco.hall.pairing.matching import Matching


def heaviest(weights: list[list[int]]) -> int:
    """The weight of the heaviest matching, by trying everything."""

    @cache
    def best(left: int) -> int:
        if not left:
            return 0
        one = (left & -left).bit_length() - 1
        rest = left & ~(1 << one)
        found = best(rest)
        for other in bits(rest):
            if weights[one][other]:
                found = max(found, weights[one][other] + best(rest & ~(1 << other)))
        return found

    return best((1 << len(weights)) - 1)


@pytest.mark.parametrize("seed", range(60))
def test_completion_agrees_with_trying_everything(seed: int) -> None:
    rng = Random(seed)
    size, density = rng.randint(2, 11), rng.randint(20, 80)
    edges = [[0] * size for _ in range(size)]
    for one in range(size):
        for other in range(one):
            edges[one][other] = edges[other][one] = int(rng.randrange(100) < density)
    adjacent = [sum(1 << other for other in range(size) if row[other]) for row in edges]
    completion = Completion(adjacent)
    for _ in range(25):  # one object answers all: its hints must not mislead it
        mask = rng.getrandbits(size)
        inside = [
            [row[b] if mask >> a & 1 and mask >> b & 1 else 0 for b in range(size)]
            for a, row in enumerate(edges)
        ]
        assert completion.is_possible(mask) == (2 * heaviest(inside) == mask.bit_count())


def test_an_odd_cycle_needs_a_way_around() -> None:
    # a triangle with a tail on each side: the search must go through the triangle
    edges = {(0, 1), (1, 2), (2, 3), (1, 3), (3, 4), (4, 5)}
    adjacent = [0] * 6
    for one, other in edges:
        adjacent[one] |= 1 << other
        adjacent[other] |= 1 << one
    completion = Completion(adjacent)
    assert completion.is_possible(0b111111)
    assert not completion.is_possible(0b001110)
    assert not completion.is_possible(0b110110 | 1)


@pytest.mark.parametrize("seed", range(40))
def test_matching_stays_best_while_weights_change(seed: int) -> None:
    rng = Random(seed)
    size, most = rng.randint(2, 10), 1 << rng.choice((4, 40, 130, 300))
    graph = Matching(size, most)
    weights = [[0] * size for _ in range(size)]
    for _ in range(5):
        for one in range(size):
            for other in range(one):
                if rng.random() < 0.6:
                    weight = rng.choice((0, rng.randrange(most), most // 2, most))
                    weights[one][other] = weights[other][one] = weight
                    first, second = rng.sample((one, other), 2)
                    graph.set(first, second, weight)
        mates = graph.solve()
        assert all(mates[mates[vertex]] == vertex for vertex in range(size))
        total = sum(graph.weight(v, mate) for v, mate in enumerate(mates) if v < mate)
        assert total == heaviest(weights)
        assert graph.row(0) == weights[0]
