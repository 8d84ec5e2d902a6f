"""Where the players of a file stand: one stretch of lines of equal length, which is a table.

What looks unusual is left to the careful reader; what only seems usual is found out later, when the
bytes of all these stretches are looked at together.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from typing import Final

from arrocco.formats.trf.document import MAX_LINE_BYTES, _decode
from arrocco.formats.trf.seen import Seen

FIRST_CELL: Final = 89
"""Where round 1 begins, counted from 0, with the two blanks before it."""

CELL: Final = 10
"""The columns of a round: two blanks, opponent, blank, colour, blank, result."""

MAX_BYTES: Final = 4 << 20
"""Larger files might exceed the bounds of lines and results, which the careful reader checks."""

MAX_CELLS: Final = 100
"""The rounds that are read by columns."""

LETTER: Final = 0x7F
"""The byte that stands for any letter beyond ASCII, so that a byte is a column."""

_RETURN, _NEWLINE = 13, 10
_CONTROL = re.compile(r"[\x80-\x9f]")
"""Control characters beyond ASCII; the byte C2 begins them in UTF-8, and Latin-1 has them."""
_PRINTABLE = bytes(range(0x20, 0x7F))
_PRINTABLE_OR_LETTER = bytes(range(0x20, 0x80))

_AS_LETTER = "arrocco_as_letter"


def _as_letters(error: UnicodeError) -> tuple[str, int]:
    """Handles what ASCII cannot encode."""
    assert isinstance(error, UnicodeEncodeError)
    return chr(LETTER) * (error.end - error.start), error.end


codecs.register_error(_AS_LETTER, _as_letters)


@dataclass(slots=True)
class Cut:
    """A file cut into its lines of players and the rest."""

    place: int
    """The place of the file among those read together."""
    source: str
    encoding: str
    encoding_seen: Seen | None
    """What is to be said of the encoding of a file with letters beyond ASCII."""
    table: bytes | memoryview
    """The lines of players, all of one length, each with its ending."""
    texts: str | list[str] | None
    """The same as text, where it holds letters; as lines, where these had different lengths."""
    stride: int
    """The bytes of each line of a player, with its ending."""
    ending: str
    before: list[str]
    """The lines before the players."""
    after: list[str]
    players: int
    cells: int
    """The rounds that fit into the lines."""
    is_cut: bool
    """Whether some line ends before its last round does."""
    group: tuple[int, int, str, bool]
    """What files laid together have in common: fewest rounds, length and ending of lines, and
    whether there are letters beyond ASCII."""

    def line(self, row: int) -> str:
        """The text of one player's line as it stands in the file."""
        if isinstance(self.texts, list):
            return self.texts[row]
        start = row * self.stride
        end = start + self.stride - len(self.ending)
        return str(self.table[start:end], "ascii") if self.texts is None else self.texts[start:end]

    def line_number(self, row: int) -> int:
        """The number in the file of one player's line."""
        return len(self.before) + row + 1


def cut(place: int, source: str, data: bytes) -> Cut | None:
    """Cuts a file, or returns `None` for one that the careful reader is to see."""
    if len(data) > MAX_BYTES:
        return None
    text: str | None = None
    encoding, seen = "utf-8", None
    if not data.isascii():
        seen = Seen(source)
        text, encoding = _decode(data, seen)
        if encoding == "latin-1" or b"\x7f" in data or (b"\xc2" in data and _CONTROL.search(text)):
            return None
        data = text.encode("ascii", _AS_LETTER)
    if b"\n" not in data:
        data = data.replace(b"\r", b"\n")
        text = None if text is None else text.replace("\r", "\n")
    start = data.find(b"\n001 ") + 1
    end = data.find(b"\n", start) + 1
    if not start or not end:
        return None
    stride = end - start
    ending = "\r\n" if data[end - 2] == _RETURN else "\n"
    last = data.rfind(b"\n001 ", start - 1) + 1
    end = data.find(b"\n", last) + 1 or len(data)
    rest = len(data) - end
    if start + rest > MAX_LINE_BYTES:
        return None
    before = _lines(data[:start], text and text[:start], ending)
    after = _lines(data[end:], text and text[end:], ending) if rest else []
    if before is None or after is None:
        return None
    table: bytes | memoryview = memoryview(data)[start:end]
    players = text and text[start:end]
    texts: str | list[str] | None = players
    shortest = width = stride - len(ending)
    if len(table) % stride or data[end - 1] != _NEWLINE:
        evened = _evened(data[start:end], players, ending)
        if evened is None:
            return None
        table, texts, shortest, width = evened
        stride = width + len(ending)
    cells = (width - FIRST_CELL) // CELL
    if not 1 <= cells <= MAX_CELLS:
        return None
    return Cut(
        place,
        source,
        encoding,
        seen,
        table,
        texts,
        stride,
        ending,
        before,
        after,
        len(table) // stride,
        cells,
        shortest < FIRST_CELL + CELL * cells,
        (-cells, stride, ending, text is not None),
    )


def _lines(data: bytes, text: str | None, ending: str) -> list[str] | None:
    """The lines of some bytes that end alike and hold nothing unprintable, else `None`."""
    lines = (data.decode("ascii") if text is None else text).split(ending)
    others = data.translate(None, _PRINTABLE if text is None else _PRINTABLE_OR_LETTER)
    if others != ending.encode() * (len(lines) - 1):
        return None
    if not lines[-1]:
        del lines[-1]
    return lines


def _evened(data: bytes, text: str | None, ending: str) -> tuple[bytes, list[str], int, int] | None:
    """Lines of different lengths filled with blanks, their texts, the least and the most length.

    Returns `None` where one long line would make all of them long.
    """
    end = ending.encode()
    lines = data.removesuffix(end).split(end)
    texts = (data.decode("ascii") if text is None else text).removesuffix(ending).split(ending)
    lengths = [len(line) for line in lines]
    width = max(lengths)
    if width * len(lines) > 2 * len(data):
        return None
    table = b"".join([line.ljust(width) + end for line in lines])
    return table, texts, min(lengths), width
