"""Rows gathered from a file in any order become the sorted columns of rating lists.

Readers hand over stretches of rows (`Part`) as they come. Texts that repeat (federation, title,
flag) are kept as numbers into a pool, names as Arrow strings, and so they are in the finished list
until somebody looks at single ones (`records.textcolumn`).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from arrocco.errors import Malformed
from arrocco.records.ratinglist import UNKNOWN, Int32, Int64, RatingList
from arrocco.records.textcolumn import ArrowText, as_numpy, of_words, taken

Bytes = NDArray[np.uint8]
Mask = NDArray[np.bool_]

OWN_TEXTS = ("federation", "sex", "title", "flag")
EXTRA_TEXTS = ("w_title", "o_title", "foa_title")
REPEATED_TEXTS = OWN_TEXTS + EXTRA_TEXTS


class Pool:
    """The distinct texts of a column, numbered as they first appear."""

    def __init__(self) -> None:
        self._codes: dict[str, int] = {}

    def code(self, text: str) -> int:
        return self._codes.setdefault(text, len(self._codes))

    def of_texts(self, texts: Sequence[str]) -> Int32:
        return np.fromiter(map(self.code, texts), np.int32, len(texts))

    def of_fields(self, fields: Bytes) -> Int32:
        """The codes of fixed-width ASCII fields, one in each row, blanks around them cut."""
        rows, width = fields.shape
        packed = pa.py_buffer(np.ascontiguousarray(fields))
        array = pa.FixedSizeBinaryArray.from_buffers(pa.binary(width), rows, [None, packed])
        encoded = array.dictionary_encode()
        texts = [value.decode("ascii").strip() for value in encoded.dictionary.to_pylist()]
        codes: Int32 = self.of_texts(texts)[encoded.indices.to_numpy()]
        return codes

    def column(self, codes: Int32) -> ArrowText:
        return of_words(list(self._codes), codes)


@dataclass
class Part:
    """A stretch of rows. `numbers` holds ``birth`` and, by kind, ``standard_rating`` and so on."""

    id: Int64
    line: Int64
    name: Any
    codes: dict[str, Int32]
    numbers: dict[str, Int32]

    def __len__(self) -> int:
        return len(self.id)


@dataclass
class Row:
    """One row read with care, ready to join its stretch."""

    id: int
    line: int
    name: str
    texts: dict[str, str]
    numbers: dict[str, int]


class Gathering:
    """The parts of one file on their way to lists."""

    def __init__(self, file: str, kinds: Sequence[str], texts: Sequence[str]) -> None:
        self.file = file
        self.kinds = tuple(kinds)
        self.texts = tuple(texts)
        self.pools = {text: Pool() for text in texts}
        self._parts: list[Part] = []
        self._rows: list[Row] = []

    @property
    def number_names(self) -> tuple[str, ...]:
        """The number columns every part brings."""
        of_kinds = (f"{kind}_{what}" for kind in self.kinds for what in ("rating", "games", "k"))
        return ("birth", *of_kinds)

    def add(self, part: Part) -> None:
        if len(part):
            self._parts.append(part)

    def add_row(self, row: Row) -> None:
        self._rows.append(row)

    def _rows_as_part(self) -> Part:
        rows = self._rows
        return Part(
            id=np.array([row.id for row in rows], np.int64),
            line=np.array([row.line for row in rows], np.int64),
            name=pa.array([row.name for row in rows], pa.string()),
            codes={
                text: self.pools[text].of_texts([row.texts.get(text, "") for row in rows])
                for text in self.texts
            },
            numbers={
                name: np.array([row.numbers[name] for row in rows], np.int32)
                for name in self.number_names
            },
        )

    def lists(self, on: date | None = None) -> dict[str, RatingList]:
        """The finished lists by kind; columns that all kinds share are the same arrays.

        Raises `Malformed` when an id stands on two lines.
        """
        if self._rows or not self._parts:
            self._parts.append(self._rows_as_part())
            self._rows = []
        parts = self._parts
        ids = np.concatenate([part.id for part in parts])
        order = None if _is_rising(ids) else np.argsort(ids, kind="stable")
        if order is not None:
            ids = ids[order]
        self._refuse_repeated(ids, order)
        names = pa.chunked_array([part.name for part in parts], pa.string())
        shared: dict[str, Any] = {
            "id": ids,
            "name": names if order is None else taken(names, order),
        }
        for text in self.texts:
            column = self.pools[text].column(
                _ordered(np.concatenate([part.codes[text] for part in parts]), order)
            )
            shared[text] = as_numpy(column) if text in EXTRA_TEXTS else column
        if len(self.kinds) > 1:  # then all lists have the same texts, made once
            shared = {name: as_numpy(column) for name, column in shared.items()}
        numbers = {
            name: _ordered(np.concatenate([part.numbers[name] for part in parts]), order)
            for name in self.number_names
        }
        return {kind: self._list(kind, shared, numbers, on) for kind in self.kinds}

    def _list(
        self, kind: str, shared: Mapping[str, Any], numbers: Mapping[str, Int32], on: date | None
    ) -> RatingList:
        empty = None
        own = {}
        for text in OWN_TEXTS:
            if text not in shared and empty is None:
                empty = np.full(len(shared["id"]), "", dtype=object)
            own[text] = shared.get(text, empty)
        return RatingList(
            id=shared["id"],
            name=shared["name"],
            **own,
            rating=numbers[f"{kind}_rating"],
            games=numbers[f"{kind}_games"],
            k=numbers[f"{kind}_k"],
            birth=numbers["birth"],
            system=kind,
            on=on,
            source=self.file,
            extra={text: shared[text] for text in EXTRA_TEXTS if text in shared},
        )

    def _refuse_repeated(self, ids: Int64, order: Int64 | None) -> None:
        repeated = np.flatnonzero(ids[1:] == ids[:-1])
        if not len(repeated):
            return
        lines = _ordered(np.concatenate([part.line for part in self._parts]), order)
        first = int(repeated[0])
        earlier, later = sorted((int(lines[first]), int(lines[first + 1])))
        several = len(repeated) > 1
        raise Malformed.of(
            "lists.refused.players_repeated" if several else "lists.refused.player_repeated",
            file=self.file,
            id=int(ids[first]),
            one=earlier,
            two=later,
            rows=len(repeated),
        )


def unknown(rows: int) -> Int32:
    """A number column the file does not have."""
    return np.full(rows, UNKNOWN, np.int32)


def chosen(ids: Int64, only: Int64 | None) -> Mask | None:
    """Which of the ids are asked for; `None` when all are. `only` is sorted."""
    if only is None:
        return None
    if not len(only):
        return np.zeros(len(ids), np.bool_)
    nearest = only[np.minimum(np.searchsorted(only, ids), len(only) - 1)]
    mask: Mask = nearest == ids
    return mask


def sorted_ids(only: Collection[int] | None) -> Int64 | None:
    return None if only is None else np.array(sorted(set(only)), np.int64)


def _is_rising(ids: Int64) -> bool:
    return bool(np.all(ids[1:] >= ids[:-1]))


def _ordered(column: Any, order: Int64 | None) -> Any:
    return column if order is None else column[order]
