"""3.2, 5.16, 11.3, 11.4, 13.3 — results: taken from the games, and corrected."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from msgspec import UNSET, UnsetType

from arrocco.findings import Finding, Severity
from arrocco.hall.event.acts.base import ARBITERS, ActRecord, Command, Reason
from arrocco.hall.event.changes import Changes, change_board
from arrocco.hall.event.decision import Decision, happened, objected, refused
from arrocco.hall.event.possible import is_last
from arrocco.hall.event.records import EntryId, EventRole, Pair, Positive, Result
from arrocco.hall.event.result_rules import made, objection_to_gift, objection_to_result
from arrocco.hall.event.state import Board, Phase, Settled, State, rules_of
from arrocco.hall.game.events import Detail
from arrocco.laws.hall import Laws
from arrocco.laws.online.sanctions import ArbiterSanction, CommitteeSanction
from arrocco.records.report import GameKind

WRONGLY_TAKEN = "C.04.2 4.3"
LOSSES = "13.3"
CORRECTED_BY = ("11.3", "11.4", "5.16", LOSSES, WRONGLY_TAKEN)
"""By what a result can be corrected; 6.9d, e, f and 13.5b are sanctions."""

AFTER_VALIDATION = ("5.16", LOSSES)
"""By what it still can be once the standings are validated: an appeal, or the committee."""


class TakeResult(Command, frozen=True, kw_only=True):
    """A game has ended; the hall itself asks this, with nobody as `by`, again if it changes.

    An arbiter enters a result by hand with a reason, where no game in the hall can tell it.
    `decided` says that the arbiter of the game declared or changed it, and not its moves.
    """

    MAY = ARBITERS | {EventRole.SERVER}

    round: Positive
    board: Positive
    result: Result
    game: str = ""
    article: str = ""
    reason: Reason = ""
    decided: bool = False

    def decide(self, state: State, now: datetime, laws: Laws) -> Decision:
        """3.1 — what a game came to; the hall itself may say it again when the game has changed."""
        round_, board = state.round(self.round), state.board(self.round, self.board)
        if round_ is None or board is None or round_.phase is Phase.PAIRED:
            return refused("no_such_board", round=self.round, board=self.board)
        arbiter = state.arbiter(self.by)
        if arbiter is not None and not arbiter.watches(self.board):
            return refused("not_in_zone", "6.3", board=self.board)
        if arbiter is not None and board.result is not None:
            return refused("result_is_there", round=self.round, board=self.board)
        if arbiter is not None and not self.reason.strip():
            return refused("reason_needed", "6.3")
        objection = objection_to_result(state, self.result, laws)
        if objection is not None:
            return objection
        if _is_known(board, self):
            return happened()
        if arbiter is None and round_.phase is Phase.CLOSED and not _may_still_change(board, self):
            # The round has closed over this board: what was played on there changes nothing.
            return refused("round_has_closed", "6.8", round=self.round, board=self.board)
        taken = {
            **self.signed(now),
            "round": self.round,
            "board": self.board,
            "result": self.result,
            "game": self.game,
            "article": self.article,
        }
        if arbiter is not None:
            return happened(ResultEntered(**taken, reason=self.reason.strip()))
        return happened(ResultTaken(**taken))


class _ResultRecord(ActRecord, frozen=True, kw_only=True):
    """A result of a board, where its game or an arbiter says so."""

    IS_PUBLIC = True
    IS_RESULT = True

    round: Positive
    board: Positive
    result: Result
    game: str = ""
    article: str = ""

    def changes(self, state: State) -> Changes:
        before = state.rounds[self.round - 1].boards[self.board - 1]
        settled = (*before.settled, Settled(self.result, self.at, self.article))
        game = self.game or before.game
        told = before.told if self.by else self.result
        return change_board(state, self.round, self.board, settled=settled, game=game, told=told)

    def is_possible(self, state: State) -> bool:
        round_, board = state.round(self.round), state.board(self.round, self.board)
        return board is not None and round_ is not None and round_.phase is not Phase.PAIRED

    def details(self, state: State) -> tuple[Detail, ...]:
        return _result_details(state, self.round, self.board, self.result)


class ResultTaken(_ResultRecord, frozen=True, kw_only=True):
    """A game has ended, as the board, the clock or its arbiter decided; by `article`."""

    def is_reported(self, state: State) -> bool:
        """By hand, as logs once had it, and not by an absence."""
        return bool(self.by) and self.article != "3.1"


class ResultEntered(_ResultRecord, frozen=True, kw_only=True):
    """An arbiter enters a result by hand, and why."""

    IS_REPORTED = True

    reason: str


def _may_still_change(board: Board, command: TakeResult) -> bool:
    """Whether a game of a closed round may say another result: by an arbiter's act, or once it had
    told one, since then only acts can have changed it."""
    return command.decided or board.told is not None


def _is_known(board: Board, command: TakeResult) -> bool:
    """Whether the game said so before; what was decided about it since then stands."""
    if not command.by and board.told is not None:
        return board.told == command.result
    taken = [one.result for one in board.settled if one.sanction is None]
    return bool(taken) and taken[-1] == command.result


class TakeBack(Command, frozen=True, kw_only=True):
    """A game goes on or begins anew (6.8, 11.2); `white` is who has White now. The hall asks."""

    MAY = frozenset({EventRole.SERVER})

    round: Positive
    board: Positive
    white: EntryId
    game: str = ""

    def decide(self, state: State, now: datetime, laws: Laws) -> Decision:
        """6.8, 11.2 — a game that goes on has no result, and one with other colours another White.

        Asked again it changes nothing, nor once the round is over.
        """
        round_, board = state.round(self.round), state.board(self.round, self.board)
        if round_ is None or board is None or self.white not in board.players:
            return refused("no_such_board", round=self.round, board=self.board)
        is_known = board.white == self.white and not board.settled
        if round_.phase is not Phase.OPEN or is_known:
            return happened()
        return happened(
            ResultTakenBack(
                **self.signed(now),
                round=self.round,
                board=self.board,
                white=self.white,
                game=self.game,
            )
        )


class ResultTakenBack(ActRecord, frozen=True, kw_only=True):
    """A game goes on or begins anew (6.8, 11.2): no result until it ends, and `white` has White."""

    IS_PUBLIC = True
    IS_RESULT = True

    round: Positive
    board: Positive
    white: EntryId
    game: str = ""

    def changes(self, state: State) -> Changes:
        before = state.rounds[self.round - 1].boards[self.board - 1]
        black = before.black if before.white == self.white else before.white
        return change_board(
            state, self.round, self.board, white=self.white, black=black, settled=(), told=None
        )

    def is_possible(self, state: State) -> bool:
        board = state.board(self.round, self.board)
        is_there = board is not None and self.white in board.players
        return is_there and is_last(state, self.round, Phase.OPEN)


class CorrectResult(Command, frozen=True, kw_only=True):
    """Changes a result (11.3, 11.4, 5.16, 13.3, 13.5b); `kind` tells if it was played after all.

    `against` is the player at fault, whom 13.3 needs.
    """

    MAY = frozenset({EventRole.CHIEF})

    round: Positive
    board: Positive
    points: Pair
    article: str
    reason: Reason
    kind: Literal["played", "forfeit", "short"] | None = None
    against: EntryId | None = None

    def decide(self, state: State, now: datetime, laws: Laws) -> Decision:
        """5.16, 11.3, 11.4, 13.3 — a result is changed, by an article and with a reason."""
        is_earlier = state.is_earlier_round(self.round)
        if self.article == LOSSES and laws.online.loss_needs_committee(is_earlier_round=is_earlier):
            return refused("committee_signs", LOSSES, round=self.round)
        return self.decide_together(state, now, laws)

    def decide_together(self, state: State, now: datetime, laws: Laws) -> Decision:
        """The same once chief arbiter and committee agree on it (13.3)."""
        board = state.board(self.round, self.board)
        before = board.result if board is not None else None
        if board is None or before is None:
            return refused("no_result_yet", round=self.round, board=self.board)
        if self.article not in CORRECTED_BY:
            return refused("article_not_open", given=self.article[:40], articles=CORRECTED_BY)
        if not self.reason.strip():
            return refused("reason_needed", self.article)
        if state.validated is not None and self.article not in AFTER_VALIDATION:
            return refused("is_validated", "12.9", articles=AFTER_VALIDATION)
        if self.article == "5.16" and is_final(state, board, laws):
            return objected([Finding(Severity.ERROR, "hall.decision_is_final", article="12.7")])
        result = made(state, self.points, GameKind(self.kind or before.kind))
        objection = objection_to_result(state, result, laws)
        if objection is None:
            objection = _objection_by_article(state, self, board, before)
        if objection is None:
            objection = objection_to_gift(state, board, self.points, self.article, laws)
        if objection is not None:
            return objection
        if result == before:
            return refused("same_result", self.article)
        return happened(
            ResultCorrected(
                **self.signed(now),
                round=self.round,
                board=self.board,
                result=result,
                article=self.article,
                reason=self.reason.strip(),
                against=UNSET if self.against is None else self.against,
            )
        )


class ResultCorrected(ActRecord, frozen=True, kw_only=True):
    """A result was wrong; this is what the game came to."""

    IS_PUBLIC = True
    IS_RESULT = True
    IS_REPORTED = True

    round: Positive
    board: Positive
    result: Result
    article: str
    reason: str
    against: EntryId | UnsetType = UNSET

    def changes(self, state: State) -> Changes:
        before = state.rounds[self.round - 1].boards[self.board - 1]
        settled = (*before.settled, Settled(self.result, self.at, self.article))
        return change_board(state, self.round, self.board, settled=settled)

    def is_possible(self, state: State) -> bool:
        board = state.board(self.round, self.board)
        return board is not None and board.result is not None

    def details(self, state: State) -> tuple[Detail, ...]:
        return _result_details(state, self.round, self.board, self.result)


def _objection_by_article(
    state: State, command: CorrectResult, board: Board, before: Result
) -> Decision | None:
    """11.3 declares a draw, 11.4 undoes one, 13.3 names who was at fault and loses."""
    scoring = rules_of(state).scoring
    drawn = (scoring.draw, scoring.draw)
    if command.article == "11.3" and command.points != drawn:
        return refused("not_a_draw", "11.3")
    if command.article == "11.4" and (before.points != drawn or command.points == drawn):
        return refused("no_draw_to_undo", "11.4")
    if command.article != "13.3":
        return None
    if command.against not in board.players:
        return refused("culprit_needed", "13.3")
    if command.points[board.players.index(command.against)] != scoring.loss:
        return refused("culprit_does_not_lose", "13.3", name=state.name_of(command.against))
    return None


def _result_details(
    state: State, round_number: int, number: int, result: Result
) -> tuple[Detail, ...]:
    board = state.board(round_number, number)
    scores = Detail("scores", result.points)
    if board is None:
        return (scores,)
    players = " – ".join(state.name_of(entry) for entry in board.players)
    return Detail("text", players), scores


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
