"""6.8, 11.4 — a game goes on from a position that was on the board."""

from __future__ import annotations

import chess

from arrocco.hall.clock import Clock
from arrocco.hall.game import position
from arrocco.hall.game.acts.base import ActRecord, ArbiterCommand, Clocks, Ply
from arrocco.hall.game.acts.clock_time import MAX_TIME
from arrocco.hall.game.changes import Changes, change_seats, replace
from arrocco.hall.game.decision import Decision, Judge, happened, refused
from arrocco.hall.game.events import Detail, SeenBy
from arrocco.hall.game.records import Count, Pair
from arrocco.hall.game.state import Phase, State
from arrocco.laws.online.side import Side


class ResumeFromPosition(ArbiterCommand, frozen=True, kw_only=True):
    """Goes back to the position after `ply` half moves; the clocks as then, or as `clocks` says."""

    ARTICLES = ("6.8", "11.4")
    PLACE = 11
    KEY = "b"
    CHANGES_STANDINGS = True
    PLAYS_ON = True

    ply: Ply
    clocks: Clocks | None = None

    def decide(self, state: State, article: str, now: int, judge: Judge) -> Decision:
        if state.phase is Phase.WAITING:
            return refused("hall.not_started", article)
        if not 0 <= self.ply <= state.ply:
            return refused(
                "hall.no_such_position", article, field="ply", ply=self.ply, last=state.ply
            )
        board, seen = position.replay(move.uci for move in state.moves[: self.ply])
        if not board.legal:
            return refused("hall.no_moves_there", article, field="ply")
        if judge.law.automatic_end(position.facts(board, seen, _may_mate)) is not None:
            return refused("hall.drawn_there", article, field="ply")
        shown = self.clocks if self.clocks is not None else _clocks_at(state, self.ply, now)
        if self.clocks is None and min(shown) == 0:
            return refused("hall.clocks_needed", article, field="clock_white")
        if min(shown) <= 0:
            return refused("hall.objection.no_time_given", article, field="clock_white")
        if max(shown) > MAX_TIME:
            hours = MAX_TIME // 3_600_000
            return refused("hall.time_too_long", article, field="clock_white", hours=hours)
        white, black = shown
        return happened(
            ResumedFromPosition(**self.signed(article, now), ply=self.ply, white=white, black=black)
        )


class ResumedFromPosition(ActRecord, frozen=True, kw_only=True):
    """The game goes on from an earlier position (6.8); the clocks stand until resumed."""

    SEEN_BY = SeenBy.PLAYERS

    ply: Count
    white: Count
    black: Count

    def changes(self, state: State) -> Changes:
        moves = state.moves[: self.ply]
        board, seen = position.replay(move.uci for move in moves)
        offer = state.offer
        changes = change_seats(state, lambda seat: replace(seat, premove=None, reconnect_by=None))
        if state.phase is Phase.ENDED:
            # Who had not come may have lost by that: there is a tolerance again.
            changes["tolerance_ends"] = self.at + state.rules.tolerance
        return {
            **changes,
            "phase": Phase.PAUSED,
            "stopped": self.at if state.stopped is None else state.stopped,
            "moves": moves,
            "board": board,
            "seen": seen,
            "clock": state.clock.back_to(
                (self.ply + 1) // 2, self.ply // 2, self.white, self.black
            ),
            # 2.3 — one that was not answered yet cannot be taken away by going back to after it.
            "offer": offer if offer is not None and offer.ply <= self.ply else None,
            "offers": tuple(offer for offer in state.offers if offer.ply <= self.ply),
            "flagged": None,
            "outcome": None,
        }

    def fault(self, state: State) -> str:
        return "no_such_position" if self.ply > state.ply else ""

    def details(self) -> tuple[Detail, ...]:
        return Detail("position", self.ply), Detail("clocks", (self.white, self.black))


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
