"""A game that another process has handed over: it goes on by itself, as soon as it can.

It waits for the players who were there, two seconds at most from the moment it was stopped. What
they send meanwhile is kept, and counts from the moment the clocks run again: the time between is
nobody's (11.6).
"""

from __future__ import annotations

from collections.abc import Callable

from arrocco.hall.game import Command, State
from arrocco.hall.game import commands as c
from arrocco.hall.game.acts import ArbiterCommand
from arrocco.hall.game.recovery import awaited, handed_over_at
from arrocco.live.server_time import Alarm, Time

LONGEST_PAUSE = 2000
"""Milliseconds that a game stands still for a restart of the server."""
MARGIN = 150
"""Milliseconds of them that are kept for what has to be written."""
TOO_LATE = 15_000
"""Milliseconds after which a restart has failed: the arbiter resumes, as after a crash."""

_NOT_HELD = (c.Connect, c.Disconnect, ArbiterCommand)


def goes_on_by_itself(state: State, now: int) -> bool:
    """Whether a game was handed over a moment ago."""
    at = handed_over_at(state)
    return at is not None and now - at < TOO_LATE


class TakingOver:
    """Waits for the players of one game; `proceed` is called once, when it is to go on."""

    def __init__(self, state: State, time: Time, proceed: Callable[[], None]) -> None:
        self._process_queue = proceed
        self._is_over = False
        at = handed_over_at(state)
        assert at is not None
        until = at + LONGEST_PAUSE - MARGIN
        self._alarm: Alarm = time.call_at(until, self._now)
        if not awaited(state):
            self._alarm.cancel()
            self._alarm = time.call_at(time.now(), self._now)

    def holds(self, command: Command | None) -> bool:
        """Whether something that is asked waits until the game goes on."""
        return not self._is_over and command is not None and not isinstance(command, _NOT_HELD)

    def look(self, state: State) -> None:
        """Something has happened: perhaps everybody is back, or the arbiter was faster."""
        if handed_over_at(state) is None or not awaited(state):
            self._now()

    def close(self) -> None:
        self._is_over = True
        self._alarm.cancel()

    def _now(self) -> None:
        if not self._is_over:
            self.close()
            self._process_queue()
