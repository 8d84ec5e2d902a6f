"""A stated start starts its round: one alarm for each event, set anew whenever the event changes.

The moments are in the event's log, so the next process of the hall sets the same alarms.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Coroutine

from arrocco.hall.event.acts import Command
from arrocco.hall.event.acts.pairing import PairRound
from arrocco.hall.event.acts.rounds import CloseRound, OpenRound
from arrocco.hall.event.acts.schedule import HoldStart
from arrocco.hall.event.starts import (
    PUBLISHED_BEFORE,
    TOO_LATE,
    NextStart,
    is_paired_by_hall,
    next_start,
)
from arrocco.hall.event.state import Phase
from arrocco.live.event_room import EventRoom
from arrocco.live.journal import NotWritten
from arrocco.live.server_time import Alarm, Time, as_datetime, as_moment

log = logging.getLogger(__name__)

AGAIN = 1000
"""Milliseconds until a start is tried again that could not be written."""
_MISSED = "event.start_missed"


class RoundStarts:
    """The alarms of all events whose next round has a stated start."""

    def __init__(self, time: Time, do: Callable[[Coroutine[None, None, None]], None]) -> None:
        self._time, self._do = time, do
        self._alarms: dict[str, Alarm] = {}
        self._is_closed = False

    def look_at(self, event: EventRoom) -> None:
        """Sets the alarm of an event as it stands now."""
        self._cancel(event.id)
        start = next_start(event.state)
        if self._is_closed or start is None or start.is_held or start.waits:
            return
        if not start.is_paired and not is_paired_by_hall(event.state):
            return
        moment = start.moment if start.is_paired else start.moment - PUBLISHED_BEFORE
        self._ring_at(event, as_moment(moment))

    def close(self) -> None:
        """Rings no more."""
        self._is_closed = True
        for name in tuple(self._alarms):
            self._cancel(name)

    def _cancel(self, name: str) -> None:
        alarm = self._alarms.pop(name, None)
        if alarm is not None:
            alarm.cancel()

    def _ring_at(self, event: EventRoom, moment: int) -> None:
        self._alarms[event.id] = self._time.call_at(moment, lambda: self._ring(event))

    def _ring(self, event: EventRoom) -> None:
        self._alarms.pop(event.id, None)
        if not self._is_closed:
            self._do(self._begin(event))

    async def _begin(self, event: EventRoom) -> None:
        """Does the next thing that is due; what it changes sets the alarm of the one after."""
        start = next_start(event.state)
        if start is None or start.is_held or start.waits:
            return
        try:
            await self._tell(event, self._due(event, start))
        except NotWritten:
            if not self._is_closed:
                self._ring_at(event, self._time.now() + AGAIN)

    def _due(self, event: EventRoom, start: NextStart) -> Command:
        now, last = as_datetime(self._time.now()), event.state.last_round
        if now - start.moment > TOO_LATE:
            return HoldStart(by="", key=_MISSED)
        if last is not None and last.phase is Phase.OPEN:
            return CloseRound(by="")
        return OpenRound(by="") if start.is_paired else PairRound(by="", starts=start.moment)

    async def _tell(self, event: EventRoom, command: Command) -> None:
        """What cannot be done is held, with the reason, for the arbiter to see to.

        A round that cannot be closed yet is looked at again with its next result.
        """
        objections = await event.tell(command)
        if objections and not isinstance(command, HoldStart | CloseRound):
            log.warning("%s: %s", event.id, objections[0], extra={"event": event.id})
            await event.tell(HoldStart(by="", key=objections[0].key))
