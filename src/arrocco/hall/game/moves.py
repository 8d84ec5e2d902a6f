"""Moves and premoves: what is accepted, and all that follows from one (1.1, 1.2, 1.3.2, 9.1f)."""

from __future__ import annotations

import chess

from arrocco.hall.game import events as e
from arrocco.hall.game import position
from arrocco.hall.game.commands import ClearPremove, Move, SetPremove
from arrocco.hall.game.decision import Decision, Judge, happened, refused
from arrocco.hall.game.endings import ended_on_board
from arrocco.hall.game.fold import apply
from arrocco.hall.game.premove import Premove, could_become_legal, needs_promotion
from arrocco.hall.game.records import Cleared
from arrocco.hall.game.state import Phase, Seat, State
from arrocco.laws.online.game import DrawAct, DrawState
from arrocco.laws.online.side import Side

_WITH_PROMOTION = 5
"""Letters of a move that promotes, as ``e7e8n``."""


def move(state: State, command: Move, now: int, judge: Judge) -> Decision:
    """1.1, 1.3.2 — a legal move of the player to move, or of the assistant, is completed."""
    side = state.side_of(command.by)
    if side is None:
        return refused("hall.not_seated")
    if command.ply != state.ply:
        return _wrong_ply(state, command, side)
    barred = _barred(state, side, judge)
    if barred is not None:
        return barred
    if side is not state.turn:
        return refused("hall.not_your_turn", "1.3.2")
    chosen = _chosen(state.board, command.uci, state.seat(side))
    if isinstance(chosen, Decision):
        return chosen
    legal = _legal(state.board, chosen)
    if legal is None:
        return refused("hall.illegal_move", "1.1", uci=command.uci)
    assistant = "" if command.by == state.seat(side).player.id else command.by
    waited = state.seat(side).premove
    if waited is None:
        return Decision(_completed(state, side, legal, now, judge, assistant=assistant))
    # It had waited for the video conference (9.1f): another move has taken its place.
    cleared = e.PremoveCleared(at=now, side=side, ply=waited.ply, why=Cleared.PLAYER)
    after = apply(state, cleared)
    return happened(cleared, *_completed(after, side, legal, now, judge, assistant=assistant))


def set_premove(state: State, command: SetPremove, now: int, judge: Judge) -> Decision:
    """1.2a — the answer to a move still to come; one that comes too late is an ordinary move."""
    side = state.side_of(command.by)
    if side is None:
        return refused("hall.not_seated")
    if side is state.turn:
        return move(state, Move(by=command.by, uci=command.uci, ply=command.ply), now, judge)
    if command.ply != state.ply + 1:
        return refused("hall.wrong_ply", "1.2a", ply=command.ply, now=state.ply)
    barred = _barred(state, side, judge)
    if barred is not None:
        return barred
    chosen = _chosen(state.board, command.uci, state.seat(side))
    if isinstance(chosen, Decision):
        return chosen
    premove = chess.Move.from_uci(chosen)
    if not could_become_legal(state.board, premove, position.COLORS[side]):
        return refused("hall.premove_impossible", "1.2a", uci=command.uci)
    return happened(e.PremoveSet(at=now, side=side, ply=command.ply, uci=chosen))


def clear_premove(state: State, command: ClearPremove, now: int, judge: Judge) -> Decision:
    """1.2a — a premove can be taken back until it is played."""
    side = state.side_of(command.by)
    if side is None:
        return refused("hall.not_seated")
    premove = state.seat(side).premove
    if premove is None:
        return refused("hall.no_premove", "1.2a")
    return happened(e.PremoveCleared(at=now, side=side, ply=premove.ply, why=Cleared.PLAYER))


def waiting_premove(state: State, side: Side, now: int, judge: Judge) -> tuple[e.Event, ...]:
    """1.2a, 9.1f — a premove that waited for the video conference is played by who is back."""
    premove = state.seat(side).premove
    if premove is None or premove.ply != state.ply or state.turn is not side:
        return ()
    if _barred(state, side, judge) is not None:
        return ()
    return _answered(state, side, premove, now, judge)


# --- whether --------------------------------------------------------------------------------------


def _barred(state: State, side: Side, judge: Judge) -> Decision | None:
    """Why a player cannot move now, whatever the move is."""
    if state.phase is Phase.WAITING:
        return refused("hall.not_started", "1.3.5")
    if state.phase is Phase.ENDED:
        return refused("hall.game_over", "2")
    if state.phase is Phase.PAUSED:
        return refused("hall.paused", "11.6")
    if state.flagged is not None:
        return refused("hall.time_is_over", "1.3.4")
    seat = state.seat(side)
    if not seat.platform.on:
        return refused("hall.not_connected", "7.3")
    if not judge.law.may_move(
        on_platform=True, on_vcs=seat.vcs.on, vcs_required=state.needs_vcs(side)
    ):
        return refused("hall.off_vcs", "9.1f")
    return None


def _wrong_ply(state: State, command: Move, side: Side) -> Decision:
    """A move for another ply: the same one sent twice, or one that came too late."""
    if 0 <= command.ply < state.ply:
        played = state.moves[command.ply]
        if played.side is side and played.uci in (command.uci, command.uci + "q"):
            return refused("hall.already_played", "1.3.2", uci=played.uci)
    return refused("hall.wrong_ply", "1.3.2", ply=command.ply, now=state.ply)


def _chosen(board: position.Board, uci: str, seat: Seat) -> str | Decision:
    """1.2b — the move as meant: a pawn becomes what the player says, or a queen if so set.

    Where the queen is set nothing else is chosen, whatever the message says.
    """
    if seat.auto_queen and len(uci) == _WITH_PROMOTION:
        uci = uci[:-1] + "q"
    if uci in board.legal:
        return uci
    try:
        chosen = chess.Move.from_uci(uci)
    except ValueError:
        return refused("hall.not_a_move", "1.1", uci=uci[:10])
    if not chosen or chosen.drop is not None:
        return refused("hall.not_a_move", "1.1", uci=uci[:10])
    if chosen.promotion is None and needs_promotion(board, chosen):
        if not seat.auto_queen:
            return refused("hall.promotion_needed", "1.2b", uci=uci)
        chosen.promotion = chess.QUEEN
    return chosen.uci()


def _legal(board: position.Board, chosen: str) -> str | None:
    """The move as the board has it, where it is legal: castling can be meant in two ways."""
    if chosen in board.legal:
        return chosen
    try:
        return board.parse_uci(chosen).uci()
    except ValueError:
        return None


# --- what follows ---------------------------------------------------------------------------------


def _completed(
    state: State,
    side: Side,
    legal: str,
    now: int,
    judge: Judge,
    *,
    premove: bool = False,
    assistant: str = "",
) -> tuple[e.Event, ...]:
    """1.3.2 — a legal move, the offer it refuses, the end it brings or the premove it sets off."""
    clock = state.clock.switch(now)
    moved = e.Moved(
        at=now,
        side=side,
        ply=state.ply,
        uci=legal,
        spent=state.clock.shown(side) - state.clock.remaining(side, now),
        white=clock.white,
        black=clock.black,
        premove=premove,
        assistant=assistant,
    )
    events: tuple[e.Event, ...] = (moved,)
    if _refuses_offer(state, side, judge):
        events = (e.DrawRefused(at=now, side=side, ply=state.ply), moved)
    board = state.board.after(legal)
    seen = position.seen_after(state.seen, board)
    end = judge.law.automatic_end(position.facts(board, seen, judge.can_mate))
    if end is not None:
        return (*events, ended_on_board(state, end, side, board, now, judge))
    answer = state.seat(side.other).premove
    if answer is not None:
        for event in events:
            state = apply(state, event)
        events += _answered(state, side.other, answer, now, judge)
    return events


def _answered(
    state: State, side: Side, premove: Premove, now: int, judge: Judge
) -> tuple[e.Event, ...]:
    """1.2a — a premove is played at once where it is legal, and dropped where it is not.

    Connected or not: it was chosen before. But nothing moves for a player who is on the platform
    and off the video conference (9.1f).
    """
    seat = state.seat(side)
    law = judge.law
    if seat.platform.on and not law.may_move(
        on_platform=True, on_vcs=seat.vcs.on, vcs_required=state.needs_vcs(side)
    ):
        return ()  # it waits; who is back has it played (`waiting_premove`)
    uci = premove.uci
    if seat.auto_queen and len(uci) == _WITH_PROMOTION:
        uci = uci[:-1] + "q"  # 1.2b — the queen was set after the premove
    legal = _legal(state.board, uci)
    if legal is None:
        return (e.PremoveCleared(at=now, side=side, ply=premove.ply, why=Cleared.ILLEGAL),)
    executed = e.PremoveExecuted(at=now, side=side, ply=premove.ply, uci=premove.uci)
    after = apply(state, executed)
    return (executed, *_completed(after, side, legal, now, judge, premove=True))


def _refuses_offer(state: State, side: Side, judge: Judge) -> bool:
    """2.3 — whether a move of a side ends the offer that stands."""
    if state.offer is None:
        return False
    after = judge.law.draw_state_after(
        DrawState(state.offer.side), DrawAct.MOVE, side, white_moves=0, black_moves=0
    )
    return after.offered_by is None
