"""What each act of an arbiter changes in a state."""

from __future__ import annotations

import msgspec

from arrocco.hall.clock import Clock
from arrocco.hall.game import position
from arrocco.hall.game.play_changes import Changes, change_seat, change_seats
from arrocco.hall.game.state import Earlier, Phase, Seat, State
from arrocco.hall.log import events as e
from arrocco.hall.log.records import Pair

replace = msgspec.structs.replace


# --- the clocks -----------------------------------------------------------------------------------


def paused(state: State, event: e.Paused) -> Changes:
    clock = replace(state.clock, white=event.white, black=event.black, since=None)
    return {"phase": Phase.PAUSED, "stopped": event.stopped, "clock": clock}


def resumed(state: State, event: e.Resumed) -> Changes:
    """The time of a pause is nobody's: whatever ran before it has as long to run after it."""
    stopped = event.at if state.stopped is None else state.stopped
    limit = state.rules.reconnection_limit

    def awaited(seat: Seat) -> Seat:
        if seat.platform.on or seat.joined is None or limit is None:
            return seat
        if seat.reconnect_by is None:
            return replace(seat, reconnect_by=event.at + limit)
        return replace(seat, reconnect_by=seat.reconnect_by + event.at - stopped)

    changes = change_seats(state, awaited)
    if state.tolerance_ends is not None:
        changes["tolerance_ends"] = state.tolerance_ends + event.at - stopped
    if state.flagged is None and not _waits_for_white(state):
        changes["clock"] = state.clock.resume(event.at)
    return {**changes, "phase": Phase.RUNNING, "stopped": None}


def _waits_for_white(state: State) -> bool:
    """1.3.5 — whether nobody's time runs because White has not come and the rules say so."""
    loses_time = state.rules.white_loses_time_while_absent
    return not loses_time and not state.moves and state.white.joined is None


def time_changed(state: State, event: e.TimeSet | e.TimeAdded | e.TimeSubtracted) -> Changes:
    return {"clock": state.clock.set(event.side, event.left, event.at)}


# --- the game -------------------------------------------------------------------------------------


def resumed_from_position(state: State, event: e.ResumedFromPosition) -> Changes:
    moves = state.moves[: event.ply]
    board, seen = position.replay(move.uci for move in moves)
    offer = state.offer
    changes = change_seats(state, lambda seat: replace(seat, premove=None, reconnect_by=None))
    if state.phase is Phase.ENDED:
        # Who had not come may have lost by that: there is a tolerance again.
        changes["tolerance_ends"] = event.at + state.rules.tolerance
    return {
        **changes,
        "phase": Phase.PAUSED,
        "stopped": event.at if state.stopped is None else state.stopped,
        "moves": moves,
        "board": board,
        "seen": seen,
        "clock": state.clock.back_to(
            (event.ply + 1) // 2, event.ply // 2, event.white, event.black
        ),
        # 2.3 — one that was not answered yet cannot be taken away by going back to after it.
        "offer": offer if offer is not None and offer.ply <= event.ply else None,
        "offers": tuple(offer for offer in state.offers if offer.ply <= event.ply),
        "flagged": None,
        "outcome": None,
    }


def new_game(state: State, event: e.NewGame) -> Changes:
    board, seen = position.start()
    seats = change_seats(
        state, lambda seat: replace(seat, joined=None, premove=None, reconnect_by=None)
    )
    if event.swapped:
        seats = {"white": seats["black"], "black": seats["white"]}
    given_up = Earlier(state.white.player, state.black.player, state.moves)
    return {
        **seats,
        "phase": Phase.WAITING,
        "stopped": None,
        "started": None,
        "tolerance_ends": None,
        "moves": (),
        "board": board,
        "seen": seen,
        "clock": Clock.of(state.clock.control),
        "offer": None,
        "offers": (),
        "flagged": None,
        "outcome": None,
        "earlier": (*state.earlier, given_up),
    }


def score_changed(state: State, event: e.ResultCorrected | e.PointsChanged) -> Changes:
    return _scored(state, event.scores, event.half_points, event.article)


def _scored(state: State, scores: Pair, half_points: Pair, article: str) -> Changes:
    if state.outcome is None:
        return {}
    outcome = replace(
        state.outcome,
        scores=scores,
        half_points=half_points,
        article=article,
        number=state.number,
        by_server=False,
        before=state.outcome,
    )
    return {"outcome": outcome}


# --- the players ----------------------------------------------------------------------------------


def chat_blocked(state: State, event: e.ChatBlocked) -> Changes:
    return change_seat(state, event.side, chat_blocked=True)


def assistant_allowed(state: State, event: e.AssistantAllowed) -> Changes:
    return change_seat(state, event.side, assistant=event.assistant)


def call_answered(state: State, event: e.CallAnswered) -> Changes:
    calls = (
        replace(call, answered=True) if call.number == event.call else call for call in state.calls
    )
    return {"calls": tuple(calls)}


def withdrawn(state: State, event: e.Withdrawn) -> Changes:
    changes: Changes = {"withdrawn": state.withdrawn | {event.corrects}}
    act = state.act(event.corrects)
    if isinstance(act, e.ChatBlocked) and event.side is not None:
        changes |= change_seat(state, event.side, chat_blocked=False)
    elif isinstance(act, e.AssistantAllowed) and event.side is not None:
        if state.seat(event.side).assistant == act.assistant:
            changes |= change_seat(state, event.side, assistant="")
    elif event.scores is not None and state.outcome is not None:
        # Exactly what it was: who decided it and by what, and another act may be withdrawn next.
        changes["outcome"] = state.outcome.before
    return changes
