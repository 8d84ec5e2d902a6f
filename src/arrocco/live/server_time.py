"""The server's time, the only one that counts (1.3.7), and what is to be done at a moment of it.

A moment is a whole number of milliseconds since 1970, UTC. The date is read once, when the server
starts; from then on the monotonic clock counts, so that setting the date moves no game.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Protocol

NS_PER_MS = 1_000_000


class Alarm(Protocol):
    """Something to be done later; it can be called off."""

    def cancel(self) -> None: ...


class Time(Protocol):
    """Where moments come from; tests have one that moves only when told to."""

    def now(self) -> int:
        """This moment, in milliseconds; it never goes back."""
        ...

    def not_before(self, moment: int) -> None:
        """Goes ahead to a moment that a log has: time in a log never goes back."""
        ...

    def call_at(self, moment: int, what: Callable[[], None]) -> Alarm:
        """Has something done once that moment has come."""
        ...


class ServerTime:
    """The time of a running server, whose alarms ring on its event loop."""

    def __init__(self, start: datetime | None = None) -> None:
        """`start` is what time it is now, where that is not what the computer says."""
        now = time.time_ns() if start is None else as_moment(start) * NS_PER_MS
        self._ahead = now - time.monotonic_ns()

    @classmethod
    def ahead_of_monotonic(cls, nanoseconds: int) -> ServerTime:
        """The time of all processes of one server: the monotonic clock and so much more."""
        time = cls()
        time._ahead = nanoseconds
        return time

    @property
    def ahead(self) -> int:
        """How many nanoseconds this time is ahead of the monotonic clock."""
        return self._ahead

    def now(self) -> int:
        return (self._ahead + time.monotonic_ns()) // NS_PER_MS

    def not_before(self, moment: int) -> None:
        self._ahead += max(moment - self.now(), 0) * NS_PER_MS

    def call_at(self, moment: int, what: Callable[[], None]) -> Alarm:
        loop = asyncio.get_running_loop()
        # A millisecond is counted once it is over, so waking within it would be too early.
        wait = (moment * NS_PER_MS - self._ahead - time.monotonic_ns()) / 1e9
        return loop.call_later(max(wait, 0), what)


def as_datetime(moment: int) -> datetime:
    """A moment as events of the hall write it: in UTC, to the millisecond."""
    seconds, milliseconds = divmod(moment, 1000)
    return datetime.fromtimestamp(seconds, UTC).replace(microsecond=milliseconds * 1000)


def as_moment(when: datetime) -> int:
    """The milliseconds of a time with its offset."""
    since = when - datetime(1970, 1, 1, tzinfo=UTC)
    return (since.days * 86_400 + since.seconds) * 1000 + since.microseconds // 1000
