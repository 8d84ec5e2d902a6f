"""A folder of lists: one subfolder a list, named by its day, written whole or not at all.

``2024-05-01/list.parquet`` is what is published; ``state.parquet`` is what the law remembers of
each player beyond it, ``pools.parquet`` the results of unrated players. A list that comes from
elsewhere may also stand as a plain file, ``2024-05-01.csv`` or ``.txt``, ``.xml``, ``.zip``,
``.parquet``: then the state is what such a list lets one know.
"""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from arrocco.dates import parse_day
from arrocco.engine.batch import ListColumns
from arrocco.engine.kernel import MAX_RATING
from arrocco.engine.players import Players, month_number, players_of_list
from arrocco.engine.pools import Pools
from arrocco.errors import Inconsistent
from arrocco.findings import Finding
from arrocco.formats.lists import read_list
from arrocco.laws.rating import Tranche
from arrocco.ratinglist import RatingList
from arrocco.words import Phrase, system

LIST, STATE, POOLS = "list.parquet", "state.parquet", "pools.parquet"
_SUFFIXES = (".parquet", ".csv", ".txt", ".xml", ".zip")
_REMEMBERED = (
    "completed_games", "reached_2400", "reached_2300", "last_rated", "first_event", "affiliated",
    "decimals",
)  # fmt: skip


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
        found = set()
        for path in self.root.iterdir() if self.root.is_dir() else ():
            name = path.stem if path.suffix in _SUFFIXES else path.name
            try:
                day = parse_day(name)
            except ValueError:
                continue
            if path.suffix in _SUFFIXES or (path / LIST).is_file():
                found.add(day)
        return sorted(found)

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
        listed, findings = read_list(path, self.kind)
        listed.on = listed.on or on
        if listed.on != on:
            raise Inconsistent.of("store.refused.other_day", file=path, on=listed.on)
        if path.name != LIST:
            return StoredList(on, listed, _as_known(listed, on), Pools(), findings)
        players = players_of_list(listed)
        state = _read_table(path.with_name(STATE), ["id", *_REMEMBERED])
        if not np.array_equal(state["id"].to_numpy(), players.id):
            raise Inconsistent.of("store.refused.other_state", folder=path.parent)
        for name in _REMEMBERED:
            setattr(players, name, state[name].to_numpy().astype(getattr(players, name).dtype))
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


def _plain_columns(path: Path) -> ListColumns | None:
    """Ids and ratings of a list from elsewhere, where they are in order; else it is read whole."""
    try:
        table = pq.read_table(path, columns=["id", "rating"])
        ids = table["id"].to_numpy().astype(np.int64)
        rating = table["rating"].fill_null(0).to_numpy().astype(np.int64)
    except (pa.ArrowException, OSError, KeyError, ValueError):
        return None
    in_order = len(ids) and ids[0] > 0 and bool((np.diff(ids) > 0).all())
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


def _unreadable(path: Path, reason: Phrase | str) -> Inconsistent:
    return Inconsistent.of(
        "store.refused.unreadable", file=path, reason=reason, day=path.parent.name
    )


def _as_known(listed: RatingList, on: date) -> Players:
    """What a list from elsewhere tells: whoever it does not call inactive played by its month."""
    players = players_of_list(listed)
    inactive = np.array(["i" in flag for flag in listed.flag], dtype=np.bool_)
    players.last_rated = np.where((players.rating > 0) & ~inactive, month_number(on), 0)
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
            _sync(file)
        _sync(beside)
        if path.exists():
            raise Inconsistent.of("store.refused.there_already", folder=path)
        beside.rename(path)
    except BaseException:
        shutil.rmtree(beside, ignore_errors=True)
        raise
    _sync(path.parent)


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def write_state(path: Path, players: Players) -> None:
    """Writes what the law remembers of each player."""
    columns = {name: pa.array(_small(getattr(players, name))) for name in _REMEMBERED}
    table = pa.table({"id": pa.array(players.id)} | columns)
    pq.write_table(table, path, compression="zstd", use_dictionary=False)


def _small(column: np.ndarray[tuple[int], np.dtype[np.generic]]) -> object:
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


def write_pools(path: Path, pools: Pools) -> None:
    """Writes the pools, by player and in the order of results."""
    rows = [
        (player, t.month, t.tournament, t.games, t.ratings, t.half_points,
         t.round_robin_opponents, t.seven_suffice)
        for player in sorted(pools.tranches)
        for t in pools.tranches[player]
    ]  # fmt: skip
    columns = list(zip(*rows, strict=True)) or [()] * len(POOL_SCHEMA)
    arrays = [pa.array(c, f.type) for c, f in zip(columns, POOL_SCHEMA, strict=True)]
    pq.write_table(pa.Table.from_arrays(arrays, schema=POOL_SCHEMA), path, compression="zstd")


def read_pools(path: Path) -> Pools:
    """Reads what `write_pools` wrote."""
    pools = Pools()
    table = _read_table(path, POOL_SCHEMA.names)
    for player, *values in zip(*(column.to_pylist() for column in table.columns), strict=True):
        pools.tranches[player] = (*pools.of(player), Tranche(*values))
    return pools
