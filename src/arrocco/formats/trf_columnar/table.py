"""The lines of players of many files as one table: a column is one array over all lines.

Lines of the same length are laid end to end, so that each field is a view into them; the views are
copied into arrays that span all lengths. Files with more rounds come first: the players who have a
round are then always the first ones.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import groupby
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
_CELL = np.dtype({
    "names": ["gap", "opponent", "game"], "formats": ["<u2", "<u4", "<u4"],
    "offsets": [0, 2, 6], "itemsize": CELL,
})  # fmt: skip
_SPACE: Final = 0x20
_TWO_BLANKS: Final = np.uint16(0x2020)
_TAG: Final = np.uint32(word(b"001 "))
_ENDING: Final = {"\n": np.uint8(10), "\r\n": np.uint16(0x0A0D)}


@lru_cache(maxsize=256)
def _layout(stride: int, ending: int) -> np.dtype[np.void]:
    """The record of a line of so many bytes, the last ones being its ending."""
    cells, rest = divmod(stride - ending - FIRST_CELL, CELL)
    fields: dict[str, tuple[Any, int]] = dict(_FIELDS)
    fields["cells"] = ((_CELL, (cells,)), FIRST_CELL)
    fields["rest"] = (("u1", (rest,)), FIRST_CELL + CELL * cells)
    fields["ending"] = (f"<u{ending}", stride - ending)
    return np.dtype({
        "names": list(fields), "formats": [kind for kind, _ in fields.values()],
        "offsets": [offset for _, offset in fields.values()], "itemsize": stride,
    })  # fmt: skip


class Table:
    """The lines of players of some files, by columns.

    `files` are in the order of the table; `first` is where the lines of each begin, with the end.
    `bad` tells the lines that make their file one for the careful reader, `lettered` those whose
    name holds a letter beyond ASCII.
    """

    def __init__(self, cuts: list[Cut]) -> None:
        self.files = sorted(cuts, key=lambda cut: (-cut.cells, cut.stride, len(cut.ending)))
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
        for _, group in groupby(self.files, key=lambda cut: (cut.stride, cut.ending)):
            row = self._lay(list(group), row)
        self._check_blanks()

    def lines_with_round(self, index: int) -> int:
        """How many lines, all at the start of the table, have a round of that index."""
        return int(self.first[np.count_nonzero(self.cells > index)])

    def _lay(self, cuts: list[Cut], row: int) -> int:
        """Copies the lines of files with lines of one length; returns the row after them."""
        stride, ending = cuts[0].stride, len(cuts[0].ending)
        octets = np.frombuffer(b"".join([cut.table for cut in cuts]), np.uint8)
        records: Any = octets.view(_layout(stride, ending))
        end = row + len(records)
        for name in _FIELDS:
            self.field[name][row:end] = records[name]
        cells = records["cells"]
        count = cells.shape[1]
        self.opponent[:count, row:end] = cells["opponent"].T
        self.game[:count, row:end] = cells["game"].T
        bad = self.bad[row:end]
        gaps = np.ascontiguousarray(cells["gap"]) != _TWO_BLANKS
        if gaps.any():
            bad |= gaps.any(axis=1)
        bad |= (records["rest"] != _SPACE).any(axis=1)
        bad |= records["ending"] != _ENDING[cuts[0].ending]
        printable = octets - np.uint8(_SPACE) < np.uint8(LETTER - _SPACE)
        if np.count_nonzero(printable) != len(octets) - ending * len(records):
            self._check_letters(octets.reshape(-1, stride)[:, :-ending], row, cuts)
        return end

    def _check_letters(self, octets: NDArray[np.uint8], row: int, cuts: list[Cut]) -> None:
        """Letters beyond ASCII are taken in names only."""
        end = row + len(octets)
        odd = octets - np.uint8(_SPACE) >= np.uint8(LETTER - _SPACE)
        lettered = (odd[:, NAME] & (octets[:, NAME] == LETTER)).any(axis=1)
        may_have_letters = np.repeat(
            [cut.encoding_seen is not None for cut in cuts], [cut.players for cut in cuts]
        )
        in_name = odd[:, NAME] & (octets[:, NAME] != LETTER)
        self.bad[row:end] |= in_name.any(axis=1) | (lettered & ~may_have_letters)
        odd[:, NAME] = False
        self.bad[row:end] |= odd.any(axis=1)
        self.lettered[row:end] = lettered

    def _check_blanks(self) -> None:
        """The tag and the blank columns that are in no word of a field."""
        field = self.field
        self.bad |= field["tag"] != _TAG
        for name in ("after_name", "after_id", "after_birth", "after_points"):
            self.bad |= field[name] != _SPACE
        for name in ("sex", "federation"):
            self.bad |= (field[name] & 0xFF) != _SPACE
        self.bad |= field["title"] >> 24 != _SPACE
