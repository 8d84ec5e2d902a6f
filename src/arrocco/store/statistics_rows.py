"""Statistics as flat tables, the same for JSON, CSV and pages: rows of named cells.

Means and sums of hundredths are decimals written out (``1650.25``); a cell without a value is None.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from arrocco.engine.statistics import (
    QUANTILES,
    RANKS,
    Distribution,
    Flow,
    Group,
    ListStatistics,
    Scores,
)
from arrocco.engine.statistics.flow import Common
from arrocco.store.statistics import Watched
from arrocco.units import decimal, points

Row = dict[str, Any]
Tables = dict[str, list[Row]]

TABLES = ("lists", "ranks", "points", "coefficients", "games", "scores", "federations")


def tables_of(watched: Iterable[Watched]) -> Tables:
    """All tables over some lists; those about games are of the lists that kept them."""
    tables: Tables = {name: [] for name in TABLES}
    for one in watched:
        tables["lists"] += _lists(one.statistics)
        tables["ranks"] += _ranks(one.statistics)
        tables["federations"] += _federations(one.statistics)
        if one.flow is not None:
            tables["points"].append(_points(one.flow))
        tables["coefficients"] += _coefficients(one)
        tables["games"] += _games(one)
        if one.scores is not None:
            tables["scores"] += score_rows(one.scores, list=one.on.isoformat())
    return tables


def _text(hundredths: int | None) -> str | None:
    return None if hundredths is None else decimal(hundredths)


def _spread(found: Distribution) -> Row:
    return {
        "count": found.count,
        "points": found.total,
        "mean": _text(found.mean),
        **{f"q{percent}": found.quantile(percent) for percent in QUANTILES},
    }


def _lists(found: ListStatistics) -> list[Row]:
    return [
        {"list": found.on.isoformat(), "players": found.players, "of": name, **_spread(part)}
        for name, part in (("rated", found.rated), ("active", found.active))
    ]


def _ranks(found: ListStatistics) -> list[Row]:
    return [
        {
            "list": found.on.isoformat(),
            "of": name,
            **{f"rank_{rank}": part.at_rank(rank) for rank in RANKS},
        }
        for name, part in (("rated", found.rated), ("active", found.active))
    ]


def _group(name: str, group: Group) -> Row:
    return {name: group.count, f"{name}_points": group.points, f"{name}_mean": _text(group.mean)}


def _common(name: str, common: Common) -> Row:
    return {
        name: common.count,
        f"{name}_gained": common.gained,
        f"{name}_lost": common.lost,
        f"{name}_change": common.change,
        f"{name}_mean_change": _text(common.mean_change),
    }


def _points(found: Flow) -> Row:
    return {
        "before_list": found.before_on.isoformat(),
        "list": found.on.isoformat(),
        "before": found.before,
        "after": found.after,
        **_common("common", found.common),
        **_common("played", found.played),
        **_group("entering", found.entering),
        **_group("leaving", found.leaving),
        **_group("delisted", found.delisted),
        **_group("gone", found.gone),
        **_group("became_inactive", found.became_inactive),
        **_group("became_active", found.became_active),
    }


def _coefficients(one: Watched) -> list[Row]:
    """K of the period where calculations are stored, otherwise K as the list prints it."""
    on = one.on.isoformat()
    if one.calculations is not None:
        return [
            {
                "list": on,
                "source": "calculations",
                "k": line.k,
                "players": line.players,
                "games": line.games,
                "limited": line.limited,
            }
            for line in one.calculations.coefficients
        ]
    return [
        {"list": on, "source": "list", "k": k, "players": count, "games": None, "limited": None}
        for k, count in one.statistics.k
    ]


def _games(one: Watched) -> list[Row]:
    if one.calculations is None:
        return []
    return [
        {"list": one.on.isoformat(), "from": low, "to": high, "players": count}
        for low, high, count in one.calculations.game_groups
    ]


def score_rows(scores: Scores, **more: Any) -> list[Row]:
    """One row for each band of differences, as the stronger player sees it."""
    return [
        {
            **more,
            "from": band.low,
            "to": band.high,
            "sides": band.sides,
            "expected": decimal(band.expected),
            "actual": points(band.half_points),
            "surplus": decimal(band.surplus),
            "expected_percent": _text(band.mean_expected),
            "actual_percent": _text(band.mean_actual),
        }
        for band in scores.bands()
    ]


def _federations(found: ListStatistics) -> list[Row]:
    return [
        {
            "list": found.on.isoformat(),
            "federation": share.federation,
            "rated": share.rated,
            "active": share.active,
            "points": share.total,
            "mean": _text(share.mean),
        }
        for share in found.federations
    ]
