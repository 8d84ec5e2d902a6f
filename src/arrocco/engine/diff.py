"""What changed from one list to another, player by player, as columns.

Works on the union of the players of both lists. Everybody is in exactly one of the classes `same`,
`changed`, `new`, `delisted`, `gone`, `joined` and `unrated`; activity, K, title, federation and
name change beside that.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from arrocco.engine.columns import BoolColumn, IntColumn
from arrocco.laws.rating import RatingLaw
from arrocco.records.ratinglist import UNKNOWN, Int32, RatingList
from arrocco.records.textcolumn import Text

BUCKETS: tuple[tuple[int, int | None], ...] = (
    (1, 5),
    (6, 10),
    (11, 20),
    (21, 50),
    (51, 100),
    (101, None),
)
"""Sizes of changes that are counted together, in points."""

CLASSES = ("same", "changed", "new", "delisted", "gone", "joined", "unrated")
BESIDE = ("inactive", "active", "k", "title", "federation", "name")


@dataclass(frozen=True)
class Steps:
    """What a period computed for some players, sorted by id; `rating` 0 is unrated."""

    player: IntColumn
    rating: IntColumn
    stands_in: BoolColumn
    games: IntColumn
    k: IntColumn
    k_reason: Text
    k_applied: IntColumn
    variation: IntColumn
    change: IntColumn
    new_rating: IntColumn
    first_games: IntColumn
    """0 where there is no first rating."""
    law: RatingLaw
    """The edition that settled the period."""
    adjusted: IntColumn = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    """Players whose rating the adjustment of the list before has moved, sorted by id."""
    adjusted_to: IntColumn = field(default_factory=lambda: np.empty(0, dtype=np.int64))


@dataclass(frozen=True)
class ListDiff:
    """Two lists side by side: `id` is everybody on either, the columns beside it their rows."""

    before: RatingList
    after: RatingList
    steps: Steps | None = None
    id: IntColumn = field(init=False)
    row_before: IntColumn = field(init=False)
    """By player: the row on the list before, -1 for none."""
    row_after: IntColumn = field(init=False)

    def __post_init__(self) -> None:
        added = self.after.id[self.before.rows(self.after.id) < 0]
        ids = np.sort(np.concatenate([self.before.id, added]), kind="stable")
        for name, value in (
            ("id", ids),
            ("row_before", self.before.rows(ids)),
            ("row_after", self.after.rows(ids)),
        ):
            object.__setattr__(self, name, value)

    def __len__(self) -> int:
        return len(self.id)

    # --- ratings ---

    @cached_property
    def rating_before(self) -> IntColumn:
        return _taken(self.before.rating, self.row_before)

    @cached_property
    def rating_after(self) -> IntColumn:
        return _taken(self.after.rating, self.row_after)

    @cached_property
    def change(self) -> IntColumn:
        """By player: the change of who is rated on both lists, otherwise 0."""
        both = (self.rating_before > 0) & (self.rating_after > 0)
        return np.where(both, self.rating_after - self.rating_before, 0)

    # --- who is in which class ---

    @cached_property
    def masks(self) -> dict[str, BoolColumn]:
        """Who is in each of `CLASSES` and `BESIDE`."""
        was, now = self.rating_before > 0, self.rating_after > 0
        on_before, on_after = self.row_before >= 0, self.row_after >= 0
        masks = {
            "same": was & now & (self.change == 0),
            "changed": self.change != 0,
            "new": now & ~was,
            "delisted": was & ~now & on_after,
            "gone": ~on_after,
            "joined": ~on_before & ~now,
            "unrated": on_before & on_after & ~was & ~now,
        }
        return masks | self._beside(np.flatnonzero(on_before & on_after))

    def _beside(self, rows: IntColumn) -> dict[str, BoolColumn]:
        """What else changed for those on both lists."""
        first, other = self.row_before[rows], self.row_after[rows]
        was_inactive = _is_inactive(self.before.flag)[first]
        is_inactive = _is_inactive(self.after.flag)[other]
        k_before, k_after = self.before.k[first], self.after.k[other]
        rated = (self.rating_before[rows] > 0) & (self.rating_after[rows] > 0)
        columns = {
            "inactive": is_inactive & ~was_inactive,
            "active": was_inactive & ~is_inactive,
            "k": rated & (k_before != UNKNOWN) & (k_after != UNKNOWN) & (k_before != k_after),
        }
        for name in ("title", "federation", "name"):
            columns[name] = getattr(self.before, name)[first] != getattr(self.after, name)[other]
        return {name: _spread(mask, rows, len(self)) for name, mask in columns.items()}

    def count(self, name: str) -> int:
        """How many players are in a class."""
        return int(self.masks[name].sum())

    def rows(self, name: str, most: int | None = None) -> IntColumn:
        """The players of a class, the strongest first, at most so many."""
        rows = np.flatnonzero(self.masks[name])
        return self._first(rows, np.maximum(self.rating_before, self.rating_after)[rows], most)

    def gains(self, most: int | None = None) -> IntColumn:
        """Who gained, the most first."""
        rows = np.flatnonzero(self.change > 0)
        return self._first(rows, self.change[rows], most)

    def losses(self, most: int | None = None) -> IntColumn:
        """Who lost, the most first."""
        rows = np.flatnonzero(self.change < 0)
        return self._first(rows, -self.change[rows], most)

    def _first(self, rows: IntColumn, weight: IntColumn, most: int | None) -> IntColumn:
        """The heaviest rows; of equals, those with the lower id."""
        return rows[np.lexsort((self.id[rows], -weight))][:most]

    # --- figures ---

    def histogram(self) -> list[tuple[int, int | None, int, int]]:
        """For each bucket its bounds, and how many gained and lost so much."""
        size = np.abs(self.change)
        bars = []
        for low, high in BUCKETS:
            here = (size >= low) & (size <= (high or size.max(initial=low)))
            gained, lost = (
                int((here & (self.change > 0)).sum()),
                int((here & (self.change < 0)).sum()),
            )
            bars.append((low, high, gained, lost))
        return bars

    def points(self) -> dict[str, int]:
        """The points on both lists and what leads from one to the other."""
        masks, change = self.masks, self.change
        leaving = masks["delisted"] | masks["gone"]
        return {
            "before": int(self.rating_before.sum()),
            "gained": int(change[change > 0].sum()),
            "lost": int(change[change < 0].sum()),
            "entering": int(self.rating_after[masks["new"]].sum()),
            "leaving": -int(self.rating_before[leaving].sum()),
            "after": int(self.rating_after.sum()),
        }

    # --- why ---

    @cached_property
    def step_row(self) -> IntColumn:
        """By player: the row of their step, -1 where none was stored."""
        if self.steps is None or not len(self.steps.player):
            return np.full(len(self), -1, dtype=np.int64)
        index = np.searchsorted(self.steps.player, self.id)
        index = np.minimum(index, len(self.steps.player) - 1)
        return np.where(self.steps.player[index] == self.id, index, -1)

    @cached_property
    def unexplained(self) -> BoolColumn:
        """Whose rating is not what the stored calculations make of the list before."""
        if self.steps is None:
            return np.zeros(len(self), dtype=np.bool_)
        before = self._adjusted(self.steps)
        different: BoolColumn = before != self.rating_after
        mine = np.flatnonzero(self.step_row >= 0)
        row = self.step_row[mine]
        started = np.where(self.steps.stands_in[row], 0, self.steps.rating[row])
        different[mine] = (started != before[mine]) | (
            self.steps.new_rating[row] != self.rating_after[mine]
        )
        return different

    def _adjusted(self, steps: Steps) -> IntColumn:
        """The ratings before, as an adjustment of that list left them."""
        before: IntColumn = self.rating_before.astype(np.int64)
        if len(steps.adjusted):
            rows = np.searchsorted(self.id, steps.adjusted)
            before[rows] = steps.adjusted_to
        return before


def _taken(column: Int32, rows: IntColumn) -> IntColumn:
    """A column by rows, 0 where there is none."""
    if not len(column):
        return np.zeros(len(rows), dtype=np.int64)
    return np.where(rows >= 0, column[rows], 0).astype(np.int64)


def _spread(mask: BoolColumn, rows: IntColumn, size: int) -> BoolColumn:
    whole: BoolColumn = np.zeros(size, dtype=np.bool_)
    whole[rows] = mask
    return whole


def _is_inactive(flags: Text) -> BoolColumn:
    return np.fromiter(("i" in flag for flag in flags), dtype=np.bool_, count=len(flags))
