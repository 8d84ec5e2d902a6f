"""The games that wait for the log: one that waits too long has its clocks stopped (11.6)."""

from __future__ import annotations

from typing import Protocol

from arrocco.hall.game.held import HELD_AFTER
from arrocco.live.server_time import Alarm, Time


class Waiting(Protocol):
    """Something whose clocks the server may hold up."""

    def hold(self, since: int) -> None:
        """It has waited too long, since that moment."""
        ...


class Waits:
    """Looks after all that wait with one alarm, so that a move sets no timer of its own."""

    def __init__(self, time: Time) -> None:
        self._time = time
        self._since: dict[Waiting, int] = {}
        self._alarm: Alarm | None = None

    def begin(self, waiting: Waiting, since: int) -> None:
        """Something waits for the log, for the sake of what arrived at that moment."""
        self._since[waiting] = since
        if self._alarm is None:
            self._alarm = self._time.call_at(since + HELD_AFTER, self._look)

    def end(self, waiting: Waiting) -> None:
        """It waits no more."""
        self._since.pop(waiting, None)

    def close(self) -> None:
        """Looks no more."""
        if self._alarm is not None:
            self._alarm.cancel()

    def _look(self) -> None:
        self._alarm = None
        now = self._time.now()
        late = [one for one, since in self._since.items() if now - since >= HELD_AFTER]
        for waiting in late:
            waiting.hold(self._since.pop(waiting))
        if self._since:
            first = min(self._since.values())
            self._alarm = self._time.call_at(first + HELD_AFTER, self._look)
