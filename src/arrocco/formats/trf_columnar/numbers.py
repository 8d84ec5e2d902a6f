"""Numbers in columns, for all lines at once.

Four columns are one word of four bytes. Every word is read as if it held digits, and the number is
written back: where that gives the same four bytes the columns were regular.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Words = NDArray[np.uint32]
Mask = NDArray[np.bool_]

BLANK: Final = np.uint32(0x20202020)
"""Four blanks."""

NO_POINTS: Final = -(2**31)
"""Stands for points that are not given; points themselves may be negative."""

_NO_TEXT = b"\xff\xff\xff\xff"
_MAX_NUMBER: Final = 15 * 1111
"""The largest number that four bytes can be read as, digits or not."""


def word(text: bytes) -> int:
    """The number that a word of up to four bytes is in memory."""
    return int.from_bytes(text, "little")


def _written(form: str) -> Words:
    texts = [form.format(number).encode() for number in range(10_000)]
    return np.array(
        [word(text) for text in texts] + [word(_NO_TEXT)] * (_MAX_NUMBER - 9_999), np.uint32
    )


_TO_THE_RIGHT = _written("{:>4}")
_WITH_ZEROS = _written("{:04}")
_POINTS = np.full(_MAX_NUMBER + 1, word(_NO_TEXT), np.uint32)
_POINTS[:1000] = [word(f"{tenths // 10:>2}.{tenths % 10}".encode()) for tenths in range(1000)]


def number(words: Words) -> Words:
    """The number of four digits; blanks count as zeros, other bytes give any number."""
    digits = words & np.uint32(0x0F0F0F0F)
    pairs = digits * np.uint32(10) + (digits >> np.uint32(8))
    total: Words = (pairs & np.uint32(0xFF)) * np.uint32(100)
    total += (pairs >> np.uint32(16)) & np.uint32(0xFF)
    return total


def is_to_the_right(words: Words, numbers: Words) -> Mask:
    """Whether a number stands to the right of its four columns without zeros before it."""
    mask: Mask = _TO_THE_RIGHT.take(numbers) == words
    return mask


def is_with_zeros(words: Words, numbers: Words) -> Mask:
    """Whether all four columns hold digits."""
    mask: Mask = _WITH_ZEROS.take(numbers) == words
    return mask


def whole(words: Words) -> tuple[Words, Mask]:
    """Numbers of up to four digits, 0 for a blank, and where the columns hold one or a blank."""
    value = number(words)
    fine = is_to_the_right(words, value)
    if not fine.all():
        fine |= (words == BLANK) | is_with_zeros(words, value)
    return value, fine


def tenths(words: Words) -> tuple[NDArray[np.int32], Mask]:
    """Points as ``11.5`` or `` 4.5`` in tenths, and where the columns hold them so."""
    digits = words & np.uint32(0x0F0F0F0F)
    total = (digits & np.uint32(0xFF)) * np.uint32(100)
    total += ((digits >> np.uint32(8)) & np.uint32(0xFF)) * np.uint32(10)
    total += digits >> np.uint32(24)
    return total.astype(np.int32), _POINTS.take(total) == words


def long(high: Words, middle: Words, low: Words) -> tuple[NDArray[np.int64], Mask]:
    """Numbers of up to twelve digits in as many columns, 0 for a blank, and where they stand so."""
    fine = np.ones(len(low), np.bool_)
    total: Any = np.zeros(len(low), np.int64)
    begun = np.zeros(len(low), np.bool_)
    for words in (high, middle, low):
        value = number(words)
        blank = words == BLANK
        fine &= np.where(begun, is_with_zeros(words, value), is_to_the_right(words, value) | blank)
        begun |= ~blank
        total = total * 10_000 + value
    return total, fine
