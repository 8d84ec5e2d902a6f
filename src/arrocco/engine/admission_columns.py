"""The gate before thousands of reports: finds in their columns those that may have an error.

Every report with an error is found, and few others; these are then judged one by one like any
report (`engine.admission`). A test compares both ways on reports with every error there is.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import astuple, replace
from datetime import date

import numpy as np
from numpy.typing import NDArray

from arrocco.engine.batch import ListColumns, PeriodContext
from arrocco.engine.checks import HEAD_CHECKS
from arrocco.engine.checks.case import Case, plausible
from arrocco.engine.checks.questions import MembersOnly
from arrocco.engine.columns import IntColumn
from arrocco.engine.report_columns import matches_in
from arrocco.laws.rating import Exclusion, RatingLaw
from arrocco.records.report import Facts, Report, System
from arrocco.records.reportbatch import EntryColumns, GameColumns, Kind, ReportBatch, TournamentHead
from arrocco.records.timecontrol import TimeControl

_USUAL_FACTS = Facts()
_ROUND_ROBINS = (System.ROUND_ROBIN, System.DOUBLE_ROUND_ROBIN)


def suspects(context: PeriodContext, batch: ReportBatch, *, has_list: bool = True) -> list[int]:
    """The tournaments of a batch that may have an error: all that have one, and few others.

    Without a list (the first period of all) nobody can be missing on it.
    """
    batch = context.as_told(batch)
    heads = batch.tournaments
    laws = {day: context.law_at(day) for day in {head.law_day for head in heads}}
    fixed = context.law.ratings_are_fixed_in_period()
    lists = [context.list_at(head.start) if fixed else context.current for head in heads]
    is_listed, ratings = _at_start(batch, context.current, lists)
    ratings = np.maximum(ratings, batch.entries.rating)
    suspect = _with_repeated_ids(batch) | _with_unknown_players(batch, laws)
    if has_list:
        suspect |= _with_unlisted(context, batch, laws, is_listed)
    entries = replace(batch.entries, rating=ratings.astype(np.int32))
    tops = tops_of(entries, len(heads))
    slowest = slowest_games(entries, batch.games, len(heads))
    judged: dict[object, bool] = {}
    matches = matches_in(batch)
    for index, (head, top, slow) in enumerate(zip(heads, tops, slowest, strict=True)):
        law = laws[head.law_day]
        suspect[index] |= (
            _head_may_be_wrong(head, law, judged)
            or may_be_too_fast(head.control, law, top or None, slow or None)
            or head.system is System.MATCH
            or matches[index]
            or (head.system in _ROUND_ROBINS and law.RATES_ROUND_ROBINS)
        )
    return np.flatnonzero(suspect).tolist()


def _at_start(
    batch: ReportBatch, current: ListColumns, in_force: list[ListColumns]
) -> tuple[NDArray[np.bool_], IntColumn]:
    """By entry: whether the list in force at the start has the player, and with which rating."""
    ids = batch.entries.id
    rows = current.rows(ids)
    is_listed, ratings = rows >= 0, current.ratings(rows)
    offsets = batch.entry_offsets().tolist()
    for index, older in enumerate(in_force):
        if older is not current:
            mine = slice(*offsets[index : index + 2])
            rows = older.rows(ids[mine])
            is_listed[mine], ratings[mine] = rows >= 0, older.ratings(rows)
    return is_listed, ratings


def tops_of(entries: EntryColumns, tournaments: int) -> list[int]:
    """By tournament: the highest rating, 0 where nobody has one."""
    tops = np.zeros(tournaments, dtype=np.int64)
    np.maximum.at(tops, entries.tournament, entries.rating)
    return tops.tolist()


def slowest_games(entries: EntryColumns, games: GameColumns, tournaments: int) -> list[int]:
    """By tournament: the higher rating of the pair that needs the least time of all who played."""
    higher = np.maximum(entries.rating[games.white], entries.rating[games.black])
    played = games.kind == Kind.PLAYED
    lowest = np.full(tournaments, np.iinfo(np.int64).max)
    np.minimum.at(lowest, entries.tournament[games.white[played]], higher[played])
    return lowest.tolist()


def may_be_too_fast(
    control: TimeControl | None, law: RatingLaw, top: int | None, slowest: int | None
) -> bool:
    """Whether the time is not this list's, or too short: for the field, or for every game.

    What is slow enough for the strongest pair is slow enough for everybody, and what is too fast
    for the weakest of the pairs is too fast for all.
    """
    if control is None:
        return False
    reason = law.excluded_by_time(control, top, top)
    if reason is Exclusion.TOO_FAST and not law.MINIMUM_TIME_BY_FIELD:
        return law.excluded_by_time(control, slowest, slowest) is not None
    return reason is not None


def _with_repeated_ids(batch: ReportBatch) -> NDArray[np.bool_]:
    """Tournaments in which two entries have the same id."""
    has_repeated = np.zeros(len(batch.tournaments), dtype=np.bool_)
    order = np.lexsort((batch.entries.id, batch.entries.tournament))
    ids, tournament = batch.entries.id[order], batch.entries.tournament[order]
    same = (ids[1:] == ids[:-1]) & (tournament[1:] == tournament[:-1]) & (ids[1:] > 0)
    has_repeated[tournament[1:][same]] = True
    return has_repeated


def _with_unknown_players(batch: ReportBatch, laws: dict[date, RatingLaw]) -> NDArray[np.bool_]:
    """Tournaments in which somebody without an id played, where only members are rated."""
    has_unknown = np.zeros(len(batch.tournaments), dtype=np.bool_)
    games, entries = batch.games, batch.entries
    played = games.kind == Kind.PLAYED
    for side in (games.white[played], games.black[played]):
        unknown = side[entries.id[side] == 0]
        has_unknown[entries.tournament[unknown]] = True
    asking = {
        day for day, law in laws.items() if isinstance(law, MembersOnly) and law.asks_for_members()
    }
    return has_unknown & np.array([h.law_day in asking for h in batch.tournaments], dtype=np.bool_)


def _with_unlisted(
    context: PeriodContext,
    batch: ReportBatch,
    laws: dict[date, RatingLaw],
    is_listed: NDArray[np.bool_],
) -> NDArray[np.bool_]:
    """Tournaments with a rated player whom the list in force at the start does not have."""
    has_unlisted = np.zeros(len(batch.tournaments), dtype=np.bool_)
    unlisted = (batch.entries.rating > 0) & ~is_listed
    if context.standard is not None:
        standards = [context.standard_at(head.start) for head in batch.tournaments]
        unlisted &= _at_start(batch, context.standard, standards)[1] == 0
    has_unlisted[batch.entries.tournament[unlisted]] = True
    return has_unlisted & np.array(
        [laws[h.law_day].HAS_UNRATED for h in batch.tournaments], dtype=np.bool_
    )


def _head_may_be_wrong(head: TournamentHead, law: RatingLaw, judged: dict[object, bool]) -> bool:
    """Whether what a report says of itself has an error; asked once for all that say the same."""
    if not head.end_known or plausible(head.start) is None or plausible(head.end) is None:
        return True
    days = (head.end - head.start).days
    facts = None if head.facts == _USUAL_FACTS else astuple(head.facts)
    said = law, head.control, facts, days, _most_in_a_day(head)
    if days < 0 or said not in judged:
        judged[said] = _has_error(head, law)
    return judged[said]


def _has_error(head: TournamentHead, law: RatingLaw) -> bool:
    report = Report(
        start=head.start,
        end=head.end,
        system=head.system,
        time_control=head.control,
        rounds=head.rounds,
        round_dates=head.round_dates,
        facts=head.facts,
    )
    case = Case(report, law)
    return any(finding.is_error for check in HEAD_CHECKS for finding in check(case))


def _most_in_a_day(head: TournamentHead) -> int:
    """The rounds of the fullest day, as far as the report dates them."""
    dated = Counter(day for day in head.round_dates[: head.rounds] if day is not None)
    if dated:
        return max(dated.values())
    return head.rounds if head.start == head.end and not any(head.round_dates) else 0
