"""What each person sees of a game, as one record to be sent: all a client needs to show it."""

from __future__ import annotations

from typing import Any

import msgspec

from arrocco.hall.game.frames import frame_shown
from arrocco.hall.game.state import Call, Gap, Line, Offer, Outcome, Phase, Seat, State
from arrocco.hall.game.visible import Role, visible_to
from arrocco.hall.log.events import Act, Moved, Note, Warned
from arrocco.hall.log.records import Cause, Pair, Player, Reason
from arrocco.hall.premove import Premove
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
    white: Player
    black: Player
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
    notes: tuple[Note, ...]
    games_given_up: int
    held: int | None = None


def view_for(state: State, role: Role, now: int) -> View:
    """What somebody may see at a moment."""
    now = max(now, state.last_at)
    if role is Role.SPECTATOR:
        return _for_spectator(state, now)
    if role is Role.ARBITER:
        return _for_arbiter(state, now)
    return _for_player(state, Side(role.value), now)


def end_key(outcome: Outcome) -> str:
    """The key of the sentence that says how a game ended."""
    return f"hall.end.{outcome.reason.value}"


# --- each role ------------------------------------------------------------------------------------


def _for_spectator(state: State, now: int) -> View:
    frame = frame_shown(state, now)
    if frame is None:
        seen = _common(state, now) | {
            "white": _unnumbered(state.white.player), "black": _unnumbered(state.black.player),
            "result": _bare_result(state.outcome),
        }  # fmt: skip
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


def _unnumbered(player: Player) -> Player:
    """A player without the number of their account, which is nobody's business who looks on."""
    return msgspec.structs.replace(player, id="")


def _for_player(state: State, side: Side, now: int) -> PlayerView:
    seat, opponent = state.seat(side), state.seat(side.other)
    plays = state.phase is Phase.RUNNING and state.turn is side and state.flagged is None
    return PlayerView(
        **_common(state, now),
        side=side,
        number=state.number,
        moves=_moves(state.moves),
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
            ActView(one.number, one.act, one.number in state.withdrawn)
            for one in state.acts
            if _concerns(one.act, one.concerns, seat.player.id)
        ),
        calls=tuple(call for call in state.calls if call.caller == seat.player.id),
    )


def _concerns(act: Act, concerned: str, player: str) -> bool:
    """Whether a player sees an act of the past, whichever side they had then (11.2)."""
    side: Side | None = getattr(act, "side", None)
    if side is None:
        return visible_to(act, Role.WHITE)
    seen_from = side if concerned == player else side.other
    return visible_to(act, Role(seen_from.value))


def _for_arbiter(state: State, now: int) -> ArbiterView:
    return ArbiterView(
        **_common(state, now),
        number=state.number,
        moves=_moves(state.moves),
        offer=state.offer,
        offers=state.offers,
        started=state.started,
        tolerance_ends=_tolerance_ends(state),
        white_seat=_seat(state, state.white, now),
        black_seat=_seat(state, state.black, now),
        acts=tuple(
            ActView(one.number, one.act, one.number in state.withdrawn) for one in state.acts
        ),
        calls=state.calls,
        notes=state.notes,
        games_given_up=len(state.earlier),
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


def _result(outcome: Outcome | None) -> ResultView | None:
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


def _bare_result(outcome: Outcome | None) -> ResultView | None:
    """5.17 — the result alone: how a side could have mated is analysis, and not for spectators."""
    result = _result(outcome)
    return None if result is None else msgspec.structs.replace(result, proof="")


def _moves(moves: tuple[Moved, ...]) -> tuple[MoveView, ...]:
    return tuple(MoveView(move.uci, move.spent, move.white, move.black) for move in moves)


def _tolerance_ends(state: State) -> int | None:
    """The end of the tolerance, as long as somebody is waited for."""
    awaited = state.white.joined is None or state.black.joined is None
    return state.tolerance_ends if awaited and state.is_on else None


def _seat(state: State, seat: Seat, now: int) -> SeatView:
    warnings = sum(
        isinstance(one.act, Warned)
        and one.concerns == seat.player.id
        and one.number not in state.withdrawn
        for one in state.acts
    )
    return SeatView(
        seat.joined,
        seat.platform,
        seat.vcs,
        time_away(seat, now if state.is_on else state.last_at),
        seat.reconnect_by,
        seat.auto_queen,
        seat.chat_blocked,
        seat.assistant,
        warnings,
        state.needs_vcs(Side.WHITE if seat is state.white else Side.BLACK),
    )


def time_away(seat: Seat, now: int) -> int:
    """7.5 — how long a player has been gone in all since they came, by their own fault."""
    line = seat.platform
    gaps = line.gaps
    if line.lost is not None and seat.joined is not None:
        gaps = (*gaps, Gap(line.lost, now, line.cause))
    return sum(gap.end - gap.start for gap in gaps if gap.cause is Cause.PLAYER)
