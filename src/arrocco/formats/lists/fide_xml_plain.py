"""Plain players of an XML list, a block at a time: one pattern cuts them into columns."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from arrocco.formats.lists.cells import CellReader
from arrocco.formats.lists.columns import REPEATED_TEXTS, Gathering
from arrocco.formats.lists.fide_xml_document import Document, tidy
from arrocco.formats.lists.row import RowReader
from arrocco.records.ratinglist import Int64

_FIRST_TAGS = re.compile(rb"<(\w+)(?:/>|>[^<]*</\1>)")
_ODD_ENTITY = re.compile(r"&(?!(?:amp|lt|gt|quot|apos);)")
_ENTITIES = (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&apos;", "'"), ("&amp;", "&"))


class PlainReader:
    """Reads blocks that have the shape of the file's first player."""

    def __init__(
        self, document: Document, columns: dict[str, str], gathering: Gathering, rows: RowReader
    ) -> None:
        self.encoding = document.encoding
        tags = [tag.decode("ascii") for tag in _FIRST_TAGS.findall(document.first_player)]
        needed = {"id", "name", *REPEATED_TEXTS, *gathering.number_names}
        used = [tag for tag in tags if columns.get(tag) in needed]
        self.names = [columns[tag] for tag in used]
        self.pattern = None
        if {"id", "name"} <= set(self.names) and len(set(tags)) == len(tags):
            self.pattern = _pattern(tags, set(used)) if set(tags) <= set(columns) else None
        self.cells = CellReader(self.names, gathering, rows, _unescaped)

    def read(self, block: bytes, line: int) -> bool:
        """Reads a block if it is plain; otherwise says so and takes nothing from it."""
        if self.pattern is None:
            return False
        try:
            text = block.decode(self.encoding)
        except UnicodeDecodeError:
            return False
        if "&" in text and _ODD_ENTITY.search(text):
            return False
        matches = self.pattern.findall(text)
        if any(row[-1] for row in matches):
            return False
        cells = dict(zip(self.names, zip(*matches, strict=True), strict=False))
        self.cells.take(cells, _lines(block, line))
        return True


def _pattern(tags: Sequence[str], used: set[str]) -> re.Pattern[str]:
    """Matches one player, each used element's text a group; or, in the last group, what is not."""
    elements = "".join(
        rf"\s*+<{tag}(?:/>|>{'([^<]*+)' if tag in used else '[^<]*+'}</{tag}>)" for tag in tags
    )
    return re.compile(rf"<player>{elements}\s*+</player>|(\S++)", re.ASCII)


def _lines(block: bytes, line: int) -> Int64:
    """The line on which each player starts."""
    starts = [match.start() for match in re.finditer(b"<player>", block)]
    ends = np.flatnonzero(np.frombuffer(block, np.uint8) == 10)
    lines: Int64 = line + np.searchsorted(ends, starts)
    return lines


def _unescaped(cell: str) -> str:
    if "&" in cell:
        for entity, character in _ENTITIES:
            cell = cell.replace(entity, character)
    return tidy(cell)
