"""What each person sees of a game, as one record to be sent: all a client needs to show it."""

from __future__ import annotations

from typing import Any

import msgspec

from arrocco.hall.game.acts.base import is_withdrawable
from arrocco.hall.game.acts.warn import warnings
from arrocco.hall.game.events import Act, Detail, Note
from arrocco.hall.game.frames import frame_shown
from arrocco.hall.game.premove import Premove
from arrocco.hall.game.records import Cause, Pair, Reason, SeatedPlayer
from arrocco.hall.game.state import (
    Call,
    Ending,
    Gap,
    Inspection,
    Line,
    Offer,
    Phase,
    Request,
    Seat,
    State,
)
from arrocco.hall.game.visible import GameRole, visible_to
from arrocco.laws.online.side import Side


class ClockView(msgspec.Struct, frozen=True):
    """What both sides have left at that moment, and whose time runs on."""

    white: int
    black: int
    running: Side | None


class ResultView(msgspec.Struct, frozen=True):
    """How it ended; `key` names the sentence."""

    scores: Pair
    reason: Reason
    article: str
    key: str
    side: Side | None
    proof: str


class View(msgspec.Struct, frozen=True, kw_only=True, tag_field="role", tag="spectator"):
    """5.17 — the position, the time and the result: all that spectators see."""

    game: str
    white: SeatedPlayer
    black: SeatedPlayer
    phase: Phase
    fen: str
    last: str
    clock: ClockView
    result: ResultView | None


class MoveView(msgspec.Struct, frozen=True):
    """1.2 — a move and the clocks after it."""

    uci: str
    spent: int
    white: int
    black: int


class ActView(msgspec.Struct, frozen=True):
    """An act of the arbiter and whether it still holds."""

    number: int
    act: Act
    withdrawn: bool
    details: tuple[Detail, ...] = ()
    """How much of it."""
    withdrawable: bool = False
    """Whether the arbiter can take it back now."""


class OpponentView(msgspec.Struct, frozen=True):
    """What a player sees of the opponent: there or not, and since when not."""

    connected: bool
    lost: int | None
    reconnect_by: int | None


class PlayerView(View, frozen=True, kw_only=True, tag="player"):
    """1.2, 2.3 — all of the game, one's own settings, and the acts that concern one."""

    side: Side
    number: int
    """The number of the next event: what a client has seen up to."""
    moves: tuple[MoveView, ...]
    legal: tuple[str, ...]
    """The moves open to the player, where it is their turn."""
    offer: Offer | None
    offers: tuple[Offer, ...]
    premove: Premove | None
    auto_queen: bool
    chat_blocked: bool
    assistant: str
    may_move: bool
    """9.1f — false while off the video conference where it is required."""
    reconnect_by: int | None
    tolerance_ends: int | None
    opponent: OpponentView
    acts: tuple[ActView, ...]
    calls: tuple[Call, ...]
    requests: tuple[Request, ...] = ()
    """What one has asked to be allowed, and what was answered."""
    inspections: tuple[Inspection, ...] = ()
    """What the arbiter has asked one to show, and what came of it."""
    held: int | None = None
    """11.6 — since when the server holds the clocks, because its log cannot be written."""


class SeatView(msgspec.Struct, frozen=True):
    """What the arbiter sees of a player; a premove is not part of it."""

    joined: int | None
    platform: Line
    vcs: Line
    away: int
    """How long the player has been off the platform altogether, by their own fault."""
    reconnect_by: int | None
    auto_queen: bool
    chat_blocked: bool
    assistant: str
    warnings: int
    watched: bool
    """9.1 — whether the player is to be in the video conference."""


class ArbiterView(View, frozen=True, kw_only=True, tag="arbiter"):
    """1.2 — everything but what a player has only thought of."""

    number: int
    moves: tuple[MoveView, ...]
    offer: Offer | None
    offers: tuple[Offer, ...]
    started: int | None
    tolerance_ends: int | None
    white_seat: SeatView
    black_seat: SeatView
    acts: tuple[ActView, ...]
    calls: tuple[Call, ...]
    requests: tuple[Request, ...]
    notes: tuple[Note, ...]
    games_given_up: int
    inspections: tuple[Inspection, ...] = ()
    held: int | None = None


def view_for(state: State, role: GameRole, now: int, *, with_analysis: bool = False) -> View:
    """What somebody may see at a moment.

    5.17 — analysis, as the proof that mate was possible, is for arbiters; `with_analysis`, once
    the tournament is over, also for players.
    """
    now = max(now, state.last_at)
    if role is GameRole.SPECTATOR:
        return _for_spectator(state, now)
    if role is GameRole.ARBITER:
        return _for_arbiter(state, now)
    view = _for_player(state, Side(role.value), now)
    return view if with_analysis else msgspec.structs.replace(view, result=_without_proof(view))


def end_key(outcome: Ending) -> str:
    """The key of the sentence that says how a game ended, or who has changed its result since."""
    if outcome.before is not None:
        return f"hall.end.{_CHANGED_BY.get(outcome.article, 'corrected')}"
    return f"hall.end.{outcome.reason.value}"


_CHANGED_BY = {"5.16": "appeal", "13.3": "committee", "13.5b": "committee"}
"""By whose decision a result is another than the game had; else it was the arbiter's."""


# --- each role ------------------------------------------------------------------------------------


def _for_spectator(state: State, now: int) -> View:
    frame = frame_shown(state, now)
    if frame is None:
        seen = _common(state, now) | {
            "white": _unnumbered(state.white.player),
            "black": _unnumbered(state.black.player),
            "result": _bare_result(state.outcome),
        }
        return View(**seen)
    rules = state.rules
    seen_at = now - rules.spectator_delay
    # Behind by half moves there is no moment of the past to look at: the clocks of that move.
    running = frame.clock.running if not rules.spectator_delay_plies else None
    clock = frame.clock
    if running is None:
        clock = clock.pause(frame.at)
    return View(
        game=state.created.game,
        white=_unnumbered(state.white.player),
        black=_unnumbered(state.black.player),
        phase=frame.phase,
        fen=frame.board.fen(),
        last=frame.last.uci if frame.last else "",
        clock=ClockView(
            clock.remaining(Side.WHITE, seen_at), clock.remaining(Side.BLACK, seen_at), running
        ),
        result=_bare_result(frame.outcome),
    )


def _unnumbered(player: SeatedPlayer) -> SeatedPlayer:
    """A player without the number of their account, which is nobody's business who looks on."""
    return msgspec.structs.replace(player, id="")


def _for_player(state: State, side: Side, now: int) -> PlayerView:
    seat, opponent = state.seat(side), state.seat(side.other)
    plays = state.phase is Phase.RUNNING and state.turn is side and state.flagged is None
    return PlayerView(
        **_common(state, now),
        side=side,
        number=state.number,
        moves=moves_of(state),
        legal=state.board.legal if plays else (),
        offer=state.offer,
        offers=state.offers,
        premove=seat.premove,
        auto_queen=seat.auto_queen,
        chat_blocked=seat.chat_blocked,
        assistant=seat.assistant,
        may_move=seat.platform.on and (seat.vcs.on or not state.needs_vcs(side)),
        reconnect_by=seat.reconnect_by,
        tolerance_ends=_tolerance_ends(state),
        opponent=OpponentView(opponent.platform.on, opponent.platform.lost, opponent.reconnect_by),
        acts=tuple(
            ActView(act.number, act.act, act.number in state.withdrawn, act.act.details())
            for act in state.acts
            if _concerns(act.act, act.concerns, seat.player.id)
        ),
        calls=tuple(call for call in state.calls if call.caller == seat.player.id),
        requests=tuple(request for request in state.requests if request.player == seat.player.id),
        inspections=tuple(
            inspection for inspection in state.inspections if inspection.player == seat.player.id
        ),
    )


def _concerns(act: Act, concerned: str, player: str) -> bool:
    """Whether a player sees an act of the past, whichever side they had then (11.2)."""
    side: Side | None = getattr(act, "side", None)
    if side is None:
        return visible_to(act, GameRole.WHITE)
    seen_from = side if concerned == player else side.other
    return visible_to(act, GameRole(seen_from.value))


def _for_arbiter(state: State, now: int) -> ArbiterView:
    return ArbiterView(
        **_common(state, now),
        number=state.number,
        moves=moves_of(state),
        offer=state.offer,
        offers=state.offers,
        started=state.started,
        tolerance_ends=_tolerance_ends(state),
        white_seat=_seat(state, state.white, now),
        black_seat=_seat(state, state.black, now),
        acts=tuple(
            ActView(
                act.number,
                act.act,
                act.number in state.withdrawn,
                act.act.details(),
                is_withdrawable(state, act),
            )
            for act in state.acts
        ),
        calls=state.calls,
        requests=state.requests,
        notes=state.notes,
        games_given_up=len(state.earlier),
        inspections=state.inspections,
    )


# --- parts ----------------------------------------------------------------------------------------


def _common(state: State, now: int) -> dict[str, Any]:
    clock = state.clock
    return {
        "game": state.created.game,
        "white": state.white.player,
        "black": state.black.player,
        "phase": state.phase,
        "fen": state.board.fen(),
        "last": state.moves[-1].uci if state.moves else "",
        "clock": ClockView(
            clock.remaining(Side.WHITE, now), clock.remaining(Side.BLACK, now), clock.running
        ),
        "result": _result(state.outcome),
    }


def _result(outcome: Ending | None) -> ResultView | None:
    if outcome is None:
        return None
    return ResultView(
        outcome.scores,
        outcome.reason,
        outcome.article,
        end_key(outcome),
        outcome.side,
        outcome.proof,
    )


def _without_proof(view: View) -> ResultView | None:
    result = view.result
    return None if result is None else msgspec.structs.replace(result, proof="")


def _bare_result(outcome: Ending | None) -> ResultView | None:
    """5.17 — the result alone: how a side could have mated is analysis, and not for spectators."""
    result = _result(outcome)
    return None if result is None else msgspec.structs.replace(result, proof="")


def moves_of(state: State) -> tuple[MoveView, ...]:
    """All moves of a game, with the time each took and left."""
    return tuple(MoveView(move.uci, move.spent, move.white, move.black) for move in state.moves)


def _tolerance_ends(state: State) -> int | None:
    """The end of the tolerance, as long as somebody is waited for."""
    awaited = state.white.joined is None or state.black.joined is None
    return state.tolerance_ends if awaited and state.is_on else None


def _seat(state: State, seat: Seat, now: int) -> SeatView:
    return SeatView(
        seat.joined,
        seat.platform,
        seat.vcs,
        time_away(seat, now if state.is_on else state.last_at),
        seat.reconnect_by,
        seat.auto_queen,
        seat.chat_blocked,
        seat.assistant,
        len(warnings(state, seat.player.id)),
        state.needs_vcs(Side.WHITE if seat is state.white else Side.BLACK),
    )


def time_away(seat: Seat, now: int) -> int:
    """7.5 — how long a player has been gone in all since they came, by their own fault."""
    line = seat.platform
    gaps = line.gaps
    if line.lost is not None and seat.joined is not None:
        gaps = (*gaps, Gap(line.lost, now, line.cause))
    return sum(gap.end - gap.start for gap in gaps if gap.cause is Cause.PLAYER)
