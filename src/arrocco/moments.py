"""Moments that can be compared and counted on: two hours are two hours, summer time or not."""

from __future__ import annotations

from datetime import UTC, datetime

from arrocco.errors import Illegal


def instant(moment: datetime) -> datetime:
    """The same moment in universal time. Raises `Illegal` for one without a time zone."""
    if moment.utcoffset() is None:
        raise Illegal.of("laws.refused.no_time_zone", moment=moment.isoformat())
    return moment.astimezone(UTC)
