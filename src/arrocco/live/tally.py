"""Counts kept as plain whole numbers, so that counting costs a move next to nothing."""

from __future__ import annotations

from bisect import bisect_left

from msgspec import Struct, field

COMMIT_BOUNDS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
LATENESS_BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 5.0)
"""Seconds."""


class Spread(Struct):
    """How many values lay below each bound, in seconds, and their sum."""

    bounds: tuple[float, ...]
    counts: list[int]
    """One for each bound, and one for what lies above them all."""
    sum: float = 0.0
    largest: float = 0.0

    @classmethod
    def of(cls, bounds: tuple[float, ...]) -> Spread:
        return cls(bounds, [0] * (len(bounds) + 1))

    def add(self, seconds: float) -> None:
        self.counts[bisect_left(self.bounds, seconds)] += 1
        self.sum += seconds
        self.largest = max(self.largest, seconds)

    @property
    def total(self) -> int:
        return sum(self.counts)

    def cumulated(self) -> list[tuple[str, float]]:
        """Buckets as Prometheus has them: up to each bound, and all."""
        running, buckets = 0, []
        for bound, count in zip((*self.bounds, float("inf")), self.counts, strict=True):
            running += count
            buckets.append(("+Inf" if bound == float("inf") else str(bound), float(running)))
        return buckets


class HallTally(Struct):
    """What a hall counts while it runs."""

    moves: int = 0
    flags: Spread = field(default_factory=lambda: Spread.of(LATENESS_BOUNDS))
    """How long after its flag had fallen each game was over, written down and told."""
