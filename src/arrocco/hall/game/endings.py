"""How a game ends and what its players then have: the events of each end."""

from __future__ import annotations

import chess

from arrocco.hall.game import events as e
from arrocco.hall.game.decision import Judge
from arrocco.hall.game.position import COLORS
from arrocco.hall.game.records import Pair, Reason
from arrocco.hall.game.state import State
from arrocco.laws.online.game import End
from arrocco.laws.online.score import Scoring
from arrocco.laws.online.side import Side

WHITE_WINS, BLACK_WINS, DRAWN, BOTH_LOSE = (2, 0), (0, 2), (1, 1), (0, 0)


def half_points(scores: Pair, scoring: Scoring) -> Pair:
    """What scores in the event's unit are for a rating: a win, a draw, or nothing."""
    if scores == (scoring.draw, scoring.draw):
        return DRAWN
    white, black = (_half_points(score, scoring) for score in scores)
    return white, black


def _half_points(score: int, scoring: Scoring) -> int:
    if score == scoring.win:
        return 2
    # Where a draw is worth no more than a loss, a single score cannot tell which it was.
    return 1 if score == scoring.draw and scoring.draw > scoring.loss else 0


def lost(
    state: State, loser: Side, reason: Reason, article: str, at: int, judge: Judge, proof: str = ""
) -> e.Ended:
    """3.1 — one side loses, the other wins; who has never come has the score of a forfeit."""
    scoring, law = state.rules.scoring, judge.law
    has_come = state.seat(loser).joined is not None
    return e.Ended(
        at=at,
        scores=law.scores_of_game(loser.other, scoring)
        if has_come
        else law.scores_of_forfeit(loser, scoring),
        half_points=BLACK_WINS if loser is Side.WHITE else WHITE_WINS,
        reason=reason,
        article=article,
        side=loser,
        proof=proof,
    )


def drawn(
    state: State,
    reason: Reason,
    article: str,
    at: int,
    judge: Judge,
    *,
    side: Side | None = None,
    proof: str = "",
) -> e.Ended:
    """3.1 — neither side wins."""
    return e.Ended(
        at=at,
        scores=judge.law.scores_of_game(None, state.rules.scoring),
        half_points=DRAWN,
        reason=reason,
        article=article,
        side=side,
        proof=proof,
    )


def ended_on_board(
    state: State, end: End, mover: Side, board: chess.Board, at: int, judge: Judge
) -> e.Ended:
    """2.1b, 2.2 — the position after a move has ended the game."""
    reason = Reason(end.key)
    if end is End.CHECKMATE:
        return lost(state, mover.other, reason, end.article, at, judge)
    proof = _proof_that_dead(board, judge) if end is End.DEAD_POSITION else ""
    return drawn(state, reason, end.article, at, judge, proof=proof)


def _proof_that_dead(board: chess.Board, judge: Judge) -> str:
    proofs = (judge.proof_of(board.copy(stack=False), color) for color in chess.COLORS)
    return "\n".join(proof for proof in proofs if proof)


def expelled(state: State, side: Side, article: str, at: int, judge: Judge) -> e.Ended:
    """6.9j, 13.5c — the game of who is expelled: lost, and won by the opponent."""
    return lost(state, side, Reason.ARBITER, article, at, judge)


# --- time -----------------------------------------------------------------------------------------


def flag_fallen(state: State, side: Side, at: int, judge: Judge) -> tuple[e.Event, ...]:
    """1.3.4, 7.7 — a side's time is over, and the game with it.

    Where the opponent has not come yet the game waits: an absent player has won nothing until
    they come within the tolerance (1.3.5).
    """
    fallen = e.Flagged(at=at, side=side)
    if state.seat(side.other).joined is None:
        return (fallen,)
    return (fallen, *lost_on_time(state, side, at, judge))


def lost_on_time(state: State, side: Side, at: int, judge: Judge) -> tuple[e.Event, ...]:
    """1.3.4, 7.7 — a loss, or a draw where the opponent cannot mate; an offer changes nothing."""
    seat = state.seat(side)
    is_away = seat.joined is not None and not seat.platform.on
    lost_by = "7.7" if is_away else End.TIME.article
    return _lost(state, side, at, judge, (Reason.TIME, lost_by), Reason.TIME_WITHOUT_MATE)


def not_back(state: State, side: Side, at: int, judge: Judge) -> tuple[e.Event, ...]:
    """7.7 — not reconnected within the event's limit: a loss, or a draw by 1.3.4."""
    other = state.seat(side.other)
    if other.reconnect_by is not None and other.reconnect_by == state.seat(side).reconnect_by:
        # Both went at the same moment and neither is back: nobody is left to win.
        loss = state.rules.scoring.loss
        both = e.Ended(
            at=at,
            scores=(loss, loss),
            half_points=BOTH_LOSE,
            reason=Reason.DISCONNECTION,
            article="7.7",
        )
        return (both,)
    lost_by = (Reason.DISCONNECTION, "7.7")
    return _lost(state, side, at, judge, lost_by, Reason.DISCONNECTION_WITHOUT_MATE)


def _lost(
    state: State,
    side: Side,
    at: int,
    judge: Judge,
    lost_by: tuple[Reason, str],
    without_mate: Reason,
) -> tuple[e.Event, ...]:
    """A loss for a side whose opponent can mate; not known counts as possible and is noted."""
    opponent = COLORS[side.other]
    can_mate = judge.can_mate(state.board.copy(stack=False), opponent)
    end = judge.law.end_on_time(opponent_can_mate=can_mate is not False)
    proof = judge.proof_of(state.board.copy(stack=False), opponent)
    if end.is_draw:
        return (drawn(state, without_mate, end.article, at, judge, side=side, proof=proof),)
    end_of_game = lost(state, side, *lost_by, at, judge, proof)
    if can_mate is None:
        return (e.Note(at=at, key="hall.mate_unknown"), end_of_game)
    return (end_of_game,)


# --- absence --------------------------------------------------------------------------------------


def not_come(state: State, at: int, judge: Judge) -> e.Ended:
    """1.3.5 — the tolerance is over: who is not there has lost, both if neither is.

    A flag that fell while the opponent was absent loses too.
    """
    scoring = state.rules.scoring
    absent = [side for side in Side if state.seat(side).joined is None]
    loser = absent[0] if len(absent) == 1 and state.flagged is None else None
    if loser is None:
        scores = (
            scoring.forfeit if Side.WHITE in absent else scoring.loss,
            scoring.forfeit if Side.BLACK in absent else scoring.loss,
        )
        half = BOTH_LOSE
    else:
        scores = judge.law.scores_of_forfeit(loser, scoring)
        half = BLACK_WINS if loser is Side.WHITE else WHITE_WINS
    return e.Ended(
        at=at,
        scores=scores,
        half_points=half,
        reason=Reason.FORFEIT,
        article="1.3.5",
        side=loser,
    )
