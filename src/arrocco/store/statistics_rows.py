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
from arrocco.engine.statistics.lists import BAND
from arrocco.store.statistics import Watched
from arrocco.units import decimal, points

Row = dict[str, Any]
Tables = dict[str, list[Row]]

TABLES = tuple("lists bands ages ranks points coefficients games scores federations".split())


def tables_of(watched: Iterable[Watched]) -> Tables:
    """All tables over some lists; those about games are of the lists that kept them."""
    tables: Tables = {name: [] for name in TABLES}
    for one in watched:
        tables["lists"] += _lists(one.statistics)
        tables["bands"] += _bands(one.statistics)
        tables["ages"] += _ages(one.statistics)
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


def _spread(distribution: Distribution) -> Row:
    return {
        "count": distribution.count,
        "points": distribution.total,
        "mean": _text(distribution.mean),
        **{f"q{percent}": distribution.quantile(percent) for percent in QUANTILES},
    }


def _lists(list_statistics: ListStatistics) -> list[Row]:
    return [
        {
            "list": list_statistics.on.isoformat(),
            "players": list_statistics.players,
            "of": name,
            **_spread(part),
        }
        for name, part in (("rated", list_statistics.rated), ("active", list_statistics.active))
    ]


def _bands(list_statistics: ListStatistics) -> list[Row]:
    return [
        {
            "list": list_statistics.on.isoformat(),
            "from": band.low,
            "to": band.low + BAND - 1,
            "rated": band.rated,
            "active": band.active,
        }
        for band in list_statistics.bands
    ]


def _ages(list_statistics: ListStatistics) -> list[Row]:
    return [
        {
            "list": list_statistics.on.isoformat(),
            "from": group.low,
            "to": group.high,
            "sex": group.sex,
            "rated": group.rated,
            "active": group.active,
            "mean": _text(group.mean),
        }
        for group in list_statistics.ages
    ]


def _ranks(list_statistics: ListStatistics) -> list[Row]:
    return [
        {
            "list": list_statistics.on.isoformat(),
            "of": name,
            **{f"rank_{rank}": part.at_rank(rank) for rank in RANKS},
        }
        for name, part in (("rated", list_statistics.rated), ("active", list_statistics.active))
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


def _points(flow: Flow) -> Row:
    return {
        "before_list": flow.before_on.isoformat(),
        "list": flow.on.isoformat(),
        "before": flow.before,
        "after": flow.after,
        **_common("common", flow.common),
        **_common("played", flow.played),
        **_group("entering", flow.entering),
        **_group("leaving", flow.leaving),
        **_group("delisted", flow.delisted),
        **_group("gone", flow.gone),
        **_group("became_inactive", flow.became_inactive),
        **_group("became_active", flow.became_active),
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


def _federations(list_statistics: ListStatistics) -> list[Row]:
    return [
        {
            "list": list_statistics.on.isoformat(),
            "federation": share.federation,
            "rated": share.rated,
            "active": share.active,
            "points": share.total,
            "mean": _text(share.mean),
        }
        for share in list_statistics.federations
    ]
