"""3.1, 3.2 — what the result of a game can be."""

from __future__ import annotations

from arrocco.hall.event.decision import Decision, refused, unlawful
from arrocco.hall.event.records import Pair, Result
from arrocco.hall.event.state import DECIDED, Board, State, rules_of
from arrocco.hall.game.endings import BOTH_LOSE, half_points
from arrocco.laws.hall import Laws
from arrocco.laws.online.sanctions import Objection
from arrocco.laws.online.score import Scoring
from arrocco.records.report import GameKind


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


def objection_to_gift(
    state: State, board: Board, points: Pair, article: str, laws: Laws
) -> Decision | None:
    """12.13 — for the fault of a player who is out of the standings the opponent gets nothing."""
    if board.result is None or article not in DECIDED:
        return None
    for culprit, opponent in ((0, 1), (1, 0)):
        is_excluded = state.is_out_of_standings(board.players[culprit])
        before, after = board.result.points[opponent], points[opponent]
        if not laws.online.opponent_may_be_given(before, after, is_excluded=is_excluded):
            name = state.name_of(board.players[culprit])
            return refused("opponent_of_excluded", "12.13", name=name)
    return None
