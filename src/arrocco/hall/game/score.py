"""A finished game for the report of its event: its scores and whether it was played."""

from __future__ import annotations

from arrocco.hall.game.records import Reason
from arrocco.hall.game.state import State
from arrocco.records.report import Game, GameKind
from arrocco.units import HalfPoints


def kind(state: State) -> GameKind:
    """Played when both made a move; else a forfeit where somebody never came, or just short."""
    if state.ply >= 2:
        return GameKind.PLAYED
    has_forfeit = state.outcome is not None and state.outcome.reason is Reason.FORFEIT
    if has_forfeit or state.white.joined is None or state.black.joined is None:
        return GameKind.FORFEIT
    return GameKind.SHORT


def report_game(state: State, round_number: int, white: int, black: int) -> Game | None:
    """The game between two starting numbers, in half points; `None` while it is not over."""
    if state.outcome is None:
        return None
    white_score, black_score = state.outcome.half_points
    return Game(
        round=round_number,
        white=white,
        black=black,
        white_score=HalfPoints(white_score),
        black_score=HalfPoints(black_score),
        kind=kind(state),
    )
