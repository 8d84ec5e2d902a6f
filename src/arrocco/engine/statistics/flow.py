"""Where points come from and where they go between one list and the next.

The points of a list are the sum of its ratings. They change by what those on both lists win and
lose, by the first ratings of who comes in and by the last ones of who leaves:
``after = before + common.change + entering.points - delisted.points - gone.points``.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

import numpy as np

from arrocco.engine.columns import BoolColumn, IntColumn
from arrocco.engine.statistics.distribution import (
    Distribution,
    distribution,
    mean_hundredths,
)
from arrocco.engine.statistics.lists import ListFigures
from arrocco.units import Hundredths


@dataclass(frozen=True)
class Group:
    """Some players, with the points they bring or take away."""

    count: int
    points: int
    mean: Hundredths | None

    @classmethod
    def of(cls, ratings: IntColumn) -> Group:
        count, points = len(ratings), int(ratings.sum())
        return cls(count, points, mean_hundredths(points, count))


@dataclass(frozen=True)
class Common:
    """Players rated on both lists, and how their ratings moved."""

    count: int
    before: int
    after: int
    gained: int
    lost: int
    mean_change: Hundredths | None
    """Below zero the system deflates, as far as these players tell."""

    @property
    def change(self) -> int:
        return self.after - self.before


@dataclass(frozen=True)
class Flow:
    """What leads from a list to the next."""

    before_on: date
    on: date
    before: int
    after: int
    entering: Group
    """Rated now and not before: with the rating they come in with."""
    entering_spread: Distribution
    delisted: Group
    """Still on the list, without a rating: with the one they had."""
    gone: Group
    """No longer on the list."""
    common: Common
    played: Common
    """Of those on both, who has games on the later list."""
    became_inactive: Group
    became_active: Group

    @property
    def leaving(self) -> Group:
        """Who is delisted and who is gone, together."""
        count = self.delisted.count + self.gone.count
        points = self.delisted.points + self.gone.points
        return Group(count, points, mean_hundredths(points, count))

    @property
    def entrants_over_leavers(self) -> int:
        """How many more came than left."""
        return self.entering.count - self.leaving.count


def flow(before: ListFigures, after: ListFigures) -> Flow:
    """Compares two lists of one rating."""
    row = _rows(after.id, before.id)  # of the list after, where each player was before
    was = np.where(row >= 0, _taken(before.rating, row), 0)
    stays = row[row >= 0]
    left = np.ones(len(before), dtype=np.bool_)
    left[stays] = False
    now = after.rating
    both = (was > 0) & (now > 0)
    entering = now[(was == 0) & (now > 0)]
    was_inactive = _taken(before.inactive.astype(np.int64), row) == 1
    turned = both & (was_inactive != after.inactive)
    return Flow(
        before_on=before.on,
        on=after.on,
        before=int(before.rating.sum()),
        after=int(now.sum()),
        entering=Group.of(entering),
        entering_spread=distribution(entering),
        delisted=Group.of(was[(was > 0) & (now == 0)]),
        gone=Group.of(before.rating[left & (before.rating > 0)]),
        common=_common(was, now, both),
        played=_common(was, now, both & (after.games > 0)),
        became_inactive=Group.of(now[turned & after.inactive]),
        became_active=Group.of(now[turned & ~after.inactive]),
    )


def _common(was: IntColumn, now: IntColumn, both: BoolColumn) -> Common:
    before, after = int(was[both].sum()), int(now[both].sum())
    change = (now - was)[both]
    count = int(both.sum())
    return Common(
        count=count,
        before=before,
        after=after,
        gained=int(change[change > 0].sum()),
        lost=int(change[change < 0].sum()),
        mean_change=mean_hundredths(after - before, count),
    )


def _rows(ids: IntColumn, among: IntColumn) -> IntColumn:
    """The rows of players in a sorted column of ids; -1 for those not in it."""
    if not len(among):
        return np.full(len(ids), -1, dtype=np.int64)
    index = np.minimum(np.searchsorted(among, ids), len(among) - 1)
    return np.where(among[index] == ids, index, -1)


def _taken(column: IntColumn, rows: IntColumn) -> IntColumn:
    """A column by rows; whatever for -1."""
    return column[rows] if len(column) else np.zeros(len(rows), dtype=np.int64)
