"""Finds players by words of their names: a sorted index of folded words, read where it lies.

``words`` has every word once, in order; ``starts[i]`` is where the rows of word ``i`` begin in
``rows``. The words that begin alike stand together, and so do their rows.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from arrocco.store.folding import folded

Rows = NDArray[np.int32]
_MANY = 20_000
"""From so many rows on a mask of all players is quicker than sorting."""
_MAX_WORDS = 8
_BLOCK = 1 << 16
_AFTER_ALL = chr(0x10FFFF)
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_MIN_FORGIVEN, _MAX_FORGIVEN = 4, 24
"""Letters and bytes of a word that may have a letter wrong: shorter ones are like many others."""
_WIDTH = _MAX_FORGIVEN + 2
"""Bytes of the longest word that is looked up with a letter more, and its end."""


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
        words = sorted(self._found(text), key=lambda one: len(one.begins))
        if not words:
            return Matching(np.empty(0, np.int32), None)
        if len(words[0].begins) < _MANY:
            few = self._few(words[0].begins, [word.begins for word in words[1:]])
            return Matching(few, None)
        mask = self._mask(words[0].begins)
        for other in words[1:]:
            mask &= self._mask(other.begins)
        return Matching(None, mask)

    def best(self, text: str, limit: int) -> Rows:
        """The first so many of them, those who have the very words before the others."""
        words = sorted(self._found(text), key=lambda one: len(one.exact))
        if not words or limit <= 0:
            return np.empty(0, np.int32)
        exact = self._few(words[0].exact, [word.exact for word in words[1:]])[:limit]
        if len(exact) == limit:
            return exact
        few, mask = self.matching(text)
        rows = np.empty(0, np.int32) if few is None else few[:limit]
        if mask is not None:
            rows = _first_of(mask, limit)
        others = rows[~np.isin(rows, exact)]
        best = np.concatenate([exact, others])[:limit]
        return best if len(best) else self._forgiving(text, limit)

    def _forgiving(self, text: str, limit: int) -> Rows:
        """Who would match if one letter of one word were wrong, missing, too many or swapped."""
        words = list(dict.fromkeys(folded(text).split()[:_MAX_WORDS]))
        chosen: list[Rows] = [np.empty(0, np.int32)]
        for at, word in enumerate(words):
            if len(word) < _MIN_FORGIVEN or len(word.encode()) > _MAX_FORGIVEN:
                continue
            rest = [self._of(other).begins for other in words[:at] + words[at + 1 :]]
            if all(len(rows) for rows in rest):
                chosen.append(self._few(self._near(word), rest))
        near: Rows = np.unique(np.concatenate(chosen))
        return near[:limit]

    def _near(self, word: str) -> Rows:
        """The rows of all words that begin like one that is a letter off, looked up at once."""
        others = [other.encode() for other in sorted(one_letter_off(word))]
        low = np.array(others, f"S{_WIDTH}")
        high = np.array([other + b"\xff" for other in others], f"S{_WIDTH}")
        first, end = np.searchsorted(self._packed, low), np.searchsorted(self._packed, high)
        there = np.flatnonzero(first < end)
        near = [self._between(int(first[n]), int(end[n])) for n in there]
        return np.concatenate([np.empty(0, np.int32), *near])

    @cached_property
    def _packed(self) -> NDArray[np.bytes_]:
        """The words side by side, each cut where no word that is forgiven reaches; made once."""
        words = (
            self.words[: len(self.words) - 1].cast(pa.large_binary()).to_numpy(zero_copy_only=False)
        )
        packed: NDArray[np.bytes_] = words.astype(f"S{_WIDTH}")
        return packed

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
        return [self._of(word) for word in dict.fromkeys(folded(text).split()[:_MAX_WORDS])]

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


def one_letter_off(word: str) -> set[str]:
    """All words that one slip of the finger makes of this one."""
    cuts = [(word[:at], word[at:]) for at in range(len(word) + 1)]
    missing = {head + tail[1:] for head, tail in cuts if tail}
    swapped = {head + tail[1] + tail[0] + tail[2:] for head, tail in cuts if len(tail) > 1}
    wrong = {head + letter + tail[1:] for head, tail in cuts if tail for letter in _LETTERS}
    added = {head + letter + tail for head, tail in cuts for letter in _LETTERS}
    return (missing | swapped | wrong | added) - {word}


def _first_of(mask: NDArray[np.bool_], limit: int) -> Rows:
    """The first so many places that are true, looking no further than needed."""
    parts: list[Rows] = [np.empty(0, np.int32)]
    for start in range(0, len(mask), _BLOCK):
        part = np.flatnonzero(mask[start : start + _BLOCK])[:limit] + start
        parts.append(part.astype(np.int32))
        limit -= len(part)
        if limit <= 0:
            break
    return np.concatenate(parts)
