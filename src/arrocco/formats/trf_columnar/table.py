"""The lines of players of many files as one table: a column is one array over all lines.

Lines of the same length are laid end to end, so that each field is a view into them; the views are
copied into arrays that span all lengths. Files with more rounds come first: the players who have a
round are then always the first ones.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import groupby
from operator import attrgetter
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from arrocco.formats.trf_columnar.cut import CELL, FIRST_CELL, LETTER, Cut
from arrocco.formats.trf_columnar.numbers import Mask, word

_FIELDS: Final = {
    "tag": ("<u4", 0),
    "number": ("<u4", 4),
    "sex": ("<u2", 8),
    "title": ("<u4", 10),
    "name": ("S33", 14),
    "after_name": ("u1", 47),
    "rating": ("<u4", 48),
    "federation": ("<u4", 52),
    "id_high": ("<u4", 56),
    "id_middle": ("<u4", 60),
    "id_low": ("<u4", 64),
    "after_id": ("u1", 68),
    "year": ("<u4", 69),
    "month": ("<u4", 73),
    "day": ("<u2", 77),
    "after_birth": ("u1", 79),
    "points": ("<u4", 80),
    "after_points": ("u1", 84),
    "rank": ("<u4", 85),
}
"""Each field with the blank before or after it where that makes a word; columns count from 0."""

NAME: Final = slice(14, 47)
_CELL = np.dtype(
    {
        "names": ["gap", "opponent", "game"],
        "formats": ["<u2", "<u4", "<u4"],
        "offsets": [0, 2, 6],
        "itemsize": CELL,
    }
)
_SPACE: Final = 0x20
_TWO_BLANKS: Final = np.uint16(0x2020)
_GROUP: Final = attrgetter("group")
_TAG: Final = np.uint32(word(b"001 "))


@lru_cache(maxsize=256)
def _layout(stride: int, width: int) -> np.dtype[np.void]:
    """The record of a line of so many bytes with its ending, and so many without."""
    cells = (width - FIRST_CELL) // CELL
    fields: dict[str, tuple[Any, int]] = dict(_FIELDS)
    fields["cells"] = ((_CELL, (cells,)), FIRST_CELL)
    return np.dtype(
        {
            "names": list(fields),
            "formats": [kind for kind, _ in fields.values()],
            "offsets": [offset for _, offset in fields.values()],
            "itemsize": stride,
        }
    )


class Table:
    """The lines of players of some files, by columns.

    `files` are in the order of the table; `first` is where the lines of each begin, with the end.
    `bad` tells the lines that make their file one for the careful reader, `lettered` those whose
    name holds a letter beyond ASCII.
    """

    def __init__(self, cuts: list[Cut]) -> None:
        self.files = sorted(cuts, key=_GROUP)
        counts = [cut.players for cut in self.files]
        self.first = np.concatenate([[0], np.cumsum(counts, dtype=np.int64)])
        self.lines = int(self.first[-1])
        self.file = np.repeat(np.arange(len(self.files), dtype=np.int32), counts)
        self.cells = np.array([cut.cells for cut in self.files], np.int64)
        most = int(self.cells[0]) if len(self.files) else 0
        self.field: dict[str, NDArray[Any]] = {
            name: np.empty(self.lines, kind) for name, (kind, _) in _FIELDS.items()
        }
        self.opponent = np.empty((most, self.lines), np.uint32)
        self.game = np.empty((most, self.lines), np.uint32)
        self.bad: Mask = np.zeros(self.lines, np.bool_)
        self.lettered: Mask = np.zeros(self.lines, np.bool_)
        row = 0
        for (_, stride, ending, letters), group in groupby(self.files, key=_GROUP):
            records = [cut.table for cut in group]
            row = self._lay(records, row, stride, ending, letters=letters)
        self._check_blanks()

    def lines_with_round(self, index: int) -> int:
        """How many lines, all at the start of the table, have a round of that index."""
        return int(self.first[np.count_nonzero(self.cells > index)])

    def _lay(
        self, files: list[bytes | memoryview], row: int, stride: int, end: str, *, letters: bool
    ) -> int:
        """Copies the lines of files with lines of one length; returns the row after them."""
        octets = np.frombuffer(b"".join(files), np.uint8)
        width = stride - len(end)
        records: Any = octets.view(_layout(stride, width))
        last = row + len(records)
        for name in _FIELDS:
            self.field[name][row:last] = records[name]
        cells = records["cells"]
        count = cells.shape[1]
        self.opponent[:count, row:last] = cells["opponent"].T
        self.game[:count, row:last] = cells["game"].T
        bad = self.bad[row:last]
        gaps = np.ascontiguousarray(cells["gap"]) != _TWO_BLANKS
        if gaps.any():
            bad |= gaps.any(axis=1)
        lines = octets.reshape(-1, stride)
        for column in range(FIRST_CELL + CELL * count, width):
            bad |= lines[:, column] != _SPACE
        for column, octet in enumerate(end.encode(), start=width):
            bad |= lines[:, column] != octet
        control = np.count_nonzero(octets < _SPACE)
        if bad.any() or control != len(end) * len(records) or octets.max() >= LETTER:
            self._check_letters(lines[:, :width], row, letters=letters)
        return last

    def _check_letters(self, octets: NDArray[np.uint8], row: int, *, letters: bool) -> None:
        """Letters beyond ASCII are taken in names only, other odd characters nowhere."""
        end = row + len(octets)
        odd = octets - np.uint8(_SPACE) >= np.uint8(LETTER - _SPACE)
        if letters:
            in_names = octets[:, NAME] == LETTER
            self.lettered[row:end] = in_names.any(axis=1)
            odd[:, NAME] &= ~in_names
        if odd.any():
            self.bad[row:end] |= odd.any(axis=1)

    def _check_blanks(self) -> None:
        """The tag and the blank columns that are in no word of a field."""
        field = self.field
        self.bad |= field["tag"] != _TAG
        for name in ("after_name", "after_id", "after_birth", "after_points"):
            self.bad |= field[name] != _SPACE
        for name in ("sex", "federation", "id_high"):
            self.bad |= (field[name] & 0xFF) != _SPACE
        self.bad |= field["title"] >> 24 != _SPACE
