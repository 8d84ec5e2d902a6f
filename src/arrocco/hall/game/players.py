"""What players do besides moving: come and go, offer and accept, resign, call the arbiter."""

from __future__ import annotations

from arrocco.hall.game.commands import (
    AcceptDraw,
    AddNote,
    CallArbiter,
    Connect,
    Disconnect,
    OfferDraw,
    Resign,
    Say,
    SetAutoQueen,
    SetVcs,
    Start,
    WithdrawOffer,
)
from arrocco.hall.game.decision import Decision, Judge, happened, refused
from arrocco.hall.game.endings import drawn, lost, lost_on_time
from arrocco.hall.game.state import Phase, State
from arrocco.hall.log import events as e
from arrocco.hall.log.records import Channel, Reason
from arrocco.laws.online.game import End
from arrocco.laws.online.side import Side

MOST_TEXT = 2000
"""The longest text of a call or a note, in characters."""
MOST_SAID = 500
"""The longest line of the chat."""


# --- coming and going -----------------------------------------------------------------------------


def start(state: State, wish: Start, now: int, judge: Judge) -> Decision:
    """1.3.5 — the session begins; whoever is connected is there."""
    if state.side_of(wish.by) is not None:
        return refused("hall.arbiter_is_player")
    if state.phase is not Phase.WAITING:
        return refused("hall.already_started", "1.3.5")
    there = (side for side in Side if state.seat(side).platform.on)
    return happened(e.Started(at=now), *(e.Joined(at=now, side=side) for side in there))


def connect(state: State, wish: Connect, now: int, judge: Judge) -> Decision:
    """1.3.5, 7.6 — a player comes, or comes back; it costs nothing but the time gone by."""
    side = state.side_of(wish.by)
    if side is None:
        return refused("hall.not_seated")
    seat = state.seat(side)
    if seat.line(wish.channel).on:
        return happened()
    events: list[e.Event] = [e.Connected(at=now, side=side, channel=wish.channel)]
    if wish.channel is Channel.PLATFORM and state.is_on and seat.joined is None:
        events.append(e.Joined(at=now, side=side))
        if state.flagged is side.other:
            # The opponent's time was over, and only this player was still waited for.
            events.extend(lost_on_time(state, side.other, now, judge))
    return happened(*events)


def disconnect(state: State, wish: Disconnect, now: int, judge: Judge) -> Decision:
    """7.5 — a player is gone; nothing stops."""
    side = state.side_of(wish.by)
    if side is None:
        return refused("hall.not_seated")
    if not state.seat(side).line(wish.channel).on:
        return happened()
    gone = e.Disconnected(at=now, side=side, channel=wish.channel, cause=wish.cause)
    return happened(gone)


# --- draws and resignation ------------------------------------------------------------------------


def offer_draw(state: State, wish: OfferDraw, now: int, judge: Judge) -> Decision:
    """2.3 — an offer stands until it is accepted, refused by a move, or the game ends."""
    side = _player(state, wish.by)
    if isinstance(side, Decision):
        return side
    if state.offer is not None:
        key = "hall.draw_already_offered" if state.offer.side is side else "hall.draw_offer_stands"
        return refused(key, "2.3")
    return happened(e.DrawOffered(at=now, side=side, ply=state.ply))


def accept_draw(state: State, wish: AcceptDraw, now: int, judge: Judge) -> Decision:
    """2.2e — both agree, once each has made a move."""
    side = _player(state, wish.by)
    if isinstance(side, Decision):
        return side
    if state.offer is None or state.offer.side is side:
        return refused("hall.no_draw_offered", "2.3")
    needed = int(judge.law.MOVES_BEFORE_AGREEMENT)
    if min(state.moves_by(Side.WHITE), state.moves_by(Side.BLACK)) < needed:
        return refused("hall.draw_before_moves", "2.2e", moves=needed)
    agreed = drawn(state, Reason.AGREEMENT, End.AGREEMENT.article, now, judge)
    return happened(e.DrawAccepted(at=now, side=side), agreed)


def withdraw_offer(state: State, wish: WithdrawOffer, now: int, judge: Judge) -> Decision:
    """2.3 — an offer cannot be withdrawn."""
    side = _player(state, wish.by)
    return side if isinstance(side, Decision) else refused("hall.offer_not_withdrawn", "2.3")


def resign(state: State, wish: Resign, now: int, judge: Judge) -> Decision:
    """2.1a — the opponent wins."""
    side = _player(state, wish.by)
    if isinstance(side, Decision):
        return side
    end = lost(state, side, Reason.RESIGNATION, End.RESIGNATION.article, now, judge)
    return happened(e.Resigned(at=now, side=side), end)


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


def set_auto_queen(state: State, wish: SetAutoQueen, now: int, judge: Judge) -> Decision:
    """1.2b — whether pawns become queens without asking, at any time."""
    side = state.side_of(wish.by)
    if side is None:
        return refused("hall.not_seated")
    if state.seat(side).auto_queen is wish.on:
        return happened()
    return happened(e.AutoQueenSet(at=now, side=side, on=wish.on))


def call_arbiter(state: State, wish: CallArbiter, now: int, judge: Judge) -> Decision:
    """11.1 — a player asks for the arbiter; one call at a time is enough."""
    side = state.side_of(wish.by)
    if side is None:
        return refused("hall.not_seated")
    caller = state.seat(side).player.id
    if any(call.caller == caller and not call.answered for call in state.calls):
        return refused("hall.call_open", "11.1")
    if len(wish.text) > MOST_TEXT:
        return refused("hall.text_too_long", "", most=MOST_TEXT)
    return happened(e.ArbiterCalled(at=now, side=side, text=wish.text.strip()))


def add_note(state: State, wish: AddNote, now: int, judge: Judge) -> Decision:
    """An arbiter writes something down, at any time."""
    if state.side_of(wish.by) is not None:
        return refused("hall.arbiter_is_player")
    text = wish.text.strip()
    if not text:
        return refused("hall.text_needed")
    if len(text) > MOST_TEXT:
        return refused("hall.text_too_long", "", most=MOST_TEXT)
    return happened(e.Note(at=now, by=wish.by, text=text))


# --- the chat and the video conference ------------------------------------------------------------


def say(state: State, wish: Say, now: int, judge: Judge) -> Decision:
    """5.2 — a line from a player to the arbiters, or from an arbiter to one player.

    Also once the game is over: a complaint comes after it. Nothing of it is for the opponent.
    """
    side = state.side_of(wish.by)
    if side is None:
        if wish.to is None:
            return refused("hall.chat_to_whom", "5.2")
        side = wish.to
    elif wish.to is not None:
        return refused("hall.chat_with_arbiters", "5.2")
    elif state.seat(side).player.id != wish.by:
        return refused("hall.assistant_only_moves", "1.2")
    elif state.seat(side).chat_blocked:
        return refused("hall.chat_blocked", "6.9k")
    text = wish.text.strip()
    if not text:
        return refused("hall.text_needed")
    if len(text) > MOST_SAID:
        return refused("hall.text_too_long", "", most=MOST_SAID)
    return happened(e.Said(at=now, side=side, by=wish.by, text=text))


def set_vcs(state: State, wish: SetVcs, now: int, judge: Judge) -> Decision:
    """9.1 — the arbiter, who is in the video conference, tells who else is."""
    if state.side_of(wish.by) is not None:
        return refused("hall.arbiter_is_player")
    player = state.seat(wish.side).player.id
    if wish.on:
        return connect(state, Connect(by=player, channel=Channel.VCS), now, judge)
    return disconnect(state, Disconnect(by=player, channel=Channel.VCS), now, judge)
