"""One row of any list, read with care from the texts of its cells.

This is the one place that says what a cell may hold and what becomes of a row that is wrong. The
fast readers take only what they are sure of and leave every other row to this one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date

import numpy as np

from arrocco.formats.lists.columns import REPEATED_TEXTS, Row
from arrocco.formats.lists.notes import Notes
from arrocco.records.ratinglist import UNKNOWN, Int64

LARGEST = 2**31 - 1
LARGEST_ID = 10**15 - 1
EARLIEST_YEAR, LATEST_YEAR = 1000, 9999
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


class LeftOut(Exception):
    """The row has a defect for which it cannot stand; it is in the notes already."""


class RowReader:
    """Reads the cells of rows of one file.

    Cells are named as columns of lists are: ``id``, ``name``, ``birth``, ``rapid_rating``. A cell
    the file does not have is missing. `column_of` tells where a cell stands in its line, if it can.
    """

    def __init__(
        self,
        kinds: Sequence[str],
        notes: Notes,
        wanted: Int64 | None = None,
        column_of: Callable[[str], int | None] = lambda name: None,
    ) -> None:
        self.kinds = kinds
        self.notes = notes
        self.wanted = wanted
        self.column_of = column_of

    def read(self, cells: Mapping[str, str], line: int) -> Row | None:
        """The row, or `None` when it is not asked for. Raises `LeftOut` after noting a defect."""
        player = self._id(cells, line)
        if self.wanted is not None and not _contains(self.wanted, player):
            return None
        name = cells.get("name", "")
        self._refuse_control_characters(cells, line)
        numbers = {"birth": self._birth(cells, line)}
        for kind in self.kinds:
            numbers[f"{kind}_rating"] = self._rating(f"{kind}_rating", cells, line)
            for what in ("games", "k"):
                numbers[f"{kind}_{what}"] = self._optional(f"{kind}_{what}", cells, line)
        texts = {text: cells[text] for text in REPEATED_TEXTS if text in cells}
        return Row(player, line, name, texts, numbers)

    def leave_out(self, key: str, line: int, cell: str, **details: object) -> None:
        """Notes a defect of a cell and gives the row up."""
        self.notes.left_out(key, line, self.column_of(cell), **details)
        raise LeftOut

    def _id(self, cells: Mapping[str, str], line: int) -> int:
        text = cells.get("id", "")
        if not text:
            self.leave_out("no_id", line, "id")
        if not is_number(text) or not 0 < int(text) <= LARGEST_ID:
            self.leave_out("bad_id", line, "id", text=shown(text))
        return int(text)

    def _rating(self, cell: str, cells: Mapping[str, str], line: int) -> int:
        text = cells.get(cell, "")
        if not text:
            return 0
        if text.startswith("-") and is_number(text[1:]):
            self.leave_out("negative_rating", line, cell, text=shown(text), id=cells["id"])
        if not (is_number(text) and int(text) <= LARGEST):
            self.leave_out("bad_rating", line, cell, text=shown(text), id=cells["id"])
        return int(text)

    def _optional(self, cell: str, cells: Mapping[str, str], line: int) -> int:
        text = cells.get(cell, "")
        if not text:
            return UNKNOWN
        if is_number(text) and int(text) <= LARGEST:
            return int(text)
        key = "bad_k" if cell.endswith("_k") else "bad_games"
        self._doubt(key, cell, text, cells, line)
        return UNKNOWN

    def _birth(self, cells: Mapping[str, str], line: int) -> int:
        text = cells.get("birth", "")
        birth = birth_number(text)
        if birth is None:
            self._doubt("bad_birth", "birth", text, cells, line)
            return 0
        return birth

    def _refuse_control_characters(self, cells: Mapping[str, str], line: int) -> None:
        for cell in ("name", *REPEATED_TEXTS):
            control = _CONTROL.search(cells.get(cell, ""))
            if control:
                self.leave_out("control_character", line, cell, code=ord(control[0]))

    def _doubt(self, key: str, cell: str, text: str, cells: Mapping[str, str], line: int) -> None:
        self.notes.doubt(key, line, self.column_of(cell), text=shown(text), id=cells["id"])


def birth_number(text: str) -> int | None:
    """A year or an ISO day as yyyymmdd, 0 when there is none; `None` for anything else."""
    if is_number(text):
        year = int(text)
        if year and not EARLIEST_YEAR <= year <= LATEST_YEAR:
            return None
        return year * 10_000
    if not text:
        return 0
    try:
        day = date.fromisoformat(text) if len(text) == 10 else None
    except ValueError:
        day = None
    return None if day is None else day.year * 10_000 + day.month * 100 + day.day


def is_number(text: str) -> bool:
    """Whether a text is digits and nothing else, and not absurdly many."""
    return text.isascii() and text.isdigit() and len(text) <= 20


def shown(text: str) -> str:
    """A text as findings show it: a wrong cell can be of any length."""
    return text if len(text) <= 40 else f"{text[:40]}…"


def decoded(data: bytes) -> tuple[str, bool]:
    """Bytes as text: UTF-8, or Latin-1 where they are not; and whether they were UTF-8."""
    try:
        return data.decode("utf-8"), True
    except UnicodeDecodeError:
        return data.decode("latin-1"), False


def _contains(wanted: Int64, player: int) -> bool:
    index = int(np.searchsorted(wanted, player))
    return index < len(wanted) and int(wanted[index]) == player
