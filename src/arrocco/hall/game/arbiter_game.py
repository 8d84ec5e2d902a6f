"""The arbiter and the course of a game: going back, playing again (6.8, 11.2)."""

from __future__ import annotations

import chess

from arrocco.hall.acts import CorrectColours, Replay, ResumeFromPosition
from arrocco.hall.clock import Clock
from arrocco.hall.game import position
from arrocco.hall.game.arbiter_time import MOST_TIME
from arrocco.hall.game.decision import Decision, Judge, happened, refused, signed
from arrocco.hall.game.state import Phase, State
from arrocco.hall.log import events as e
from arrocco.hall.log.records import Pair
from arrocco.laws.online.game import WrongColours
from arrocco.laws.online.side import Side


def resume_from_position(
    state: State, act: ResumeFromPosition, article: str, now: int, judge: Judge
) -> Decision:
    """6.8 — the game goes on from a position that was on the board; its clocks wait."""
    if state.phase is Phase.WAITING:
        return refused("hall.not_started", article)
    if not 0 <= act.ply <= state.ply:
        return refused("hall.no_such_position", article, ply=act.ply, last=state.ply)
    board, seen = position.replay(move.uci for move in state.moves[: act.ply])
    if not board.legal:
        return refused("hall.no_moves_there", article)
    if judge.law.automatic_end(position.facts(board, seen, _may_mate)) is not None:
        return refused("hall.drawn_there", article)
    white, black = act.clocks if act.clocks is not None else _clocks_at(state, act.ply, now)
    if act.clocks is None and min(white, black) == 0:
        return refused("hall.clocks_needed", article)
    if min(white, black) <= 0:
        return refused("hall.objection.no_time_given", article)
    if max(white, black) > MOST_TIME:
        return refused("hall.time_too_long", article, hours=MOST_TIME // 3_600_000)
    return happened(
        e.ResumedFromPosition(
            **signed(act, article, now),
            ply=act.ply,
            white=white,
            black=black,
        )
    )


def _may_mate(board: chess.Board, color: chess.Color) -> bool:
    """11.4 — whether a position was dead is for the arbiter to say here, not for the server."""
    return True


def _clocks_at(state: State, ply: int, now: int) -> Pair:
    """What the clocks showed when a position arose; in the last one, what they show now."""
    if ply == state.ply:
        return state.clock.remaining(Side.WHITE, now), state.clock.remaining(Side.BLACK, now)
    if ply == 0:
        first = Clock.of(state.clock.control)
        return first.white, first.black
    return state.moves[ply - 1].white, state.moves[ply - 1].black


def replay(state: State, act: Replay, article: str, now: int, judge: Judge) -> Decision:
    """6.8 — the game is played again."""
    if state.phase is Phase.WAITING:
        return refused("hall.not_started", article)
    return happened(_new_game(act, article, now, swapped=False))


def correct_colours(
    state: State, act: CorrectColours, article: str, now: int, judge: Judge
) -> Decision:
    """11.2 — a new game with the right colours, before both have completed ten moves."""
    verdict = judge.law.wrong_colours(
        state.moves_by(Side.WHITE), state.moves_by(Side.BLACK), ended=state.phase is Phase.ENDED
    )
    if verdict is WrongColours.GOES_ON:
        moves = int(judge.law.WRONG_COLOURS_MOVES)
        return refused("hall.wrong_colours_go_on", article, moves=moves)
    if verdict is WrongColours.RESULT_STANDS:
        return refused("hall.wrong_colours_result_stands", article)
    return happened(_new_game(act, article, now, swapped=True))


def _new_game(act: Replay | CorrectColours, article: str, now: int, *, swapped: bool) -> e.NewGame:
    return e.NewGame(
        **signed(act, article, now),
        swapped=swapped,
    )
