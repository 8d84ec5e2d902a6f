"""Many reports at once, as columns: what the engine reads by the thousand.

A batch holds the same facts as so many `Report` records, laid out for arithmetic: one row a
tournament, one row an entry, one row a game. Rows stand in the order of tournaments. Games name
entries by their row in the batch. It is one row a tournament in Parquet, with lists for entries and
games, so that a batch can be cut anywhere between two tournaments.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import date
from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arrocco.findings import Finding
from arrocco.records.ratinglist import birth_from_number, birth_to_number
from arrocco.records.report import Entry, Facts, Game, GameKind, Report, System
from arrocco.records.timecontrol import TimeControl
from arrocco.units import HalfPoints, Rating


class Kind(IntEnum):
    """`GameKind` as a number."""

    PLAYED = 0
    FORFEIT = 1
    SHORT = 2
    FAIR_PLAY = 3
    FORCE_MAJEURE = 4


KIND_OF = {kind: Kind[kind.name] for kind in GameKind}
GAME_KIND = {number: kind for kind, number in KIND_OF.items()}


@dataclass
class TournamentHead:
    """What a report says about its tournament as a whole."""

    key: str
    """What tells it apart: the file, or its number in the ledger."""
    name: str
    start: date
    end: date
    system: System = System.UNKNOWN
    control: TimeControl | None = None
    rounds: int = 0
    federation: str = ""
    facts: Facts = field(default_factory=Facts)
    round_dates: tuple[date | None, ...] = ()
    city: str = ""
    end_known: bool = True
    """Whether the report gives its last day, or the first one was taken for it."""
    rated_from: date | None = None
    """The day whose list the games use, where it is not the one of the start (FIDE 2010, 4.13)."""
    part_of: str = ""
    """The key of the whole tournament, of which this is the part under one list."""

    @property
    def law_day(self) -> date:
        """The day whose edition rates it: the tournament's first, also in an interim report."""
        return self.facts.began or self.start


@dataclass
class EntryColumns:
    """One row an entry.

    `id` is 0 where the report gives none, `rating` (as reported) and `birth` (yyyymmdd) 0 where
    unknown. Texts are fixed-width UTF-8 bytes, kept for players no list has yet.
    """

    tournament: NDArray[np.int32]
    number: NDArray[np.int32]
    id: NDArray[np.int64]
    rating: NDArray[np.int32]
    birth: NDArray[np.int32]
    name: NDArray[np.bytes_]
    federation: NDArray[np.bytes_]
    sex: NDArray[np.bytes_]
    title: NDArray[np.bytes_]

    def __len__(self) -> int:
        return len(self.id)


@dataclass
class GameColumns:
    """One row a game; `white` and `black` are rows of the entries of the batch."""

    round: NDArray[np.int16]
    white: NDArray[np.int32]
    black: NDArray[np.int32]
    white_half: NDArray[np.int8]
    black_half: NDArray[np.int8]
    kind: NDArray[np.int8]

    def __len__(self) -> int:
        return len(self.white)


@dataclass
class ReportBatch:
    """Some reports as columns, with what their reading found."""

    tournaments: list[TournamentHead]
    entries: EntryColumns
    games: GameColumns
    findings: list[Finding] = field(default_factory=list)
    refused: list[tuple[str, str]] = field(default_factory=list)
    """Files that could not be taken, and why: they are in no column."""

    def entry_offsets(self) -> NDArray[np.int64]:
        """Where the entries of each tournament begin, and the end: one more than tournaments."""
        return np.searchsorted(self.entries.tournament, np.arange(len(self.tournaments) + 1))

    def game_offsets(self) -> NDArray[np.int64]:
        """Where the games of each tournament begin, and the end."""
        tournament = self.entries.tournament[self.games.white]
        return np.searchsorted(tournament, np.arange(len(self.tournaments) + 1))


def empty_batch() -> ReportBatch:
    """A batch without reports."""
    return batch_of([])


def batch_of(reports: list[Report], findings: list[Finding] | None = None) -> ReportBatch:
    """Lays reports out as columns. Every report needs a start day; its end defaults to that day."""
    heads: list[TournamentHead] = []
    entries: list[tuple[object, ...]] = []
    games: list[tuple[int, int, int, int, int, int]] = []
    for report in reports:
        assert report.start is not None, "a report without a start day has no law"
        row_of = {entry.number: len(entries) + i for i, entry in enumerate(report.entries)}
        entries += [_entry_row(len(heads), entry) for entry in report.entries]
        games += _game_rows(report.games, row_of)
        heads.append(_head(report, report.start))
    return ReportBatch(heads, _entry_columns(entries), _game_columns(games), findings or [])


def _head(report: Report, start: date) -> TournamentHead:
    return TournamentHead(
        key=report.source or report.name,
        name=report.name,
        start=start,
        end=report.end or start,
        system=report.system,
        control=report.time_control,
        rounds=report.rounds,
        federation=report.federation,
        facts=report.facts,
        round_dates=report.round_dates,
        city=report.city,
        end_known=report.end is not None,
    )


def _entry_row(tournament: int, entry: Entry) -> tuple[object, ...]:
    return (
        tournament,
        entry.number,
        entry.id or 0,
        entry.rating or 0,
        birth_to_number(entry.birth),
        entry.name.encode(),
        entry.federation.encode(),
        entry.sex.encode(),
        entry.title.encode(),
    )


def _entry_columns(rows: list[tuple[object, ...]]) -> EntryColumns:
    columns = list(zip(*rows, strict=True)) or [()] * 9
    numbers = (np.int32, np.int32, np.int64, np.int32, np.int32)
    parsed = [np.array(c, dtype=t) for c, t in zip(columns[:5], numbers, strict=True)]
    texts = [np.array(column, dtype=np.bytes_) for column in columns[5:]]
    return EntryColumns(*parsed, *texts)


def game_columns(games: Iterable[Game], row_of: Mapping[int, int]) -> GameColumns:
    """Games as columns; `row_of` gives the rows of entries by starting number."""
    return _game_columns(_game_rows(games, row_of))


def _game_rows(
    games: Iterable[Game], row_of: Mapping[int, int]
) -> list[tuple[int, int, int, int, int, int]]:
    return [
        (
            game.round,
            row_of[game.white],
            row_of[game.black],
            game.white_score,
            game.black_score,
            KIND_OF[game.kind],
        )
        for game in games
    ]


def _game_columns(rows: list[tuple[int, int, int, int, int, int]]) -> GameColumns:
    table = np.array(rows, dtype=np.int64).reshape(-1, 6).T
    types = (np.int16, np.int32, np.int32, np.int8, np.int8, np.int8)
    return GameColumns(*(c.astype(t) for c, t in zip(table, types, strict=True)))


def joined(batches: list[ReportBatch]) -> ReportBatch:
    """Batches as one, in their order."""
    if len(batches) == 1:
        return batches[0]
    if not batches:
        return empty_batch()
    heads: list[TournamentHead] = []
    entries: list[EntryColumns] = []
    games: list[GameColumns] = []
    entry_count = 0
    for batch in batches:
        shifted = EntryColumns(**vars(batch.entries))
        shifted.tournament = batch.entries.tournament + np.int32(len(heads))
        moved = GameColumns(**vars(batch.games))
        moved.white = batch.games.white + np.int32(entry_count)
        moved.black = batch.games.black + np.int32(entry_count)
        heads += batch.tournaments
        entry_count += len(batch.entries)
        entries.append(shifted)
        games.append(moved)
    return ReportBatch(
        heads,
        EntryColumns(
            *(_stack([getattr(e, f.name) for e in entries]) for f in fields(EntryColumns))
        ),
        GameColumns(*(_stack([getattr(g, f.name) for g in games]) for f in fields(GameColumns))),
        [finding for batch in batches for finding in batch.findings],
        [refused for batch in batches for refused in batch.refused],
    )


def _stack(columns: list[Any]) -> Any:
    return np.concatenate(columns)


def selected(batch: ReportBatch, keep: list[bool]) -> ReportBatch:
    """A batch with only some of its tournaments."""
    if all(keep):
        return batch
    kept = np.array(keep, dtype=np.bool_)
    entries_kept = kept[batch.entries.tournament]
    games_kept = entries_kept[batch.games.white]
    entry_row = (np.cumsum(entries_kept) - 1).astype(np.int32)
    tournament = (np.cumsum(kept) - 1).astype(np.int32)
    entries = EntryColumns(
        *(getattr(batch.entries, f.name)[entries_kept] for f in fields(EntryColumns))
    )
    games = GameColumns(*(getattr(batch.games, f.name)[games_kept] for f in fields(GameColumns)))
    entries.tournament = tournament[entries.tournament]
    games.white, games.black = entry_row[games.white], entry_row[games.black]
    heads = [head for head, is_kept in zip(batch.tournaments, keep, strict=True) if is_kept]
    return ReportBatch(heads, entries, games, batch.findings, batch.refused)


def cut(batch: ReportBatch, rows: int) -> Iterator[ReportBatch]:
    """A batch in parts of at most so many tournaments; none where it has no tournament."""
    count = len(batch.tournaments)
    for first in range(0, count, rows):
        yield selected(batch, [first <= at < first + rows for at in range(count)])


def renamed(batch: ReportBatch, keys: Mapping[str, str]) -> ReportBatch:
    """A batch whose tournaments go by other keys, where they are given any."""
    if not keys:
        return batch
    heads = [replace(head, key=keys.get(head.key, head.key)) for head in batch.tournaments]
    return replace(batch, tournaments=heads)


def report_at(batch: ReportBatch, tournament: int) -> Report:
    """One tournament of a batch as a `Report` again, for checks and explanations."""
    head = batch.tournaments[tournament]
    first, last = batch.entry_offsets()[tournament : tournament + 2].tolist()
    game_first, game_last = batch.game_offsets()[tournament : tournament + 2].tolist()
    columns, games = batch.entries, batch.games
    numbers = columns.number
    return Report(
        source=head.key,
        name=head.name,
        city=head.city,
        federation=head.federation,
        start=head.start,
        end=head.end if head.end_known else None,
        system=head.system,
        time_control=head.control,
        rounds=head.rounds,
        round_dates=head.round_dates,
        entries=[
            Entry(
                number=int(numbers[row]),
                name=columns.name[row].decode(),
                id=int(columns.id[row]) or None,
                rating=Rating(int(columns.rating[row])) if columns.rating[row] else None,
                federation=columns.federation[row].decode(),
                sex=columns.sex[row].decode(),
                title=columns.title[row].decode(),
                birth=birth_from_number(int(columns.birth[row])),
            )
            for row in range(first, last)
        ],
        games=[
            Game(
                round=int(games.round[row]),
                white=int(numbers[games.white[row]]),
                black=int(numbers[games.black[row]]),
                white_score=HalfPoints(int(games.white_half[row])),
                black_score=HalfPoints(int(games.black_half[row])),
                kind=GAME_KIND[Kind(int(games.kind[row]))],
            )
            for row in range(game_first, game_last)
        ],
        facts=head.facts,
    )
