"""Tournaments that are rated period by period: each list's games become a part of their own.

FIDE 2010, 4.13: where it was chosen before the first round, a game is rated with the ratings in
force when it is played. The parts stay one event, and one tournament under one edition.
"""

from __future__ import annotations

from dataclasses import fields, replace
from datetime import date
from typing import Protocol

import numpy as np

from arrocco.engine.columns import BoolColumn, IntColumn
from arrocco.laws.rating import RatingLaw
from arrocco.records.report import System
from arrocco.records.reportbatch import (
    EntryColumns,
    GameColumns,
    ReportBatch,
    TournamentHead,
    joined,
    selected,
)

_ROUND_ROBINS = (System.ROUND_ROBIN, System.DOUBLE_ROUND_ROBIN)


class Listed(Protocol):
    """A list in which ratings are looked up by the ids of players."""

    def rows(self, ids: IntColumn) -> IntColumn: ...
    def ratings(self, rows: IntColumn) -> IntColumn: ...


class Lists(Protocol):
    """What a period knows of laws and lists by the day a tournament starts."""

    def law_at(self, start: date) -> RatingLaw: ...
    def list_at(self, start: date) -> Listed: ...


def split_by_list(context: Lists, batch: ReportBatch) -> ReportBatch:
    """The batch with such tournaments in parts; as a rule there is none, and it stays as it is."""
    chosen = [bool(head.facts.by_period) for head in batch.tournaments]
    if not any(chosen):
        return batch
    whole = selected(batch, [not is_chosen for is_chosen in chosen])
    report_batches = [replace(whole, findings=batch.findings, refused=batch.refused)]
    for index in np.flatnonzero(chosen).tolist():
        alone = selected(batch, [index == each for each in range(len(chosen))])
        report_batches.append(replace(_split(context, alone), findings=[], refused=[]))
    return joined(report_batches)


def _split(context: Lists, alone: ReportBatch) -> ReportBatch:
    """A batch of one tournament, with a part for each list its games are rated with."""
    (head,) = alone.tournaments
    lists = np.array([_list_of(context, head, int(r)) for r in alone.games.round], dtype=object)
    days = sorted(set(lists.tolist()))
    if len(days) < 2 or _is_rated_as_round_robin(context, alone):
        return alone
    return joined([_part(alone, day, lists == day) for day in days])


def _list_of(context: Lists, head: TournamentHead, round_: int) -> date:
    """The list a game of a round uses; a round without a date was played at the start."""
    dated = head.round_dates[round_ - 1] if 0 < round_ <= len(head.round_dates) else None
    declared = head.facts.by_period or None
    return context.law_at(head.law_day).list_for_game(
        head.start, dated or head.start, declared=declared
    )


def _is_rated_as_round_robin(context: Lists, alone: ReportBatch) -> bool:
    """Whether 8.58 rates the tournament, which takes it as a whole: unrated players are in it."""
    (head,) = alone.tournaments
    in_force = context.list_at(head.start)
    rated = in_force.ratings(in_force.rows(alone.entries.id)) > 0
    return head.system in _ROUND_ROBINS and not bool(rated.all())


def _part(alone: ReportBatch, day: date, mine: BoolColumn) -> ReportBatch:
    """The games that are rated with one list, and who played them."""
    (head,) = alone.tournaments
    games = GameColumns(*(getattr(alone.games, f.name)[mine] for f in fields(GameColumns)))
    playing = np.zeros(len(alone.entries), dtype=np.bool_)
    playing[games.white] = playing[games.black] = True
    row = (np.cumsum(playing) - 1).astype(np.int32)
    games.white, games.black = row[games.white], row[games.black]
    entries = EntryColumns(*(getattr(alone.entries, f.name)[playing] for f in fields(EntryColumns)))
    is_first = day <= head.start
    part = replace(
        head,
        key=head.key if is_first else f"{head.key}:{day.isoformat()}",
        rated_from=max(day, head.start),
        part_of=head.key,
    )
    return ReportBatch([part], entries, games)
