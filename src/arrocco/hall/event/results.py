"""Results: taken from the games, and corrected (3.2, 5.16, 11.3, 11.4, 13.3)."""

from __future__ import annotations

from datetime import datetime

from arrocco.findings import Finding, Severity
from arrocco.hall.event import commands as c
from arrocco.hall.event import events as e
from arrocco.hall.event.decision import (
    Decision,
    happened,
    objected,
    refused,
    signed,
    unlawful,
)
from arrocco.hall.event.objections import Laws
from arrocco.hall.event.records import Pair, Result
from arrocco.hall.event.state import Board, Phase, State, rules_of
from arrocco.hall.game.endings import BOTH_LOSE, half_points
from arrocco.laws.online.sanctions import ArbiterSanction, CommitteeSanction, Objection
from arrocco.laws.online.score import Scoring
from arrocco.report import GameKind

WRONGLY_TAKEN = "C.04.2 4.3"
CORRECTED_BY = ("11.3", "11.4", "5.16", "13.3", WRONGLY_TAKEN)
"""By what a result can be corrected; 6.9d, e, f and 13.5b are sanctions."""

AFTER_VALIDATION = ("5.16", "13.3")
"""By what it still can be once the standings are validated: an appeal, or the committee."""


def take_result(state: State, command: c.TakeResult, now: datetime, laws: Laws) -> Decision:
    """3.1 — what a game came to; the hall itself may say it again when the game has changed."""
    round_, board = state.round(command.round), state.board(command.round, command.board)
    if round_ is None or board is None or round_.phase is Phase.PAIRED:
        return refused("no_such_board", round=command.round, board=command.board)
    arbiter = state.arbiter(command.by)
    if arbiter is not None and not arbiter.watches(command.board):
        return refused("not_in_zone", "6.3", board=command.board)
    if arbiter is not None and board.result is not None:
        return refused("result_is_there", round=command.round, board=command.board)
    objection = objection_to_result(state, command.result, laws)
    if objection is not None:
        return objection
    if _is_known(board, command):
        return happened()
    return happened(
        e.ResultTaken(
            **signed(command, now),
            round=command.round,
            board=command.board,
            result=command.result,
            game=command.game,
            article=command.article,
        )
    )


def _is_known(board: Board, command: c.TakeResult) -> bool:
    """Whether the game said so before; what was decided about it since then stands."""
    if not command.by and board.told is not None:
        return board.told == command.result
    taken = [one.result for one in board.settled if one.sanction is None]
    return bool(taken) and taken[-1] == command.result


def take_back(state: State, command: c.TakeBack, now: datetime, laws: Laws) -> Decision:
    """6.8, 11.2 — a game that goes on has no result, and one with other colours another White.

    Asked again it changes nothing, nor once the round is over.
    """
    round_, board = state.round(command.round), state.board(command.round, command.board)
    if round_ is None or board is None or command.white not in board.players:
        return refused("no_such_board", round=command.round, board=command.board)
    is_known = board.white == command.white and not board.settled
    if round_.phase is not Phase.OPEN or is_known:
        return happened()
    return happened(
        e.ResultTakenBack(
            **signed(command, now),
            round=command.round,
            board=command.board,
            white=command.white,
            game=command.game,
        )
    )


def correct_result(state: State, command: c.CorrectResult, now: datetime, laws: Laws) -> Decision:
    """5.16, 11.3, 11.4, 13.3 — a result that stands is changed, by an article and with a reason."""
    board = state.board(command.round, command.board)
    before = board.result if board is not None else None
    if board is None or before is None:
        return refused("no_result_yet", round=command.round, board=command.board)
    if command.article not in CORRECTED_BY:
        return refused("article_not_open", given=command.article[:40], articles=CORRECTED_BY)
    if not command.reason.strip():
        return refused("reason_needed", command.article)
    if state.validated is not None and command.article not in AFTER_VALIDATION:
        return refused("is_validated", "12.9", articles=AFTER_VALIDATION)
    if command.article == "5.16" and is_final(state, board, laws):
        return objected([Finding(Severity.ERROR, "hall.decision_is_final", article="12.7")])
    result = made(state, command.points, command.kind or before.kind)
    objection = objection_to_result(state, result, laws)
    if objection is None:
        objection = _objection_by_article(state, command, before)
    if objection is not None:
        return objection
    if result == before:
        return refused("same_result", command.article)
    return happened(
        e.ResultCorrected(
            **signed(command, now),
            round=command.round,
            board=command.board,
            result=result,
            article=command.article,
            reason=command.reason.strip(),
        )
    )


def _objection_by_article(
    state: State, command: c.CorrectResult, before: Result
) -> Decision | None:
    """11.3 declares a draw, 11.4 undoes one, 13.3 takes points from who was at fault."""
    scoring = rules_of(state).scoring
    drawn = (scoring.draw, scoring.draw)
    if command.article == "11.3" and command.points != drawn:
        return refused("not_a_draw", "11.3")
    if command.article == "11.4" and (before.points != drawn or command.points == drawn):
        return refused("no_draw_to_undo", "11.4")
    if command.article == "13.3" and scoring.loss not in command.points:
        return refused("nobody_loses", "13.3")
    return None


_BY_LOSING = ("5.9", "5.10", "9.2", "13.3")
"""Other articles by which the arbiter declares a game lost: decisions of the kind of 6.9f."""


def is_final(state: State, board: Board, laws: Laws) -> bool:
    """5.16, 12.7 — whether what a game's result rests on now cannot be appealed.

    The committee's decisions never can, the chief arbiter's where the event's rules say so.
    """
    article = board.settled[-1].article if board.settled else ""
    kinds = (ArbiterSanction, CommitteeSanction)
    lost = ArbiterSanction.GAME_LOST if article in _BY_LOSING else None
    sanction = next((one for kind in kinds for one in kind if one.article == article), lost)
    if sanction is None:
        return False
    return not laws.online.is_appealable(sanction, rules_of(state).final_decisions)


# --- what a result can be -------------------------------------------------------------------------


def made(state: State, points: Pair, kind: GameKind) -> Result:
    """A result from the points that the event gives."""
    return Result(points, _half_points(points, rules_of(state).scoring, kind), kind)


def _half_points(points: Pair, scoring: Scoring, kind: GameKind) -> Pair:
    """What points are for a rating; nobody draws a forfeit, whatever a draw is worth."""
    if kind is not GameKind.FORFEIT:
        return half_points(points, scoring)
    white, black = (2 if score == scoring.win else 0 for score in points)
    return white, black


def objection_to_result(state: State, result: Result, laws: Laws) -> Decision | None:
    """3.1, 3.2 — scores that a game can have, and a forfeit those of a forfeit."""
    scoring, law = rules_of(state).scoring, laws.online
    if not law.score_is_legal(result.points, scoring):
        return unlawful(Objection.SCORE_NOT_LEGAL, "3.2")
    if result.kind is GameKind.FORFEIT:
        # One of them may have been there and lost: on time, by resigning, by the arbiter (6.9f).
        least = (scoring.loss, scoring.forfeit)
        if not any(score in least for score in result.points) or not all(
            score in (scoring.win, *least) for score in result.points
        ):
            return refused("not_a_forfeit", "3.1")
    # Where a draw is worth no more than a loss the points do not tell which it was.
    nothing = result.points == (scoring.draw, scoring.draw) == (scoring.loss, scoring.loss)
    both_lost = nothing and result.half_points == BOTH_LOSE
    if not both_lost and result.half_points != _half_points(result.points, scoring, result.kind):
        return refused("half_points_differ", "3.1")
    return None
