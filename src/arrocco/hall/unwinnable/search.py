"""Best-first search for a helpmate, which is also the exhaustive closure of a position.

Both sides work together towards the mate of the black king, so the search follows whatever looks
nearest to a mate. It never drops a legal move except where the position after it is proved to hold
no mate; so when nothing is left to look at, there is no mate at all, and the number of positions
seen is the proof.

It is written in C (`core`), compiled when the project is built. ``tests/judge/unwinnable`` does the
same in Python: both look at the same positions in the same order.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from arrocco.hall.unwinnable.guides import (
    TO_THE_CORNER,
    Guide,
    Opening,
    Potential,
    Race,
    Walk,
    Weights,
)
from arrocco.hall.unwinnable.position import Move, Position
from arrocco.hall.unwinnable.tempo import Tempo

LIBRARY = Path(__file__).parent / "core" / "search.so"

_POTENTIAL, _WALK, _RACE, _OPENING = range(4)
_MAX_POSTS = 40
_NO_MATE, _NO_MEMORY = -1, -2
_INT, _BITS = ctypes.c_int32, ctypes.c_uint64
_Bits11 = _BITS * 11
_Lengths = _INT * 64
_Sides = _INT * 2

_WEIGHTS = (
    "flight",
    "edge",
    "corner",
    "kings",
    "queen",
    "no_queen",
    "check",
    "no_flight",
    "pawnless",
    "step",
    "obstacle",
    "walk",
    "no_pawn",
)


class _Weights(ctypes.Structure):
    _fields_ = [(name, _INT) for name in _WEIGHTS]


class _Post(ctypes.Structure):
    _fields_ = [
        ("white", _INT),
        ("kind", _INT),
        ("from_pawn", _INT),
        ("lengths", _Lengths),
        ("as_pawn", _Lengths),
    ]


class _Guide(ctypes.Structure):
    _fields_ = [
        ("kind", _INT),
        ("patience", _INT),
        ("weights", _Weights),
        ("posts", _INT),
        ("post", _Post * _MAX_POSTS),
        ("side", _INT),
        ("pieces", _BITS),
        ("still", _BITS),
        ("region", _BITS),
    ]


@cache
def find_core() -> Any:
    """The compiled library; `None` where there is none for this machine."""
    try:
        core = ctypes.CDLL(str(LIBRARY))
        core.size_of_guide.restype = ctypes.c_uint64
        if core.size_of_guide() != ctypes.sizeof(_Guide):  # compiled from other sources
            return None
    except (OSError, AttributeError):
        return None
    core.open_search.restype = ctypes.c_void_p
    core.open_search.argtypes = [ctypes.POINTER(_BITS), ctypes.POINTER(_Guide)]
    core.close_search.argtypes = [ctypes.c_void_p]
    core.close_search.restype = None
    core.go_on.argtypes = [ctypes.c_void_p, ctypes.POINTER(ctypes.c_int64), _Sides]
    for name in ("positions_of", "seen_of", "is_exhausted"):
        getattr(core, name).argtypes = [ctypes.c_void_p]
    for name in ("parent_of", "move_of"):
        getattr(core, name).argtypes = [ctypes.c_void_p, ctypes.c_uint32]
        getattr(core, name).restype = ctypes.c_uint32
    return core


@dataclass
class Budget:
    """Work that may still be done, counted in moves looked at: the same on every machine."""

    left: int

    def spend(self, work: int) -> None:
        self.left -= work

    @property
    def is_spent(self) -> bool:
        return self.left <= 0


class Search:
    """A search that may be interrupted: it finds a line, that nothing is left, or neither yet."""

    def __init__(self, root: Position, guide: Guide, tempo: Tempo) -> None:
        self._core, self._tempo = find_core(), tempo
        self._search = self._core.open_search(_Bits11(*root), _guide(guide))
        if self._search is None:
            raise MemoryError
        self.line: list[Move] | None = None

    def __del__(self) -> None:
        if getattr(self, "_search", None) is not None:
            self._core.close_search(self._search)

    @property
    def positions(self) -> int:
        """How many positions were looked at."""
        return int(self._core.positions_of(self._search))

    @property
    def seen(self) -> int:
        """How many positions were come by."""
        return int(self._core.seen_of(self._search))

    @property
    def exhausted(self) -> bool:
        """Whether nothing is left to look at."""
        return self.line is None and bool(self._core.is_exhausted(self._search))

    def go_on(self, budget: Budget) -> None:
        """Looks for a line that ends in the mate of the black king until the budget is spent."""
        work = ctypes.c_int64(budget.left)
        locked = _Sides(*(self._tempo.is_locked(side) for side in (False, True)))
        node = self._core.go_on(self._search, ctypes.byref(work), locked)
        budget.left = work.value
        for side in (False, True):
            if locked[side]:
                self._tempo.lock(side)
        if node == _NO_MEMORY:
            raise MemoryError
        if node != _NO_MATE:
            self.line = self._line_to(node)

    def _line_to(self, node: int) -> list[Move]:
        line: list[Move] = []
        while node:
            line.append(self._core.move_of(self._search, node))
            node = self._core.parent_of(self._search, node)
        return line[::-1]


def _guide(of: Guide) -> _Guide:
    """A guide as the library knows it."""
    guide = _Guide(patience=of.patience, weights=_weights(TO_THE_CORNER))
    match of:
        case Potential():
            guide.kind, guide.weights = _POTENTIAL, _weights(of.weights)
        case Walk():
            guide.kind, guide.posts = _WALK, len(of.posts)
            for post, (white, kind, lengths, as_pawn) in zip(guide.post, of.posts, strict=False):
                post.white, post.kind, post.from_pawn = white, kind, as_pawn is not None
                post.lengths = _Lengths(*lengths)
                post.as_pawn = _Lengths(*(as_pawn or ()))
        case Race():
            guide.kind, guide.side = _RACE, of.locked
            guide.pieces, guide.still = of.pieces, of.still
        case Opening():
            guide.kind, guide.side, guide.region = _OPENING, of.white, of.region
    return guide


def _weights(weights: Weights) -> _Weights:
    return _Weights(*(getattr(weights, name) for name in _WEIGHTS))
