"""The time in an invented year: it goes from one dated act to the next."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from datetime import UTC, date, datetime, time

Act = Callable[[], None]


def moment(day: date, hour: int, minute: int = 0) -> datetime:
    """A moment of a day, in UTC."""
    return datetime.combine(day, time(hour, minute), UTC)


def going_on_from(start: datetime) -> Callable[[], datetime]:
    """A clock that goes as the real one does, from another moment on."""
    behind = datetime.now(UTC) - start
    return lambda: datetime.now(UTC) - behind


class Agenda:
    """Acts to come by their moments; it is the clock of the office as well.

    While an act runs the time stands still. Acts may add others; what comes after `until` is never
    done: it lies beyond the end of the story.
    """

    def __init__(self, start: datetime, until: datetime) -> None:
        self.at, self.until = start, until
        self._acts: list[tuple[datetime, int, Act]] = []
        self._added = 0

    def __call__(self) -> datetime:
        return self.at

    @property
    def day(self) -> date:
        return self.at.date()

    def add(self, at: datetime, act: Act) -> None:
        """Puts an act down; one whose moment has passed comes next."""
        self._added += 1
        heapq.heappush(self._acts, (max(at, self.at), self._added, act))

    def run(self) -> None:
        """Does everything, in order; of one moment what was put down first."""
        while self._acts and self._acts[0][0] <= self.until:
            self.at, _, act = heapq.heappop(self._acts)
            act()
        self.at = self.until
