"""The end of an event, the validation of its standings, and until when one can object (12.9)."""

from __future__ import annotations

from datetime import datetime

from arrocco.hall.event import commands as c
from arrocco.hall.event import events as e
from arrocco.hall.event.decision import Decision, happened, refused, signed
from arrocco.hall.event.objections import Laws
from arrocco.hall.event.state import Phase, State


def close_event(state: State, command: c.CloseEvent, now: datetime, laws: Laws) -> Decision:
    """No more rounds; with fewer than announced there must be a reason."""
    last = state.last_round
    if state.closed is not None:
        return refused("event_closed")
    if last is not None and last.phase is not Phase.CLOSED:
        return refused("round_not_closed", round=last.number)
    if len(state.rounds) < max(state.announced_rounds, 1) and not command.reason.strip():
        return refused("rounds_to_come", "C.04.1 1", played=len(state.rounds))
    return happened(e.Closed(**signed(command, now), reason=command.reason.strip()))


def validate(state: State, command: c.Validate, now: datetime, laws: Laws) -> Decision:
    """12.9 — the chief arbiter validates the standings; the time for appeals runs from here.

    Complaints can come for two hours after the last round: the standings wait for them.
    """
    if state.closed is None:
        return refused("event_not_closed", "12.9")
    if state.validated is not None:
        return refused("already_validated", "12.9")
    until = complaints_until(state, laws)
    if until is not None and now < until:
        return refused("complaints_open", "12.9", until=until.isoformat(timespec="minutes"))
    return happened(e.Validated(**signed(command, now)))


def complaints_until(state: State, laws: Laws) -> datetime | None:
    """12.9 — until when one can complain to the chief arbiter; `None` before the last round."""
    last = state.last_round
    if state.closed is None or last is None or last.closed is None:
        return None
    return laws.online.complaint_deadline(last.closed)


def appeals_until(state: State, laws: Laws) -> datetime | None:
    """12.9 — until when one can appeal to the committee; `None` before the validation."""
    return None if state.validated is None else laws.online.appeal_deadline(state.validated)
