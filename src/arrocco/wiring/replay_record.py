"""A replay as plain data, for JSON and pages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from arrocco.engine.statistics import Group, ListComparison
from arrocco.units import decimal
from arrocco.wiring.replay import Replayed


def record_of(found: Replayed) -> dict[str, Any]:
    """A replay as plain data, for JSON."""
    return {
        "folder": str(found.folder),
        "one_side": "published" if found.is_published else "computed",
        "reports": found.reports,
        "left_out": {
            side: dict(sorted(Counter(item.reason for item in items).items()))
            for side, items in found.left_out.items()
        },
        "lists": [list_record(one, found.names) for one in found.comparisons],
    }


def list_record(one: ListComparison, names: Mapping[int, str]) -> dict[str, Any]:
    """Two lists of one day, compared, as plain data."""
    return {
        "list": one.on.isoformat(),
        "one": _group(one.one),
        "other": _group(one.other),
        "both": one.both,
        "different": one.different,
        "only_one": _group(one.only_one),
        "only_other": _group(one.only_other),
        "total": one.total,
        "mean": None if one.mean is None else decimal(one.mean),
        "quantiles": {f"q{percent}": value for percent, value in one.quantiles},
        "buckets": [
            {"from": low, "to": high, "higher": higher, "lower": lower}
            for low, high, higher, lower in one.buckets
        ],
        "most_affected": [
            {
                "id": player.id,
                "name": names.get(player.id, ""),
                "one": player.one,
                "other": player.other,
                "difference": player.difference,
            }
            for player in one.most_affected
        ],
    }


def _group(value: Group) -> dict[str, Any]:
    mean = None if value.mean is None else decimal(value.mean)
    return {"count": value.count, "points": value.points, "mean": mean}
