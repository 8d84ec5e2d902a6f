"""From events to the state: `apply` takes one more, `fold` a whole log.

The board and the counts go on from the state before, so an event costs the same late in a game as
early. Only an arbiter who goes back to an earlier position has the moves played again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from arrocco.errors import Inconsistent
from arrocco.hall.clock import Clock
from arrocco.hall.game import events as e
from arrocco.hall.game import play_changes as play
from arrocco.hall.game import position
from arrocco.hall.game.acts import ActRecord
from arrocco.hall.game.changes import Changes
from arrocco.hall.game.frames import filmed
from arrocco.hall.game.state import Numbered, Phase, Seat, State
from arrocco.records.timecontrol import parse_code

replace = msgspec.structs.replace


def fold(events: Iterable[e.Event]) -> State:
    """The state a log amounts to.

    Raises `Inconsistent` unless the log begins with the creation, and for what cannot have
    happened: an illegal move, one out of turn, a second end.
    """
    state: State | None = None
    for number, event in enumerate(events):
        if state is None:
            if not isinstance(event, e.Created):
                raise Inconsistent.of("hall.log.no_creation")
            state = begin(event)
            continue
        fault = _fault(state, event)
        if fault:
            raise Inconsistent.of(f"hall.log.fault.{fault}", number=number)
        state = apply(state, event)
    if state is None:
        raise Inconsistent.of("hall.log.no_creation")
    return state


def _fault(state: State, event: e.Event) -> str:
    """The key of what is wrong with an event that comes next in a log; empty where nothing is."""
    if event.at < state.last_at:
        return "older"
    match event:
        case e.Created():
            return "created_twice"
        case e.Moved():
            return _fault_of_move(state, event)
        case e.Started() if state.phase is not Phase.WAITING:
            return "started_twice"
        case e.Ended() if state.phase is Phase.ENDED:
            return "ended_twice"
        case ActRecord():
            return event.fault(state)
    return ""


def _fault_of_move(state: State, event: e.Moved) -> str:
    if state.phase is not Phase.RUNNING or event.ply != state.ply or event.side is not state.turn:
        return "out_of_turn"
    try:
        state.board.parse_uci(event.uci)
    except ValueError:
        return "illegal_move"
    return "" if event.uci != "0000" else "illegal_move"


def begin(created: e.Created) -> State:
    """The state of a game that has just been created."""
    board, seen = position.start()
    state = State(
        created=created,
        number=1,
        last_at=created.at,
        phase=Phase.WAITING,
        white=Seat(created.white),
        black=Seat(created.black),
        clock=Clock.of(parse_code(created.control)),
        board=board,
        seen=seen,
    )
    return filmed(state)


def apply(state: State, event: e.Event) -> State:
    """The state after one more event; the one before stays as it is."""
    if isinstance(event, ActRecord):
        changes = _act_changes(state, event)
    else:
        changes = _PLAY[type(event)](state, event)
    return filmed(replace(state, number=state.number + 1, last_at=event.at, **changes))


def _act_changes(state: State, act: ActRecord) -> Changes:
    """What an arbiter's act changes, and the act itself with its number and whom it concerns."""
    side = getattr(act, "side", None)
    concerns = "" if side is None else state.seat(side).player.id
    return {**act.changes(state), "acts": (*state.acts, Numbered(state.number, act, concerns))}


_PLAY: dict[type[e.Event], Callable[[State, Any], Changes]] = {
    e.Started: play.started,
    e.Joined: play.joined,
    e.Connected: play.connected,
    e.Disconnected: play.disconnected,
    e.SupervisionSet: play.supervision_set,
    e.FocusChanged: play.focus_changed,
    e.Moved: play.moved,
    e.PremoveSet: play.premove_set,
    e.PremoveCleared: play.premove_gone,
    e.PremoveExecuted: play.premove_gone,
    e.AutoQueenSet: play.auto_queen_set,
    e.DrawOffered: play.draw_offered,
    e.DrawAccepted: play.offer_gone,
    e.DrawRefused: play.offer_gone,
    e.Resigned: play.nothing,
    e.Flagged: play.flagged,
    e.Ended: play.ended,
    e.ArbiterCalled: play.arbiter_called,
    e.PermissionAsked: play.permission_asked,
    e.InspectionAnswered: play.inspection_answered,
    e.Note: play.noted,
    e.Said: play.said,
}
