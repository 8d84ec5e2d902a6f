"""A published list as people look at it: pages by filters and sorts, searches, single players.

A view is read where it lies on the disk: opening one costs next to nothing, and however many there
are, only the memory that is looked at is used. `open_view` builds a view where it is missing.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from copy import copy
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from arrocco.errors import Inconsistent
from arrocco.records.ratinglist import ListedPlayer, birth_from_number
from arrocco.store.list_view_build import (
    ABOUT,
    CODED,
    IDS,
    POSTINGS,
    ROWS,
    VERSION,
    WORDS,
    build_view,
    remove_view,
    seal_of,
)
from arrocco.store.list_view_names import NameIndex
from arrocco.store.list_view_pages import SORTS, Filters, Pages, Sort
from arrocco.units import Rating
from arrocco.words import system

__all__ = [
    "SORTS",
    "Filters",
    "InFederation",
    "ListView",
    "Rank",
    "Sort",
    "ViewedPlayer",
    "build_view",
    "open_view",
    "remove_view",
]

_MAX_ID = (1 << 63) - 1


@dataclass(frozen=True)
class ViewedPlayer(ListedPlayer):
    """A row of a list with the titles beside the first."""

    w_title: str = ""
    o_title: str = ""
    foa_title: str = ""


class Rank(NamedTuple):
    """A place among the active rated players: as many as are rated higher, and one."""

    world: int
    federation: int


class InFederation(NamedTuple):
    """How many players of a federation are on the list."""

    federation: str
    players: int
    rated: int
    active: int
    """Rated and active."""


class ListView:
    """One list, open for reading; safe to share between threads."""

    def __init__(self, about: dict[str, Any], tables: dict[str, Any]) -> None:
        self.system = str(about["system"])
        self.on = date.fromisoformat(about["on"]) if about["on"] else None
        self.words: dict[str, list[str]] = about["words"]
        self._federations: dict[str, list[int]] = about["federations"]
        rows, ids = tables[ROWS], tables[IDS]
        self._names = rows["name"].chunk(0) if rows.num_rows else pa.array([], pa.string())
        self._column = {name: _array(rows, name) for name in rows.column_names if name != "name"}
        self._ids, self._row_of_id = _array(ids, "id"), _array(ids, "row")
        words = tables[WORDS]
        self._index = NameIndex(
            words["word"].chunk(0),
            _array(words, "start"),
            _array(tables[POSTINGS], "row"),
            len(self),
        )
        self._pages = Pages(
            self._column | {"by_id": self._row_of_id},
            self.words,
            self._federations["players"],
            about["known"],
            self._index,
        )

        self._hidden: frozenset[str] = frozenset()

    def __len__(self) -> int:
        return len(self._ids)

    def without(self, fields: Collection[str]) -> Self:
        """The same list without `sex` or `birth`: they are neither shown nor looked for."""
        if not fields:
            return self
        made = copy(self)
        made._hidden = frozenset(fields)
        return made

    @classmethod
    def open(cls, view_folder: Path) -> Self:
        """Opens a view. Raises `Inconsistent` where it is not one that this program built."""
        try:
            about = json.loads((view_folder / ABOUT).read_text("utf-8"))
            if about["version"] != VERSION or about["seal"] != seal_of(about):
                raise Inconsistent.of("store.refused.other_view", folder=view_folder)
            tables = {name: _mapped(view_folder / name) for name in (ROWS, IDS, WORDS, POSTINGS)}
            view = cls(about, tables)
        except (pa.ArrowException, OSError, KeyError, ValueError, TypeError, IndexError) as error:
            if isinstance(error, Inconsistent):
                raise
            raise Inconsistent.of(
                "store.refused.view_unreadable", folder=view_folder, reason=system(error)
            ) from None
        if len(view) != about["players"] or len(view._names) != len(view):
            raise Inconsistent.of("store.refused.other_view", folder=view_folder)
        return view

    def player(self, player: int) -> ViewedPlayer | None:
        """A player by their number."""
        row = self.row(player)
        return None if row is None else self.at(row)

    def row(self, player: int) -> int | None:
        """Where a player stands in the order of ratings, from 0."""
        if not 0 < player <= _MAX_ID:
            return None
        place = int(np.searchsorted(self._ids, player))
        if place >= len(self._ids) or int(self._ids[place]) != player:
            return None
        return int(self._row_of_id[place])

    @property
    def ids(self) -> NDArray[np.int64]:
        """The numbers of all players, sorted."""
        return self._ids

    def column(self, name: str) -> NDArray[Any]:
        """A column in the order of ratings: numbers, or the codes of `words`."""
        return self._column[name]

    def rows_of(self, players: NDArray[np.int64]) -> NDArray[np.int32]:
        """The rows of many players at once; -1 for those not on the list."""
        if not len(self._ids):
            return np.full(len(players), -1, np.int32)
        place = np.minimum(np.searchsorted(self._ids, players), len(self._ids) - 1)
        rows = np.where(self._ids[place] == players, self._row_of_id[place], -1)
        return rows.astype(np.int32)

    def at(self, row: int) -> ViewedPlayer:
        """The player of a row in the order of ratings."""
        column = self._column
        texts = {name: self.words[name][int(column[name][row])] for name in CODED}
        if "sex" in self._hidden:
            texts["sex"] = ""
        birth = 0 if "birth" in self._hidden else int(column["birth"][row])
        rating, games, k = (int(column[name][row]) for name in ("rating", "games", "k"))
        return ViewedPlayer(
            id=int(column["id"][row]),
            name=self._names[row].as_py(),
            rating=Rating(rating) if rating > 0 else None,
            games=None if games < 0 else games,
            k=None if k < 0 else k,
            birth=birth_from_number(birth),
            **texts,
        )

    def search(self, text: str, limit: int = 20) -> list[ViewedPlayer]:
        """Players by their number or by words of their names, as far as they are typed.

        Whoever has the very words comes first, and the higher rated before the lower.
        """
        digits = text.strip()
        if digits.isascii() and digits.isdigit():
            viewed_player = self.player(int(digits)) if len(digits) < 20 else None
            return [viewed_player] if viewed_player and limit > 0 else []
        return [self.at(int(row)) for row in self._index.best(text, limit)]

    def page(
        self,
        filters: Filters | None = None,
        sort: Sort = "rating",
        offset: int = 0,
        limit: int = 50,
        *,
        descending: bool | None = None,
    ) -> tuple[int, list[ViewedPlayer]]:
        """How many there are and the players of a page.

        Ratings and games go down and everything else goes up unless `descending` says otherwise.
        Those without a value stand last either way; equals stand by their ratings.
        """
        if "sex" in self._hidden and filters is not None:
            filters = replace(filters, sex="")
        if sort in self._hidden:
            sort, descending = "name", None
        backwards = descending is not None and descending != (sort in ("rating", "games"))
        offset, limit = max(offset, 0), max(limit, 0)
        total, rows = self._pages.page(filters or Filters(), sort, backwards, offset, limit)
        return total, [self.at(int(row)) for row in rows]

    def top(self, count: int, filters: Filters | None = None) -> list[ViewedPlayer]:
        """The highest rated of those who are let through."""
        return self.page(filters or Filters(top_only=True), limit=count)[1]

    def rank_of(self, player: int) -> Rank | None:
        """The places of an active rated player; `None` for the others."""
        row = self.row(player)
        rating = self._column["rating"]
        if row is None or not rating[row] or not self._column["active"][row]:
            return None
        first = len(self) - int(np.searchsorted(rating[::-1], rating[row], side="right"))
        mates = self._pages.of_federation(
            self.words["federation"][int(self._column["federation"][row])]
        )
        higher = mates[: int(np.searchsorted(mates, first))]
        return Rank(
            int(self._column["active_before"][first]) + 1,
            int(np.count_nonzero(self._column["active"][higher])) + 1,
        )

    def federations(self) -> list[InFederation]:
        """The federations of the list, in the order of their names, with their players."""
        counts = (self._federations[name] for name in ("players", "rated", "active"))
        return [InFederation(*one) for one in zip(self.words["federation"], *counts, strict=True)]


def open_view(list_folder: Path, view_folder: Path) -> ListView:
    """The view of a list, built where it is missing, damaged or of another version."""
    if (view_folder / ABOUT).is_file():
        try:
            return ListView.open(view_folder)
        except Inconsistent:
            pass
    remove_view(view_folder)
    build_view(list_folder, view_folder)
    return ListView.open(view_folder)


def _mapped(path: Path) -> pa.Table:
    return pa.ipc.open_file(pa.memory_map(str(path), "r")).read_all()


def _array(table: pa.Table, name: str) -> NDArray[Any]:
    """A column where it lies, without a copy."""
    column = table[name]
    if column.num_chunks == 0:
        return np.empty(0, column.type.to_pandas_dtype())
    values: NDArray[Any] = column.chunk(0).to_numpy(zero_copy_only=True)
    return values
