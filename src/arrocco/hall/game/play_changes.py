"""What each event of play changes in a state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from arrocco.hall.clock import Clock
from arrocco.hall.game import position
from arrocco.hall.game.state import Call, ChatLine, Gap, Line, Offer, Outcome, Phase, Seat, State
from arrocco.hall.log import events as e
from arrocco.hall.log.records import Channel, Reason
from arrocco.hall.premove import Premove
from arrocco.laws.online.side import Side

Changes = dict[str, Any]
"""The fields of a state, or of a seat, that an event changes."""

replace = msgspec.structs.replace


def change_seat(state: State, side: Side, **changes: Any) -> Changes:
    name = "white" if side is Side.WHITE else "black"
    return {name: replace(state.seat(side), **changes)}


def change_seats(state: State, change: Callable[[Seat], Seat]) -> Changes:
    return {"white": change(state.white), "black": change(state.black)}


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
    outcome = Outcome(
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


def noted(state: State, event: e.Note) -> Changes:
    return {"notes": (*state.notes, event)}


def said(state: State, event: e.Said) -> Changes:
    player = state.seat(event.side).player.id
    line = ChatLine(state.number, event.at, player, event.by, event.text)
    return {"chat": (*state.chat, line)}
