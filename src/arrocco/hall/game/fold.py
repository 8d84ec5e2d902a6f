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
from arrocco.hall.game import act_changes as acts
from arrocco.hall.game import play_changes as play
from arrocco.hall.game import position
from arrocco.hall.game.frames import filmed
from arrocco.hall.game.play_changes import Changes
from arrocco.hall.game.state import Numbered, Phase, Seat, State
from arrocco.hall.log import events as e
from arrocco.timecontrol import parse_code

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
        case e.Ended() | e.ResultDeclared() if state.phase is Phase.ENDED:
            return "ended_twice"
        case e.ResumedFromPosition(ply=ply) if ply > state.ply:
            return "no_such_position"
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
    following: State = replace(
        state, number=state.number + 1, last_at=event.at, **_APPLY[type(event)](state, event)
    )
    if isinstance(event, e.Act):
        side = getattr(event, "side", None)
        concerns = "" if side is None else state.seat(side).player.id
        numbered = Numbered(state.number, event, concerns)
        following = replace(following, acts=(*state.acts, numbered))
    return filmed(following)


_APPLY: dict[type[e.Event], Callable[[State, Any], Changes]] = {
    e.Started: play.started,
    e.Joined: play.joined,
    e.Connected: play.connected,
    e.Disconnected: play.disconnected,
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
    e.Note: play.noted,
    e.Said: play.said,
    e.Paused: acts.paused,
    e.Resumed: acts.resumed,
    e.TimeSet: acts.time_changed,
    e.TimeAdded: acts.time_changed,
    e.TimeSubtracted: acts.time_changed,
    e.ResumedFromPosition: acts.resumed_from_position,
    e.NewGame: acts.new_game,
    e.ResultDeclared: play.nothing,
    e.ResultCorrected: acts.score_changed,
    e.PointsChanged: acts.score_changed,
    e.Warned: play.nothing,
    e.Fined: play.nothing,
    e.Excluded: play.nothing,
    e.ChatBlocked: acts.chat_blocked,
    e.AssistantAllowed: acts.assistant_allowed,
    e.CallAnswered: acts.call_answered,
    e.Withdrawn: acts.withdrawn,
}
