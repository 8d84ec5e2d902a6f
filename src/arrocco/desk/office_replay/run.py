"""Runs a replay of an office: gathers its history, has it rated, and keeps what was found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from arrocco.desk.desk import Desk
from arrocco.desk.office_replay.changes import Following
from arrocco.desk.office_replay.history import History
from arrocco.desk.replay_range import side_of
from arrocco.desk.replay_records import Found, LeftOutThere
from arrocco.formats.lists import read_list
from arrocco.laws.systems import RatingSystem, kind_to_tell
from arrocco.office.replaying import Other
from arrocco.records.ratinglist import RatingList
from arrocco.runs.replay import REPLAYED, Replayed, ReplayJob, Side, replay
from arrocco.runs.replay_record import list_record
from arrocco.runs.replay_sides import lists_of_other
from arrocco.store.list_folder import ListFolder

MAX_AFFECTED = 50
"""How many of the most affected players are told."""
_WORKERS = 1
"""The office goes on working meanwhile."""
_MEMORY = 1 << 30

Told = Callable[[int, int], None]
"""Called with the period that begins, and how many there are."""


@dataclass(frozen=True)
class Wanted:
    """A replay to run."""

    system: RatingSystem
    first: date
    last: date
    other: Other
    ledger_seq: int


def replay_office(
    desk: Desk, wanted: Wanted, scratch: Path, told: Told = lambda *_: None
) -> tuple[Found, Replayed]:
    """Replays the history of an office in an empty folder; nothing in the office changes."""
    with desk.database.reading() as connection:
        book = desk.book(connection).before(wanted.ledger_seq + 1)
    history = History(desk, book, wanted.system, wanted.first, wanted.last)
    first, other = _published_side(history), side_of(wanted.other)
    periods = len(lists_of_other(other, history.opened_on, history.lists[-1].day))
    following = Following(history, other, lambda period: told(period, periods))
    reports = history.reports()
    job = ReplayJob(
        first,
        other,
        history.lists_folder(scratch / "lists"),
        reports,
        scratch / "out",
        workers=_WORKERS,
        memory=_MEMORY,
        most=MAX_AFFECTED,
        opens=following.opens,
        waivers=history.waivers(book),
        is_decided=history.counted.__contains__,  # the ledger has who let it in
    )
    replayed = replay(job)
    return _told_of(history, replayed), replayed


def _published_side(history: History) -> Side:
    """The regulation as it was in force; the published lists say what it came to."""
    system = history.system
    return Side(system.law, kind=kind_to_tell(system.law, system.kind))


def _told_of(history: History, replayed: Replayed) -> Found:
    left_out = []
    for item in replayed.left_out[REPLAYED]:
        counted = history.counted.get(item.report)
        left_out.append(
            LeftOutThere(
                tournament=counted.tournament if counted else 0,
                name=counted.name if counted else item.report,
                reason=item.reason,
            )
        )
    lists = [list_record(comparison, replayed.names) for comparison in replayed.comparisons]
    for record in lists[:-1]:
        record["most_affected"] = []  # shown of the last list only
    return Found(reports=replayed.reports[REPLAYED], lists=lists, left_out=tuple(left_out))


# --- every player whose rating differs ------------------------------------------------------------


def write_players(desk: Desk, wanted: Wanted, found: Replayed, path: Path) -> None:
    """Keeps the players whose ratings differ on the last list both have; without one, nobody."""
    if not found.comparisons:
        pq.write_table(_players_table([]), path)
        return
    day = found.comparisons[-1].on
    published = ListFolder(desk.lists / wanted.system.key, wanted.system.kind)
    kind = side_of(wanted.other).rating_kind
    replayed = ListFolder(found.folder / REPLAYED, kind)
    was, _ = read_list(published.path(day), wanted.system.kind)
    now, _ = read_list(replayed.path(day), kind)
    pq.write_table(_players_table(_rows(was, now)), path, compression="zstd")


def _rows(was: RatingList, now: RatingList) -> list[tuple[object, ...]]:
    ids = np.union1d(was.id, now.id)
    at_was, at_now = was.rows(ids), now.rows(ids)
    one = np.where(at_was >= 0, was.rating[at_was], 0) if len(was) else np.zeros(len(ids), int)
    other = np.where(at_now >= 0, now.rating[at_now], 0) if len(now) else np.zeros(len(ids), int)
    rows: list[tuple[object, ...]] = []
    for at in np.flatnonzero(one != other).tolist():
        listed, row = (was, at_was[at]) if at_was[at] >= 0 else (now, at_now[at])
        rows.append(
            (
                int(ids[at]),
                str(listed.name[row]),
                str(listed.federation[row]),
                int(one[at]) or None,
                int(other[at]) or None,
            )
        )
    return rows


_PLAYERS = pa.schema(
    [
        ("id", pa.int64()),
        ("name", pa.string()),
        ("federation", pa.string()),
        ("as_was", pa.int32()),
        ("replayed", pa.int32()),
    ]
)


def _players_table(rows: list[tuple[object, ...]]) -> pa.Table:
    columns = list(zip(*rows, strict=True)) or [()] * len(_PLAYERS)
    arrays = [pa.array(column, part.type) for column, part in zip(columns, _PLAYERS, strict=True)]
    return pa.Table.from_arrays(arrays, schema=_PLAYERS)
