"""Pages of a list: whom the filters let through, in which order, no more of them than asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from arrocco.records.ratinglist import AMONG_TOP, OFF_LIST
from arrocco.store.list_view_names import NameIndex

Sort = Literal["rating", "name", "id", "federation", "birth", "games"]
SORTS: tuple[Sort, ...] = ("rating", "name", "id", "federation", "birth", "games")
Mask = NDArray[np.bool_]
Rows = NDArray[Any]
_BLOCK = 1 << 16
_FEW = 20_000
"""Up to so many rows are sorted; of more the order is gone through until the page is full."""
_LARGEST = np.iinfo(np.int16).max


@dataclass(frozen=True, kw_only=True)
class Filters:
    """Whom to show; what is left as it is lets everybody through."""

    federation: str = ""
    sex: str = ""
    """``F`` or ``M``; whoever is not known to be a woman is among the men."""
    born_from: int | None = None
    born_to: int | None = None
    title: str = ""
    """Any title or, for a woman, a women's title beside it."""
    category: str = ""
    """Another title: an arbiter's, an organiser's, one of online play."""
    active_only: bool = False
    top_only: bool = False
    """Active, or inactive and still among the top players (FIDE 2010, 7.24)."""
    rating_from: int | None = None
    rating_to: int | None = None
    text: str = ""
    """Beginnings of words of the name, in any order."""


class Pages:
    """The columns of a list in the order of ratings, and how to go through them.

    `known` says how many rows of each order have a value; the others stand at its end.
    """

    def __init__(
        self,
        column: Mapping[str, Rows],
        words: Mapping[str, Sequence[str]],
        in_federation: Sequence[int],
        known: Mapping[str, int],
        index: NameIndex,
    ) -> None:
        self.column, self.words, self.known, self.index = column, words, known, index
        self.players = len(column["rating"])
        # Where the rows of each federation begin in their order; those of none stand at its end.
        named = [
            0 if not word else n for word, n in zip(words["federation"], in_federation, strict=True)
        ]
        starts = np.cumsum([0, *named])
        self._of_federation = {
            word: (int(starts[code]), int(starts[code + 1]))
            for code, word in enumerate(words["federation"])
            if word
        }
        self._of_federation[""] = (int(starts[-1]), self.players)

    def page(
        self, filters: Filters, sort: Sort, backwards: bool, offset: int, limit: int
    ) -> tuple[int, Rows]:
        """How many rows the filters let through, and those of one page."""
        few: Rows | None = None
        mask: Mask | None = None
        if filters.text.strip():
            few, mask = self.index.matching(filters.text)
        elif filters.federation:
            few = self.of_federation(filters.federation)
            filters = replace(filters, federation="")
        mask = self._let_through(filters, few, mask)
        if few is not None:
            rows = few if mask is None else few[mask]
            return len(rows), self._sorted(rows, sort, backwards, offset, offset + limit)
        if mask is None:
            end = min(offset + limit, self.players)
            return self.players, self._ordered(sort, backwards, offset, end)
        total = int(np.count_nonzero(mask))
        if total <= _FEW:
            rows = np.flatnonzero(mask)
            return total, self._sorted(rows, sort, backwards, offset, offset + limit)
        return total, self._picked(mask, sort, backwards, offset, limit)

    def of_federation(self, federation: str) -> Rows:
        """The rows of a federation, in order; of nobody where the list does not have it."""
        start, end = self._of_federation.get(federation, (0, 0))
        return self.column["by_federation"][start:end]

    def _let_through(self, filters: Filters, few: Rows | None, mask: Mask | None) -> Mask | None:
        """Which rows, of few or of all, the filters let through; `None` where they ask nothing."""

        def column(name: str) -> Rows:
            values = self.column[name]
            return values if few is None else values[few]

        def has(word: str, *names: str) -> Mask:
            matches = [column(name) == code for name in names for code in self._codes(name, word)]
            return _any(matches, self.players if few is None else len(few))

        def flagged(letter: str) -> Mask:
            codes = [code for code, flag in enumerate(self.words["flag"]) if letter in flag]
            return np.isin(column("flag"), codes)

        wanted: list[Mask] = [] if mask is None else [mask]
        if filters.federation:
            wanted.append(has(filters.federation, "federation"))
        if filters.sex:
            women = has("F", "sex")
            wanted.append(women if filters.sex == "F" else ~women)
        if filters.title:
            wanted.append(has(filters.title, "title", "w_title"))
        if filters.category:
            wanted.append(has(filters.category, "o_title", "foa_title"))
        if filters.active_only:
            wanted.append(column("active").view(np.bool_))
        if filters.top_only:
            wanted.append(column("active").view(np.bool_) | flagged(AMONG_TOP))
        if any(OFF_LIST in flag for flag in self.words["flag"]):
            wanted.append(~flagged(OFF_LIST))
        for name, low, high in (
            ("year", filters.born_from, filters.born_to),
            ("rating", filters.rating_from, filters.rating_to),
        ):
            if low is not None or high is not None:  # then whoever has no value is left out
                wanted.append(column(name) >= np.int16(min(max(low or 1, 1), _LARGEST)))
            if high is not None:
                wanted.append(column(name) <= np.int16(min(max(high, 0), _LARGEST)))
        return _all(wanted)

    def _codes(self, column: str, word: str) -> list[int]:
        """The codes of the words that are this one or have it among several."""
        return [
            code
            for code, text in enumerate(self.words[column])
            if text == word or ("," in text and word in [part.strip() for part in text.split(",")])
        ]

    def _ordered(self, sort: Sort, backwards: bool, start: int, end: int) -> Rows:
        """The rows from one place of an order to another; the unknown stand last backwards too."""
        if start >= end:
            return np.empty(0, np.int32)
        if not backwards:
            return (
                np.arange(start, end) if sort == "rating" else self.column[f"by_{sort}"][start:end]
            )
        known = self.known[sort]
        first, last = max(known - end, 0), max(known - start, 0)
        turned = self._ordered(sort, False, first, last)[::-1]
        return np.concatenate([turned, self._ordered(sort, False, max(start, known), end)])

    def _sorted(self, rows: Rows, sort: Sort, backwards: bool, start: int, end: int) -> Rows:
        """A page of few rows, which come in the order of ratings."""
        end = min(end, len(rows))
        if start >= end or (sort == "rating" and not backwards):
            return rows[start:end]
        place = rows if sort == "rating" else self.column[f"place_{sort}"][rows]
        if backwards:
            place = np.where(place < self.known[sort], -place, place)
        if end < len(rows):
            near = np.argpartition(place, end - 1)[:end]
            rows, place = rows[near], place[near]
        return rows[np.argsort(place, kind="stable")][start:end]

    def _picked(self, mask: Mask, sort: Sort, backwards: bool, skip: int, limit: int) -> Rows:
        """A page of many rows: the order is gone through block by block, until the page is full."""
        parts: list[Rows] = [np.empty(0, np.int32)]
        in_place = sort == "rating" and not backwards
        for start in range(0, self.players, _BLOCK):
            end = min(start + _BLOCK, self.players)
            block = None if in_place else self._ordered(sort, backwards, start, end)
            hits = mask[start:end] if block is None else mask[block]
            count = int(np.count_nonzero(hits))
            if count <= skip:
                skip -= count
                continue
            rows = np.flatnonzero(hits) + start if block is None else block[hits]
            rows = rows[skip : skip + limit]
            parts.append(rows)
            skip, limit = 0, limit - len(rows)
            if limit <= 0:
                break
        return np.concatenate(parts)


def _any(masks: list[Mask], length: int) -> Mask:
    together = masks[0] if masks else np.zeros(length, np.bool_)
    for mask in masks[1:]:
        together |= mask
    return together


def _all(masks: list[Mask]) -> Mask | None:
    """All at once; what is given may lie in the file, so the first is not changed in place."""
    if len(masks) < 2:
        return masks[0] if masks else None
    together = masks[0] & masks[1]
    for mask in masks[2:]:
        together &= mask
    return together
