"""6.9d, 6.9e — points of a finished game go up for the opponent, or down for the culprit."""

from __future__ import annotations

from arrocco.hall.game.acts.base import ArbiterCommand, Scores
from arrocco.hall.game.acts.results import ScoreRecord, culprit_first, objected, scored
from arrocco.hall.game.changes import Changes
from arrocco.hall.game.decision import Decision, Judge, happened, refused
from arrocco.hall.game.endings import half_points
from arrocco.hall.game.events import Detail
from arrocco.hall.game.records import Pair
from arrocco.hall.game.state import Phase, State
from arrocco.laws.online.sanctions import ArbiterSanction, Terms
from arrocco.laws.online.side import Side


class ChangePoints(ArbiterCommand, frozen=True, kw_only=True):
    """Raises the opponent's points, or lowers those of the player at fault, `side`."""

    ARTICLES = ("6.9d", "6.9e")
    PLACE = 10
    PHASES = (Phase.ENDED,)
    CHANGES_STANDINGS = True

    side: Side
    scores: Scores

    def decide(self, state: State, article: str, now: int, judge: Judge) -> Decision:
        outcome = state.outcome
        if outcome is None:
            return refused("hall.game_not_over", article)
        terms = Terms(
            score_before=culprit_first(outcome.scores, self.side),
            score_after=culprit_first(self.scores, self.side),
        )
        sanction = ArbiterSanction(article[-1])
        objections = judge.law.objections_to_arbiter(sanction, terms, state.rules.scoring)
        if objections:
            return objected(sanction, objections[0], judge)
        return happened(
            PointsChanged(
                **self.signed(article, now),
                side=self.side,
                scores=self.scores,
                half_points=half_points(self.scores, state.rules.scoring),
                before=outcome.scores,
            )
        )


class PointsChanged(ScoreRecord, frozen=True, kw_only=True):
    """A sanction on the points of a game (6.9d, 6.9e) for the fault of a side."""

    side: Side
    scores: Pair
    half_points: Pair
    before: Pair

    def changes(self, state: State) -> Changes:
        return scored(state, self.scores, self.half_points, self.article)

    def scores_before(self) -> Pair:
        return self.before

    def details(self) -> tuple[Detail, ...]:
        return (Detail("scores", self.before, after=self.scores),)
