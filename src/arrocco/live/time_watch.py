"""Watches a process' clocks and its event loop: dates that jump, and a loop that keeps waiting.

One thread looks once a second. The date is held against the steady clock: whoever sets it moves no
game (the hall counts by the steady clock), but logs, sessions and deadlines of days are off then.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections import deque
from collections.abc import Callable

from msgspec.structs import replace

from arrocco.live.process_numbers import ProcessNumbers, process_numbers

log = logging.getLogger(__name__)

INTERVAL = 1.0
JUMP = 0.5
"""Seconds by which the date must be off from one look to the next to have jumped: the slow hand of
NTP moves it by half a millisecond in that time."""
REMEMBERED = 60
"""Looks of which the longest lag of the loop is told: a minute."""

Clock = Callable[[], float]


class ClockWatch:
    """Holds the date against the steady clock."""

    def __init__(self, date: Clock = time.time, steady: Clock = time.monotonic) -> None:
        self._date, self._steady = date, steady
        self._first = self._offset = self._read()
        self.jumps = 0
        self.last_jump = 0.0
        self.last_jump_at = 0.0
        """By the steady clock."""

    @property
    def offset(self) -> float:
        """By how many seconds the date has moved since the start, beyond the time that passed."""
        return self._offset - self._first

    def look(self) -> float:
        """By how many seconds the date has jumped since the last look; 0 where it has not."""
        before, self._offset = self._offset, self._read()
        jump = self._offset - before
        if abs(jump) < JUMP:
            return 0.0
        self.jumps += 1
        self.last_jump, self.last_jump_at = jump, self._steady()
        return jump

    def _read(self) -> float:
        # The date between two readings of the steady clock: a thread that is held up in between
        # must not look like a jump.
        while True:
            before = self._steady()
            date = self._date()
            after = self._steady()
            if after - before < JUMP / 10:
                return date - (before + after) / 2


class LoopWatch:
    """How long an event loop takes to do what it is handed from outside."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._asked: float | None = None
        self._lags: deque[float] = deque(maxlen=REMEMBERED)

    def look(self) -> None:
        """Notes how long the last question has waited, and asks anew where it was answered."""
        if self._asked is not None:
            return
        self._asked = time.monotonic()
        try:
            self._loop.call_soon_threadsafe(self._answered)
        except RuntimeError:  # the loop is closed
            self._asked = None

    def _answered(self) -> None:
        if self._asked is not None:
            self._lags.append(time.monotonic() - self._asked)
            self._asked = None

    @property
    def lag(self) -> float:
        """The longest wait of the last minute, one that is not over yet included."""
        asked = self._asked
        waiting = 0.0 if asked is None else time.monotonic() - asked
        return max(waiting, max(tuple(self._lags), default=0.0))


class TimeWatch:
    """The watch of one process; `numbers` can be asked from any thread."""

    def __init__(self, name: str, clock: ClockWatch | None = None) -> None:
        self._name = name
        self.clock = clock or ClockWatch()
        self.loop: LoopWatch | None = None
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="time-watch", daemon=True)

    def start(self) -> None:
        """Starts to look; the event loop is the one that runs here, where there is one."""
        try:
            self.loop = LoopWatch(asyncio.get_running_loop())
        except RuntimeError:
            self.loop = None
        self._thread.start()

    def stop(self) -> None:
        self._stop.set()

    def look(self) -> None:
        """One look at everything."""
        jump = self.clock.look()
        if jump:
            log.warning("the clock of this machine jumped by %+.3f s", jump)
        if self.loop is not None:
            self.loop.look()

    def numbers(self) -> ProcessNumbers:
        """This process as it stands."""
        clock = self.clock
        return replace(
            process_numbers(self._name),
            loop_lag_seconds=0.0 if self.loop is None else self.loop.lag,
            clock_jumps=clock.jumps,
            last_jump_seconds=clock.last_jump,
            last_jump_ago=time.monotonic() - clock.last_jump_at if clock.jumps else None,
            clock_offset_seconds=clock.offset,
        )

    def _run(self) -> None:
        while not self._stop.wait(INTERVAL):
            try:
                self.look()
            except Exception:  # a watch that ends sees nothing any more
                log.exception("watching the clocks")
