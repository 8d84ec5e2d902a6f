"""What each event of play changes in a state."""

from __future__ import annotations

from arrocco.hall.clock import Clock
from arrocco.hall.game import events as e
from arrocco.hall.game import position
from arrocco.hall.game.changes import Changes, change_seat, change_seats, replace
from arrocco.hall.game.premove import Premove
from arrocco.hall.game.records import Channel, Reason
from arrocco.hall.game.state import Call, ChatLine, Ending, Gap, Line, Offer, Phase, Request, State
from arrocco.laws.online.side import Side


def started(state: State, event: e.Started) -> Changes:
    waits = not state.rules.white_loses_time_while_absent and not state.white.platform.on
    return {
        "phase": Phase.RUNNING,
        "started": event.at,
        "tolerance_ends": event.at + state.rules.tolerance,
        "clock": state.clock if waits else state.clock.start(event.at),
    }


def joined(state: State, event: e.Joined) -> Changes:
    changes = change_seat(state, event.side, joined=event.at)
    begins = event.side is Side.WHITE and not state.moves and state.phase is Phase.RUNNING
    if begins and state.flagged is None:
        changes["clock"] = state.clock.resume(event.at)
    return changes


def connected(state: State, event: e.Connected) -> Changes:
    seat = state.seat(event.side)
    line = seat.line(event.channel)
    gaps = line.gaps
    if line.lost is not None and seat.joined is not None:
        gaps = (*gaps, Gap(line.lost, event.at, line.cause))
    changes: Changes = {event.channel.value: Line(on=True, gaps=gaps)}
    if event.channel is Channel.PLATFORM:
        changes["reconnect_by"] = None
    return change_seat(state, event.side, **changes)


def disconnected(state: State, event: e.Disconnected) -> Changes:
    seat = state.seat(event.side)
    gaps = seat.line(event.channel).gaps
    changes: Changes = {
        event.channel.value: Line(on=False, lost=event.at, cause=event.cause, gaps=gaps)
    }
    limit = state.rules.reconnection_limit
    runs = state.phase is Phase.RUNNING and seat.joined is not None
    if event.channel is Channel.PLATFORM and limit is not None and runs:
        changes["reconnect_by"] = event.at + limit
    return change_seat(state, event.side, **changes)


def supervision_set(state: State, event: e.SupervisionSet) -> Changes:
    return {"is_supervised": event.on}


def focus_changed(state: State, event: e.FocusChanged) -> Changes:
    focus = state.seat(event.side).focus
    if not event.on:
        return change_seat(state, event.side, focus=Line(lost=event.at, gaps=focus.gaps))
    start = event.at if focus.lost is None else focus.lost
    gaps = (*focus.gaps, Gap(start, event.at, focus.cause))
    return change_seat(state, event.side, focus=Line(on=True, gaps=gaps))


def moved(state: State, event: e.Moved) -> Changes:
    board = state.board.after(event.uci)
    clock = state.clock
    white_moves, black_moves = clock.white_moves, clock.black_moves
    if event.side is Side.WHITE:
        white_moves += 1
    else:
        black_moves += 1
    offer = state.offer
    return {
        "board": board,
        "seen": position.seen_after(state.seen, board),
        "moves": (*state.moves, event),
        "made": state.made + 1,
        "clock": Clock(
            clock.control,
            event.white,
            event.black,
            white_moves,
            black_moves,
            event.side.other,
            event.at,
        ),
        "offer": None if offer is not None and offer.side is not event.side else offer,
    }


def premove_set(state: State, event: e.PremoveSet) -> Changes:
    return change_seat(state, event.side, premove=Premove(event.ply, event.uci))


def premove_gone(state: State, event: e.PremoveCleared | e.PremoveExecuted) -> Changes:
    return change_seat(state, event.side, premove=None)


def auto_queen_set(state: State, event: e.AutoQueenSet) -> Changes:
    return change_seat(state, event.side, auto_queen=event.on)


def draw_offered(state: State, event: e.DrawOffered) -> Changes:
    offer = Offer(event.side, event.ply)
    return {"offer": offer, "offers": (*state.offers, offer)}


def offer_gone(state: State, event: e.DrawAccepted | e.DrawRefused) -> Changes:
    return {"offer": None}


def nothing(state: State, event: e.Event) -> Changes:
    return {}


def flagged(state: State, event: e.Flagged) -> Changes:
    clock = state.clock.pause(event.at).set(event.side, 0, event.at)
    return {"flagged": event.side, "clock": clock}


def ended(state: State, event: e.Ended) -> Changes:
    outcome = Ending(
        event.scores,
        event.half_points,
        event.reason,
        event.article,
        event.side,
        event.proof,
        state.number,
        by_server=event.reason is not Reason.ARBITER,
    )
    return {
        "phase": Phase.ENDED,
        "outcome": outcome,
        "offer": None,
        "stopped": None,
        "clock": state.clock.pause(event.at),
        **change_seats(state, lambda seat: replace(seat, premove=None, reconnect_by=None)),
    }


def arbiter_called(state: State, event: e.ArbiterCalled) -> Changes:
    call = Call(state.number, state.seat(event.side).player.id, event.at, event.text)
    return {"calls": (*state.calls, call)}


def permission_asked(state: State, event: e.PermissionAsked) -> Changes:
    player = state.seat(event.side).player.id
    request = Request(state.number, player, event.permission, event.at, event.text)
    return {"requests": (*state.requests, request)}


def inspection_answered(state: State, event: e.InspectionAnswered) -> Changes:
    said = {"shows": event.shows, "answered": event.at, "text": event.text}
    return {
        "inspections": tuple(
            replace(inspection, **said) if inspection.number == event.inspection else inspection
            for inspection in state.inspections
        )
    }


def noted(state: State, event: e.Note) -> Changes:
    return {"notes": (*state.notes, event)}


def said(state: State, event: e.Said) -> Changes:
    player = state.seat(event.side).player.id
    line = ChatLine(state.number, event.at, player, event.by, event.text)
    return {"chat": (*state.chat, line)}
