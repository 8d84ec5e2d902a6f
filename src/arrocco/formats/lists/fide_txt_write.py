"""Writes FIDE's text lists: a matrix of bytes, a row for each line, filled by columns."""

from __future__ import annotations

from datetime import date
from typing import Any, BinaryIO

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from arrocco.errors import Inconsistent
from arrocco.formats.lists.columns import Bytes
from arrocco.formats.lists.combined import Combined
from arrocco.formats.lists.fide_txt_line import ONLINE_TITLES
from arrocco.formats.lists.layout import MONTHS
from arrocco.formats.lists.notes import Notes
from arrocco.formats.lists.registry import KINDS
from arrocco.records.ratinglist import UNKNOWN, Int32, Int64
from arrocco.records.textcolumn import part_of

_STRETCH = 1 << 15
"""Rows written at a time."""
_SPACE = 32
_PERSON = [
    ("id", "ID Number", 15),
    ("name", "Name", 61),
    ("federation", "Fed", 4),
    ("sex", "Sex", 4),
    ("title", "Tit", 5),
    ("w_title", "WTit", 5),
    ("o_title", "OTit", 15),
    ("foa_title", "FOA", 4),
]
_RATING_NAMES = (("SRtng", "SGm", "SK"), ("RRtng", "RGm", "Rk"), ("BRtng", "BGm", "BK"))
_BIRTH_AND_FLAG = [("birth", "B-day", 6), ("flag", "Flag", 4)]
_O_TITLE, _FOA_TITLE = slice(94, 109), slice(109, 113)


def write(rows: Combined, stream: BinaryIO, notes: Notes, on: date | None = None) -> None:
    """Writes the combined layout (162 characters), or that of one kind (136) when `rows` is one.

    A text too long for its column is cut and said so in `notes`, with one exception of the format
    itself: other titles may run on into an empty column of online titles. Of a birth date the list
    holds the year. Raises `Inconsistent` for what cannot be written at all.
    """
    fields = [*_PERSON, *_ratings(rows, on), *_BIRTH_AND_FLAG]
    heading = "".join(name.ljust(width) for _, name, width in fields)
    stream.write(f"{heading}\r\n".encode("ascii"))
    for start in range(0, len(rows), _STRETCH):
        stretch = slice(start, start + _STRETCH)
        ids = rows.id[stretch]
        lines = np.empty((len(ids), len(heading) + 2), np.uint8)
        lines[:, -2:] = (13, 10)
        at = 0
        for name, _, width in fields:
            lines[:, at : at + width] = _cells(rows, stretch, name, width, notes)
            at += width
        _run_on(rows, stretch, lines, notes)
        _refuse_control_characters(lines[:, :-2], ids)
        stream.write(lines.data)


def _ratings(rows: Combined, on: date | None) -> list[tuple[str, str, int]]:
    if "rating" in rows.numbers:
        if on is None:
            raise Inconsistent.of("lists.refused.no_day")
        month = f"{MONTHS[on.month - 1]}{on.year % 100:02d}"
        return [("rating", month, 6), ("games", "Gms", 4), ("k", "K", 3)]
    return [
        (f"{kind}_{what}", name, width)
        for kind, names in zip(KINDS, _RATING_NAMES, strict=True)
        for what, name, width in zip(("rating", "games", "k"), names, (6, 4, 3), strict=True)
    ]


def _cells(rows: Combined, stretch: slice, name: str, width: int, notes: Notes) -> Bytes:
    """The column of one field, each cell filled with blanks to its width."""
    ids = rows.id[stretch]
    if name == "id":
        return _as_matrix(pa.array(ids).cast(pa.string()), width)
    if name == "birth":
        return _YEARS[rows.birth[stretch] // 10_000]
    if name in rows.numbers:
        return _numbers(rows.numbers[name][stretch], width, name, ids)
    texts = part_of(rows.texts[name], stretch)
    if name == "name":
        return _as_matrix(_fitting(texts, width - 1, name, ids, notes), width)
    # Few texts, many rows: the distinct ones are made to fit, then dealt out. Other titles may
    # fill their column to the brim; `_run_on` sees to those.
    room = width if name in ("flag", "o_title") else width - 1
    distinct = texts.dictionary_encode()
    if name != "o_title" and _is_too_long(distinct.dictionary, room):
        distinct = _fitting(texts, room, name, ids, notes).dictionary_encode()
    known = pc.binary_slice(distinct.dictionary.cast(pa.binary()), 0, room).cast(pa.string())
    cells: Bytes = _as_matrix(known, width)[distinct.indices.to_numpy()]
    return cells


def _numbers(values: Int32, width: int, name: str, ids: Int64) -> Bytes:
    low = 0 if name.endswith("rating") else UNKNOWN
    wrong = np.flatnonzero((values < low) | (values >= min(10**width, len(_DIGITS) - 1)))
    if len(wrong):
        row = int(wrong[0])
        raise Inconsistent.of(
            "lists.refused.no_room", id=int(ids[row]), field=name, number=int(values[row])
        )
    cells: Bytes = _DIGITS[values, :width]
    return cells


def _table(texts: list[str]) -> Bytes:
    width = max(map(len, texts))
    whole = "".join(text.ljust(width) for text in texts).encode("ascii")
    return np.frombuffer(whole, np.uint8).reshape(len(texts), width)


_DIGITS = _table([f"{number:<6}" for number in range(10_000)] + [" " * 6])
"""Every number a list holds, left-aligned; the last row, reached by -1, is blank for unknown."""
_YEARS = _table([f"{year:04d}  " for year in range(10_000)])


def _as_matrix(texts: Any, width: int) -> Bytes:
    """Texts as rows of bytes, blanks after them. They must fit."""
    padded = pc.ascii_rpad(texts, width)
    data = np.frombuffer(padded.buffers()[2] or b"", np.uint8, len(padded) * width)
    return data.reshape(len(padded), width)


def _is_too_long(texts: Any, room: int) -> bool:
    return len(texts) > 0 and pc.max(pc.binary_length(texts)).as_py() > room


def _fitting(texts: Any, room: int, name: str, ids: Int64, notes: Notes) -> Any:
    """The same texts, those of more bytes than there is room for cut and noted."""
    if not _is_too_long(texts, room):
        return texts
    cut = texts.to_pylist()
    for row in np.flatnonzero(pc.binary_length(texts).to_numpy() > room):
        cut[row] = _cut(cut[row], room)
        notes.doubt("cut", id=int(ids[row]), field=name, room=room)
    return pa.array(cut, pa.string())


def _cut(text: str, room: int) -> str:
    return text.encode("utf-8")[:room].decode("utf-8", "ignore")


def _run_on(rows: Combined, stretch: slice, lines: Bytes, notes: Notes) -> None:
    """Lets long lists of other titles run on into the column of online titles, if it is free."""
    other, online = (part_of(rows.texts[name], stretch) for name in ("o_title", "foa_title"))
    room = _O_TITLE.stop - _O_TITLE.start
    lengths = pc.binary_length(other).to_numpy()
    for row in np.flatnonzero(lengths >= room):
        text, titles = other[row].as_py(), online[row].as_py()
        if not titles:
            fits = _cut(text, _FOA_TITLE.stop - _O_TITLE.start)
        elif titles in ONLINE_TITLES:
            fits = _cut(text, room)
        else:
            fits = _cut(text, room - 1)
        if fits != text:
            player = int(rows.id[stretch][row])
            notes.doubt("cut", id=player, field="o_title", room=len(fits))
        cells = fits.encode("utf-8").ljust(room)
        lines[row, _O_TITLE.start : _O_TITLE.start + len(cells)] = np.frombuffer(cells, np.uint8)


def _refuse_control_characters(lines: Bytes, ids: Int64) -> None:
    """A line break within a name would make two lines of one."""
    odd = (lines < _SPACE) | (lines == 127)
    if odd.any():
        row = int(np.flatnonzero(odd.any(axis=1))[0])
        raise Inconsistent.of("lists.refused.control_character", id=int(ids[row]))
