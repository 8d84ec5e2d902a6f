"""Columns of cells, as texts, become a stretch of rows; rows that are not plain go one by one.

XML and CSV share this: both know which text stands in which column only after cutting a record.
Most texts come again and again, so each is worked out once and remembered.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from arrocco.formats.lists.columns import Gathering, Mask, Part, Pool, chosen
from arrocco.formats.lists.row import LARGEST, LeftOut, RowReader, birth_number, is_number
from arrocco.records.ratinglist import UNKNOWN, Int32, Int64

Cells = Mapping[str, Sequence[str]]
"""The texts of many rows by column."""

_BAD = -2
"""Not what the column may hold: the row is read again with care."""
_MAX_REMEMBERED = 200_000
_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f]")


class _Known(dict[str, int]):
    """What each text met so far stands for."""

    def __init__(self, meaning: Callable[[str], int]) -> None:
        super().__init__()
        self._meaning = meaning

    def __missing__(self, text: str) -> int:
        if len(self) > _MAX_REMEMBERED:
            self.clear()
        value = self[text] = self._meaning(text)
        return value

    def of(self, texts: Sequence[str]) -> Int32:
        return np.fromiter(map(self.__getitem__, texts), np.int32, len(texts))


class CellReader:
    """Takes columns of cells into a gathering.

    `tidied` makes a cell the text it stands for, blanks around it gone (XML has escapes to undo).
    """

    def __init__(
        self,
        names: Sequence[str],
        gathering: Gathering,
        rows: RowReader,
        tidied: Callable[[str], str] = str.strip,
    ) -> None:
        self.gathering = gathering
        self.rows = rows
        self.tidied = tidied
        self.known = {
            name: _Known(self._meaning(name)) for name in names if name not in ("id", "name")
        }

    def take(self, cells: Cells, lines: Int64) -> None:
        """Adds the rows of these cells."""
        ids = _ids(cells["id"])
        asked = chosen(ids, self.rows.wanted)
        if asked is not None and not asked.all():
            # Where the player cannot be known the row is looked at whoever was asked for.
            cells, ids, lines = _picked(cells, ids, lines, asked | (ids <= 0))
        if not len(ids):
            return
        columns = {name: known.of(cells[name]) for name, known in self.known.items()}
        good = ids > 0
        for column in columns.values():
            good &= column != _BAD
        names = self._names(cells["name"])
        if names is None:
            plain = [self._names([name]) is not None for name in cells["name"]]
            good &= np.array(plain, np.bool_)
        if names is None or not good.all():
            for row in np.flatnonzero(~good).tolist():
                self._take_row(cells, row, int(lines[row]))
            columns = {name: column[good] for name, column in columns.items()}
            cells, ids, lines = _picked(cells, ids, lines, good)
            names = self._names(cells["name"])
        self.gathering.add(self._part(ids, lines, names, columns))

    def _part(self, ids: Int64, lines: Int64, names: Any, columns: dict[str, Int32]) -> Part:
        codes, numbers = {}, {}
        for name, pool in self.gathering.pools.items():
            blank = np.full(len(ids), pool.code(""), np.int32)
            codes[name] = columns.get(name, blank)
        for name in self.gathering.number_names:
            numbers[name] = columns.get(name, np.full(len(ids), _blank(name), np.int32))
        return Part(ids, lines, names, codes, numbers)

    def _take_row(self, cells: Cells, row: int, line: int) -> None:
        texts = {name: self.tidied(column[row]) for name, column in cells.items()}
        try:
            read = self.rows.read(texts, line)
        except LeftOut:
            return
        if read is not None:
            self.gathering.add_row(read)

    def _names(self, cells: Sequence[str]) -> Any | None:
        """The names as an Arrow column, or `None` when one holds a control character."""
        text = "\n".join(cells)
        if text.count("\n") != max(len(cells) - 1, 0) or _CONTROL.search(text):
            return None
        names = [self.tidied(cell) for cell in cells] if "&" in text else cells
        return pc.utf8_trim_whitespace(pa.array(names, pa.string()))

    def _meaning(self, name: str) -> Callable[[str], int]:
        """What a cell of a column stands for: a number, or the code of a text in its pool."""
        pool = self.gathering.pools.get(name)
        if pool is not None:
            return lambda cell: self._code(cell, pool)
        if name == "birth":
            return _birth
        return lambda cell: _number(cell, _blank(name))

    def _code(self, cell: str, pool: Pool) -> int:
        text = self.tidied(cell)
        return pool.code(text) if text.isprintable() else _BAD


def _blank(name: str) -> int:
    return 0 if name == "birth" or name.endswith("_rating") else UNKNOWN


def _birth(cell: str) -> int:
    birth = birth_number(cell.strip())
    return _BAD if birth is None else birth


def _number(cell: str, blank: int) -> int:
    text = cell.strip()
    if not text:
        return blank
    return int(text) if is_number(text) and int(text) <= LARGEST else _BAD


def _ids(cells: Sequence[str]) -> Int64:
    """The players' numbers; 0 for what is not one."""
    whole = "".join(cells)
    if whole.isascii() and whole.isdigit() and max(map(len, cells)) <= 15 and all(cells):
        return np.fromiter(map(int, cells), np.int64, len(cells))
    return np.array([_id(cell.strip()) for cell in cells], np.int64)


def _id(text: str) -> int:
    return int(text) if is_number(text) and len(text) <= 15 else 0


def _picked(cells: Cells, ids: Int64, lines: Int64, mask: Mask) -> tuple[Cells, Int64, Int64]:
    rows = np.flatnonzero(mask).tolist()
    few = {name: [column[row] for row in rows] for name, column in cells.items()}
    return few, ids[mask], lines[mask]
