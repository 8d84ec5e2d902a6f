"""Reports in Parquet: one row a tournament, lists for its entries and games.

A file can be read tournament by tournament in any cut, which is what streaming and distributed
runs need: a row group is a batch.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from arrocco.errors import Malformed
from arrocco.records.report import Facts, System
from arrocco.records.reportbatch import EntryColumns, GameColumns, Kind, ReportBatch, TournamentHead
from arrocco.records.timecontrol import TimeControl, parse_code
from arrocco.words import system

ENTRY_FIELDS: dict[str, pa.DataType] = {
    "number": pa.int32(),
    "id": pa.int64(),
    "rating": pa.int32(),
    "birth": pa.int32(),
    "name": pa.binary(),
    "federation": pa.binary(),
    "sex": pa.binary(),
    "title": pa.binary(),
}
GAME_FIELDS: dict[str, pa.DataType] = {
    "round": pa.int16(),
    "white": pa.int32(),
    "black": pa.int32(),
    "white_half": pa.int8(),
    "black_half": pa.int8(),
    "kind": pa.int8(),
}
"""`white` and `black` count the entries of the tournament from 0."""

HEAD_FIELDS: dict[str, pa.DataType] = {
    "key": pa.string(),
    "name": pa.string(),
    "start": pa.date32(),
    "end": pa.date32(),
    "system": pa.string(),
    "control": pa.string(),
    "rounds": pa.int32(),
    "federation": pa.string(),
    "city": pa.string(),
    "facts": pa.string(),
    "round_dates": pa.list_(pa.date32()),
}

_OPTIONAL = {"end", "control"}
"""What a report may leave out; without its last day the first one is taken for it."""

SCHEMA = pa.schema(
    [
        *HEAD_FIELDS.items(),
        *((f"entry_{name}", pa.list_(kind)) for name, kind in ENTRY_FIELDS.items()),
        *((f"game_{name}", pa.list_(kind)) for name, kind in GAME_FIELDS.items()),
    ]
)


def batch_to_arrow(batch: ReportBatch) -> pa.RecordBatch:
    """A batch as one Arrow record batch."""
    entry_offsets = pa.array(batch.entry_offsets().astype(np.int32))
    games = batch.games
    game_offsets = batch.game_offsets()
    base = np.repeat(batch.entry_offsets()[:-1], np.diff(game_offsets)).astype(np.int32)
    heads = batch.tournaments
    columns: list[pa.Array] = [
        pa.array([head.key for head in heads], pa.string()),
        pa.array([head.name for head in heads], pa.string()),
        pa.array([head.start for head in heads], pa.date32()),
        pa.array([head.end if head.end_known else None for head in heads], pa.date32()),
        pa.array([head.system.value for head in heads], pa.string()),
        pa.array([head.control.code if head.control else None for head in heads], pa.string()),
        pa.array([head.rounds for head in heads], pa.int32()),
        pa.array([head.federation for head in heads], pa.string()),
        pa.array([head.city for head in heads], pa.string()),
        pa.array([_facts_text(head.facts) for head in heads], pa.string()),
        pa.array([head.round_dates for head in heads], HEAD_FIELDS["round_dates"]),
    ]
    for name, kind in ENTRY_FIELDS.items():
        values = pa.array(getattr(batch.entries, name), kind)
        columns.append(pa.ListArray.from_arrays(entry_offsets, values))
    local = {"white": games.white - base, "black": games.black - base}
    offsets = pa.array(game_offsets.astype(np.int32))
    for name, kind in GAME_FIELDS.items():
        values = pa.array(local.get(name, getattr(games, name)), kind)
        columns.append(pa.ListArray.from_arrays(offsets, values))
    return pa.RecordBatch.from_arrays(columns, schema=SCHEMA)


def batch_from_arrow(record: pa.RecordBatch) -> ReportBatch:
    """A batch from an Arrow record batch of the schema, in any cut of tournaments.

    Raises `ValueError` when the rows do not fit together.
    """
    heads = _heads(record)
    entry_lists = {name: record.column(f"entry_{name}") for name in ENTRY_FIELDS}
    counts = _lengths(entry_lists)
    starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    tournament = np.repeat(np.arange(len(heads), dtype=np.int32), counts)
    numbers: dict[str, Any] = {
        name: _values(column) if pa.types.is_integer(column.type.value_type) else _texts(column)
        for name, column in entry_lists.items()
    }
    entries = EntryColumns(tournament=tournament, **numbers)
    game_lists = {name: record.column(f"game_{name}") for name in GAME_FIELDS}
    games_each = _lengths(game_lists)
    base = np.repeat(starts[:-1], games_each).astype(np.int32)
    values: dict[str, Any] = {name: _values(column) for name, column in game_lists.items()}
    _check_games(values, np.repeat(counts, games_each))
    values["white"], values["black"] = values["white"] + base, values["black"] + base
    return ReportBatch(heads, entries, GameColumns(**values))


def _heads(record: pa.RecordBatch) -> list[TournamentHead]:
    for name in HEAD_FIELDS:
        if name not in _OPTIONAL and record.column(name).null_count:
            raise ValueError(f"a tournament has no {name}")
    columns = (record.column(name).to_pylist() for name in HEAD_FIELDS)
    return [
        TournamentHead(
            key,
            name,
            start,
            end or start,
            System(system),
            _control(control),
            rounds,
            federation,
            _facts(facts),
            tuple(days),
            city,
            end_known=end is not None,
        )
        for key, name, start, end, system, control, rounds, federation, city, facts, days in zip(
            *columns, strict=True
        )
    ]


def _lengths(columns: dict[str, pa.ListArray]) -> Any:
    """How many values each tournament has, the same in all columns."""
    first = None
    for name, column in columns.items():
        lengths = np.diff(column.offsets.to_numpy())
        first = lengths if first is None else first
        if column.null_count or not np.array_equal(lengths, first):
            raise ValueError(f"{name} has more or fewer values than the columns beside it")
    return first


def _check_games(games: dict[str, Any], entries: Any) -> None:
    """Games are between two entries of their tournament and have a result of a kind there is."""
    for name in ("white", "black"):
        if ((games[name] < 0) | (games[name] >= entries)).any():
            raise ValueError("a game is played by nobody")
    if (games["white"] == games["black"]).any():
        raise ValueError("a player plays alone")
    for name, most in (("white_half", 2), ("black_half", 2), ("kind", max(Kind))):
        if ((games[name] < 0) | (games[name] > most)).any():
            raise ValueError(f"a game has an unknown {name}")


def _values(column: pa.ListArray) -> Any:
    return _flat(column).to_numpy(zero_copy_only=False)


def _texts(column: pa.ListArray) -> Any:
    return np.array(_flat(column).to_pylist(), dtype=np.bytes_)


def _flat(column: pa.ListArray) -> pa.Array:
    values = column.flatten()
    if values.null_count:
        raise ValueError("a value is missing")
    return values


_CONTROLS: dict[str, TimeControl] = {}
_FACTS: dict[str, Facts] = {}


def _control(code: str | None) -> TimeControl | None:
    if code is None:
        return None
    if code not in _CONTROLS:
        try:
            _CONTROLS[code] = parse_code(code)
        except Malformed as error:  # said of the file, not of the code alone
            raise ValueError(error.message) from None
    return _CONTROLS[code]


def _facts(text: str | None) -> Facts:
    text = text or "{}"
    if text not in _FACTS:
        _FACTS[text] = msgspec.json.decode(text, type=Facts)
    return _FACTS[text]


def _facts_text(facts: Facts) -> str:
    """Only what differs from the defaults: nearly always nothing."""
    plain, usual = msgspec.to_builtins(facts), msgspec.to_builtins(Facts())
    changed = {name: value for name, value in plain.items() if value != usual.get(name)}
    return msgspec.json.encode(changed).decode() if changed else ""


def write_batches(path: Path, batches: Iterable[ReportBatch]) -> None:
    """Writes batches as one file, a row group each."""
    with pq.ParquetWriter(path, SCHEMA, compression="zstd") as writer:
        for batch in batches:
            writer.write_batch(batch_to_arrow(batch))


def read_batches(
    path: Path, *, rows: int = 1000, row_groups: Sequence[int] | None = None
) -> Iterator[ReportBatch]:
    """Reads a file, or some row groups of it, in batches of so many tournaments.

    Never more than that is held at a time. Raises `Malformed` when it is not such a file.
    """
    with _opened(path) as source:
        for record in source.iter_batches(
            batch_size=rows, row_groups=row_groups, columns=SCHEMA.names
        ):
            yield batch_from_arrow(record)


@dataclass
class RowGroup:
    """What can be told about a row group without reading its entries and games."""

    heads: list[TournamentHead]
    games: int


def read_row_groups(path: Path) -> Iterator[RowGroup]:
    """The row groups of a file. Raises `Malformed` when it is not such a file."""
    with _opened(path) as source:
        names = [source.schema.column(i).path for i in range(len(source.schema))]
        white = next(i for i, name in enumerate(names) if name.startswith("game_white."))
        for number in range(source.num_row_groups):
            table = source.read_row_group(number, columns=list(HEAD_FIELDS))
            games = source.metadata.row_group(number).column(white).num_values
            yield RowGroup([h for part in table.to_batches() for h in _heads(part)], games)


@contextmanager
def _opened(path: Path) -> Iterator[pq.ParquetFile]:
    try:
        with pq.ParquetFile(path, memory_map=True) as source:
            missing = set(SCHEMA.names) - set(source.schema_arrow.names)
            if missing:
                columns = tuple(sorted(missing))
                raise Malformed.of("report.refused.parquet_columns", file=path, columns=columns)
            yield source
    except Malformed:
        raise
    except (pa.ArrowException, OSError) as error:
        raise Malformed.of("report.refused.not_parquet", file=path, reason=system(error)) from None
    except (ValueError, TypeError) as error:
        raise Malformed.of("report.refused.not_parquet", file=path, reason=str(error)) from None
