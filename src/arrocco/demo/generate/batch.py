"""Batches of invented reports: what `ReportBatch` holds and what only a report file shows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from arrocco.demo.generate.defects import spoil
from arrocco.demo.generate.draws import Ints, Part, order, stream
from arrocco.demo.generate.federation import Federation
from arrocco.demo.generate.field import Field, draw_field
from arrocco.demo.generate.names import person_names, place_names
from arrocco.demo.generate.plan import MATCH, SYSTEMS, Plan, plan
from arrocco.demo.generate.pools import Pools, pools_of
from arrocco.demo.generate.profile import FEDERATIONS
from arrocco.demo.generate.rounds import BYE_HALVES, Played, play_all
from arrocco.engine.admission_columns import may_be_too_fast, slowest_games, tops_of
from arrocco.engine.batch import law_on
from arrocco.records.report import Facts
from arrocco.records.reportbatch import EntryColumns, GameColumns, ReportBatch, TournamentHead

PER_BATCH: Final = 500
"""Tournaments of a batch: the same for everybody, so that a seed means the same everywhere."""

_ROUND_BOUND = 1 << 10


@dataclass
class ByeColumns:
    """One row a bye: `entry` is a row of the entries of the batch, `code` a place in `HFUZ`."""

    round: NDArray[np.int16]
    entry: NDArray[np.int32]
    code: NDArray[np.int8]

    def __len__(self) -> int:
        return len(self.entry)


@dataclass(kw_only=True)
class GeneratedBatch(ReportBatch):
    """A batch with byes, points and ranks, and with what its report files say besides."""

    byes: ByeColumns
    points: NDArray[np.int32]
    """By entry, in tenths."""
    rank: NDArray[np.int32]
    arbiters: list[str]
    versions: list[Literal["trf16", "trf26"]]
    list_dates: list[date]
    """The list in force when each tournament started."""
    defects: dict[int, str] = field(default_factory=dict)
    """The tournaments that were given a defect, and which."""


def reports(
    federation: Federation, games: int, *, tournaments: int | None = None, defects: int = 0
) -> Iterator[GeneratedBatch]:
    """Makes up the reports of a period, batch by batch, with about so many games in all.

    Every batch has a stream of its own. `defects` is the share of reports with a mistake, in parts
    of 10,000. Raises `Illegal` when the games cannot be shared out among the tournaments.
    """
    pools = pools_of(federation)
    planned = plan(federation, pools, games, tournaments)
    return _batches(federation, pools, planned, defects)


def _batches(
    federation: Federation, pools: Pools, planned: Plan, defects: int
) -> Iterator[GeneratedBatch]:
    for number, first in enumerate(range(0, len(planned), PER_BATCH)):
        batch = _batch(federation, pools, planned, first)
        if defects:
            rng = stream(federation.seed, Part.DEFECTS, number)
            batch.defects.update(spoil(rng, batch, defects))
        yield batch


def _batch(federation: Federation, pools: Pools, planned: Plan, first: int) -> GeneratedBatch:
    part = planned.part(first, min(first + PER_BATCH, len(planned)))
    rng = stream(federation.seed, Part.BATCH, first // PER_BATCH)
    drawn = draw_field(rng, federation, pools, part)
    played = play_all(rng, part, drawn)
    towns = place_names(rng, len(part))
    arbiters = person_names(rng, rng.integers(0, 4, len(part)) == 0)
    has_dates = part.is_trf26 | (rng.integers(0, 2, len(part)) == 0)
    game_columns = _games(drawn, played)
    heads = _heads(federation, part, first, towns, has_dates)
    _slow_down(federation, heads, drawn.entries, game_columns)
    byes = _byes(drawn, played)
    points = _points(game_columns, byes, len(drawn.entries))
    number = drawn.entries.number.astype(np.int64)
    return GeneratedBatch(
        tournaments=heads,
        entries=drawn.entries,
        games=game_columns,
        byes=byes,
        points=points,
        rank=_ranks(drawn, points, number),
        arbiters=[name.decode() for name in arbiters.tolist()],
        versions=["trf26" if is_trf26 else "trf16" for is_trf26 in part.is_trf26.tolist()],
        list_dates=[federation.calendar.lists[number] for number in part.list_number.tolist()],
    )


def _heads(
    federation: Federation, part: Plan, first: int, towns: list[str], has_dates: Any
) -> list[TournamentHead]:
    controls, codes = federation.profile.time_controls, list(FEDERATIONS)
    heads = []
    columns = zip(
        part.system.tolist(),
        part.rounds.tolist(),
        part.federation.tolist(),
        part.start.tolist(),
        part.end.tolist(),
        part.days_between.tolist(),
        part.rounds_per_day.tolist(),
        part.control.tolist(),
        has_dates.tolist(),
        towns,
        strict=True,
    )
    for index, row in enumerate(columns, start=first + 1):
        system, rounds, code, start, end, between, per_day, control, dated, town = row
        days = [date.fromordinal(start + round_ // per_day * between) for round_ in range(rounds)]
        heads.append(
            TournamentHead(
                key=report_name(index),
                name=f"{_NAMES[system]} {town} {index}",
                start=days[0],
                end=date.fromordinal(end),
                system=SYSTEMS[system],
                control=controls[control],
                rounds=rounds,
                federation=codes[code],
                facts=_facts(federation, system, rounds),
                round_dates=tuple(days) if dated else (),
                city=town,
            )
        )
    return heads


def _slow_down(
    federation: Federation, heads: list[TournamentHead], entries: EntryColumns, games: GameColumns
) -> None:
    """Gives the usual time control to tournaments that would be refused for theirs.

    Single games may still be too fast for their players: those are left out when they are rated.
    """
    tops, slowest = tops_of(entries, len(heads)), slowest_games(entries, games, len(heads))
    usual = federation.profile.time_controls[0]
    for head, top, slow in zip(heads, tops, slowest, strict=True):
        law = law_on(federation.law, head.start, {})
        if may_be_too_fast(head.control, law, top or None, slow or None):
            head.control = usual


_NAMES: Final = ("Open", "Cup", "Grand Prix", "Match", "Team Trophy")


def _facts(federation: Federation, system: int, rounds: int) -> Facts:
    online = federation.profile.online
    return Facts(online=online, match_games=rounds if system == MATCH else None)


def report_name(number: int) -> str:
    """The name of a report file."""
    return f"{number:07d}.trf"


def _games(drawn: Field, played: Played) -> GameColumns:
    """The games by tournament, round and the lower of the two numbers: as reports are read."""
    round_, white, black, first, second, kind = (
        np.concatenate(column) for column in zip(*played.games, strict=True)
    )
    size = len(drawn.entries)
    tournament = drawn.entries.tournament[white]
    sort = order((tournament, size), (round_, _ROUND_BOUND), (np.minimum(white, black), size))
    return GameColumns(
        round=round_[sort].astype(np.int16),
        white=white[sort].astype(np.int32),
        black=black[sort].astype(np.int32),
        white_half=first[sort].astype(np.int8),
        black_half=second[sort].astype(np.int8),
        kind=kind[sort].astype(np.int8),
    )


def _byes(drawn: Field, played: Played) -> ByeColumns:
    """The byes by tournament, round and number."""
    round_, entry, code = (
        np.concatenate(column).astype(np.int64) for column in zip(*played.byes, strict=True)
    )
    size = len(drawn.entries)
    sort = order((drawn.entries.tournament[entry], size), (round_, _ROUND_BOUND), (entry, size))
    return ByeColumns(
        round_[sort].astype(np.int16), entry[sort].astype(np.int32), code[sort].astype(np.int8)
    )


def _points(games: GameColumns, byes: ByeColumns, entries: int) -> NDArray[np.int32]:
    """What each entry scored, in tenths."""
    halves = np.zeros(entries, dtype=np.int64)
    for entry, half in (
        (games.white, games.white_half),
        (games.black, games.black_half),
        (byes.entry, BYE_HALVES[byes.code]),
    ):
        for value in (1, 2):
            halves += value * np.bincount(entry[half == value], minlength=entries)
    return (5 * halves).astype(np.int32)


def _ranks(drawn: Field, points: NDArray[np.int32], number: Ints) -> NDArray[np.int32]:
    """Places by points, among equals by starting number."""
    size = len(points)
    tournament = drawn.entries.tournament
    sort = order((tournament, size), (10_000 - points, 10_001), (number, size + 1))
    rank = np.empty(size, dtype=np.int32)
    rank[sort] = number.astype(np.int32)
    return rank
