"""1.3.4, 5.9, 5.10, 5.16, 6.9f, 9.2, 11.3, 11.4, 13 — a result is declared, or corrected."""

from __future__ import annotations

import chess

from arrocco.errors import Illegal
from arrocco.hall.game import position
from arrocco.hall.game.acts.base import LOST, NOT_ENDED, ActRecord, ArbiterCommand, Scores
from arrocco.hall.game.changes import Changes, replace
from arrocco.hall.game.decision import Decision, Judge, happened, refused
from arrocco.hall.game.endings import half_points
from arrocco.hall.game.events import Detail, Ended, SeenBy
from arrocco.hall.game.records import Pair, Reason
from arrocco.hall.game.state import Ending, Phase, State
from arrocco.laws.online.game import End, PositionFacts
from arrocco.laws.online.sanctions import ArbiterSanction, CommitteeSanction, Objection, Terms
from arrocco.laws.online.side import Side


class DeclareResult(ArbiterCommand, frozen=True, kw_only=True):
    """Decides a game that goes on; `against` is the player at fault, where one is."""

    ARTICLES = (*LOST, "11.3", "2.1a", "2.2e")
    PLACE = 8
    KEY = "d"
    PHASES = NOT_ENDED
    CHANGES_STANDINGS = True

    scores: Scores
    against: Side | None = None

    def decide(self, state: State, article: str, now: int, judge: Judge) -> Decision:
        if state.phase is Phase.ENDED:
            return refused("hall.game_over", article)
        if state.phase is Phase.WAITING and article not in LOST:
            return refused("hall.not_started", article)
        objection = _objection(state, self.scores, self.against, article, judge)
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
        ended = Ended(
            at=now,
            scores=self.scores,
            half_points=half_points(self.scores, state.rules.scoring),
            reason=reasons.get(article, Reason.ARBITER),
            article=article,
            side=self.against,
        )
        return happened(ResultDeclared(**self.signed(article, now), scores=self.scores), ended)


class ResultDeclared(ActRecord, frozen=True, kw_only=True):
    """An arbiter decides a game that was going on; its end follows."""

    SEEN_BY = SeenBy.PLAYERS

    scores: Pair

    def fault(self, state: State) -> str:
        return "ended_twice" if state.phase is Phase.ENDED else ""

    def details(self) -> tuple[Detail, ...]:
        return (Detail("scores", self.scores),)


class CorrectResult(ArbiterCommand, frozen=True, kw_only=True):
    """Changes the result of a game that is over; `against` is the player at fault, if any."""

    ARTICLES = ("11.4", "11.3", "1.3.4", *LOST, "5.16", "13.5b", "C.04.2 4.3")
    PLACE = 9
    KEY = "c"
    PHASES = (Phase.ENDED,)
    ARTICLE_IS_CHOSEN = True
    CHANGES_STANDINGS = True

    scores: Scores
    against: Side | None = None

    def decide(self, state: State, article: str, now: int, judge: Judge) -> Decision:
        outcome = state.outcome
        if outcome is None:
            return refused("hall.game_not_over", article)
        if self.scores == outcome.scores:
            return refused("hall.same_result", article, field="scores")
        objection = _objection(state, self.scores, self.against, article, judge)
        if objection is None and article == "11.3":
            objection = _objection_to_missed_draw(state, outcome, judge)
        if objection is None and article == "1.3.4":
            objection = _objection_to_draw_on_time(state, outcome, judge)
        if objection is None and article == "11.4":
            objection = _objection_to_undoing_draw(state, outcome, judge)
        if objection is not None:
            return objection
        corrects = outcome.number if self.corrects is None else self.corrects
        return happened(
            ResultCorrected(
                **(self.signed(article, now) | {"corrects": corrects}),
                scores=self.scores,
                half_points=half_points(self.scores, state.rules.scoring),
                before=outcome.scores,
            )
        )


class ScoreRecord(ActRecord, frozen=True, kw_only=True):
    """What changes the scores of a game that is over: withdrawn while nothing has since."""

    SEEN_BY = SeenBy.PLAYERS

    def can_be_withdrawn(self, state: State, number: int) -> bool:
        return state.outcome is not None and state.outcome.number == number

    def changes_withdrawn(self, state: State, side: Side | None) -> Changes:
        """Exactly what it was: who decided it and by what, and another may be withdrawn next."""
        return {} if state.outcome is None else {"outcome": state.outcome.before}


class ResultCorrected(ScoreRecord, frozen=True, kw_only=True):
    """An arbiter changes the result of a game that was over."""

    scores: Pair
    half_points: Pair
    before: Pair

    def changes(self, state: State) -> Changes:
        return scored(state, self.scores, self.half_points, self.article)

    def scores_before(self) -> Pair:
        return self.before

    def details(self) -> tuple[Detail, ...]:
        return (Detail("scores", self.before, after=self.scores),)


def scored(state: State, scores: Pair, half_points: Pair, article: str) -> Changes:
    """Another score for a game that is over."""
    if state.outcome is None:
        return {}
    outcome = replace(
        state.outcome,
        scores=scores,
        half_points=half_points,
        article=article,
        number=state.number,
        by_server=False,
        before=state.outcome,
    )
    return {"outcome": outcome}


# --- objections -----------------------------------------------------------------------------------


def _objection(
    state: State, scores: Pair, against: Side | None, article: str, judge: Judge
) -> Decision | None:
    """3.2 and what the article itself asks of the scores."""
    scoring, law = state.rules.scoring, judge.law
    if not law.score_is_legal(scores, scoring):
        return refused("hall.objection.score_not_legal", "3.2", field="scores")
    if article in ("11.3", "1.3.4", End.AGREEMENT.article):
        is_draw = scores == (scoring.draw, scoring.draw)
        return None if is_draw else refused("hall.not_a_draw", article, field="scores")
    if article == "13.5b":
        found = law.objections_to_committee(
            CommitteeSanction.SCORE_CHANGE, Terms(score_after=scores), scoring
        )
        return objected(CommitteeSanction.SCORE_CHANGE, found[0], judge) if found else None
    if article not in (*LOST, End.RESIGNATION.article):
        return None
    if against is None:
        return refused("hall.player_needed", article, field="against")
    own_first = culprit_first(scores, against)
    terms = Terms(score_before=own_first, score_after=own_first)
    objections = law.objections_to_arbiter(ArbiterSanction.GAME_LOST, terms, scoring)
    if objections:
        return refused(f"hall.objection.{objections[0].value}", article, field="scores")
    opponent_wins = {
        End.RESIGNATION.article: (scoring.loss, scoring.win),
        "5.9": law.score_for_forbidden_device(scoring),
    }
    if own_first != opponent_wins.get(article, own_first):
        return refused("hall.opponent_wins", article, field="scores")
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
        return refused("hall.no_draw_to_declare", "11.3", field="scores")
    return None


def _objection_to_missed_draw(state: State, outcome: Ending, judge: Judge) -> Decision | None:
    """11.3 — a draw that was due and not given: no mate on the board, and none known possible.

    A position that was dead on the way still is at the end.
    """
    if outcome.reason is Reason.CHECKMATE:
        return refused("hall.no_draw_to_declare", "11.3", field="scores")
    return _objection_to_draw(state, judge)


def _objection_to_draw_on_time(state: State, outcome: Ending, judge: Judge) -> Decision | None:
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


def _objection_to_undoing_draw(state: State, outcome: Ending, judge: Judge) -> Decision | None:
    """11.4 — only a draw of the server's own is undone, and only where mate may be possible."""
    end = _AUTOMATIC_DRAWS.get(outcome.reason)
    if end is None or not outcome.by_server:
        return refused("hall.not_automatic_draw", "11.4", field="article")
    white, black = (
        judge.can_mate(state.board.copy(stack=False), color) is not False
        for color in (chess.WHITE, chess.BLACK)
    )
    try:
        stands = judge.law.automatic_draw_stands(
            end, white_can_mate=white, black_can_mate=black, flagged=outcome.side
        )
    except Illegal:
        return refused("hall.not_automatic_draw", "11.4", field="article")
    return refused("hall.automatic_draw_stands", "11.4", field="article") if stands else None


def culprit_first(scores: Pair, culprit: Side) -> Pair:
    """Scores of White and Black as the law takes them: the player at fault, the opponent."""
    white, black = scores
    return (white, black) if culprit is Side.WHITE else (black, white)


def objected(
    sanction: ArbiterSanction | CommitteeSanction, objection: Objection, judge: Judge
) -> Decision:
    """The regulation's objection to scores, as a refusal."""
    article = judge.law.objection_article(sanction, objection)
    return refused(f"hall.objection.{objection.value}", article, field="scores")
