"""Reads lists and stored calculations for statistics: by column, one list after the other.

Never more than two lists are held, and of each only the columns that are counted; games are read in
pieces. A list is the folder that `arrocco period rate` has written, or a file from elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from arrocco.dates import parse_day
from arrocco.engine.kernel import MAX_RATING
from arrocco.engine.outcome import BY_TOURNAMENT
from arrocco.engine.statistics import (
    CalculationStatistics,
    Flow,
    ListFigures,
    ListStatistics,
    Scores,
    calculation_statistics,
    flow,
    list_statistics,
)
from arrocco.errors import Inconsistent
from arrocco.formats.lists import read_list
from arrocco.records.ratinglist import INACTIVE, UNKNOWN, RatingList
from arrocco.store.calculations import ENTRIES, GAMES, PLAYERS, TOURNAMENTS
from arrocco.store.list_folder import LIST, ListFolder
from arrocco.words import system

GAMES_AT_A_TIME = 1 << 20
_WOMEN, _MEN = pa.array(["F", "W"]), pa.array(["M"])
_PLAYER_NUMBERS = ("rating", "games", "k", "k_applied", "change", "first_rating")


@dataclass(frozen=True)
class ListPlace:
    """Where a list is, and its day where the name tells it."""

    path: Path
    """The file of the list."""
    on: date | None

    @property
    def folder(self) -> Path | None:
        """The folder with its calculations, where it is one of ours."""
        return self.path.parent if self.path.name == LIST else None


@dataclass(frozen=True)
class Watched:
    """One list in figures, and what led to it from the list before."""

    statistics: ListStatistics
    flow: Flow | None
    """`None` for the first list."""
    calculations: CalculationStatistics | None
    """`None` where no calculations are stored with the list."""
    scores: Scores | None
    """`None` where its games were not kept."""

    @property
    def on(self) -> date:
        return self.statistics.on


def list_places(paths: Iterable[Path], kind: str) -> list[ListPlace]:
    """The lists that files, folders of a list and folders of lists name, each once, by day.

    Raises `Inconsistent` for a path with no list in it.
    """
    by_path: dict[Path, ListPlace] = {}
    for path in paths:
        if path.is_file():
            places = [ListPlace(path, _day_of(path.stem))]
        elif (path / LIST).is_file():
            places = [ListPlace(path / LIST, _day_of(path.name))]
        else:
            folder = ListFolder(path, kind)
            places = [ListPlace(folder.path(day), day) for day in folder.days()]
        if not places:
            raise Inconsistent.of("statistics.refused.no_lists", path=path)
        for place in places:
            by_path.setdefault(place.path.resolve(), place)
    return sorted(by_path.values(), key=lambda place: (place.on or date.min, place.path))


def watch(paths: Sequence[Path], kind: str = "", *, games: bool = True) -> Iterator[Watched]:
    """Reads lists in the order of their days and counts each, and each against the one before.

    `games=False` leaves games unread, by far the largest part. Raises `Refusal` where a list cannot
    be read or two are of the same day.
    """
    before: ListFigures | None = None
    for place in list_places(paths, kind):
        listed = read_figures(place, kind)
        if before is not None and before.on >= listed.on:
            raise Inconsistent.of("statistics.refused.same_day", on=listed.on, path=place.path)
        folder = place.folder
        yield Watched(
            list_statistics(listed),
            None if before is None else flow(before, listed),
            None if folder is None else read_calculations(folder),
            read_scores(folder) if folder is not None and games else None,
        )
        before = listed


def read_figures(place: ListPlace, kind: str = "") -> ListFigures:
    """The columns of a list that are counted."""
    path = place.path
    plain = _plain_figures(place) if path.suffix == ".parquet" else None
    if plain is not None:
        return plain
    listed, _ = read_list(path, kind or None)
    on = listed.on or place.on
    if on is None:
        raise Inconsistent.of("statistics.refused.no_day", path=path)
    return _figures(listed, on)


def _figures(listed: RatingList, on: date) -> ListFigures:
    names, codes = np.unique(listed.federation.astype(np.str_), return_inverse=True)
    return ListFigures(
        on=on,
        id=listed.id,
        rating=listed.rating.astype(np.int64),
        inactive=listed.marked(INACTIVE),
        k=listed.k.astype(np.int64),
        games=listed.games.astype(np.int64),
        federation=codes.astype(np.int64),
        federations=tuple(names.tolist()),
        birth=listed.birth.astype(np.int64) // 10_000,
        sex=_sexes(pa.array(listed.sex.astype(np.str_))),
    )


def _sexes(column: Any) -> Any:
    """A column of sexes as places in `SEXES`."""
    letter = pc.utf8_upper(column.fill_null(""))
    woman, man = pc.is_in(letter, _WOMEN), pc.is_in(letter, _MEN)
    places = pc.if_else(woman, 0, pc.if_else(man, 1, 2))
    return places.to_numpy(zero_copy_only=False).astype(np.int64)


def _plain_figures(place: ListPlace) -> ListFigures | None:
    """The columns of a Parquet list whose rows are in order; otherwise it is read whole."""
    names = ["id", "rating", "flag", "k", "games", "federation", "birth", "sex"]
    try:
        table = pq.read_table(place.path, columns=names, read_dictionary=["federation"])
        metadata = table.schema.metadata or {}
        told = metadata.get(b"arrocco.on", b"").decode("ascii")
        on = date.fromisoformat(told) if told else place.on
        id_, rating = _numbers(table, "id", 0), _numbers(table, "rating", 0)
        inactive = pc.match_substring(table["flag"], "i").fill_null(False)
        federation = table["federation"].combine_chunks()
    except (pa.ArrowException, OSError, KeyError, ValueError):
        return None
    in_order = len(id_) and id_[0] > 0 and bool((np.diff(id_) > 0).all())
    if on is None or not in_order or rating.min() < 0 or rating.max() > MAX_RATING:
        return None
    if isinstance(federation, pa.ChunkedArray):
        federation = federation.unify_dictionaries().combine_chunks()
    codes, words = federation.indices, federation.dictionary.to_pylist()
    return ListFigures(
        on=on,
        id=id_,
        rating=rating,
        inactive=inactive.to_numpy(),
        k=_numbers(table, "k", UNKNOWN),
        games=_numbers(table, "games", UNKNOWN),
        federation=codes.fill_null(len(words)).to_numpy(zero_copy_only=False).astype(np.int64),
        federations=(*(word or "" for word in words), ""),
        birth=_numbers(table, "birth", 0) // 10_000,
        sex=_sexes(table["sex"].cast("string").combine_chunks()),
    )


def read_calculations(folder: Path) -> CalculationStatistics | None:
    """The calculations stored with a list, counted; `None` where there are none."""
    path = folder / PLAYERS
    if not path.is_file():
        return None
    with _refusing(path):
        columns = [*_PLAYER_NUMBERS, "first_published", "k_reason"]
        table = pq.read_table(path, columns=columns, read_dictionary=["k_reason"])
        numbers = {name: _numbers(table, name, 0) for name in _PLAYER_NUMBERS}
        published = table["first_published"].fill_null(False).to_numpy()
        by_tournament = BY_TOURNAMENT in pc.unique(table["k_reason"].cast("string")).to_pylist()
    entry_k, entry_games = _entries(folder) if by_tournament else (None, None)
    return calculation_statistics(
        **numbers,
        first_published=published.astype(np.bool_),
        entry_k=entry_k,
        entry_games=entry_games,
    )


def _entries(folder: Path) -> tuple[Any, Any]:
    """By entry: the K of its tournament and its games."""
    with _refusing(folder / ENTRIES):
        tournaments = pq.read_table(folder / TOURNAMENTS, columns=["tournament", "k"])
        entries = pq.read_table(folder / ENTRIES, columns=["tournament", "games"])
        number = _numbers(tournaments, "tournament", 0)
        k = np.zeros(int(number.max(initial=-1)) + 1, dtype=np.int64)
        k[number] = _numbers(tournaments, "k", 0)
        return k[_numbers(entries, "tournament", 0)], _numbers(entries, "games", 0)


def read_scores(folder: Path) -> Scores | None:
    """The games stored with a list, counted by difference; `None` where they were not kept."""
    path = folder / GAMES
    if not path.is_file():
        return None
    scores = Scores()
    columns = ["difference", "expected", "half_points", "exclusion"]
    with _refusing(path), pq.ParquetFile(path) as file:
        for batch in file.iter_batches(GAMES_AT_A_TIME, columns=columns):
            scores.add(*(_numbers(batch, name, 0) for name in columns))
    return scores


def _numbers(table: Any, name: str, blank: int) -> Any:
    """A column of whole numbers, `blank` where there is none."""
    column = table[name].fill_null(blank)
    if isinstance(column, pa.ChunkedArray):
        return column.to_numpy().astype(np.int64)
    return column.to_numpy(zero_copy_only=False).astype(np.int64)


def _day_of(name: str) -> date | None:
    try:
        return parse_day(name)
    except ValueError:
        return None


@contextmanager
def _refusing(path: Path) -> Iterator[None]:
    """Turns what Arrow says of a broken file into a refusal."""
    try:
        yield
    except (pa.ArrowException, OSError, KeyError, IndexError) as error:
        raise Inconsistent.of(
            "statistics.refused.unreadable", file=path, reason=system(error)
        ) from None
