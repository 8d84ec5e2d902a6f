"""The days on which an office published its lists, where a regulation gives no calendar.

RIO says only that lists appear periodically; UISP's may come late. What is in force on a day is
then the last list published by that day.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from datetime import date


class Publications:
    """The days lists were published, in order, each once."""

    def __init__(self, days: Iterable[date] = ()) -> None:
        self._days = tuple(sorted(set(days)))

    def __iter__(self) -> Iterator[date]:
        return iter(self._days)

    def __len__(self) -> int:
        return len(self._days)

    def in_force(self, day: date) -> date | None:
        """The last list published by a day; `None` before the first."""
        index = bisect_right(self._days, day)
        return self._days[index - 1] if index else None

    def after(self, day: date) -> date | None:
        """The first list published after a day; `None` when none has been yet."""
        index = bisect_right(self._days, day)
        return self._days[index] if index < len(self._days) else None
