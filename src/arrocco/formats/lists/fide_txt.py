"""FIDE's text lists: fixed-width lines read as matrices of bytes, odd lines one by one.

The file is read in blocks of whole lines. Lines of the usual length in plain ASCII are cut into
columns all at once; every line that is in any way unusual goes through `fide_txt_line`, which
reads it with care and says what is wrong with it. A test proves that both give the same rows.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import BinaryIO

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from arrocco.errors import Malformed
from arrocco.formats.lists.columns import (
    REPEATED_TEXTS,
    Bytes,
    Gathering,
    Mask,
    Part,
    chosen,
    sorted_ids,
    unknown,
)
from arrocco.formats.lists.fide_txt_line import LEGACY_TITLES, LineReader, legacy_sex
from arrocco.formats.lists.layout import Column, Layout, from_heading
from arrocco.formats.lists.notes import Notes
from arrocco.formats.lists.row import EARLIEST_YEAR, LATEST_YEAR
from arrocco.records.ratinglist import UNKNOWN, Int32, Int64, RatingList
from arrocco.records.textcolumn import as_numpy

_BLOCK = 1 << 21
"""Bytes read at a time: small enough that a block and its columns stay in the processor's cache."""
_LONGEST_LINE = 1 << 16
_NEWLINE, _RETURN, _SPACE = 10, 13, 32


def read(
    stream: BinaryIO,
    file: str,
    kinds: Sequence[str],
    notes: Notes,
    only: Collection[int] | None = None,
) -> dict[str, RatingList]:
    """Reads the asked kinds of rating from a text list, of all players or of `only` some.

    For a list of one kind `kinds` names it. Raises `Malformed` when the heading is unknown or a
    player stands on two lines; defects of single lines go to `notes`.
    """
    lines = _Lines(stream, file)
    layout = from_heading(lines.heading, file)
    if not layout.is_usual:
        notes.note("unusual_layout", layout=layout.name)
    texts = [text for text in REPEATED_TEXTS if text in layout.columns or text == "sex"]
    gathering = Gathering(file, kinds, texts)
    wanted = sorted_ids(only)
    reader = _Reader(layout, gathering, notes, wanted)
    for block, first_line in lines:
        reader.block(block, first_line)
    return gathering.lists(layout.on)


def kinds(stream: BinaryIO, file: str) -> tuple[str, ...]:
    """The kinds of rating in a list, from its first line; ``("",)`` for a list of one kind."""
    return from_heading(_Lines(stream, file).heading, file).kinds


def write(rating_list: RatingList, stream: BinaryIO, notes: Notes) -> None:
    """Writes a list of one kind, with its month in the heading."""
    from arrocco.formats.lists import combined, fide_txt_write

    fide_txt_write.write(combined.alone(rating_list), stream, notes, rating_list.on)


def write_combined(lists: Mapping[str, RatingList], stream: BinaryIO, notes: Notes) -> None:
    """Writes lists by kind as one combined file."""
    from arrocco.formats.lists import combined, fide_txt_write

    fide_txt_write.write(combined.combine(lists), stream, notes)


class _Lines:
    """The heading, then the blocks of whole lines with the number of their first line."""

    def __init__(self, stream: BinaryIO, file: str) -> None:
        self._stream = stream
        self._file = file
        start = stream.read(_LONGEST_LINE).removeprefix(b"\xef\xbb\xbf")
        self.end = b"\n" if b"\n" in start else b"\r"
        first, end, self._rest = start.partition(self.end)
        if not end and len(start) >= _LONGEST_LINE:
            raise Malformed.of("lists.refused.endless_first_line", file=file)
        self.heading = first.decode("latin-1").rstrip()

    def __iter__(self) -> Iterator[tuple[Bytes, int]]:
        line, rest = 2, self._rest
        while True:
            data = self._stream.read(_BLOCK)
            block = rest + data
            if not data and block and not block.endswith(self.end):
                block += self.end
            cut = block.rfind(self.end) + 1
            rest = block[cut:]
            if len(rest) > _LONGEST_LINE:
                raise Malformed.of("lists.refused.endless_line", file=self._file, line=line)
            whole = np.frombuffer(block, np.uint8, cut)
            if self.end == b"\r":
                whole = np.where(whole == _RETURN, np.uint8(_NEWLINE), whole)
            if cut:
                yield whole, line
                line += int(np.count_nonzero(whole == _NEWLINE))
            if not data:
                return


class _Reader:
    """Turns blocks of lines into parts of lists."""

    def __init__(
        self, layout: Layout, gathering: Gathering, notes: Notes, wanted: Int64 | None
    ) -> None:
        self.layout = layout
        self.gathering = gathering
        self.wanted = wanted
        self.careful = LineReader(layout, gathering.kinds, notes, wanted)

    def block(self, block: Bytes, first_line: int) -> None:
        matrix = _as_matrix(block, self.layout.width)
        if matrix is not None:
            lines = np.arange(first_line, first_line + len(matrix), dtype=np.int64)
            self._matrix(matrix, lines)
            return
        ends = np.flatnonzero(block == _NEWLINE)
        starts = np.concatenate([[0], ends[:-1] + 1])
        ends = ends - ((ends > starts) & (block[ends - 1] == _RETURN))
        lines = np.arange(first_line, first_line + len(starts), dtype=np.int64)
        lengths = ends - starts
        usual = (lengths >= self.layout.shortest) & (lengths <= self.layout.width)
        padded = _padded(block, starts[usual], lengths[usual], self.layout.width)
        # Filled up, a line with accents could no longer show whether its columns count bytes.
        plain = _is_plain(padded)
        usual[np.flatnonzero(usual)[~plain]] = False
        if usual.any():
            self._matrix(padded[plain], lines[usual])
        for row in np.flatnonzero(~usual & (lengths > 0)):
            self._line(block[starts[row] : ends[row]].tobytes(), int(lines[row]))

    def _matrix(self, matrix: Bytes, lines: Int64) -> None:
        """Reads lines of full width: plain ones all at once, the others one by one."""
        plain = _is_plain(matrix)
        ids, fine = _numbers(matrix, self.layout.columns["id"])
        plain &= fine & (ids > 0)
        if not plain.all():
            for row in np.flatnonzero(~plain):
                self._line(matrix[row].tobytes(), int(lines[row]))
            matrix, lines, ids = matrix[plain], lines[plain], ids[plain]
        asked = chosen(ids, self.wanted)
        if asked is not None:
            matrix, lines, ids = matrix[asked], lines[asked], ids[asked]
        if len(ids):
            self._columns(matrix, lines, ids)

    def _columns(self, matrix: Bytes, lines: Int64, ids: Int64) -> None:
        numbers, good = self._number_columns(matrix)
        good &= ~self._titles_overflow(matrix)
        if not good.all():
            for row in np.flatnonzero(~good):
                self._line(matrix[row].tobytes(), int(lines[row]))
            matrix, lines, ids = matrix[good], lines[good], ids[good]
            numbers = {name: column[good] for name, column in numbers.items()}
        self.gathering.add(Part(ids, lines, self._names(matrix), self._codes(matrix), numbers))

    def _line(self, line: bytes, number: int) -> None:
        row = self.careful.read(line, number)
        if row is not None:
            self.gathering.add_row(row)

    def _number_columns(self, matrix: Bytes) -> tuple[dict[str, Int32], Mask]:
        birth, good = _numbers(matrix, self.layout.columns["birth"])
        good &= (birth == 0) | ((birth >= EARLIEST_YEAR) & (birth <= LATEST_YEAR))
        numbers = {"birth": (birth * 10_000).astype(np.int32)}
        for kind in self.gathering.kinds:
            for what in ("rating", "games", "k"):
                column = self.layout.column_of(kind, what)
                if column is None:
                    numbers[f"{kind}_{what}"] = unknown(len(matrix))
                    continue
                values, fine = _numbers(matrix, column, 0 if what == "rating" else UNKNOWN)
                good &= fine
                numbers[f"{kind}_{what}"] = values.astype(np.int32)
        return numbers, good

    def _titles_overflow(self, matrix: Bytes) -> Mask:
        """Whether other titles run into the column of online titles."""
        foa = self.layout.columns.get("foa_title")
        if foa is None:
            return np.zeros(len(matrix), np.bool_)
        overflow: Mask = (matrix[:, foa.start - 1] != _SPACE) & (matrix[:, foa.start] != _SPACE)
        return overflow

    def _names(self, matrix: Bytes) -> pa.Array:
        column = self.layout.columns["name"]
        fields = np.ascontiguousarray(matrix[:, column.start : column.end])
        offsets = np.arange(len(matrix) + 1, dtype=np.int32) * column.width
        array = pa.StringArray.from_buffers(
            len(matrix), pa.py_buffer(offsets), pa.py_buffer(fields)
        )
        return pc.ascii_trim(array, characters=" ")

    def _codes(self, matrix: Bytes) -> dict[str, Int32]:
        codes = {}
        for text in self.gathering.texts:
            column = self.layout.columns.get(text)
            if column is not None:
                fields = matrix[:, column.start : column.end]
                codes[text] = self.gathering.pools[text].of_fields(fields)
        if self.layout.is_legacy:
            self._modernise(codes)
        return codes

    def _modernise(self, codes: dict[str, Int32]) -> None:
        """Gives rows of 2011 the titles of today, and the sex its flag tells."""
        pools = self.gathering.pools
        titles = as_numpy(pools["title"].column(codes["title"]))
        codes["title"] = pools["title"].of_texts([LEGACY_TITLES.get(t, t) for t in titles])
        flags = as_numpy(pools["flag"].column(codes["flag"]))
        codes["sex"] = pools["sex"].of_texts([legacy_sex(flag) for flag in flags])


def _as_matrix(block: Bytes, width: int) -> Bytes | None:
    """The block as one row for each line, when all lines have the full width and end alike."""
    for end in (2, 1):
        stride = width + end
        if len(block) % stride:
            continue
        matrix = block.reshape(-1, stride)
        if np.count_nonzero(block == _NEWLINE) != len(matrix):
            return None
        if (matrix[:, -1] == _NEWLINE).all() and (end == 1 or (matrix[:, -2] == _RETURN).all()):
            return matrix[:, :width]
    return None


def _padded(block: Bytes, starts: Int64, lengths: Int64, width: int) -> Bytes:
    """Lines of different lengths as rows, filled with blanks."""
    columns = np.arange(width)
    index = np.minimum(starts[:, None] + columns, len(block) - 1)
    rows: Bytes = np.where(columns < lengths[:, None], block[index], np.uint8(_SPACE))
    return rows


def _is_plain(matrix: Bytes) -> Mask:
    """Which rows are printable ASCII throughout."""
    odd = (matrix - np.uint8(_SPACE)) > 94
    plain = np.ones(len(matrix), np.bool_)
    if odd.any():
        plain[odd.any(axis=1)] = False
    return plain


def _numbers(matrix: Bytes, column: Column, blank: int = 0) -> tuple[Int64, Mask]:
    """The whole numbers in a column, and where the column holds just one or none."""
    digits = np.ascontiguousarray(matrix[:, column.start : column.end].T) - np.uint8(48)
    is_digit = digits < 10
    values = np.zeros(len(matrix), np.int64)
    fine = np.ones(len(matrix), np.bool_)
    seen = np.zeros(len(matrix), np.bool_)
    before = np.zeros(len(matrix), np.bool_)
    for place, here in zip(digits, is_digit, strict=True):
        if not here.any():
            fine &= place == np.uint8(_SPACE - 48 & 255)
            before = here
            continue
        values = np.where(here, values * 10 + place, values)
        fine &= here | (place == np.uint8(_SPACE - 48 & 255))
        fine &= ~(here & seen & ~before)
        seen |= here
        before = here
    if blank:
        values[~seen] = blank
    return values, fine
