"""Moments as the databases keep them: UTC, of one width, so that text sorts as time does."""

from __future__ import annotations

from datetime import UTC, datetime


def written(moment: datetime) -> str:
    """The text of a moment. Raises `ValueError` for one that does not know its time zone."""
    if moment.tzinfo is None:
        raise ValueError(f"{moment} has no time zone; moments are kept in UTC")
    return moment.astimezone(UTC).isoformat(timespec="microseconds")


def read(text: str) -> datetime:
    """The moment of a text that `written` gave."""
    return datetime.fromisoformat(text).astimezone(UTC)


def read_maybe(text: str | None) -> datetime | None:
    return None if text is None else read(text)
