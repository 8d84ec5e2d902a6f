"""One line of a FIDE text list, cut with care into the cells of a row."""

from __future__ import annotations

import re

from arrocco.formats.lists.columns import REPEATED_TEXTS, Row
from arrocco.formats.lists.layout import Column, Layout
from arrocco.formats.lists.notes import Notes
from arrocco.formats.lists.row import LeftOut, RowReader, decoded
from arrocco.records.ratinglist import Int64

LEGACY_TITLES = {
    "g": "GM",
    "wg": "WGM",
    "m": "IM",
    "wm": "WIM",
    "f": "FM",
    "wf": "WFM",
    "c": "CM",
    "wc": "WCM",
}
"""Titles as written in 2011."""
ONLINE_TITLES = frozenset({"AGM", "AIM", "AFM", "ACM"})


def legacy_sex(flag: str) -> str:
    """The sex, which lists of 2011 tell only by the flag of women."""
    return "F" if "w" in flag else "M"


class LineReader:
    """Reads single lines of one file."""

    def __init__(
        self, layout: Layout, kinds: tuple[str, ...], notes: Notes, wanted: Int64 | None
    ) -> None:
        self.layout = layout
        self.width, self.shortest = layout.width, layout.shortest
        self.notes = notes
        self.columns: dict[str, Column] = {
            name: layout.columns[name]
            for name in ("id", "name", "birth", *REPEATED_TEXTS)
            if name in layout.columns
        }
        for kind in kinds:
            for what in ("rating", "games", "k"):
                column = layout.column_of(kind, what)
                if column is not None:
                    self.columns[f"{kind}_{what}"] = column
        self.rows = RowReader(kinds, notes, wanted, lambda name: self.columns[name].start + 1)

    def read(self, data: bytes, line: int) -> Row | None:
        """The row of a line; `None` for a blank line, one left out or a player not asked for."""
        if not data.strip(b" \x1a\r"):
            return None
        text, is_utf8 = decoded(data.rstrip(b"\r"))
        try:
            cells = self._cells(data.rstrip(b"\r"), text, line)
            oddity = self._mend(cells)
            row = self.rows.read(cells, line)
        except LeftOut:
            return None
        if row is not None:
            if not text.isascii():
                self.notes.count("not_ascii" if is_utf8 else "latin_1", line)
            if oddity:
                self.notes.count(oddity, line)
        return row

    def _cells(self, data: bytes, text: str, line: int) -> dict[str, str]:
        """The text of each column: columns count bytes or, where the line shows it, characters."""
        width = self.width
        by_bytes = self._counts_bytes(data, text)
        length = len(data) if by_bytes else len(text)
        if length < self.shortest:
            self._leave_out("truncated", line, length + 1, length=length, width=width)
        if len(text.rstrip()) > width:
            self._leave_out("too_long", line, width + 1, length=len(text.rstrip()), width=width)
        if by_bytes:
            return {
                name: decoded(data[column.start : column.end])[0].strip(" ")
                for name, column in self.columns.items()
            }
        return {
            name: text[column.start : column.end].strip(" ")
            for name, column in self.columns.items()
        }

    def _counts_bytes(self, data: bytes, text: str) -> bool:
        """Whether columns count bytes. It matters only where a character takes several of them.

        A line of full width shows it by its length. In a line whose blanks at the end were cut it
        shows by the federation, which stands at the very start of its column.
        """
        if len(data) == len(text) or len(text) == self.width:
            return False
        if len(data) == self.width:
            return True
        federation = self.columns["federation"]
        return re.match(rb"\w\w\w", data[federation.start : federation.end]) is not None

    def _leave_out(self, key: str, line: int, column: int, **details: object) -> None:
        self.notes.left_out(key, line, column, **details)
        raise LeftOut

    def _mend(self, cells: dict[str, str]) -> str:
        """Brings old titles up to date and joins titles that ran on; says what it had to join.

        Other titles can run on into the column of online titles. The two columns then touch, and
        what stands in the second is the rest of the first, unless it is an online title itself.
        """
        if self.layout.is_legacy:
            cells["title"] = LEGACY_TITLES.get(cells["title"], cells["title"])
            cells["sex"] = legacy_sex(cells["flag"])
            return ""
        online = cells.get("foa_title", "")
        if not online or online in ONLINE_TITLES:
            return ""
        if len(cells["o_title"].encode()) < self.columns["o_title"].width:
            return ""
        rest, _, online = online.partition(" ")
        cells["o_title"] += rest
        cells["foa_title"] = online.strip(" ")
        return "titles_run_on"
