"""A period in numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from datetime import date
from typing import Any

import numpy as np

from arrocco.engine.admission import waiver_key
from arrocco.engine.columns import IntColumn
from arrocco.engine.month import PeriodBuilder
from arrocco.engine.outcome import Outcome
from arrocco.engine.statistics.flow import flow
from arrocco.engine.statistics.lists import ListFigures
from arrocco.laws.rating import RatingLaw
from arrocco.records.ratinglist import AMONG_TOP, INACTIVE, OFF_LIST, RatingList
from arrocco.runs.batches import Gathering

_MARKS = {"off_list": OFF_LIST, "among_top": AMONG_TOP}


def summarise(
    outcome: Outcome, month: PeriodBuilder, listed: RatingList, gathering: Gathering
) -> dict[str, Any]:
    """The period in numbers: who came and went, what was excluded, where points came from."""
    change = outcome.change
    before, after = outcome.players.rating, outcome.new_rating
    first = outcome.first_ratings
    played = outcome.totals.games > 0
    stood_in = outcome.players.stands_in & (played | (after > 0))
    entering = sum(first.published.values()) + int(before[stood_in].sum())
    reasons: dict[str, int] = {}
    for report in gathering.left_out:
        reasons[report.reason] = reasons.get(report.reason, 0) + 1
    named = gathering.job.named_readings
    return {
        "law": outcome.law.law,
        "edition": outcome.law.edition,
        "readings": _named(outcome.law, named),
        "opened_on": outcome.opened_on.isoformat(),
        "list": outcome.list_date.isoformat(),
        "reports": gathering.reports,
        "reports_left_out": dict(sorted(reasons.items())),
        "players": len(listed),
        "rated_before": int((before > 0).sum() - outcome.players.stands_in.sum()),
        "rated": int((after > 0).sum()),
        "played": int(played.sum()),
        "entries": month.entries,
        "entries_without_id": month.without_id,
        "games": month.games,
        "games_excluded": dict(sorted(month.excluded.items())),
        "new": len(first.published) + int(stood_in.sum()),
        "newcomers": len(month.newcomers),
        "in_pools": len(outcome.pools.tranches),
        "delisted": int(outcome.delisted.sum()),
        "inactive": int(listed.marked(INACTIVE).sum()),
        **_left_off(outcome, listed),
        "k_limited": int((played & (outcome.k_applied < outcome.k)).sum()),
        "points_gained": int(change[change > 0].sum()),
        "points_lost": int(change[change < 0].sum()),
        "points_entering": entering,
        "points_leaving": int(outcome.rounded_rating[outcome.delisted].sum()),
    } | _of_gate(gathering)


def counted_by_lists(
    outcome: Outcome, before: tuple[IntColumn, IntColumn], listed: RatingList
) -> dict[str, int]:
    """Who is new, delisted, gone and leaving, as `statistics` counts them: list against list.

    New is who is rated now and was not on the list before; delisted who is still listed, without a
    rating; gone who is listed no more (merged, dead); leaving are the last two together. Points are
    gained and lost by those on both lists: with those that enter and leave they lead from one to
    the other.
    """
    counted = flow(
        _figures(outcome.opened_on, *before),
        _figures(outcome.list_date, listed.id, listed.rating.astype(np.int64)),
    )
    return {
        "new": counted.entering.count,
        "delisted": counted.delisted.count,
        "gone": counted.gone.count,
        "leaving": counted.leaving.count,
        "points_gained": counted.common.gained,
        "points_lost": counted.common.lost,
        "points_entering": counted.entering.points,
        "points_leaving": counted.leaving.points,
    }


def _figures(on: date, ids: IntColumn, ratings: IntColumn) -> ListFigures:
    nothing = np.zeros(len(ids), dtype=np.int64)
    return ListFigures(
        on=on,
        id=ids,
        rating=ratings,
        inactive=nothing.astype(np.bool_),
        k=nothing,
        games=nothing,
        federation=nothing,
        federations=("",),
    )


def _of_gate(gathering: Gathering) -> dict[str, Any]:
    """What the gate did, where it had anything to do: errors by name, and what was waived."""
    errors = Counter(
        waiver_key(finding) for report in gathering.left_out for finding in report.findings
    )
    keys = gathering.job.keys
    waived = sorted(
        (waiver_key(finding), keys.get(finding.place.file, finding.place.file), reason)
        for finding, reason in gathering.waived
    )
    summary: dict[str, Any] = {}
    if errors:
        summary["errors"] = dict(sorted(errors.items()))
    if waived:
        summary["waived"] = [
            {"key": key, "report": report, "reason": reason} for key, report, reason in waived
        ]
    return summary


def _left_off(outcome: Outcome, listed: RatingList) -> dict[str, int]:
    """Whom the list as printed leaves out or names apart (FIDE 2010, 7.2); nothing elsewhere."""
    if not outcome.law.LISTS_ONLY_RATED:
        return {}
    marked = {name: int(listed.marked(letter).sum()) for name, letter in _MARKS.items()}
    return {name: count for name, count in marked.items() if count}


def _named(law: RatingLaw, named: Collection[str] | None) -> dict[str, str]:
    """How the law was read, under the names that the list gives its readings."""
    if named is None:
        return dict(law.readings)
    names = [
        (reading.name, reading.name if reading.name in named else reading.formerly)
        for reading in law.READINGS
    ]
    return {shown: law.readings[name] for name, shown in names if shown in named}
