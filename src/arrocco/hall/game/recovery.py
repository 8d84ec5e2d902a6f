"""When the server stops under a game: after a crash it stands still, handed over it goes on.

A crash leaves nothing but the log, so nobody knows when it was: the clocks go back to the last
event, and the arbiter resumes. A server that hands its games over stops the clocks itself and says
so; the next one has them run again by itself, and the time between is nobody's (11.6).
"""

from __future__ import annotations

from arrocco.hall.game import events as e
from arrocco.hall.game.acts.pause import Paused, Resumed, paused_by_server
from arrocco.hall.game.records import Cause, Channel
from arrocco.hall.game.state import Phase, State
from arrocco.laws.online.side import Side

RECOVERED = "hall.recovered"
"""The reason of the pause after a crash."""
HANDED_OVER = "hall.handed_over"
"""The reason of the pause with which a server hands a game over."""
TAKEN_OVER = "hall.taken_over"
"""The reason why it goes on."""


def recovered(state: State, now: int) -> tuple[e.Event, ...]:
    """11.6 — the events that put a game folded from its log in order; the arbiter resumes it.

    Nobody loses time to the server: the clocks show what they did at the last event. All players
    are gone, and not by their own fault.
    """
    at = max(now, state.last_at)
    events: list[e.Event] = []
    if state.phase is Phase.RUNNING:
        events.append(paused_by_server(state, state.last_at, at, RECOVERED))
    return (*events, *_disconnected(state, at))


def handed_over(state: State, now: int, *, starts: bool = False) -> tuple[e.Event, ...]:
    """11.6 — the events with which a server stops a game for the one that takes it over.

    The clocks show what they do at this moment. `starts` says that the game was about to start.
    """
    if state.phase is Phase.ENDED:
        return ()
    at = max(now, state.last_at)
    events: list[e.Event] = []
    if state.phase is Phase.RUNNING:
        events.append(paused_by_server(state, at, at, HANDED_OVER))
    events.extend(_disconnected(state, at))
    if starts and state.phase is Phase.WAITING:
        events.append(e.Note(at=at, key=HANDED_OVER))
    return tuple(events)


def handed_over_at(state: State) -> int | None:
    """When a game was handed over that has not gone on since; `None` where it was not."""
    last = state.acts[-1].act if state.acts else None
    if state.phase is Phase.PAUSED and isinstance(last, Paused) and last.reason == HANDED_OVER:
        return last.at
    if state.phase is Phase.WAITING and state.notes and state.notes[-1].key == HANDED_OVER:
        return state.notes[-1].at
    return None


def awaited(state: State) -> frozenset[Side]:
    """Who was there when a game was handed over, and is not back yet."""
    at = handed_over_at(state)
    lines = ((side, state.seat(side).platform) for side in Side)
    return frozenset(
        side
        for side, line in lines
        if not line.on and line.lost == at and line.cause is Cause.SERVER
    )


def taken_over(state: State, now: int) -> tuple[e.Event, ...]:
    """11.6 — the event with which a game goes on that was handed over."""
    if state.phase is not Phase.PAUSED or handed_over_at(state) is None:
        return ()
    at = max(now, state.last_at)
    return (Resumed(at=at, by="", reason=TAKEN_OVER, article="11.6"),)


def _disconnected(state: State, at: int) -> list[e.Event]:
    """Everybody is gone, and not by their own fault."""
    return [
        e.Disconnected(at=at, side=side, channel=channel, cause=Cause.SERVER)
        for side in Side
        for channel in Channel
        if state.seat(side).line(channel).on
    ]
