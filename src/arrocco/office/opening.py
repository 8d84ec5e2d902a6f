"""A list as it opens a period: what was published, what the law remembers, the pools.

`listed` and `players` have the same players in the same rows, and stay so through every change
here: the engine counts on it. What was published stays in `listed`, where opponents find it; the
base that a player's own change starts from is in `players`.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from arrocco.engine.players import Players
from arrocco.engine.pools import Pools
from arrocco.records.ratinglist import UNKNOWN, RatingList

_LIST_COLUMNS = tuple("id name federation sex title rating games k birth flag".split())


@dataclass
class Opening:
    """The three tables of an opening list."""

    listed: RatingList
    players: Players
    pools: Pools

    def copy(self) -> Opening:
        """Tables of their own, to be changed without touching these."""
        everybody = np.ones(len(self.players), dtype=np.bool_)
        return self._taken(everybody)

    def row(self, player: int) -> int | None:
        """The row of a player in both tables."""
        return self.listed.row(player)

    def without(self, gone: Collection[int]) -> Opening:
        """The tables without some players."""
        stays = ~np.isin(self.players.id, np.array(sorted(gone), dtype=np.int64))
        opening = self._taken(np.flatnonzero(stays))
        for player in gone:
            opening.pools.tranches.pop(player, None)
        return opening

    def joined_by(self, other: Opening, player: int) -> Opening:
        """With a player of another list, who was not on this one: nothing was published of them."""
        row = other.row(player)
        assert row is not None, "only who is on the other list can join"
        assert self.row(player) is None, "only who is new can join"
        added = other._taken(np.array([row]))
        added.listed.rating[:] = 0
        added.listed.games[:] = 0
        added.listed.k[:] = UNKNOWN
        columns: dict[str, Any] = {
            name: np.concatenate([getattr(self.listed, name), getattr(added.listed, name)])
            for name in _LIST_COLUMNS
        }
        blank = np.array([""], dtype=np.object_)
        extra = {
            name: np.concatenate([column, added.listed.extra.get(name, blank)])
            for name, column in self.listed.extra.items()
        }
        both = Opening(
            replace(self.listed, **columns, extra=extra),
            Players(
                **{
                    name: np.concatenate([getattr(self.players, name), column])
                    for name, column in vars(added.players).items()
                }
            ),
            self.pools,
        )
        return both._taken(np.argsort(both.players.id, kind="stable"))

    def renumbered(self, player: int, number: int) -> Opening:
        """With a player under another number, which nobody has here."""
        row = self.row(player)
        assert row is not None, "only who is on the list has a number"
        assert self.row(number) is None, "a number belongs to one player"
        opening = self.copy()
        opening.players.id[row] = opening.listed.id[row] = number
        opening = opening._taken(np.argsort(opening.players.id, kind="stable"))
        results = opening.pools.tranches.pop(player, None)
        if results:
            opening.pools.tranches[number] = results
        return opening

    def _taken(self, rows: Any) -> Opening:
        columns = {name: getattr(self.listed, name)[rows] for name in _LIST_COLUMNS}
        extra = {name: column[rows] for name, column in self.listed.extra.items()}
        return Opening(
            replace(self.listed, **columns, extra=extra),
            Players(**{f.name: getattr(self.players, f.name)[rows] for f in fields(Players)}),
            Pools(dict(self.pools.tranches)),
        )
