"""11.1 — a call for the arbiter that stops the clocks, where the event's rules say so."""

from __future__ import annotations

from arrocco.hall.game.acts.pause import paused_by_server
from arrocco.hall.game.decision import Decision
from arrocco.hall.game.fold import apply
from arrocco.hall.game.state import Phase, State


def with_clocks_stopped(state: State, decision: Decision) -> Decision:
    """A call that was granted, and the pause that follows."""
    for event in decision.events:
        state = apply(state, event)
    if decision.refusal is not None or state.phase is not Phase.RUNNING:
        return decision
    at = state.last_at
    paused = paused_by_server(state, at, at, "hall_live.call_stops_clocks", "11.1")
    return Decision((*decision.events, paused), None)
