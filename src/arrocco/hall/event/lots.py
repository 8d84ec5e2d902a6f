"""Lots that anybody can draw again: from a seed that stands in the log."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256


def drawn_by_lot(seed: str, what: str, among: Iterable[int], count: int) -> tuple[int, ...]:
    """The entries whose lots come first, in order of their numbers.

    A lot is the SHA-256 of seed, what is drawn for, and the number of the entry.
    """

    def lot(entry: int) -> bytes:
        return sha256(f"{seed}/{what}/{entry}".encode()).digest()

    return tuple(sorted(sorted(among, key=lot)[:count]))
