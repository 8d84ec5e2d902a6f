"""Moments that can be compared and counted on: two hours are two hours, summer time or not."""

from __future__ import annotations

from datetime import UTC, datetime

from arrocco.errors import Illegal


def instant(moment: datetime) -> datetime:
    """The same moment in universal time. Raises `Illegal` for one without a time zone."""
    if moment.utcoffset() is None:
        raise Illegal(
            f"{moment.isoformat()} has no time zone, and deadlines are counted in hours",
            "give the moment with its time zone, as 2025-05-01T18:00+02:00",
        )
    return moment.astimezone(UTC)
