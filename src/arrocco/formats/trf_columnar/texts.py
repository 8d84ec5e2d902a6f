"""The texts of players as fixed-width UTF-8 bytes, blanks around them cut."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arrocco.formats.trf_columnar.numbers import Words

_SPACE = 0x20


def of_names(fields: NDArray[np.bytes_]) -> NDArray[np.bytes_]:
    """Names, as they stand in their columns."""
    return np.char.strip(narrowed(fields, _SPACE))


def of_words(words: Words) -> NDArray[np.bytes_]:
    """The texts of the first three bytes of each word."""
    texts = words & np.uint32(0xFFFFFF)
    for _ in range(3):
        begins_blank = (texts & np.uint32(0xFF)) == _SPACE
        if begins_blank.any():
            texts >>= np.where(begins_blank, np.uint32(8), np.uint32(0))
    for shift in (16, 8):
        ends_blank = (texts >> np.uint32(shift)) == _SPACE
        if ends_blank.any():
            texts[ends_blank] &= np.uint32((1 << shift) - 1)
    octets = texts.astype("<u4").view(np.uint8).reshape(-1, 4)
    column: Any = np.ascontiguousarray(octets[:, :3]).view("S3")[:, 0]
    narrow: NDArray[np.bytes_] = column
    return narrow


def of_sexes(words: NDArray[np.uint16]) -> NDArray[np.bytes_]:
    """The letter in the second byte of each word."""
    letters = (words >> np.uint16(8)).astype(np.uint8)
    letters[letters == _SPACE] = 0
    column: NDArray[np.bytes_] = letters.view("S1")
    return column


def with_others(column: NDArray[np.bytes_], others: Mapping[int, str]) -> NDArray[np.bytes_]:
    """The column with some texts replaced, as wide as its longest text."""
    if others:
        encoded = {row: text.encode() for row, text in others.items()}
        widest = max(len(text) for text in encoded.values())
        if widest > column.dtype.itemsize:
            column = column.astype(f"S{widest}")
        rows = np.fromiter(encoded, np.intp, len(encoded))
        column[rows] = list(encoded.values())
    return column


def narrowed(column: NDArray[np.bytes_], filler: int = 0) -> NDArray[np.bytes_]:
    """The column no wider than its longest text, which is followed by the filler."""
    width = column.dtype.itemsize
    octets = np.ascontiguousarray(column).view(np.uint8).reshape(-1, width)
    while width > 1 and (octets[:, width - 1] == filler).all():
        width -= 1
    return column.astype(f"S{width}")
