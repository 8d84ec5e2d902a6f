"""Draws in whole numbers only: the same seed gives the same numbers on every machine.

Every part of a federation has a stream of its own (``stream(seed, Part.BATCH, 7)``), so that a
batch of tournaments does not depend on the batches before it.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]
Rng = np.random.Generator

WHOLE: Final = 10_000
"""Shares are given in parts of this."""

_FINE: Final = 1000
_BITS: Final = 31


class Part(IntEnum):
    """The parts of a federation that have streams of their own; a new one gets a new number."""

    PLAYERS = 0
    PLAN = 1
    BATCH = 2
    POOLS = 3
    DEFECTS = 4


def stream(seed: int, part: Part, number: int = 0) -> Rng:
    """The numbers drawn for one part of a federation; batches have one stream each."""
    sequence = np.random.SeedSequence(seed, spawn_key=(part, number))
    return np.random.Generator(np.random.PCG64(sequence))


def chance(rng: Rng, size: int, share: Any) -> Mask:
    """What happens with a share given in parts of `WHOLE`: one for all, or one for each."""
    happens: Mask = rng.integers(0, WHOLE, size, dtype=np.int32) < share
    return happens


def below(rng: Rng, bounds: Any, size: int | None = None) -> Ints:
    """A number from 0 to below each bound (0 where the bound is 0)."""
    size = len(bounds) if size is None else size
    drawn: Ints = (rng.integers(0, 1 << _BITS, size, dtype=np.int64) * bounds) >> _BITS
    return drawn


def choose(rng: Rng, size: int, weights: Sequence[int] | Ints) -> Ints:
    """Indexes drawn with these weights."""
    ends = np.cumsum(weights)
    return np.searchsorted(ends, rng.integers(0, int(ends[-1]), size), side="right")


def order(*keys: tuple[Any, int]) -> Ints:
    """The order of rows by some keys, the first most important, each from 0 to below its bound.

    The keys together must tell all rows apart: then there is one order only.
    """
    packed: Any = 0
    for key, bound in keys:
        packed = packed * bound + np.asarray(key, dtype=np.int64)
    return np.argsort(packed)


def ranges(counts: Ints) -> Ints:
    """0, 1, ... up to each count, one after the other: counts 2 and 3 give 0 1 0 1 2."""
    ends = np.cumsum(counts)
    return np.arange(int(ends[-1]) if len(ends) else 0) - np.repeat(ends - counts, counts)


def starts(counts: Ints) -> Ints:
    """Where each group begins when groups of these sizes stand one after the other, and the end."""
    return np.concatenate([[0], np.cumsum(counts)])


class Spread:
    """A distribution given by some of its quantiles, straight lines between them."""

    def __init__(self, *quantiles: tuple[int, int]) -> None:
        """Takes pairs of a share (in parts of `WHOLE`, from 0 to all) and the value reached."""
        shares, values = zip(*quantiles, strict=True)
        self.shares = np.array(shares, dtype=np.int64) * _FINE
        self.values = np.array(values, dtype=np.int64)

    def draw(self, rng: Rng, size: int) -> Ints:
        """Values drawn from the distribution."""
        return self.at(rng.integers(0, WHOLE * _FINE, size, dtype=np.int64))

    def at(self, places: Ints) -> Ints:
        """The values at places from 0 to below ``WHOLE * 1000`` of the distribution."""
        index = np.searchsorted(self.shares, places, side="right") - 1
        span = self.shares[index + 1] - self.shares[index]
        rise = self.values[index + 1] - self.values[index]
        drawn: Ints = self.values[index] + rise * (places - self.shares[index]) // span
        return drawn
