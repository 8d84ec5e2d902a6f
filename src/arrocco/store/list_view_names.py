"""Finds players by words of their names: a sorted index of folded words, read where it lies.

``words`` has every word once, in order; ``starts[i]`` is where the rows of word ``i`` begin in
``rows``. The words that begin alike stand together, and so do their rows.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from arrocco.store.folding import folded

Rows = NDArray[np.int32]
_MANY = 20_000
"""From so many rows on a mask of all players is quicker than sorting."""
_MOST_WORDS = 8
_BLOCK = 1 << 16
_AFTER_ALL = chr(0x10FFFF)


def fold_names(names: pa.Array) -> pa.Array:
    """`folded` of a whole column: plain letters all at once, the others one by one."""
    plain = pc.string_is_ascii(names)
    words = pc.replace_substring_regex(pc.ascii_lower(names), "[^a-z0-9]+", " ")
    words = pc.utf8_trim(words, " ")
    if pc.all(plain).as_py() is not False:
        return words
    others = [folded(name) for name in names.filter(pc.invert(plain)).to_pylist()]
    return pc.replace_with_mask(words, pc.invert(plain), pa.array(others, words.type))


def build_index(names: pa.Array) -> tuple[pa.Table, pa.Table]:
    """The words with their starts, and the rows, of folded names in the order of rows."""
    lists = pc.split_pattern(names, " ")
    words = pc.list_flatten(lists)
    rows = pc.list_parent_indices(lists).to_numpy().astype(np.int32)
    filled = pc.not_equal(words, "").to_numpy(zero_copy_only=False)
    encoded = words.filter(pa.array(filled)).dictionary_encode()
    rows = rows[filled]
    order = pc.sort_indices(encoded.dictionary).to_numpy()
    place = np.empty(len(order), np.int32)
    place[order] = np.arange(len(order), dtype=np.int32)
    word = place[encoded.indices.to_numpy()]
    sorted_by_word = np.argsort(word, kind="stable")
    starts = np.zeros(len(order) + 1, np.int64)
    np.cumsum(np.bincount(word, minlength=len(order)), out=starts[1:])
    # The last start is the end of the last word; it has no word of its own.
    listed = pa.concat_arrays([encoded.dictionary.take(pa.array(order)), pa.array([""])])
    return (
        pa.table({"word": listed, "start": pa.array(starts)}),
        pa.table({"row": pa.array(rows[sorted_by_word])}),
    )


class Matching(NamedTuple):
    """Who matches: few rows, in order, or a mask of all players; the other is `None`."""

    few: Rows | None
    mask: NDArray[np.bool_] | None


class _Found(NamedTuple):
    """Where the rows of a word stand, alone and with all words that begin with it."""

    exact: Rows
    begins: Rows


class NameIndex:
    """The index of a list of `players` rows."""

    def __init__(self, words: Any, starts: NDArray[np.int64], rows: Rows, players: int) -> None:
        self.words, self.starts, self.rows, self.players = words, starts, rows, players

    def matching(self, text: str) -> Matching:
        """Who has, for every word of a text, a word that begins so."""
        found = sorted(self._found(text), key=lambda one: len(one.begins))
        if not found:
            return Matching(np.empty(0, np.int32), None)
        if len(found[0].begins) < _MANY:
            few = self._few(found[0].begins, [one.begins for one in found[1:]])
            return Matching(few, None)
        mask = self._mask(found[0].begins)
        for other in found[1:]:
            mask &= self._mask(other.begins)
        return Matching(None, mask)

    def best(self, text: str, limit: int) -> Rows:
        """The first so many of them, those who have the very words before the others."""
        found = sorted(self._found(text), key=lambda one: len(one.exact))
        if not found or limit <= 0:
            return np.empty(0, np.int32)
        exact = self._few(found[0].exact, [one.exact for one in found[1:]])[:limit]
        if len(exact) == limit:
            return exact
        few, mask = self.matching(text)
        rows = np.empty(0, np.int32) if few is None else few[:limit]
        if mask is not None:
            rows = _first_of(mask, limit)
        others = rows[~np.isin(rows, exact)]
        return np.concatenate([exact, others])[:limit]

    def _few(self, rows: Rows, others: list[Rows]) -> Rows:
        """The rows that are in all the others too, each once, in order."""
        few: Rows = np.unique(rows)
        for other in others:
            if not len(few):
                break
            few = few[self._mask(other)[few]] if len(other) >= _MANY else np.intersect1d(few, other)
        return few

    def _mask(self, rows: Rows) -> NDArray[np.bool_]:
        mask = np.zeros(self.players, np.bool_)
        mask[rows] = True
        return mask

    def _found(self, text: str) -> list[_Found]:
        return [self._of(word) for word in dict.fromkeys(folded(text).split()[:_MOST_WORDS])]

    def _of(self, word: str) -> _Found:
        first, end = self._place(word), self._place(word + _AFTER_ALL)
        is_word = first < end and self.words[first].as_py() == word
        return _Found(
            self._between(first, first + 1 if is_word else first), self._between(first, end)
        )

    def _between(self, first: int, end: int) -> Rows:
        return self.rows[int(self.starts[first]) : int(self.starts[end])]

    def _place(self, word: str) -> int:
        """How many words come before this one."""
        low, high = 0, len(self.words) - 1
        while low < high:
            middle = (low + high) // 2
            if self.words[middle].as_py() < word:
                low = middle + 1
            else:
                high = middle
        return low


def _first_of(mask: NDArray[np.bool_], limit: int) -> Rows:
    """The first so many places that are true, looking no further than needed."""
    found: list[Rows] = [np.empty(0, np.int32)]
    for start in range(0, len(mask), _BLOCK):
        part = np.flatnonzero(mask[start : start + _BLOCK])[:limit] + start
        found.append(part.astype(np.int32))
        limit -= len(part)
        if limit <= 0:
            break
    return np.concatenate(found)
