"""The arbiter and results: declared, corrected, sanctioned (3.2, 5.9, 5.10, 6.9d-f, 11.3, 11.4)."""

from __future__ import annotations

import chess

from arrocco.errors import Illegal
from arrocco.hall.acts import LOST, ChangePoints, CorrectResult, DeclareResult
from arrocco.hall.game import position
from arrocco.hall.game.decision import Decision, Judge, happened, refused, signed
from arrocco.hall.game.endings import half_points
from arrocco.hall.game.state import Outcome, Phase, State
from arrocco.hall.log import events as e
from arrocco.hall.log.records import Pair, Reason
from arrocco.laws.online.game import End, PositionFacts
from arrocco.laws.online.sanctions import ArbiterSanction, CommitteeSanction, Objection, Terms
from arrocco.laws.online.side import Side


def declare_result(
    state: State, act: DeclareResult, article: str, now: int, judge: Judge
) -> Decision:
    """5.9, 5.10, 6.9f, 9.2, 11.3 — the arbiter decides a game that is not over."""
    if state.phase is Phase.ENDED:
        return refused("hall.game_over", article)
    if state.phase is Phase.WAITING and article not in LOST:
        return refused("hall.not_started", article)
    objection = _objection(state, act, article, judge)
    if objection is None and article == "11.3":
        objection = _objection_to_draw(state, judge)
    if objection is None and article == End.AGREEMENT.article:
        objection = _objection_to_agreement(state, judge)
    if objection is not None:
        return objection
    reasons = {
        End.RESIGNATION.article: Reason.RESIGNATION,
        End.AGREEMENT.article: Reason.AGREEMENT,
    }
    declared = e.ResultDeclared(
        **signed(act, article, now),
        scores=act.scores,
    )
    ended = e.Ended(
        at=now,
        scores=act.scores,
        half_points=half_points(act.scores, state.rules.scoring),
        reason=reasons.get(article, Reason.ARBITER),
        article=article,
        side=act.against,
    )
    return happened(declared, ended)


def correct_result(
    state: State, act: CorrectResult, article: str, now: int, judge: Judge
) -> Decision:
    """1.3.4, 5.16, 11.3, 11.4, 13.3 — the arbiter changes the result of a game that is over."""
    outcome = state.outcome
    if outcome is None:
        return refused("hall.game_not_over", article)
    if act.scores == outcome.scores:
        return refused("hall.same_result", article)
    objection = _objection(state, act, article, judge)
    if objection is None and article == "11.3":
        objection = _objection_to_missed_draw(state, outcome, judge)
    if objection is None and article == "1.3.4":
        objection = _objection_to_draw_on_time(state, outcome, judge)
    if objection is None and article == "11.4":
        objection = _objection_to_undoing_draw(state, outcome, judge)
    if objection is not None:
        return objection
    return happened(
        e.ResultCorrected(
            at=now,
            by=act.by,
            reason=act.reason.strip(),
            article=article,
            corrects=outcome.number if act.corrects is None else act.corrects,
            scores=act.scores,
            half_points=half_points(act.scores, state.rules.scoring),
            before=outcome.scores,
        )
    )


def change_points(
    state: State, act: ChangePoints, article: str, now: int, judge: Judge
) -> Decision:
    """6.9d, 6.9e — points of a finished game go up for the opponent, or down for the culprit."""
    outcome = state.outcome
    if outcome is None:
        return refused("hall.game_not_over", article)
    terms = Terms(
        score_before=_culprit_first(outcome.scores, act.side),
        score_after=_culprit_first(act.scores, act.side),
    )
    sanction = ArbiterSanction(article[-1])
    objections = judge.law.objections_to_arbiter(sanction, terms, state.rules.scoring)
    if objections:
        return _objected(sanction, objections[0], judge)
    return happened(
        e.PointsChanged(
            **signed(act, article, now),
            side=act.side,
            scores=act.scores,
            half_points=half_points(act.scores, state.rules.scoring),
            before=outcome.scores,
        )
    )


# --- objections -----------------------------------------------------------------------------------


def _objection(
    state: State, act: DeclareResult | CorrectResult, article: str, judge: Judge
) -> Decision | None:
    """3.2 and what the article itself asks of the scores."""
    scoring, law = state.rules.scoring, judge.law
    if not law.score_is_legal(act.scores, scoring):
        return refused("hall.objection.score_not_legal", "3.2")
    if article in ("11.3", "1.3.4", End.AGREEMENT.article):
        is_draw = act.scores == (scoring.draw, scoring.draw)
        return None if is_draw else refused("hall.not_a_draw", article)
    if article == "13.5b":
        found = law.objections_to_committee(
            CommitteeSanction.SCORE_CHANGE, Terms(score_after=act.scores), scoring
        )
        return _objected(CommitteeSanction.SCORE_CHANGE, found[0], judge) if found else None
    if article not in (*LOST, End.RESIGNATION.article):
        return None
    if act.against is None:
        return refused("hall.player_needed", article)
    scores = _culprit_first(act.scores, act.against)
    terms = Terms(score_before=scores, score_after=scores)
    objections = law.objections_to_arbiter(ArbiterSanction.GAME_LOST, terms, scoring)
    if objections:
        return refused(f"hall.objection.{objections[0].value}", article)
    opponent_wins = {
        End.RESIGNATION.article: (scoring.loss, scoring.win),
        "5.9": law.score_for_forbidden_device(scoring),
        "5.10": law.score_for_refused_inspection(scoring),
    }
    if scores != opponent_wins.get(article, scores):
        return refused("hall.opponent_wins", article)
    return None


def _objection_to_draw(state: State, judge: Judge) -> Decision | None:
    """11.3 — a draw is declared where one is due; mate must not be known to be possible."""
    board = state.board
    known = (judge.can_mate(board.copy(stack=False), color) for color in chess.COLORS)
    facts = PositionFacts(
        repetitions=state.seen[position.key(board)],
        half_moves_without_progress=board.halfmove_clock,
        dead=not any(known),
    )
    if judge.law.draw_to_declare(facts) is None:
        return refused("hall.no_draw_to_declare", "11.3")
    return None


def _objection_to_missed_draw(state: State, outcome: Outcome, judge: Judge) -> Decision | None:
    """11.3 — a draw that was due and not given: no mate on the board, and none known possible.

    A position that was dead on the way still is at the end.
    """
    if outcome.reason is Reason.CHECKMATE:
        return refused("hall.no_draw_to_declare", "11.3")
    return _objection_to_draw(state, judge)


def _objection_to_draw_on_time(state: State, outcome: Outcome, judge: Judge) -> Decision | None:
    """1.3.4, 7.7 — lost on time or not back: a draw where the winner is not known to mate."""
    if outcome.reason not in (Reason.TIME, Reason.DISCONNECTION) or outcome.side is None:
        return refused("hall.not_lost_on_time", "1.3.4")
    winner = position.COLORS[outcome.side.other]
    if judge.can_mate(state.board.copy(stack=False), winner):
        return refused("hall.winner_can_mate", "1.3.4")
    return None


def _objection_to_agreement(state: State, judge: Judge) -> Decision | None:
    needed = int(judge.law.MOVES_BEFORE_AGREEMENT)
    if min(state.moves_by(Side.WHITE), state.moves_by(Side.BLACK)) < needed:
        return refused("hall.draw_before_moves", "2.2e", moves=needed)
    return None


_AUTOMATIC_DRAWS = {
    Reason.STALEMATE: End.STALEMATE,
    Reason.REPETITION: End.REPETITION,
    Reason.FIFTY_MOVES: End.FIFTY_MOVES,
    Reason.DEAD_POSITION: End.DEAD_POSITION,
    Reason.TIME_WITHOUT_MATE: End.TIME_WITHOUT_MATE,
    Reason.DISCONNECTION_WITHOUT_MATE: End.TIME_WITHOUT_MATE,
}


def _objection_to_undoing_draw(state: State, outcome: Outcome, judge: Judge) -> Decision | None:
    """11.4 — only a draw of the server's own is undone, and only where mate may be possible."""
    end = _AUTOMATIC_DRAWS.get(outcome.reason)
    if end is None or not outcome.by_server:
        return refused("hall.not_automatic_draw", "11.4")
    white, black = (
        judge.can_mate(state.board.copy(stack=False), color) is not False
        for color in (chess.WHITE, chess.BLACK)
    )
    try:
        stands = judge.law.automatic_draw_stands(
            end, white_can_mate=white, black_can_mate=black, flagged=outcome.side
        )
    except Illegal:
        return refused("hall.not_automatic_draw", "11.4")
    return refused("hall.automatic_draw_stands", "11.4") if stands else None


def _culprit_first(scores: Pair, culprit: Side) -> Pair:
    """Scores of White and Black as the law takes them: the player at fault, the opponent."""
    white, black = scores
    return (white, black) if culprit is Side.WHITE else (black, white)


def _objected(
    sanction: ArbiterSanction | CommitteeSanction, objection: Objection, judge: Judge
) -> Decision:
    article = judge.law.objection_article(sanction, objection)
    return refused(f"hall.objection.{objection.value}", article)
