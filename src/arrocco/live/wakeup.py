"""When a game has to be looked at although nobody asks: its one alarm, and the thought before."""

from __future__ import annotations

from collections.abc import Callable

from arrocco.hall.game import Phase, State, next_deadline
from arrocco.hall.game.position import COLORS
from arrocco.live.server_time import Alarm
from arrocco.live.services import Services

THINK_AHEAD = 1500
"""Milliseconds before a flag falls at which the question is asked that its fall will raise."""


class Wakeup:
    """The alarms of one game; `ring` is called when it has to be looked at."""

    def __init__(
        self, services: Services, state: Callable[[], State], ring: Callable[[], None]
    ) -> None:
        self._services, self._state, self._on_ring = services, state, ring
        self._alarm: Alarm | None = None
        self._alarm_at = 0
        self._is_closed = False
        self._ahead: Alarm | None = None

    def set(self, now: int) -> None:
        """One alarm for each game; one that rings too early is set anew.

        `now` is the moment of which everybody was shown the game: what is to be seen later is
        counted from it, for the clock goes on between the showing and the setting.
        """
        if self._is_closed:
            return
        state, time = self._state(), self._services.time
        deadline = next_deadline(state, now)
        if deadline is not None and (self._alarm is None or deadline.at < self._alarm_at):
            self.ring_at(deadline.at)
        flag = state.clock.flag_at()
        if self._ahead is None and flag is not None:
            self._ahead = time.call_at(flag - THINK_AHEAD, self._think_ahead)

    def ring_at(self, moment: int) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
        self._alarm_at = moment
        self._alarm = self._services.time.call_at(moment, self._ring)

    def close(self) -> None:
        """Rings no more."""
        self._is_closed = True
        for alarm in (self._alarm, self._ahead):
            if alarm is not None:
                alarm.cancel()
        self._alarm = self._ahead = None

    def _ring(self) -> None:
        self._alarm = None
        self._on_ring()

    def _think_ahead(self) -> None:
        """1.3.4 — has it found out beforehand whether the opponent can mate when the flag falls."""
        self._ahead = None
        state, time = self._state(), self._services.time
        flag = state.clock.flag_at()
        if state.phase is not Phase.RUNNING or flag is None:
            return
        if flag - time.now() > THINK_AHEAD:
            self._ahead = time.call_at(flag - THINK_AHEAD, self._think_ahead)
        else:
            self._services.thinking.answer(state.board, COLORS[state.clock.turn.other])
