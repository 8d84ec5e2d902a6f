"""The columns the engine works on, and how a rule of the law is applied to a whole column."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arrocco.laws.rating import Exclusion, RatingLaw
from arrocco.records.report import Facts, GameKind, System
from arrocco.records.timecontrol import TimeControl

IntColumn = NDArray[np.int64]
RowColumn = NDArray[np.signedinteger[Any]]
"""Row numbers of any width: readers hand them over in 32 bits."""
ByteColumn = NDArray[np.int8]
BoolColumn = NDArray[np.bool_]

COUNTED = 0
"""The exclusion code of a game that counts."""
EXCLUSIONS: tuple[Exclusion, ...] = tuple(Exclusion)
EXCLUSION_CODE = {reason: code for code, reason in enumerate(EXCLUSIONS, start=1)}


_BY_DECISION = {
    GameKind.FAIR_PLAY: EXCLUSION_CODE[Exclusion.FAIR_PLAY],
    GameKind.FORCE_MAJEURE: EXCLUSION_CODE[Exclusion.FORCE_MAJEURE],
}
"""Games that were played, and that the office has excluded."""
NOT_SCORED = tuple(sorted((EXCLUSION_CODE[Exclusion.UNPLAYED], *_BY_DECISION.values())))
"""Exclusion codes of games that are no result of the player at all, not even in a first event."""


def excluded_by_kind(law: RatingLaw, kind: GameKind) -> int:
    """The exclusion code that the kind of a game alone gives it."""
    if kind in _BY_DECISION:
        return _BY_DECISION[kind]
    return COUNTED if law.is_played(kind) else EXCLUSION_CODE[Exclusion.UNPLAYED]


def reason_of(code: int) -> Exclusion | None:
    """The reason behind an exclusion code; `None` for a game that counts."""
    return None if code == COUNTED else EXCLUSIONS[code - 1]


@dataclass
class Tournament:
    """What the law asks about one tournament; `key` is its place in the ledger or its file."""

    key: str
    law: RatingLaw
    start: date
    end: date
    system: System = System.UNKNOWN
    control: TimeControl | None = None
    facts: Facts = field(default_factory=Facts)
    name: str = ""
    k: int | None = None
    """The K of the whole tournament, where the regulation gives K to tournaments."""
    k_reason: str = ""
    part_of: str = ""
    """The key of the whole tournament, where this is the part under one list."""

    @property
    def event(self) -> str:
        """What other tournaments make one event with this; empty where it stands alone."""
        if self.part_of:
            return self.part_of
        grouped = self.law.stages_are_one_event() or self.is_interim
        return self.facts.event or "" if grouped else ""

    @property
    def is_interim(self) -> bool:
        """Whether it is one of the reports of a long tournament, which are one event."""
        return bool(self.facts.began) and self.law.interim_is_one_event()


@dataclass
class Entries:
    """A player in a tournament, one row each.

    `shown` is the rating the opponents meet: that of the list in force at the start, 0 unrated.
    `own` is the rating the player's own change is computed with: the same, or the current one of a
    player who was unrated at the start and has been listed since (FIDE 2024, 8.2.4), or 0.
    """

    tournament: IntColumn
    player: IntColumn
    """Row in the `Players` table."""
    shown: IntColumn
    own: IntColumn

    def __len__(self) -> int:
        return len(self.player)


@dataclass
class Games:
    """One row a game; `white` and `black` are rows of `Entries`.

    Scores are in half points. `exclusion` holds what excludes the game for both sides (`COUNTED`
    when nothing does); what depends on the side is found by the kernel.
    """

    round: RowColumn
    white: RowColumn
    black: RowColumn
    white_half: ByteColumn
    black_half: ByteColumn
    exclusion: ByteColumn

    def __len__(self) -> int:
        return len(self.white)


def apply_rule(rule: Callable[..., Any], *columns: NDArray[Any]) -> IntColumn:
    """Applies a scalar rule of the law to columns by calling it once for each distinct row."""
    if not len(columns[0]):
        return np.zeros(0, dtype=np.int64)
    codes, first = distinct_rows(columns)
    rows = zip(*(column[first].tolist() for column in columns), strict=True)
    return np.array([rule(*row) for row in rows], dtype=np.int64)[codes]


def distinct_rows(columns: Sequence[NDArray[Any]]) -> tuple[IntColumn, IntColumn]:
    """A number for each row, the same for equal rows, and where each number first stands."""
    codes, count = _codes(columns[0])
    for column in columns[1:]:
        more, size = _codes(column)
        codes, count = _codes(codes * size + more)
    first = np.empty(count, dtype=np.int64)
    first[codes[::-1]] = np.arange(len(codes) - 1, -1, -1)
    return codes, first


_WIDEST_TABLE = 1 << 20


def _codes(column: NDArray[Any]) -> tuple[IntColumn, int]:
    """Numbers 0, 1, 2 ... for the distinct values of a column, and how many there are.

    Where values lie close together, as ratings and years do, a table finds them without sorting.
    """
    if column.dtype == np.bool_:
        column = column.astype(np.int8)
    low, high = int(column.min()), int(column.max())
    if high - low >= max(_WIDEST_TABLE, 2 * len(column)):
        distinct, inverse = np.unique(column, return_inverse=True)
        return inverse.astype(np.int64), len(distinct)
    shifted = column.astype(np.int64)
    shifted -= low
    table = np.zeros(high - low + 1, dtype=np.bool_)
    table[shifted] = True
    number = np.cumsum(table, dtype=np.int64) - 1
    return number[shifted], int(number[-1]) + 1


def rows_of_ids(known: IntColumn, ids: IntColumn) -> IntColumn:
    """The rows of ids among those that are known, which are in order; -1 for the others."""
    if not len(known):
        return np.full(len(ids), -1, dtype=np.int64)
    index = np.minimum(np.searchsorted(known, ids), len(known) - 1)
    return np.where(known[index] == ids, index, -1)


def sum_by(rows: IntColumn, values: NDArray[Any], size: int) -> IntColumn:
    """Sums integer values by row number. Exact: sums stay far below 2**53."""
    if not len(rows):
        return np.zeros(size, dtype=np.int64)
    return np.bincount(rows, weights=values, minlength=size).astype(np.int64)


def count_by(rows: IntColumn, size: int) -> IntColumn:
    """Counts rows by number."""
    if not len(rows):
        return np.zeros(size, dtype=np.int64)
    return np.bincount(rows, minlength=size).astype(np.int64)
