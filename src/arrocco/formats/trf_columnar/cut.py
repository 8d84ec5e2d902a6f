"""Where the players of a file stand: one stretch of lines of equal length, which is a table.

Nothing is copied here but that stretch. What looks unusual is left to the careful reader; what only
seems usual is found out later, when the bytes of all stretches are looked at together.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from arrocco.formats.trf.document import MOST_LINE_BYTES, _decode
from arrocco.formats.trf.seen import Seen

FIRST_CELL: Final = 89
"""Where round 1 begins, counted from 0, with the two blanks before it."""

CELL: Final = 10
"""The columns of a round: two blanks, opponent, blank, colour, blank, result."""

MOST_BYTES: Final = 4 << 20
"""Larger files have fewer players a second to gain, and bounds to be checked against."""

MOST_CELLS: Final = 100

LETTER: Final = 0x7F
"""The byte that stands for any letter beyond ASCII, so that a byte is a column."""

_BEYOND_ASCII = re.compile(r"[^\x00-\x7e]")
_CONTROL = re.compile(r"[\x7f-\x9f]")
_PRINTABLE = bytes(range(0x20, 0x7F))
_PRINTABLE_OR_LETTER = bytes(range(0x20, 0x80))


@dataclass(slots=True)
class Cut:
    """A file cut into its lines of players and the rest."""

    place: int
    """The place of the file among those read together."""
    source: str
    text: str | None
    """The whole text where it holds letters beyond ASCII."""
    encoding: str
    encoding_seen: Seen | None
    players: memoryview
    """The lines of players, each with its ending."""
    start: int
    """Where the players begin in the file."""
    stride: int
    """The bytes of each line of a player, with its ending."""
    ending: str
    before: list[str]
    """The lines before the players."""
    after: list[str]

    @property
    def width(self) -> int:
        """The columns of each line of a player."""
        return self.stride - len(self.ending)

    @property
    def cells(self) -> int:
        """The rounds that fit into the lines."""
        return (self.width - FIRST_CELL) // CELL

    def line(self, row: int) -> str:
        """The text of one player's line."""
        start = row * self.stride
        if self.text is None:
            return str(self.players[start : start + self.width], "ascii")
        return self.text[self.start + start : self.start + start + self.width]

    def line_number(self, row: int) -> int:
        """The number in the file of one player's line."""
        return len(self.before) + row + 1


def cut(place: int, source: str, data: bytes) -> Cut | None:
    """Cuts a file, or returns `None` for one that the careful reader is to see."""
    if len(data) > MOST_BYTES:
        return None
    text: str | None = None
    encoding, seen = "utf-8", None
    printable = _PRINTABLE
    if not data.isascii():
        seen = Seen(source)
        text, encoding = _decode(data, seen)
        if _CONTROL.search(text):
            return None
        data = _BEYOND_ASCII.sub(chr(LETTER), text).encode("ascii")
        printable = _PRINTABLE_OR_LETTER
    if b"\n" not in data:
        data = data.replace(b"\r", b"\n")
        text = None if text is None else text.replace("\r", "\n")
    start = data.find(b"\n001 ") + 1
    end = data.find(b"\n", start) + 1
    if not start or not end:
        return None
    stride = end - start
    ending = "\r\n" if data[end - 2] == 13 else "\n"
    last = data.rfind(b"\n001 ", start - 1) + 1
    end = data.find(b"\n", last) + 1
    if end:
        players, tail = memoryview(data)[start:end], data[end:]
    else:
        # the last line may do without an ending
        players, tail = memoryview(data[start:] + ending.encode()), b""
    width = stride - len(ending)
    if len(players) % stride or not CELL <= width - FIRST_CELL <= CELL * MOST_CELLS:
        return None
    if start + len(tail) > MOST_LINE_BYTES:
        return None
    lines = _lines(data[:start], text and text[:start], ending, printable)
    after: list[str] | None = []
    if tail:
        after = _lines(tail, text and text[len(data) - len(tail) :], ending, printable)
    if lines is None or after is None:
        return None
    return Cut(
        place, source, text, encoding, seen, players, start, stride, ending, lines, after
    )  # fmt: skip


def _lines(data: bytes, text: str | None, ending: str, printable: bytes) -> list[str] | None:
    """The lines of some bytes that end alike and hold nothing unprintable, else `None`."""
    lines = (text if text is not None else data.decode("ascii")).split(ending)
    others = data.translate(None, printable)
    if others != ending.encode() * (len(lines) - 1):
        return None
    if not lines[-1]:
        del lines[-1]
    return lines
