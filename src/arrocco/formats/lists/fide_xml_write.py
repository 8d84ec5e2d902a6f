"""Writes FIDE's XML lists: few distinct pieces, each made once, dealt out to rows and joined.

A list of millions repeats itself: the same federations, titles, ratings. Elements that vary little
together (sex and titles, games and K) form a group; each distinct group is written once, and a row
is a handful of such pieces.
"""

from __future__ import annotations

from typing import Any, BinaryIO

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from arrocco.errors import Inconsistent
from arrocco.formats.lists.combined import Combined
from arrocco.formats.lists.fide_xml_document import ELEMENTS
from arrocco.formats.lists.registry import KINDS
from arrocco.records.ratinglist import UNKNOWN, Int64
from arrocco.records.textcolumn import part_of

_STRETCH = 1 << 16
"""Rows written at a time."""
_TITLES = ("sex", "title", "w_title", "o_title", "foa_title")
_TAGS = {name: tag for tag, name in ELEMENTS.items()}
_ESCAPES = (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"))


def write(rows: Combined, stream: BinaryIO) -> None:
    """Writes the combined form, or that of one kind when `rows` is one.

    What a list does not know is an empty element. Of a birth date the list holds the year. Raises
    `Inconsistent` for a text XML cannot hold.
    """
    stream.write(b"<playerslist>\n")
    for start in range(0, len(rows), _STRETCH):
        stretch = slice(start, start + _STRETCH)
        pieces: list[Any] = [
            "<player>\n<fideid>",
            pa.array(rows.id[stretch]).cast(pa.string()),
            "</fideid>\n<name>",
            _names(rows, stretch),
            "</name>\n",
        ]
        pieces += [_group(rows, stretch, names) for names in _groups(rows)]
        players = pc.binary_join_element_wise(*pieces, "</player>\n", "")
        stream.write(players.buffers()[2] or b"")
    stream.write(b"</playerslist>\n")


def _groups(rows: Combined) -> list[tuple[str, ...]]:
    """The elements after the name, in the order of the format, those that vary together joined."""
    ratings = [("rating",), ("games", "k")]
    if "rating" not in rows.numbers:
        ratings = [
            group
            for kind in KINDS
            for group in ((f"{kind}_rating",), (f"{kind}_games", f"{kind}_k"))
        ]
    return [("federation",), _TITLES, *ratings, ("birth", "flag")]


def _group(rows: Combined, stretch: slice, names: tuple[str, ...]) -> Any:
    """One piece of XML for each row: the elements of these columns, ends of line included."""
    columns = [_distinct(rows, stretch, name) for name in names]
    codes: Int64 = np.zeros(len(rows.id[stretch]), np.int64)
    for known, indices in columns:
        codes = codes * len(known) + indices
    together = pa.array(codes).dictionary_encode()
    left = together.dictionary.to_numpy()
    pieces: list[Any] = []
    for known, _ in reversed(columns):
        left, index = np.divmod(left, max(len(known), 1))
        pieces.insert(0, known.take(pa.array(index)))
    return pc.binary_join_element_wise(*pieces, "").take(together.indices)


def _distinct(rows: Combined, stretch: slice, name: str) -> tuple[Any, Int64]:
    """The distinct elements of a column, and which of them each row has."""
    if name in rows.texts:
        encoded = part_of(rows.texts[name], stretch).dictionary_encode()
        known = _escaped(encoded.dictionary, encoded.indices.to_numpy(), rows.id[stretch])
    else:
        values = rows.birth[stretch] // 10_000 if name == "birth" else rows.numbers[name][stretch]
        nothing = 0 if name == "birth" else UNKNOWN
        encoded = pa.array(values).dictionary_encode()
        texts = ["" if v == nothing else str(v) for v in encoded.dictionary.to_pylist()]
        known = pa.array(texts, pa.string())
    tag = _TAGS.get(name, name)
    elements = pc.binary_join_element_wise(f"<{tag}>", known, f"</{tag}>\n", "")
    return elements, encoded.indices.to_numpy()


def _names(rows: Combined, stretch: slice) -> Any:
    names = part_of(rows.texts["name"], stretch)
    return _escaped(names, np.arange(len(names)), rows.id[stretch])


def _escaped(texts: Any, used: Any, ids: Int64) -> Any:
    """The texts with markup made harmless; `used` says which text each row has."""
    data = np.frombuffer(texts.buffers()[2] or b"", np.uint8)
    if (data < 32).any() or (data == 127).any():
        odd = pc.match_substring_regex(texts, "[\\x00-\\x1f\\x7f]").to_numpy(zero_copy_only=False)
        row = int(np.flatnonzero(odd[used])[0])
        raise Inconsistent.of("lists.refused.control_character", id=int(ids[row]))
    for character, escape in _ESCAPES:
        if (data == ord(character)).any():
            texts = pc.replace_substring(texts, character, escape)
    return texts
