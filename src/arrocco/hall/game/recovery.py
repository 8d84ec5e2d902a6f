"""After a crash: a game that was running stands still, as of the last thing that was written."""

from __future__ import annotations

from arrocco.hall.game.state import Phase, State
from arrocco.hall.log import events as e
from arrocco.hall.log.records import Cause, Channel
from arrocco.laws.online.side import Side

RECOVERED = "hall.recovered"
"""The reason of the pause."""


def recovered(state: State, now: int) -> tuple[e.Event, ...]:
    """11.6 — the events that put a game folded from its log in order; the arbiter resumes it.

    Nobody loses time to the server: the clocks show what they did at the last event. All players
    are gone, and not by their own fault.
    """
    at = max(now, state.last_at)
    events: list[e.Event] = []
    if state.phase is Phase.RUNNING:
        clock = state.clock.pause(state.last_at)
        events.append(
            e.Paused(
                at=at,
                by="",
                reason=RECOVERED,
                article="11.6",
                stopped=state.last_at,
                white=clock.white,
                black=clock.black,
            )
        )
    events.extend(
        e.Disconnected(at=at, side=side, channel=channel, cause=Cause.SERVER)
        for side in Side
        for channel in Channel
        if state.seat(side).line(channel).on
    )
    return tuple(events)
