"""12.6 — a game whose result was entered by hand was never played in the hall: nobody can watch it.

The chief arbiter waives the check of that board, and says why; else prizes would be held for ever.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from msgspec import Meta

from arrocco.hall.event.acts.base import ActRecord, Command
from arrocco.hall.event.changes import Changes
from arrocco.hall.event.decision import Decision, happened, refused
from arrocco.hall.event.records import Count, EventRole, Positive
from arrocco.hall.event.state import Board, State
from arrocco.hall.game.events import Detail
from arrocco.laws.hall import Laws
from arrocco.records.report import GameKind

_MAX_REASON = 2_000


class WaiveCheck(Command, frozen=True, kw_only=True):
    """12.6 — the check of a board is waived; `moves` is how many the hall's own game of it has."""

    MAY = frozenset({EventRole.CHIEF})
    FROM_PAGES = True

    round: Positive
    board: Positive
    reason: Annotated[str, Meta(max_length=_MAX_REASON)]
    moves: Count

    def decide(self, state: State, now: datetime, laws: Laws) -> Decision:
        """12.1, 12.6 — only of a game that has a result and that the hall has not seen."""
        board = _board(state, self.round, self.board)
        if board is None or board.result is None or board.result.kind is GameKind.FORFEIT:
            return refused("no_game_to_check", "12.6", round=self.round, board=self.board)
        if self.moves:
            return refused("played_in_the_hall", "12.1", round=self.round, board=self.board)
        if (self.round, self.board) in state.waived_checks:
            return refused("check_is_waived", "12.6", round=self.round, board=self.board)
        reason = self.reason.strip()
        if not reason:
            return refused("reason_needed", "12.6")
        return happened(
            CheckWaived(**self.signed(now), round=self.round, board=self.board, reason=reason)
        )


class CheckWaived(ActRecord, frozen=True, kw_only=True):
    """12.6 — the chief arbiter does not have a board checked that nobody could watch."""

    IS_REPORTED = True

    round: Positive
    board: Positive
    reason: str

    def changes(self, state: State) -> Changes:
        return {"waived_checks": (*state.waived_checks, (self.round, self.board))}

    def is_possible(self, state: State) -> bool:
        return _board(state, self.round, self.board) is not None

    def details(self, state: State) -> tuple[Detail, ...]:
        board = _board(state, self.round, self.board)
        players = () if board is None else board.players
        return (Detail("text", " – ".join(state.name_of(entry) for entry in players)),)


def _board(state: State, round_number: int, number: int) -> Board | None:
    if not 0 < round_number <= len(state.rounds):
        return None
    boards = state.rounds[round_number - 1].boards
    return boards[number - 1] if 0 < number <= len(boards) else None
