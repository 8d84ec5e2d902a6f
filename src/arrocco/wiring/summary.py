"""A period in numbers."""

from __future__ import annotations

from typing import Any

from arrocco.engine.month import Month
from arrocco.engine.outcome import Outcome
from arrocco.ratinglist import RatingList
from arrocco.wiring.gathering import Gathering


def summarise(
    outcome: Outcome, month: Month, listed: RatingList, gathering: Gathering
) -> dict[str, Any]:
    """The period in numbers: who came and went, what was excluded, where points came from."""
    change = outcome.change
    before, after = outcome.players.rating, outcome.new_rating
    first = outcome.first_ratings
    played = outcome.totals.games > 0
    stood_in = outcome.players.stands_in & played
    entering = sum(first.published.values()) + int(before[stood_in].sum())
    reasons: dict[str, int] = {}
    for report in gathering.left_out:
        reasons[report.reason] = reasons.get(report.reason, 0) + 1
    return {
        "law": outcome.law.law,
        "edition": outcome.law.edition,
        "readings": dict(outcome.law.readings),
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
        "inactive": int(((listed.flag == "i") | (listed.flag == "wi")).sum()),
        "k_limited": int((played & (outcome.k_applied < outcome.k)).sum()),
        "points_gained": int(change[change > 0].sum()),
        "points_lost": int(change[change < 0].sum()),
        "points_entering": entering,
        "points_leaving": int(outcome.rounded_rating[outcome.delisted].sum()),
    }
