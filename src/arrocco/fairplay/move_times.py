"""How long honest players think, counted by time: what a player's median is seen beside.

Nothing stands out by its time: who plays a variation by heart is fast, and a phone rings. The
median of others of that strength and pace, over decisions as difficult, is what one compares with.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

EDGES = (500, 1000, 1500, 2000, 3000, 4000, 6000, 8000, 12000, 18000, 27000, 40000, 60000, 120000)
"""Milliseconds at which a bin ends and the next one begins; beyond the last, all in one."""
MIN_TIMES = 30
"""Known times below which no median is told."""


def counted(spent: int) -> tuple[int, ...]:
    """One time in its bin."""
    place = sum(spent >= edge for edge in EDGES)
    return (0,) * place + (1,)


def added(first: Sequence[int], second: Sequence[int]) -> tuple[int, ...]:
    return tuple(a + b for a, b in zip_longest(first, second, fillvalue=0))


def expected_median(parts: Sequence[tuple[int, Sequence[int]]]) -> float | None:
    """The median in seconds over several difficulties, each as often as the player met it.

    `None` where one of them has too few known times, or the median lies beyond the last edge.
    """
    shares = [0.0] * (len(EDGES) + 1)
    total = 0
    for decisions, times in parts:
        known = sum(times)
        if known < MIN_TIMES:
            return None
        total += decisions
        for place, count in enumerate(times):
            shares[place] += decisions * count / known
    below, start = 0.0, 0
    for share, end in zip(shares, EDGES, strict=False):
        if share and below + share >= total / 2:
            inside = (total / 2 - below) / share
            return round((start + inside * (end - start)) / 1000, 1)
        below, start = below + share, end
    return None
