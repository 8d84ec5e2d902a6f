"""What players do besides moving: come and go, offer and accept, resign, call the arbiter."""

from __future__ import annotations

from arrocco.hall.game import events as e
from arrocco.hall.game.commands import (
    AcceptDraw,
    AddNote,
    AnswerInspection,
    AskPermission,
    CallArbiter,
    Connect,
    Disconnect,
    Expel,
    OfferDraw,
    Resign,
    Say,
    SetAutoQueen,
    SetFocus,
    SetSupervision,
    SetVcs,
    Start,
    WithdrawOffer,
)
from arrocco.hall.game.decision import Decision, Judge, happened, refused
from arrocco.hall.game.endings import drawn, expelled, lost, lost_on_time
from arrocco.hall.game.fold import apply
from arrocco.hall.game.moves import waiting_premove
from arrocco.hall.game.records import Channel, Reason
from arrocco.hall.game.state import Phase, State
from arrocco.laws.online.game import End
from arrocco.laws.online.side import Side

MAX_TEXT = 2000
"""The longest text of a call or a note, in characters."""
MAX_SAID = 500
"""The longest line of the chat."""
MAX_UNFOCUSED = 200
"""Stretches without focus that the log of a game has of each player: a browser tells of them."""


# --- coming and going -----------------------------------------------------------------------------


def start(state: State, command: Start, now: int, judge: Judge) -> Decision:
    """1.3.5 — the session begins; whoever is connected is there."""
    if state.side_of(command.by) is not None:
        return refused("hall.arbiter_is_player")
    if state.phase is not Phase.WAITING:
        return refused("hall.already_started", "1.3.5")
    there = (side for side in Side if state.seat(side).platform.on)
    return happened(e.Started(at=now), *(e.Joined(at=now, side=side) for side in there))


def connect(state: State, command: Connect, now: int, judge: Judge) -> Decision:
    """1.3.5, 7.6 — a player comes, or comes back; it costs nothing but the time gone by."""
    side = state.side_of(command.by)
    if side is None:
        return refused("hall.not_seated")
    seat = state.seat(side)
    if seat.line(command.channel).on:
        return happened()
    events: list[e.Event] = [e.Connected(at=now, side=side, channel=command.channel)]
    if command.channel is Channel.PLATFORM and state.is_on and seat.joined is None:
        events.append(e.Joined(at=now, side=side))
        if state.flagged is side.other:
            # The opponent's time was over, and only this player was still waited for.
            events.extend(lost_on_time(state, side.other, now, judge))
    if command.channel is Channel.VCS:
        events.extend(waiting_premove(_after(state, events), side, now, judge))
    return happened(*events)


def disconnect(state: State, command: Disconnect, now: int, judge: Judge) -> Decision:
    """7.5 — a player is gone; nothing stops."""
    side = state.side_of(command.by)
    if side is None:
        return refused("hall.not_seated")
    if not state.seat(side).line(command.channel).on:
        return happened()
    gone = e.Disconnected(at=now, side=side, channel=command.channel, cause=command.cause)
    return happened(gone)


def set_supervision(state: State, command: SetSupervision, now: int, judge: Judge) -> Decision:
    """9.1f — nobody waits for a video server that is gone."""
    if state.is_supervised is command.on or state.phase is Phase.ENDED:
        return happened()
    events: list[e.Event] = [e.SupervisionSet(at=now, on=command.on)]
    events.extend(waiting_premove(_after(state, events), state.turn, now, judge))
    return happened(*events)


def set_focus(state: State, command: SetFocus, now: int, judge: Judge) -> Decision:
    """8.3 — while the game is on; nothing follows from it by itself."""
    side = state.side_of_player(command.by)
    seat = state.seat(side)
    if not state.is_on or seat.player.id != command.by or seat.focus.on is command.on:
        return happened()
    if not command.on and len(seat.focus.gaps) >= MAX_UNFOCUSED:
        return happened()
    return happened(e.FocusChanged(at=now, side=side, on=command.on))


def _after(state: State, events: list[e.Event]) -> State:
    for event in events:
        state = apply(state, event)
    return state


# --- draws and resignation ------------------------------------------------------------------------


def offer_draw(state: State, command: OfferDraw, now: int, judge: Judge) -> Decision:
    """2.3 — an offer stands until it is accepted, refused by a move, or the game ends."""
    side = _player(state, command.by)
    if isinstance(side, Decision):
        return side
    if state.offer is not None:
        key = "hall.draw_already_offered" if state.offer.side is side else "hall.draw_offer_stands"
        return refused(key, "2.3")
    return happened(e.DrawOffered(at=now, side=side, ply=state.ply))


def accept_draw(state: State, command: AcceptDraw, now: int, judge: Judge) -> Decision:
    """2.2e — both agree, once each has made a move."""
    side = _player(state, command.by)
    if isinstance(side, Decision):
        return side
    if state.offer is None or state.offer.side is side:
        return refused("hall.no_draw_offered", "2.3")
    needed = int(judge.law.MOVES_BEFORE_AGREEMENT)
    if min(state.moves_by(Side.WHITE), state.moves_by(Side.BLACK)) < needed:
        return refused("hall.draw_before_moves", "2.2e", moves=needed)
    agreed = drawn(state, Reason.AGREEMENT, End.AGREEMENT.article, now, judge)
    return happened(e.DrawAccepted(at=now, side=side), agreed)


def withdraw_offer(state: State, command: WithdrawOffer, now: int, judge: Judge) -> Decision:
    """2.3 — an offer cannot be withdrawn."""
    side = _player(state, command.by)
    return side if isinstance(side, Decision) else refused("hall.offer_not_withdrawn", "2.3")


def resign(state: State, command: Resign, now: int, judge: Judge) -> Decision:
    """2.1a — the opponent wins."""
    side = _player(state, command.by)
    if isinstance(side, Decision):
        return side
    end = lost(state, side, Reason.RESIGNATION, End.RESIGNATION.article, now, judge)
    return happened(e.Resigned(at=now, side=side), end)


def expel(state: State, command: Expel, now: int, judge: Judge) -> Decision:
    """6.9j, 13.5c — who is out of the event plays no more: the game is lost where it stands."""
    side = state.side_of_player(command.player)
    if state.phase is Phase.ENDED or state.seat(side).player.id != command.player:
        return happened()
    return happened(expelled(state, side, command.article, now, judge))


def _player(state: State, person: str) -> Side | Decision:
    """The side of a player in a game that is on; an assistant only moves the pieces (1.2)."""
    side = state.side_of(person)
    if side is None:
        return refused("hall.not_seated")
    if state.seat(side).player.id != person:
        return refused("hall.assistant_only_moves", "1.2")
    if state.phase is Phase.WAITING:
        return refused("hall.not_started", "1.3.5")
    if state.phase is Phase.ENDED:
        return refused("hall.game_over", "2")
    if state.flagged is not None:
        return refused("hall.time_is_over", "1.3.4")
    return side


# --- settings, calls, notes -----------------------------------------------------------------------


def set_auto_queen(state: State, command: SetAutoQueen, now: int, judge: Judge) -> Decision:
    """1.2b — whether pawns become queens without asking, at any time."""
    side = state.side_of(command.by)
    if side is None:
        return refused("hall.not_seated")
    if state.seat(side).auto_queen is command.on:
        return happened()
    return happened(e.AutoQueenSet(at=now, side=side, on=command.on))


def call_arbiter(state: State, command: CallArbiter, now: int, judge: Judge) -> Decision:
    """11.1 — a player asks for the arbiter; one call at a time is enough."""
    side = state.side_of(command.by)
    if side is None:
        return refused("hall.not_seated")
    caller = state.seat(side).player.id
    if any(call.caller == caller and not call.answered for call in state.calls):
        return refused("hall.call_open", "11.1")
    if len(command.text) > MAX_TEXT:
        return refused("hall.text_too_long", "", most=MAX_TEXT)
    return happened(e.ArbiterCalled(at=now, side=side, text=command.text.strip()))


def ask_permission(state: State, command: AskPermission, now: int, judge: Judge) -> Decision:
    """5.3, 5.6, 7.2, 7.8 — a player asks; until the arbiter answers nothing is allowed."""
    side = state.side_of(command.by)
    if side is None:
        return refused("hall.not_seated")
    player = state.seat(side).player.id
    if player != command.by:
        return refused("hall.assistant_only_moves", "1.2")
    if state.phase is Phase.ENDED:
        return refused("hall.game_over", "5.6")
    if len(command.text) > MAX_TEXT:
        return refused("hall.text_too_long", "", most=MAX_TEXT)
    asked = (player, command.permission, None)
    if any(
        (request.player, request.permission, request.granted) == asked for request in state.requests
    ):
        return refused("hall.request_open")
    text = command.text.strip()
    return happened(e.PermissionAsked(at=now, side=side, permission=command.permission, text=text))


def answer_inspection(state: State, command: AnswerInspection, now: int, judge: Judge) -> Decision:
    """5.10, 12.4 — a player shows what was asked, or refuses; the arbiter decides what follows."""
    side = state.side_of(command.by)
    if side is None:
        return refused("hall.not_seated")
    player = state.seat(side).player.id
    if player != command.by:
        return refused("hall.assistant_only_moves", "1.2")
    asked = next(
        (inspection for inspection in state.inspections if inspection.number == command.inspection),
        None,
    )
    if asked is None or asked.player != player or asked.closed is not None:
        return refused("hall.no_such_inspection", "12.4")
    if asked.shows is command.shows:
        return refused("hall.inspection_answered", asked.point.article)
    if len(command.text) > MAX_TEXT:
        return refused("hall.text_too_long", "", most=MAX_TEXT)
    answer = e.InspectionAnswered(
        at=now,
        side=side,
        inspection=asked.number,
        shows=command.shows,
        text=command.text.strip(),
    )
    return happened(answer)


def add_note(state: State, command: AddNote, now: int, judge: Judge) -> Decision:
    """An arbiter writes something down, at any time."""
    if state.side_of(command.by) is not None:
        return refused("hall.arbiter_is_player")
    text = command.text.strip()
    if not text:
        return refused("hall.text_needed")
    if len(text) > MAX_TEXT:
        return refused("hall.text_too_long", "", most=MAX_TEXT)
    return happened(e.Note(at=now, by=command.by, text=text))


# --- the chat and the video conference ------------------------------------------------------------


def say(state: State, command: Say, now: int, judge: Judge) -> Decision:
    """5.2 — a line from a player to the arbiters, or from an arbiter to one player.

    Also once the game is over: a complaint comes after it. Nothing of it is for the opponent.
    """
    side = state.side_of(command.by)
    if side is None:
        if command.to is None:
            return refused("hall.chat_to_whom", "5.2")
        side = command.to
    elif command.to is not None:
        return refused("hall.chat_with_arbiters", "5.2")
    elif state.seat(side).player.id != command.by:
        return refused("hall.assistant_only_moves", "1.2")
    elif state.seat(side).chat_blocked:
        return refused("hall.chat_blocked", "6.9k")
    text = command.text.strip()
    if not text:
        return refused("hall.text_needed")
    if len(text) > MAX_SAID:
        return refused("hall.text_too_long", "", most=MAX_SAID)
    return happened(e.Said(at=now, side=side, by=command.by, text=text))


def set_vcs(state: State, command: SetVcs, now: int, judge: Judge) -> Decision:
    """9.1 — the arbiter, who is in the video conference, tells who else is."""
    if state.side_of(command.by) is not None:
        return refused("hall.arbiter_is_player")
    player = state.seat(command.side).player.id
    if command.on:
        return connect(state, Connect(by=player, channel=Channel.VCS), now, judge)
    return disconnect(state, Disconnect(by=player, channel=Channel.VCS), now, judge)
