"""A replay as plain data, for JSON and pages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from arrocco.engine.admission import waiver_key
from arrocco.engine.statistics import Group, ListComparison
from arrocco.runs.replay import Replayed
from arrocco.units import decimal


def record_of(replayed: Replayed) -> dict[str, Any]:
    """A replay as plain data, for JSON."""
    return {
        "folder": str(replayed.folder),
        "one_side": "published" if replayed.is_published else "computed",
        "reports": replayed.reports,
        "left_out": {
            side: dict(sorted(Counter(item.reason for item in items).items()))
            for side, items in replayed.left_out.items()
        },
        "lists": [list_record(comparison, replayed.names) for comparison in replayed.comparisons],
        **_of_gate(replayed),
    }


def _of_gate(replayed: Replayed) -> dict[str, Any]:
    """What the gate did, where it had anything to do."""
    record: dict[str, Any] = {}
    stopped = {
        side: [
            {"report": item.report, "errors": list(item.keys), "words": item.words}
            for item in items
            if item.has_errors
        ]
        for side, items in replayed.left_out.items()
    }
    if any(stopped.values()):
        record["errors"] = stopped
    waived = {
        side: [
            {"key": waiver_key(one.finding), "report": one.finding.place.file, "reason": one.reason}
            for one in items
        ]
        for side, items in replayed.waived.items()
    }
    if any(waived.values()):
        record["waived"] = waived
    return record


def list_record(list_comparison: ListComparison, names: Mapping[int, str]) -> dict[str, Any]:
    """Two lists of one day, compared, as plain data."""
    return {
        "list": list_comparison.on.isoformat(),
        "one": _group(list_comparison.one),
        "other": _group(list_comparison.other),
        "both": list_comparison.both,
        "different": list_comparison.different,
        "only_one": _group(list_comparison.only_one),
        "only_other": _group(list_comparison.only_other),
        "total": list_comparison.total,
        "mean": None if list_comparison.mean is None else decimal(list_comparison.mean),
        "quantiles": {f"q{percent}": value for percent, value in list_comparison.quantiles},
        "buckets": [
            {"from": low, "to": high, "higher": higher, "lower": lower}
            for low, high, higher, lower in list_comparison.buckets
        ],
        "most_affected": [
            {
                "id": player.id,
                "name": names.get(player.id, ""),
                "one": player.one,
                "other": player.other,
                "difference": player.difference,
            }
            for player in list_comparison.most_affected
        ],
    }


def _group(value: Group) -> dict[str, Any]:
    mean = None if value.mean is None else decimal(value.mean)
    return {"count": value.count, "points": value.points, "mean": mean}
