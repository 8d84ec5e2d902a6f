"""Rating lists as Parquet: the columns as they are, the kind and the day in the file's metadata.

========== ========================== =====================================
column     type                       null means
========== ========================== =====================================
id         int64                      never null
name       string                     no text; so for every text column
federation, sex, title, flag           (strings)
rating     int32                      no rating
games, k   int32                      the list does not say
birth      int32, yyyymmdd            not known; mmdd is 0000 for a year
w_title, o_title, foa_title            (strings, where the list has them)
========== ========================== =====================================
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from typing import Any, BinaryIO

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from arrocco.errors import Malformed, Refusal
from arrocco.formats.lists.columns import (
    EXTRA_TEXTS,
    OWN_TEXTS,
    REPEATED_TEXTS,
    Gathering,
    Mask,
    Part,
    chosen,
    sorted_ids,
)
from arrocco.formats.lists.notes import Notes
from arrocco.formats.lists.row import LARGEST, LARGEST_ID, LeftOut, RowReader, birth_number
from arrocco.records.ratinglist import UNKNOWN, Int64, RatingList
from arrocco.words import system

SYSTEM, ON = b"arrocco.system", b"arrocco.on"
_NEEDED = ("id", "name", "rating")
_NUMBERS = {"rating": 0, "games": UNKNOWN, "k": UNKNOWN, "birth": 0}
_WORDS = pa.dictionary(pa.int32(), pa.string())
_SPACE, _DELETE = 32, 127
_MAX_ROWS = 50_000_000
_MAX_BYTES = 8 << 30


def told_in(stream: BinaryIO, file: str) -> tuple[str, date | None]:
    """The kind of rating and the day of the list, as its metadata tell them."""
    with _refusing(file):
        return _told(pq.ParquetFile(stream), file)


def _told(parquet: Any, file: str) -> tuple[str, date | None]:
    metadata = parquet.schema_arrow.metadata or {}
    try:
        on = metadata.get(ON, b"").decode("ascii")
        return metadata.get(SYSTEM, b"").decode("utf-8"), date.fromisoformat(on) if on else None
    except ValueError:
        raise Malformed.of("lists.refused.parquet_metadata", file=file) from None


def kinds(stream: BinaryIO, file: str) -> tuple[str, ...]:
    """The kind of rating, as the metadata tell it."""
    return (told_in(stream, file)[0],)


def read(
    stream: BinaryIO,
    file: str,
    kinds: Sequence[str],
    notes: Notes,
    only: Collection[int] | None = None,
) -> dict[str, RatingList]:
    """Reads the list, of all players or of `only` some.

    Raises `Malformed` when the file or its columns are not as described above or a player has two
    rows; defects of single rows go to `notes`, with the row's number as their line.
    """
    kind = kinds[0]
    with _refusing(file):
        parquet = pq.ParquetFile(stream)
        _, on = _told(parquet, file)
        names = parquet.schema_arrow.names
        _check(parquet.metadata, names, file)
        texts = [name for name in REPEATED_TEXTS if name in names or name in OWN_TEXTS]
        gathering = Gathering(file, [kind], texts)
        batches = _Batches(gathering, RowReader([kind], notes, sorted_ids(only)))
        columns = [name for name in names if name in {"id", "name", *texts, *_NUMBERS}]
        # Columns of few words are read as such, which spares making texts of them.
        types = dict(zip(names, parquet.schema_arrow.types, strict=True))
        words = [name for name in texts if types.get(name) == pa.string()]
        parquet = pq.ParquetFile(stream, metadata=parquet.metadata, read_dictionary=words)
        for batch in parquet.iter_batches(1 << 16, columns=columns):
            batches.take(batch)
    return gathering.lists(on)


@contextmanager
def _refusing(file: str) -> Iterator[None]:
    """Turns what Arrow says of a broken file into a refusal."""
    try:
        yield
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise Malformed.of("lists.refused.not_parquet", file=file, reason=system(error)) from None


def _check(metadata: Any, names: list[str], file: str) -> None:
    missing = [name for name in _NEEDED if name not in names]
    if missing:
        raise Malformed.of("lists.refused.parquet_columns", file=file, columns=tuple(missing))
    if len(set(names)) != len(names):
        raise Malformed.of("lists.refused.parquet_twice", file=file)
    size = sum(metadata.row_group(i).total_byte_size for i in range(metadata.num_row_groups))
    if metadata.num_rows > _MAX_ROWS or size > _MAX_BYTES:
        raise Refusal.of("lists.refused.too_many_rows", file=file, rows=metadata.num_rows)


class _Batches:
    """Takes record batches into a gathering."""

    def __init__(self, gathering: Gathering, rows: RowReader) -> None:
        self.gathering = gathering
        self.rows = rows
        (self.kind,) = gathering.kinds
        self.row = 1

    def take(self, batch: Any) -> None:
        lines = np.arange(self.row, self.row + len(batch), dtype=np.int64)
        self.row += len(batch)
        ids = _integers(batch, "id", 0)
        asked = chosen(ids, self.rows.wanted)
        if asked is not None:
            asked |= ids <= 0
            batch, lines, ids = batch.filter(pa.array(asked)), lines[asked], ids[asked]
        numbers = {name: _integers(batch, name, blank) for name, blank in _NUMBERS.items()}
        # Columns of few words are looked at, and numbered, word by word.
        texts = {name: _words(batch, name) for name in self.gathering.texts}
        texts["name"] = _strings(batch, "name")
        texts["name"].validate(full=True)  # nobody may look at a name until it is written
        good = (ids > 0) & (ids <= LARGEST_ID) & _are_births(numbers["birth"])
        for name in ("rating", "games", "k"):
            good &= (numbers[name] >= _NUMBERS[name]) & (numbers[name] <= LARGEST)
        for name, column in texts.items():
            good &= _are_plain(column) if name == "name" else _are_plain_words(column)
        if not good.all():
            for row in np.flatnonzero(~good).tolist():
                self._take_row(ids, numbers, texts, row, int(lines[row]))
            ids, lines = ids[good], lines[good]
            numbers = {name: column[good] for name, column in numbers.items()}
            texts = {name: column.filter(pa.array(good)) for name, column in texts.items()}
        self.gathering.add(self._part(ids, lines, numbers, texts))

    def _part(
        self, ids: Int64, lines: Int64, numbers: dict[str, Int64], texts: dict[str, Any]
    ) -> Part:
        codes = {}
        for name, pool in self.gathering.pools.items():
            known = pool.of_texts(texts[name].dictionary.to_pylist())
            codes[name] = known[texts[name].indices.to_numpy()]
        own = {self._own(name): column.astype(np.int32) for name, column in numbers.items()}
        return Part(ids, lines, texts["name"], codes, own)

    def _own(self, name: str) -> str:
        return name if name == "birth" else f"{self.kind}_{name}"

    def _take_row(
        self, ids: Int64, numbers: dict[str, Int64], texts: dict[str, Any], row: int, line: int
    ) -> None:
        cells = {name: column[row].as_py() for name, column in texts.items()}
        for name, column in numbers.items():
            value = int(column[row])
            cells[self._own(name)] = "" if value == _NUMBERS[name] else str(value)
        cells["id"] = str(ids[row]) if ids[row] else ""
        try:
            read = self.rows.read(cells, line)
        except LeftOut:
            return
        if read is not None:
            self.gathering.add_row(read)


def _integers(batch: Any, name: str, blank: int) -> Int64:
    if name not in batch.schema.names:
        return np.full(len(batch), blank, np.int64)
    values: Int64 = pc.fill_null(batch.column(name).cast(pa.int64()), blank).to_numpy()
    return values


def _strings(batch: Any, name: str) -> Any:
    if name not in batch.schema.names:
        return pa.array([""] * len(batch), pa.string())
    return pc.fill_null(batch.column(name).cast(pa.string()), "")


def _words(batch: Any, name: str) -> Any:
    """A column of few words, each once in its dictionary."""
    column = batch.column(name) if name in batch.schema.names else None
    if column is None or column.type != _WORDS or column.null_count:
        return _strings(batch, name).dictionary_encode()
    return column


def _are_plain(texts: Any) -> Mask:
    """Which texts have no control characters; mostly none has, and one look at all tells."""
    data = np.frombuffer(texts.buffers()[2] or b"", np.uint8)
    if not len(data) or (data.min() >= _SPACE and not (data == _DELETE).any()):
        return np.ones(len(texts), np.bool_)
    mask: Mask = ~pc.match_substring_regex(texts, "[\\x00-\\x1f\\x7f]").to_numpy(False)
    return mask


def _are_plain_words(words: Any) -> Mask:
    """As `_are_plain`, for a column of few words: each is looked at once."""
    mask: Mask = _are_plain(words.dictionary)[words.indices.to_numpy()]
    return mask


def _are_births(values: Int64) -> Mask:
    """Which numbers are a year or a day that exists, or 0."""
    distinct = pa.array(values).dictionary_encode()
    known = [_is_birth(value) for value in distinct.dictionary.to_pylist()]
    mask: Mask = np.array(known, np.bool_)[distinct.indices.to_numpy()]
    return mask


def _is_birth(number: int) -> bool:
    if number <= 0:
        return number == 0
    year, rest = divmod(number, 10_000)
    text = f"{year:04d}-{rest // 100:02d}-{rest % 100:02d}" if rest else f"{year:04d}"
    return birth_number(text) == number


def write(rating_list: RatingList, stream: BinaryIO, notes: Notes) -> None:
    """Writes the list; the same list gives the same bytes."""
    columns = {"id": pa.array(rating_list.id)}
    for name in ("name", *OWN_TEXTS):
        columns[name] = rating_list.arrow(name)
    for name, blank in _NUMBERS.items():
        values = getattr(rating_list, name)
        columns[name] = pa.array(values, pa.int32(), mask=values == blank)
    for name in EXTRA_TEXTS:
        if name in rating_list.extra:
            columns[name] = rating_list.arrow(name)
    metadata = {SYSTEM: rating_list.system.encode("utf-8")}
    if rating_list.on is not None:
        metadata[ON] = rating_list.on.isoformat().encode("ascii")
    table = pa.table(columns).replace_schema_metadata(metadata)
    # Names are all different: a dictionary of them would be built for nothing.
    words = [name for name in columns if name not in ("id", "name")]
    pq.write_table(table, stream, compression="zstd", row_group_size=1 << 17, use_dictionary=words)
