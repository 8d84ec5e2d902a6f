"""11.6 — the server's own fault costs no player: clocks that it holds up stand still meanwhile."""

from __future__ import annotations

import msgspec

from arrocco.hall.game import events as e
from arrocco.hall.game.acts.pause import Resumed, paused_by_server
from arrocco.hall.game.state import Phase, State

HELD_AFTER = 500
"""Milliseconds that a game may wait for the server. If it waits longer its clocks stand still, from
the moment at which what waits had arrived."""
RESUMED_WITHIN = 60_000
"""Milliseconds after which the arbiter, and not the server, has the clocks run again."""
HELD = "hall.held"
"""The reason of the pause."""
HELD_NO_LONGER = "hall.held_no_longer"
"""The reason for which the server resumes the game itself."""


def clocks_held(state: State, since: int) -> State:
    """A game as it is to be shown while the server holds it up: its clocks stand since then."""
    return msgspec.structs.replace(state, clock=state.clock.pause(since))


def time_given_back(state: State, since: int, now: int) -> tuple[e.Event, ...]:
    """The events that say from when to when the server had the clocks stand still.

    A hold that was short is over with them. After a long one players may have left their boards:
    then the game waits for the arbiter, as after a crash.
    """
    if state.phase is not Phase.RUNNING:
        return ()
    at = max(now, state.last_at)
    paused = paused_by_server(state, since, at, HELD)
    if at - since > RESUMED_WITHIN:
        return (paused,)
    return (paused, Resumed(at=at, by="", reason=HELD_NO_LONGER, article="11.6"))
