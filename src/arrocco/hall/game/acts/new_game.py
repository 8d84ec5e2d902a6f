"""6.8, 11.2 — a game is played again, with the same colours or with the right ones."""

from __future__ import annotations

from arrocco.hall.clock import Clock
from arrocco.hall.game import position
from arrocco.hall.game.acts.base import ActRecord, ArbiterCommand
from arrocco.hall.game.changes import Changes, change_seats, replace
from arrocco.hall.game.decision import Decision, Judge, happened, refused
from arrocco.hall.game.events import SeenBy
from arrocco.hall.game.state import Earlier, Phase, State
from arrocco.laws.online.game import WrongColours
from arrocco.laws.online.side import Side


class Replay(ArbiterCommand, frozen=True, kw_only=True):
    """Has the game played again from the start, with the same colours."""

    ARTICLES = ("6.8",)
    PLACE = 12
    CHANGES_STANDINGS = True
    PLAYS_ON = True

    def decide(self, state: State, article: str, now: int, judge: Judge) -> Decision:
        if state.phase is Phase.WAITING:
            return refused("hall.not_started", article)
        return happened(NewGame(**self.signed(article, now), swapped=False))


class CorrectColours(ArbiterCommand, frozen=True, kw_only=True):
    """Has a new game played with the right colours, before both have made ten moves."""

    ARTICLES = ("11.2",)
    PLACE = 13
    CHANGES_STANDINGS = True
    PLAYS_ON = True

    def decide(self, state: State, article: str, now: int, judge: Judge) -> Decision:
        verdict = judge.law.wrong_colours(
            state.moves_by(Side.WHITE),
            state.moves_by(Side.BLACK),
            ended=state.phase is Phase.ENDED,
        )
        if verdict is WrongColours.GOES_ON:
            moves = int(judge.law.WRONG_COLOURS_MOVES)
            return refused("hall.wrong_colours_go_on", article, moves=moves)
        if verdict is WrongColours.RESULT_STANDS:
            return refused("hall.wrong_colours_result_stands", article)
        return happened(NewGame(**self.signed(article, now), swapped=True))


class NewGame(ActRecord, frozen=True, kw_only=True):
    """The game is played again: with the same colours (6.8), or with the right ones (11.2)."""

    SEEN_BY = SeenBy.PLAYERS

    swapped: bool

    def changes(self, state: State) -> Changes:
        board, seen = position.start()
        seats = change_seats(
            state, lambda seat: replace(seat, joined=None, premove=None, reconnect_by=None)
        )
        if self.swapped:
            seats = {"white": seats["black"], "black": seats["white"]}
        given_up = Earlier(state.white.player, state.black.player, state.moves)
        return {
            **seats,
            "phase": Phase.WAITING,
            "stopped": None,
            "started": None,
            "tolerance_ends": None,
            "moves": (),
            "board": board,
            "seen": seen,
            "clock": Clock.of(state.clock.control),
            "offer": None,
            "offers": (),
            "flagged": None,
            "outcome": None,
            "earlier": (*state.earlier, given_up),
        }
