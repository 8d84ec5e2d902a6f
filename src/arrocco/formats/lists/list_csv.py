"""Rating lists as CSV (RFC 4180): one heading, one row for each player, UTF-8.

Columns are found by their names, in any order. ``id``, ``name`` and ``rating`` must be there; the
three further titles of FIDE lists may be. A birth is a year or an ISO day; an empty cell is none
or unknown. A text that a spreadsheet would take for a formula stands behind an apostrophe, which is
taken away when it is read.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Collection, Iterator, Sequence
from itertools import islice
from typing import BinaryIO

import numpy as np

from arrocco.errors import Malformed
from arrocco.formats.csv_cells import escaped, restored
from arrocco.formats.lists.cells import CellReader
from arrocco.formats.lists.columns import EXTRA_TEXTS, REPEATED_TEXTS, Gathering, sorted_ids
from arrocco.formats.lists.notes import Notes
from arrocco.formats.lists.row import RowReader, decoded
from arrocco.records.ratinglist import UNKNOWN, Int32, RatingList

COLUMNS = tuple("id name federation sex birth title rating k games flag".split())
_NEEDED = {"id", "name", "rating"}
_READ_AT_ONCE = 1 << 10
_WRITTEN_AT_ONCE = 1 << 12
"""Rows; few enough that their many small texts stay in the processor's cache."""


def kinds(stream: BinaryIO, file: str) -> tuple[str, ...]:
    """A file holds one kind of rating and does not say which."""
    return ("",)


def read(
    stream: BinaryIO,
    file: str,
    kinds: Sequence[str],
    notes: Notes,
    only: Collection[int] | None = None,
) -> dict[str, RatingList]:
    """Reads the list of one kind, of all players or of `only` some.

    Raises `Malformed` when the heading or the quoting is wrong or a player stands on two lines;
    defects of single rows go to `notes`.
    """
    kind = kinds[0]
    data = stream.read().removeprefix(b"\xef\xbb\xbf")
    encoding = "utf-8"
    if not decoded(data)[1]:
        encoding = "latin-1"
        notes.count("latin_1", 1)
    reader = csv.reader(io.TextIOWrapper(io.BytesIO(data), encoding, newline=""), strict=True)
    try:
        heading = [name.strip().lower() for name in next(reader, [])]
        _check(heading, file, notes)
        texts = [name for name in REPEATED_TEXTS if name in heading or name in COLUMNS]
        gathering = Gathering(file, [kind], texts)
        rows = RowReader([kind], notes, sorted_ids(only))
        names = [f"{kind}_{name}" if name in ("rating", "games", "k") else name for name in heading]
        used = [name for name in names if name in {"id", "name", *texts, *gathering.number_names}]
        cells = CellReader(used, gathering, rows)
        for records, lines in _stretches(reader, len(heading), notes):
            columns = dict(zip(names, zip(*records, strict=True), strict=True))
            taken = {name: restored(columns[name]) for name in used}
            cells.take(taken, np.array(lines, np.int64))
    except csv.Error as error:
        raise Malformed.of(
            "lists.refused.not_csv",
            file=file,
            line=reader.line_num,
            reason=str(error),
            heading=",".join(COLUMNS),
        ) from None
    return gathering.lists()


def _check(heading: Sequence[str], file: str, notes: Notes) -> None:
    if not set(heading) >= _NEEDED or len(set(heading)) != len(heading):
        raise Malformed.of("lists.refused.csv_heading", file=file, heading=",".join(COLUMNS))
    for name in heading:
        if name not in COLUMNS and name not in EXTRA_TEXTS:
            notes.note("unknown_column", name=name)


def _stretches(
    reader: Iterator[list[str]], width: int, notes: Notes
) -> Iterator[tuple[list[list[str]], list[int]]]:
    """Records of the right number of cells, many at a time, and the line on which each starts."""
    line = 2
    while True:
        records, lines, ended = [], [], True
        for record in islice(reader, _READ_AT_ONCE):
            ended = False
            if len(record) == width:
                records.append(record)
                lines.append(line)
            elif record:
                notes.left_out("cells", line, None, found=len(record), expected=width)
            line = reader.line_num + 1  # type: ignore[attr-defined]
        if records:
            yield records, lines
        if ended:
            return


def write(rating_list: RatingList, stream: BinaryIO, notes: Notes) -> None:
    """Writes the ten columns, and those further titles that someone has."""
    extra = [name for name in EXTRA_TEXTS if _has_texts(rating_list, name)]
    stream.write((",".join([*COLUMNS, *extra]) + "\r\n").encode("ascii"))
    for start in range(0, len(rating_list), _WRITTEN_AT_ONCE):
        part = slice(start, start + _WRITTEN_AT_ONCE)
        columns = [
            rating_list.id[part].tolist(),
            escaped(rating_list.name[part].tolist()),
            escaped(rating_list.federation[part].tolist()),
            escaped(rating_list.sex[part].tolist()),
            _births(rating_list.birth[part]),
            escaped(rating_list.title[part].tolist()),
            _numbers(rating_list.rating[part], 0),
            _numbers(rating_list.k[part], UNKNOWN),
            _numbers(rating_list.games[part], UNKNOWN),
            escaped(rating_list.flag[part].tolist()),
            *(escaped(rating_list.extra[name][part].tolist()) for name in extra),
        ]
        text = io.StringIO(newline="")
        csv.writer(text, lineterminator="\r\n").writerows(zip(*columns, strict=True))
        stream.write(text.getvalue().encode("utf-8"))


def _has_texts(rating_list: RatingList, name: str) -> bool:
    return name in rating_list.extra and bool((rating_list.extra[name] != "").any())


def _numbers(values: Int32, nothing: int) -> list[str]:
    return ["" if value == nothing else str(value) for value in values.tolist()]


def _births(values: Int32) -> list[str]:
    return [_birth(value) for value in values.tolist()]


def _birth(number: int) -> str:
    if not number:
        return ""
    year, rest = divmod(number, 10_000)
    return f"{year:04d}-{rest // 100:02d}-{rest % 100:02d}" if rest else f"{year:04d}"
