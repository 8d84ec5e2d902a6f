"""What one list changed of the one before, from their views: who gained, lost, came, left, moved.

Only columns are compared, where they lie on the disk; a player is read when a page shows them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from arrocco.store.list_view import ListView, ViewedPlayer

KINDS = ("gained", "lost", "new", "left", "federation", "title")
"""Gained and lost by the size of the change; the others by rating. One may be in several."""
Rows = NDArray[np.int32]


class Moved(NamedTuple):
    """A player on both lists; `None` where a list does not have them."""

    before: ViewedPlayer | None
    after: ViewedPlayer | None

    @property
    def player(self) -> ViewedPlayer:
        viewed_player = self.after or self.before
        assert viewed_player is not None, "one of them has the player"
        return viewed_player

    @property
    def change(self) -> int | None:
        """The difference, for who is rated on both."""
        was = self.before.rating if self.before else None
        now = self.after.rating if self.after else None
        return None if was is None or now is None else now - was


@dataclass(frozen=True)
class ListChanges:
    """Two lists side by side; rows of each kind as pairs, -1 where a list lacks the player."""

    before: ListView
    after: ListView
    rows: Mapping[str, tuple[Rows, Rows]]
    points: int
    """What the ratings of those rated on both lists changed by, all together."""

    def count(self, kind: str) -> int:
        return len(self.rows[kind][0])

    def page(self, kind: str, offset: int, limit: int) -> list[Moved]:
        """Some of the players of a kind."""
        was, now = (column[offset : offset + limit].tolist() for column in self.rows[kind])
        return [
            Moved(
                None if first < 0 else self.before.at(first),
                None if other < 0 else self.after.at(other),
            )
            for first, other in zip(was, now, strict=True)
        ]


def _at(view: ListView, row: int) -> ViewedPlayer | None:
    return None if row < 0 else view.at(row)


def changes_between(before: ListView, after: ListView) -> ListChanges:
    """Compares two lists; a moment's work for millions of players."""
    ids = np.union1d(before.ids, after.ids)
    was, now = before.rows_of(ids), after.rows_of(ids)
    rated_was, rated_now = _taken(before, "rating", was), _taken(after, "rating", now)
    both = (rated_was > 0) & (rated_now > 0)
    change = np.where(both, rated_now - rated_was, 0)
    higher = np.maximum(rated_was, rated_now)
    on_both = (was >= 0) & (now >= 0)
    chosen: dict[str, tuple[NDArray[np.bool_], NDArray[Any]]] = {
        "gained": (change > 0, change),
        "lost": (change < 0, -change),
        "new": ((rated_now > 0) & (rated_was == 0), higher),
        "left": ((rated_was > 0) & (rated_now == 0), higher),
    }
    for name in ("federation", "title"):
        differs = on_both & _differs(before, after, name, was, now)
        chosen[name] = (differs, higher)
    rows = {}
    for kind, (mask, weight) in chosen.items():
        changed = np.flatnonzero(mask)
        order = changed[np.lexsort((ids[changed], -weight[changed]))]
        rows[kind] = was[order], now[order]
    return ListChanges(before, after, rows, int(change.sum()))


def _taken(view: ListView, name: str, rows: Rows) -> NDArray[np.int32]:
    """A column by rows, 0 where there is none."""
    column = view.column(name)
    if not len(column):
        return np.zeros(len(rows), np.int32)
    return np.where(rows >= 0, column[rows], 0).astype(np.int32)


def _differs(
    before: ListView, after: ListView, name: str, was: Rows, now: Rows
) -> NDArray[np.bool_]:
    """Whose word is another one; the lists may number their words differently."""
    known = {word: code for code, word in enumerate(after.words[name])}
    codes = np.array([known.get(word, -1) for word in before.words[name]] or [-1], np.int32)
    differs: NDArray[np.bool_] = codes[_taken(before, name, was)] != _taken(after, name, now)
    return differs
