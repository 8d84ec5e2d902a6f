"""Columns of texts, kept as Arrow has them until somebody looks at single texts.

A list of two million players that is read and written again needs none of their names as a Python
string. `TextColumn` turns a column into NumPy's when it is asked for, once and for good: what is
changed in place is changed in the list.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Text = NDArray[np.object_]
ArrowText = Any
"""An array of Arrow's: of strings, or of numbers into a dictionary of few different ones."""


class TextColumn:
    """An attribute that is a NumPy array of texts for whoever reads it; Arrow's may be set."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, record: Any, owner: type) -> Text:
        if record is None:
            raise AttributeError(self.name)  # a dataclass asks for a default: there is none
        column = as_numpy(record.__dict__[self.name])
        record.__dict__[self.name] = column
        return column

    def __set__(self, record: Any, column: Text | ArrowText) -> None:
        record.__dict__[self.name] = column


def as_numpy(column: Text | ArrowText) -> Text:
    """The texts as Python's own; equal ones of a dictionary are one object."""
    if isinstance(column, np.ndarray):
        return column
    texts: Text = column.to_numpy(zero_copy_only=False)
    return texts


def text_at(column: Text | ArrowText, row: int) -> str:
    """One text, without making the others."""
    return str(column[row] if isinstance(column, np.ndarray) else column[row].as_py())


def as_arrow(column: Text | ArrowText) -> ArrowText:
    """The texts as an array of strings, or of several."""
    import pyarrow as pa

    if isinstance(column, np.ndarray):
        return pa.array(column, pa.string())
    return column.cast(pa.string()) if is_dictionary(column) else column


def part_of(column: Text | ArrowText, rows: slice) -> ArrowText:
    """Some rows as one array of strings."""
    part = as_arrow(column[rows])
    return part.combine_chunks() if hasattr(part, "chunks") else part


def is_dictionary(column: Text | ArrowText) -> bool:
    """Whether a column is numbers into few different words."""
    return hasattr(column, "dictionary")


def words_of(column: Text | ArrowText) -> tuple[list[str], NDArray[np.integer[Any]]]:
    """The different words of a column, and which of them each row has."""
    encoded: Any = column
    if not is_dictionary(column):
        encoded = as_arrow(column).dictionary_encode()
        if hasattr(encoded, "combine_chunks"):
            encoded = encoded.combine_chunks()
    return encoded.dictionary.to_pylist(), encoded.indices.to_numpy()


def of_words(words: Sequence[str], codes: NDArray[np.integer[Any]]) -> ArrowText:
    """A column of few different words."""
    import pyarrow as pa

    return pa.DictionaryArray.from_arrays(pa.array(codes), pa.array(words, pa.string()))


def with_more(column: Text | ArrowText, texts: Sequence[str]) -> Text | ArrowText:
    """A column with texts added at its end, kept as it is kept."""
    if isinstance(column, np.ndarray):
        return np.concatenate([column, np.array(texts, dtype=np.object_)])
    import pyarrow as pa

    if is_dictionary(column):
        words, codes = words_of(column)
        places = {word: code for code, word in enumerate(words)}
        more = [places.setdefault(text, len(places)) for text in texts]
        return of_words(list(places), np.concatenate([codes, np.array(more, dtype=codes.dtype)]))
    chunks = column.chunks if hasattr(column, "chunks") else [column]
    return pa.chunked_array([*chunks, pa.array(texts, pa.string())], pa.string())


def taken(column: Text | ArrowText, rows: NDArray[np.int64]) -> Text | ArrowText:
    """The rows of a column, in the order in which they are named."""
    if isinstance(column, np.ndarray):
        return column[rows]
    import pyarrow as pa

    return column.take(pa.array(rows))
