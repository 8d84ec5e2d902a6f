"""Time itself: the one next moment a game must be looked at, and what has happened by then.

A server keeps one timer for each game, at the moment `next_deadline` tells; `decide` looks for
itself, so a timer that comes late never lets a move pass a fallen flag.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from arrocco.hall.clock import forfeit_at
from arrocco.hall.game.decision import Judge
from arrocco.hall.game.endings import flag_fallen, not_back, not_come
from arrocco.hall.game.events import Event
from arrocco.hall.game.fold import apply
from arrocco.hall.game.frames import next_frame_at
from arrocco.hall.game.state import Phase, State
from arrocco.laws.online.side import Side


class DeadlineKind(StrEnum):
    """What comes due, in the order in which things of the same moment happen."""

    FLAG = "flag"
    TOLERANCE = "tolerance"
    RECONNECTION = "reconnection"
    SPECTATORS = "spectators"
    """Spectators see what they may only see now; nothing happens in the game."""


class Deadline(NamedTuple):
    """A moment of the server's time, in milliseconds, and what is due then."""

    at: int
    kind: DeadlineKind


def next_deadline(state: State, now: int) -> Deadline | None:
    """The next moment to wake for; one that has passed unattended comes first."""
    due = _due(state)
    at = next_frame_at(state, now) if state.frames else None
    return due if at is None else _earlier(due, at, DeadlineKind.SPECTATORS)


def on_deadline(state: State, now: int, judge: Judge) -> tuple[Event, ...]:
    """What time has brought about by now, each at the moment it was due."""
    events: tuple[Event, ...] = ()
    deadline = _due(state)
    while deadline is not None and deadline.at <= now:
        brought = _brought_about(state, deadline, judge)
        for event in brought:
            state = apply(state, event)
        events += brought
        deadline = _due(state)
    return events


def _due(state: State) -> Deadline | None:
    """The next moment at which the game itself changes."""
    if state.phase is not Phase.RUNNING:
        return None
    flag = state.clock.flag_at()
    first = None if flag is None else Deadline(flag, DeadlineKind.FLAG)
    white, black = state.white, state.black
    if white.joined is None or black.joined is None:
        # Who has not come cannot win by the other's going: until then only the tolerance ends.
        if state.tolerance_ends is not None:
            first = _earlier(first, forfeit_at(state.tolerance_ends), DeadlineKind.TOLERANCE)
        return first
    for seat in (white, black):
        if seat.reconnect_by is not None:
            first = _earlier(first, seat.reconnect_by + 1, DeadlineKind.RECONNECTION)
    return first


def _earlier(first: Deadline | None, at: int, kind: DeadlineKind) -> Deadline:
    return first if first is not None and first.at <= at else Deadline(at, kind)


def _brought_about(state: State, deadline: Deadline, judge: Judge) -> tuple[Event, ...]:
    # A game folded from a log may be past a deadline already: time in a log never goes back.
    at = max(deadline.at, state.last_at)
    if deadline.kind is DeadlineKind.FLAG:
        return flag_fallen(state, state.turn, at, judge)
    if deadline.kind is DeadlineKind.TOLERANCE:
        return (not_come(state, at, judge),)
    white, black = state.white.reconnect_by, state.black.reconnect_by
    first = Side.BLACK if white is None or (black is not None and black < white) else Side.WHITE
    return not_back(state, first, at, judge)
