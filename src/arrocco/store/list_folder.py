"""A folder of lists: one subfolder a list, named by its day, written whole or not at all.

``2024-05-01/list.parquet`` is what is published; ``state.parquet`` is what the law remembers of
each player beyond it, ``pools.parquet`` the results of unrated players. A list that comes from
elsewhere may also stand as a plain file, ``2024-05-01.csv`` or ``.txt``, ``.xml``, ``.zip``,
``.parquet``: then the state is what such a list lets one know.
"""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from arrocco.dates import parse_day
from arrocco.engine.batch import ListColumns
from arrocco.engine.columns import IntColumn
from arrocco.engine.kernel import MAX_RATING
from arrocco.engine.players import Players, month_number, players_of_list
from arrocco.engine.pools import Pools
from arrocco.errors import Inconsistent
from arrocco.files import sync
from arrocco.findings import Finding
from arrocco.formats.lists import formats, read_list
from arrocco.laws.rating import Tranche
from arrocco.office.adjustment import AdjustedRatings
from arrocco.records.ratinglist import INACTIVE, RatingList
from arrocco.words import Phrase, system

FORMAT = 3
"""How the files of a list are written. Format 1 told of the highest rating only whether it had come
to 2300 and to 2400; up to format 2 the summary counted who is new, delisted and leaving by what the
period did, and not as the list differs from the one before. Lists that were published in them are
read, and built again to the same bytes."""
COUNTED_BY_LISTS = 3
"""From this format on a summary counts as statistics do."""
FLAGS_OF_FORMAT_1 = {"reached_2400": 2400, "reached_2300": 2300}
LIST, STATE, POOLS = "list.parquet", "state.parquet", "pools.parquet"
TITLED = "titled.csv"
"""Titled players without a rating, where the law has a list of them (FIDE 2010, 7.22)."""
ADJUSTED = "adjusted.parquet"
_SUFFIXES = (*(each.suffix for each in formats()), ".zip")
_REMEMBERED = tuple(
    "completed_games highest_published last_rated first_event affiliated decimals".split()
)


_NULLABLE = {"rating", "round_robin_opponents"}


@dataclass
class StoredList:
    """A list with what the law remembers of its players."""

    on: date
    listed: RatingList
    players: Players
    pools: Pools
    findings: list[Finding] = field(default_factory=list)
    """What reading the list found."""
    adjusted: AdjustedRatings | None = None
    """Whom an adjustment has moved since the list came out; it shows on the next one."""
    published: tuple[IntColumn, IntColumn] | None = None
    """Ids and ratings as they were published, before anything was changed for the period."""
    has_state: bool = False
    """Whether the past of the players was kept with the list, or is only what a list tells."""

    @property
    def columns(self) -> ListColumns:
        return ListColumns(self.players.id, self.players.rating)


class ListFolder:
    """The lists of one kind of rating."""

    def __init__(self, root: Path, kind: str) -> None:
        self.root, self.kind = root, kind

    def days(self) -> list[date]:
        """The days of the lists there are, in order."""
        listed = set()
        for path in self.root.iterdir() if self.root.is_dir() else ():
            name = path.stem if path.suffix in _SUFFIXES else path.name
            try:
                day = parse_day(name)
            except ValueError:
                continue
            if path.suffix in _SUFFIXES or (path / LIST).is_file():
                listed.add(day)
        return sorted(listed)

    def path(self, on: date) -> Path:
        """The file of a list. Raises `Inconsistent` naming the lists there are."""
        folder = self.root / on.isoformat()
        candidates = [folder / LIST, *(folder.with_suffix(suffix) for suffix in _SUFFIXES)]
        for candidate in candidates:
            if candidate.is_file():
                return candidate
        known = tuple(self.days()) or Phrase("store.none")
        raise Inconsistent.of("store.refused.no_list", folder=self.root, on=on, known=known)

    def read(self, on: date) -> StoredList:
        """A list with its state. Raises `Refusal` where either is not as it was written."""
        path = self.path(on)
        if path.name != LIST:
            return read_from_elsewhere(path, self.kind, on)
        listed, findings = _read_dated(path, self.kind, on)
        players = players_of_list(listed)
        _read_state(path.with_name(STATE), players)
        pools = read_pools(path.with_name(POOLS))
        return StoredList(on, listed, players, pools, findings, has_state=True)

    def read_columns(self, on: date) -> ListColumns:
        """Only ids and ratings of a list, for tournaments that started under it."""
        path = self.path(on)
        if path.name == LIST:  # ours: sorted, checked when it was written
            table = _read_table(path, ["id", "rating"])
            rating = table["rating"].fill_null(0).to_numpy().astype(np.int64)
            return ListColumns(table["id"].to_numpy().astype(np.int64), rating)
        columns = _plain_columns(path) if path.suffix == ".parquet" else None
        if columns is not None:
            return columns
        listed, _ = read_list(path, self.kind)
        return ListColumns(listed.id, listed.rating.astype(np.int64))


def read_from_elsewhere(path: Path, kind: str, on: date) -> StoredList:
    """A list of a day that stands in a plain file, with what such a list lets one know."""
    listed, findings = _read_dated(path, kind, on)
    return StoredList(on, listed, _as_known(listed, on), Pools(), findings)


def _read_dated(path: Path, kind: str, on: date) -> tuple[RatingList, list[Finding]]:
    listed, findings = read_list(path, kind)
    listed.on = listed.on or on
    if listed.on != on:
        raise Inconsistent.of("store.refused.other_day", file=path, on=listed.on)
    return listed, findings


def _read_state(path: Path, players: Players) -> None:
    """Puts what was written of each player beyond the list into their columns."""
    kept = _read_table(path, ["id"])["id"].to_numpy()
    if not np.array_equal(kept, players.id):
        raise Inconsistent.of("store.refused.other_state", folder=path.parent)
    names = _state_columns(_format_of(path))
    state = _read_table(path, names)
    for name in names:
        _remember(players, name, state[name].to_numpy())


def _remember(players: Players, name: str, column: np.ndarray[Any, Any]) -> None:
    if name in FLAGS_OF_FORMAT_1:  # all that is known: it was this much, or what is listed
        known, least = players.highest_published, FLAGS_OF_FORMAT_1[name]
        players.highest_published = np.maximum(known, np.where(column, least, 0))
    else:
        setattr(players, name, column.astype(getattr(players, name).dtype))


def as_read_back(
    listed: RatingList, players: Players, pools: Pools, on: date, format_: int = FORMAT
) -> StoredList:
    """A list as its folder would give it, without the folder."""
    again = players_of_list(listed)
    for name in _state_columns(format_):
        _remember(again, name, _remembered(players, name))
    return StoredList(on, listed, again, pools, has_state=True)


def _format_of(state: Path) -> int:
    try:
        return 1 if "reached_2400" in pq.read_schema(state).names else FORMAT
    except (pa.ArrowException, OSError) as error:
        raise _unreadable(state, system(error)) from None


def _state_columns(format_: int) -> list[str]:
    flags = FLAGS_OF_FORMAT_1 if format_ == 1 else ("highest_published",)
    return [
        column
        for name in _REMEMBERED
        for column in (flags if name == "highest_published" else (name,))
    ]


def _plain_columns(path: Path) -> ListColumns | None:
    """Ids and ratings of a list from elsewhere, where they are in order; else it is read whole."""
    try:
        table = pq.read_table(path, columns=["id", "rating"])
        ids = table["id"].to_numpy().astype(np.int64, copy=False)
        rating = table["rating"].fill_null(0).to_numpy().astype(np.int64)
    except (pa.ArrowException, OSError, KeyError, ValueError):
        return None
    in_order = len(ids) and ids[0] > 0 and bool((ids[1:] > ids[:-1]).all())
    if not in_order or rating.min() < 0 or rating.max() > MAX_RATING:
        return None
    return ListColumns(ids, rating)


def _read_table(path: Path, columns: list[str]) -> pa.Table:
    """Columns of a file that this program has written."""
    try:
        table = pq.read_table(path, columns=columns)
        holes = [name for name in columns if table[name].null_count and name not in _NULLABLE]
    except (pa.ArrowException, OSError, KeyError) as error:
        raise _unreadable(path, system(error)) from None
    if holes:
        raise _unreadable(path, Phrase("store.holes", {"column": holes[0]}))
    return table


def _names_in(path: Path) -> list[str]:
    """The columns of a file that this program has written."""
    try:
        return list(pq.read_schema(path).names)
    except (pa.ArrowException, OSError) as error:
        raise _unreadable(path, system(error)) from None


def _unreadable(path: Path, reason: Phrase | str) -> Inconsistent:
    return Inconsistent.of(
        "store.refused.unreadable", file=path, reason=reason, day=path.parent.name
    )


def _as_known(listed: RatingList, on: date) -> Players:
    """What a list from elsewhere tells: whoever it does not call inactive played by its month."""
    players = players_of_list(listed)
    active = (players.rating > 0) & ~listed.marked(INACTIVE)
    players.last_rated = np.where(active, month_number(on), 0)
    return players


@contextmanager
def new_folder(path: Path) -> Iterator[Path]:
    """A folder that takes its name once everything in it is complete and on the disk."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{secrets.token_hex(6)}.part")
    beside.mkdir()
    try:
        yield beside
        for file in sorted(beside.iterdir()):
            sync(file)
        sync(beside)
        if path.exists():
            raise Inconsistent.of("store.refused.there_already", folder=path)
        beside.rename(path)
    except BaseException:
        shutil.rmtree(beside, ignore_errors=True)
        raise
    sync(path.parent)


def write_state(path: Path, players: Players, format_: int = FORMAT) -> None:
    """Writes what the law remembers of each player."""
    columns = {
        name: pa.array(_small(_remembered(players, name))) for name in _state_columns(format_)
    }
    table = pa.table({"id": pa.array(players.id)} | columns)
    pq.write_table(table, path, compression="zstd", use_dictionary=False)


ADJUSTED_SCHEMA = pa.schema([("player", pa.int64()), ("before", pa.int32()), ("after", pa.int32())])


def write_adjusted(path: Path, adjusted: AdjustedRatings) -> None:
    """Writes whom an adjustment of the opening list has moved."""
    arrays = [
        pa.array(column).cast(field.type)
        for column, field in zip(adjusted, ADJUSTED_SCHEMA, strict=True)
    ]
    table = pa.Table.from_arrays(arrays, schema=ADJUSTED_SCHEMA)
    pq.write_table(table, path, compression="zstd")


def read_adjusted(path: Path) -> AdjustedRatings:
    """Reads what `write_adjusted` wrote; nobody where there is no such file."""
    if not path.is_file():
        return AdjustedRatings(*(np.empty(0, dtype=np.int64) for _ in ADJUSTED_SCHEMA))
    table = _read_table(path, ADJUSTED_SCHEMA.names)
    return AdjustedRatings(*(column.to_numpy().astype(np.int64) for column in table.columns))


def _remembered(players: Players, name: str) -> np.ndarray[Any, Any]:
    if name in FLAGS_OF_FORMAT_1:
        flags: np.ndarray[Any, Any] = players.highest_published >= FLAGS_OF_FORMAT_1[name]
        return flags
    column: np.ndarray[Any, Any] = getattr(players, name)
    return column


def _small(column: np.ndarray[Any, Any]) -> object:
    """Integers but ids, which may be long, are kept in 32 bits."""
    return column.astype(np.int32) if column.dtype == np.int64 else column


POOL_SCHEMA = pa.schema(
    [
        ("player", pa.int64()),
        ("month", pa.int32()),
        ("tournament", pa.string()),
        ("games", pa.int32()),
        ("ratings", pa.int64()),
        ("half_points", pa.int32()),
        ("round_robin_opponents", pa.int32()),
        ("seven_suffice", pa.bool_()),
    ]
)


_WAITS_FOR = pa.field("waits_for", pa.string())
"""Results of a long tournament without a point so far (FIDE 2024, 8.2.1)."""


def write_pools(path: Path, pools: Pools) -> None:
    """Writes the pools, by player and in the order of results."""
    rows = [
        (
            player,
            t.month,
            t.tournament,
            t.games,
            t.ratings,
            t.half_points,
            t.round_robin_opponents,
            t.seven_suffice,
            t.waits_for,
        )
        for player in sorted(pools.tranches)
        for t in pools.tranches[player]
    ]
    # As a rule nothing waits, and the file is as it was before anything could.
    schema = POOL_SCHEMA.append(_WAITS_FOR) if any(row[-1] for row in rows) else POOL_SCHEMA
    columns = list(zip(*rows, strict=True)) or [()] * len(schema)
    arrays = [pa.array(columns[at], each.type) for at, each in enumerate(schema)]
    pq.write_table(pa.Table.from_arrays(arrays, schema=schema), path, compression="zstd")


def read_pools(path: Path) -> Pools:
    """Reads what `write_pools` wrote."""
    pools = Pools()
    names = POOL_SCHEMA.names
    if _WAITS_FOR.name in _names_in(path):
        names = [*names, _WAITS_FOR.name]
    table = _read_table(path, names)
    for player, *values in zip(*(column.to_pylist() for column in table.columns), strict=True):
        pools.tranches[player] = (*pools.of(player), Tranche(*values))
    return pools
