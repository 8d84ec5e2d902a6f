"""What a period computed, kept in Parquet: one row a player, one row a player and tournament.

``players.parquet`` has the step of every player whose games count, ``entries.parquet`` the sums of
each player in each tournament, ``tournaments.parquet`` the tournaments, ``games.parquet`` (on
request) every game from both sides. Players without an id have no rows; as opponents they are 0.
`arrocco player explain` renders these rows; nothing is computed again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from arrocco.engine.batch import RatedBatch
from arrocco.engine.columns import IntColumn
from arrocco.engine.outcome import Outcome
from arrocco.laws.fide.text_2010.round_robin import RoundRobin
from arrocco.store.list_folder import FORMAT

PLAYERS, ENTRIES = "players.parquet", "entries.parquet"
TOURNAMENTS, GAMES = "tournaments.parquet", "games.parquet"
SUMMARY = "summary.json"

ENTRY_SCHEMA = pa.schema(
    [
        ("player", pa.int64()),
        ("tournament", pa.int32()),
        ("shown", pa.int32()),
        ("own", pa.int32()),
        ("games", pa.int32()),
        ("half_points", pa.int32()),
        ("expected", pa.int32()),
        ("expected_points", pa.int32()),
        ("pool_games", pa.int32()),
        ("pool_ratings", pa.int32()),
        ("pool_half_points", pa.int32()),
    ]
)
GAME_SCHEMA = pa.schema(
    [
        ("player", pa.int64()),
        ("opponent", pa.int64()),
        ("tournament", pa.int32()),
        ("round", pa.int16()),
        ("white", pa.bool_()),
        ("half_points", pa.int8()),
        ("against", pa.int32()),
        ("difference", pa.int32()),
        ("counted_difference", pa.int32()),
        ("expected", pa.int16()),
        ("exclusion", pa.int8()),
    ]
)
TOURNAMENT_SCHEMA = pa.schema(
    [
        ("tournament", pa.int32()),
        ("key", pa.string()),
        ("name", pa.string()),
        ("start", pa.date32()),
        ("end", pa.date32()),
        ("edition", pa.string()),
        ("system", pa.string()),
        ("control", pa.string()),
        ("k", pa.int32()),
        ("k_reason", pa.string()),
        ("round_robin", pa.binary()),
    ]
)
"""`round_robin` holds a `StoredRoundRobin` in JSON, where one was rated by a method of its own."""


class StoredRoundRobin(NamedTuple):
    """How a round robin rated its unrated players (FIDE 2010, 8.58)."""

    table: RoundRobin
    players: tuple[int, ...]
    """The ids behind the positions that the table names; 0 where the report gives none."""


class Calculations:
    """Writes the rows of batches as they come; `first` is the number of the first tournament."""

    def __init__(self, folder: Path, *, games: bool = False, first: int = 0) -> None:
        self.folder = folder
        self.entries = pq.ParquetWriter(folder / ENTRIES, ENTRY_SCHEMA, compression="zstd")
        self.tournaments = pq.ParquetWriter(
            folder / TOURNAMENTS, TOURNAMENT_SCHEMA, compression="zstd"
        )
        self.games = (
            pq.ParquetWriter(folder / GAMES, GAME_SCHEMA, compression="zstd") if games else None
        )
        self.count = first

    def __enter__(self) -> Calculations:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for writer in (self.entries, self.tournaments, self.games):
            if writer is not None:
                writer.close()

    def add(self, rated: RatedBatch) -> None:
        """Writes the rows of one batch."""
        ids = rated.batch.entries.id
        sums, entries = rated.sums, rated.entries
        rows = np.flatnonzero(ids > 0)
        columns = (
            ids,
            entries.tournament + self.count,
            entries.shown,
            entries.own,
            sums.games,
            sums.half,
            sums.expected,
            rated.expected_points,
            sums.pool_games,
            sums.pool_ratings,
            sums.pool_half,
        )
        self.entries.write_batch(_batch([column[rows] for column in columns], ENTRY_SCHEMA))
        self.tournaments.write_batch(_tournaments(rated, self.count))
        if self.games is not None:
            self.games.write_batch(_games(rated, ids, self.count))
        self.count += len(rated.tournaments)

    def append(self, folder: Path) -> None:
        """Takes over the rows that were written into another folder, numbers and all."""
        for name, writer in (
            (ENTRIES, self.entries),
            (TOURNAMENTS, self.tournaments),
            (GAMES, self.games),
        ):
            if writer is None:
                continue
            with pq.ParquetFile(folder / name) as part:
                for number in range(part.num_row_groups):
                    writer.write_table(part.read_row_group(number))


def _batch(columns: Sequence[Any], schema: pa.Schema) -> pa.RecordBatch:
    arrays = [pa.array(column).cast(f.type) for column, f in zip(columns, schema, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


def _tournaments(rated: RatedBatch, first: int) -> pa.RecordBatch:
    rows = [
        (
            first + i,
            t.key,
            t.name,
            t.start,
            t.end,
            t.law.edition,
            t.system.value,
            t.control.code if t.control else None,
            t.k,
            t.k_reason,
            _round_robin(rated, i),
        )
        for i, t in enumerate(rated.tournaments)
    ]
    columns = list(zip(*rows, strict=True)) or [()] * len(TOURNAMENT_SCHEMA)
    arrays = [pa.array(c, f.type) for c, f in zip(columns, TOURNAMENT_SCHEMA, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=TOURNAMENT_SCHEMA)


def _round_robin(rated: RatedBatch, tournament: int) -> bytes | None:
    rated_round_robin = rated.round_robins.get(tournament)
    if rated_round_robin is None or rated_round_robin.table is None:
        return None
    import msgspec

    players = rated.batch.entries.id[rated_round_robin.staying].tolist()
    return msgspec.json.encode(StoredRoundRobin(rated_round_robin.table, tuple(players)))


def _games(rated: RatedBatch, ids: IntColumn, first: int) -> pa.RecordBatch:
    sides, games = rated.sides, rated.games
    assert sides is not None, "games are kept only where both sides were looked at"
    is_white = np.repeat([True, False], len(games))
    columns = (
        ids[sides.entry],
        ids[sides.opponent],
        rated.entries.tournament[sides.entry] + first,
        np.concatenate([games.round, games.round]),
        is_white,
        sides.half,
        sides.against,
        sides.difference,
        sides.counted_difference,
        sides.expected,
        sides.exclusion,
    )
    named = np.flatnonzero(columns[0] > 0)
    return _batch([column[named] for column in columns], GAME_SCHEMA)


TRANCHE = pa.struct(
    [
        ("month", pa.int32()),
        ("tournament", pa.string()),
        ("games", pa.int32()),
        ("ratings", pa.int64()),
        ("half_points", pa.int32()),
        ("round_robin_opponents", pa.int32()),
        ("seven_suffice", pa.bool_()),
    ]
)
IGNORED = pa.struct([("tournament", pa.string()), ("reason", pa.string())])
PLAYER_SCHEMA = pa.schema(
    [
        ("player", pa.int64()),
        ("rating", pa.int32()),
        ("stands_in", pa.bool_()),
        ("games", pa.int32()),
        ("half_points", pa.int32()),
        ("expected", pa.int32()),
        ("k", pa.int32()),
        ("k_reason", pa.string()),
        ("k_applied", pa.int32()),
        ("variation", pa.int64()),
        ("change", pa.int32()),
        ("new_rating", pa.int32()),
        ("delisted", pa.bool_()),
        ("first_games", pa.int32()),
        ("first_half_points", pa.int32()),
        ("first_average", pa.int32()),
        ("first_percent", pa.int32()),
        ("first_dp", pa.int32()),
        ("first_rating", pa.int32()),
        ("first_published", pa.bool_()),
        ("first_reasons", pa.list_(pa.string())),
        ("first_results", pa.list_(TRANCHE)),
        ("ignored", pa.list_(IGNORED)),
    ]
)
"""`stands_in`: the rating was borrowed or given on entry; `ignored` names tournaments by key."""


REASONS_OF_FORMAT_1 = {"top_reached": "reached_2400", "below_top": "below_2400"}
"""What the reasons of a K were called in lists of format 1 (see `list_folder.FORMAT`)."""
_REASONS = {old: new for new, old in REASONS_OF_FORMAT_1.items()}


def reason_of_k(written: str) -> str:
    """The reason of a K as it was written, in a list of any format."""
    return _REASONS.get(written, written)


def write_players(path: Path, outcome: Outcome, format_: int = FORMAT) -> None:
    """Writes the step of every player who played, changed, or has a first rating in the making."""
    first = outcome.first_ratings.by_row
    ignored = _ignored(outcome)
    shown = (outcome.totals.games > 0) | outcome.delisted
    shown[[*first, *ignored]] = True
    rows = np.flatnonzero(shown)
    names = REASONS_OF_FORMAT_1 if format_ == 1 else {}
    reasons = np.array([names.get(name, name) for name in outcome.k_reasons], dtype=np.object_)
    reasons = reasons[outcome.k_reason[rows]]
    plain = [
        outcome.players.id,
        outcome.players.rating,
        outcome.players.stands_in,
        outcome.totals.games,
        outcome.totals.half,
        outcome.totals.expected,
        outcome.k,
    ]
    more = [
        outcome.k_applied,
        outcome.variation,
        outcome.change,
        outcome.new_rating,
        outcome.delisted,
    ]
    ratings = [first.get(row) for row in rows.tolist()]
    columns = [
        *(column[rows] for column in plain),
        reasons,
        *(column[rows] for column in more),
        [r.rating.games if r else None for r in ratings],
        [r.rating.half_points if r else None for r in ratings],
        [r.rating.average_hundredths if r else None for r in ratings],
        [r.rating.percent if r else None for r in ratings],
        [int(r.rating.dp) if r else None for r in ratings],
        [int(r.rating.rating) if r else None for r in ratings],
        [r.publishable if r else None for r in ratings],
        [list(r.reasons) if r else None for r in ratings],
        [[vars(tranche) for tranche in r.tranches] if r else None for r in ratings],
        [ignored.get(row) for row in rows.tolist()],
    ]
    arrays = [pa.array(c, f.type) for c, f in zip(columns, PLAYER_SCHEMA, strict=True)]
    pq.write_table(pa.Table.from_arrays(arrays, schema=PLAYER_SCHEMA), path, compression="zstd")


def _ignored(outcome: Outcome) -> dict[int, list[dict[str, str]]]:
    """By player's row: the results that were ignored, and why."""
    by_player: dict[int, list[dict[str, str]]] = defaultdict(list)
    for (row, tournament), reason in sorted(outcome.first_ratings.ignored_results.items()):
        by_player[row].append({"tournament": tournament, "reason": reason.value})
    return by_player
