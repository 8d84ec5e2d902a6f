"""6.9, 13.5 — sanctions that belong to the event, and those of its games that it carries out."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Annotated

from msgspec import UNSET, Meta, UnsetType
from msgspec.structs import replace

from arrocco.findings import Finding, Severity
from arrocco.hall.event.acts.base import ARBITERS, ActRecord, Command, Reason
from arrocco.hall.event.changes import Changes, change_board
from arrocco.hall.event.decision import Decision, happened, objected, refused, unlawful
from arrocco.hall.event.possible import are_entries
from arrocco.hall.event.record import Record
from arrocco.hall.event.records import Count, EntryId, EventRole, Pair, Positive, Result, Sanction
from arrocco.hall.event.result_rules import made, objection_to_gift, objection_to_result
from arrocco.hall.event.sanction_rules import ARTICLES, BY_ASSISTANTS, OF_THE_GAME, ON_POINTS
from arrocco.hall.event.state import Board, Settled, State, rules_of
from arrocco.hall.game.events import Detail
from arrocco.laws.hall import Laws
from arrocco.laws.online.sanctions import (
    ArbiterSanction,
    CommitteeSanction,
    Objection,
    Scope,
    Terms,
)

APPEAL = "5.16"
"""By what a sanction can be lifted once the standings are validated."""


class Impose(Command, frozen=True, kw_only=True):
    """A sanction of 6.9 by an arbiter, or of 13.5 where the committee's decision is carried out.

    `points` of the game in `round`, White first, are what 6.9d, e, f and 13.5b make of it; `days`
    are how long the committee excludes somebody for (13.5c).
    """

    MAY = ARBITERS

    article: str
    entry: EntryId
    reason: Reason
    scope: Scope | None = None
    rounds: tuple[Positive, ...] = ()
    round: Positive | None = None
    points: Pair | None = None
    fine: int | None = None
    days: Annotated[int, Meta(ge=1, le=36_500)] | None = None

    def decide(self, state: State, now: datetime, laws: Laws) -> Decision:
        """6.9 — a sanction on a player within the limits of its article; not one of 13.5."""
        sanction = ARTICLES.get(self.article)
        if sanction is not None and not laws.online.arbiter_imposes(sanction):
            return refused("committee_imposes", "13.5", given=self.article)
        return imposed(state, self, now, laws)


class Sanctioned(ActRecord, frozen=True, kw_only=True):
    """A sanction is imposed."""

    sanction: Sanction

    def changes(self, state: State) -> Changes:
        new = self.sanction
        changes: Changes = {"sanctions": (*state.sanctions, new), "validated": None}
        if new.round is not None and new.board is not None and new.result is not None:
            before = state.rounds[new.round - 1].boards[new.board - 1]
            settled = (*before.settled, Settled(new.result, self.at, new.article, new.number))
            changes |= change_board(state, new.round, new.board, settled=settled)
        return changes

    def is_possible(self, state: State) -> bool:
        new = self.sanction
        if new.number != len(state.sanctions) + 1 or not are_entries(state, new.entry):
            return False
        if new.round is None or new.board is None:
            return new.result is None
        board = state.board(new.round, new.board)
        return board is not None and board.result is not None and new.entry in board.players

    def is_reported(self, state: State) -> bool:
        """One that was imposed in a game is that game's act."""
        return not self.sanction.game

    def details(self, state: State) -> tuple[Detail, ...]:
        article = Detail("word", f"article.{self.sanction.article}")
        return Detail("text", state.name_of(self.sanction.entry)), article


class CarryOut(Command, frozen=True, kw_only=True):
    """A sanction of a game's arbiter that the event carries out, once; the hall itself asks."""

    MAY = frozenset({EventRole.SERVER})

    game: str
    act: Count
    impose: Impose

    def decide(self, state: State, now: datetime, laws: Laws) -> Decision:
        """6.9 — what a game's arbiter imposed there, once, however often the hall tells of it."""
        if state.sanction_of(self.game, self.act) is not None:
            return happened()
        decision = imposed(state, self.impose, now, laws, in_game=True)
        return Decision(
            tuple(_with_origin(event, self) for event in decision.events),
            decision.refusal,
            decision.objections,
        )


def _with_origin(event: Record, command: CarryOut) -> Record:
    if not isinstance(event, Sanctioned):
        return event
    return replace(event, sanction=replace(event.sanction, game=command.game, act=command.act))


class CarryBack(Command, frozen=True, kw_only=True):
    """The act in a game was withdrawn by `arbiter`: its sanction holds no more."""

    MAY = frozenset({EventRole.SERVER})

    game: str
    act: Count
    arbiter: str
    reason: Reason

    def decide(self, state: State, now: datetime, laws: Laws) -> Decision:
        """An act withdrawn in its game takes the event's sanction with it, once."""
        sanction = state.sanction_of(self.game, self.act)
        if sanction is None or sanction.number in state.lifted:
            return happened()
        reason = self.reason.strip() or "-"
        return happened(
            SanctionLifted(at=now, by=self.arbiter, number=sanction.number, reason=reason)
        )


class LiftSanction(Command, frozen=True, kw_only=True):
    """Takes a sanction back; what it did to a game is undone."""

    MAY = frozenset({EventRole.CHIEF})

    number: Positive
    reason: Reason
    article: str = ""

    def decide(self, state: State, now: datetime, laws: Laws) -> Decision:
        """One that should not have been, or that an appeal has undone; the log keeps both.

        12.7 — what the committee imposed is final. 12.9 — once the standings are validated only an
        appeal (5.16) undoes anything.
        """
        if self.number > len(state.sanctions) or self.number in state.lifted:
            return refused("sanction_not_there", number=self.number)
        if not self.reason.strip():
            return refused("reason_needed")
        old = state.sanctions[self.number - 1]
        if isinstance(ARTICLES.get(old.article), CommitteeSanction):
            return refused("of_the_committee", "12.7")
        if self.article not in ("", APPEAL):
            return refused("article_not_open", given=self.article[:40], articles=(APPEAL,))
        if state.validated is not None and self.article != APPEAL:
            return refused("is_validated", "12.9", articles=(APPEAL,))
        if self.article == APPEAL and old.final:
            return objected([Finding(Severity.ERROR, "hall.decision_is_final", article="12.7")])
        return happened(
            SanctionLifted(
                **self.signed(now),
                number=self.number,
                reason=self.reason.strip(),
                article=self.article or UNSET,
            )
        )


class SanctionLifted(ActRecord, frozen=True, kw_only=True):
    """A sanction no longer holds: a complaint or an appeal was upheld, or it was a mistake."""

    number: Positive
    reason: str
    article: str | UnsetType = UNSET

    def changes(self, state: State) -> Changes:
        changes: Changes = {"lifted": state.lifted | {self.number}, "validated": None}
        old = state.sanctions[self.number - 1]
        if old.round is not None and old.board is not None:
            before = state.rounds[old.round - 1].boards[old.board - 1]
            settled = tuple(one for one in before.settled if one.sanction != old.number)
            changes |= change_board(state, old.round, old.board, settled=settled)
        return changes

    def is_possible(self, state: State) -> bool:
        return self.number <= len(state.sanctions) and self.number not in state.lifted

    def details(self, state: State) -> tuple[Detail, ...]:
        return (Detail("text", f"n. {self.number}"),)


def imposed(
    state: State, command: Impose, now: datetime, laws: Laws, *, in_game: bool = False
) -> Decision:
    """6.9, 13.5 — a sanction on a player within the limits of its article.

    Who may impose it `in_game` was asked there: since then the player may sit at another board.
    """
    article, entry = command.article, state.entry(command.entry)
    sanction = ARTICLES.get(article)
    if sanction is None:
        return refused("no_such_sanction", "6.9", given=article[:40])
    if sanction in OF_THE_GAME:
        return refused("sanction_of_the_game", article)
    if entry is None:
        return refused("no_such_entry", entry=command.entry)
    if not command.reason.strip():
        return refused("reason_needed", article)
    if state.validated is not None and isinstance(sanction, ArbiterSanction):
        return refused("is_validated", "12.9", articles=("13.5",))
    if state.rules is None:
        return refused("no_rules", "1.3.3")
    objection = None if in_game else _objection_to_arbiter(state, command, sanction)
    if objection is None:
        objection = _objection_to_rounds(state, command)
    if objection is not None:
        return objection
    board_number, board = _board(state, command)
    result: Result | None = None
    is_on_points = sanction in ON_POINTS
    if is_on_points and not in_game:
        if board is None or board.result is None:
            return refused("no_game_of_player", article, round=command.round or "-")
        if command.points is None:
            return unlawful(Objection.NO_SCORE_GIVEN, article)
        result = made(state, command.points, board.result.kind)
        objection = objection_to_result(state, result, laws)
        if objection is None:
            objection = objection_to_gift(state, board, command.points, article, laws)
        if objection is not None:
            return objection
    if not (is_on_points and in_game):  # there the game has decided, and its result tells
        objection = _objection_by_law(state, command, sanction, board, laws)
    if objection is not None:
        return objection
    final = isinstance(sanction, CommitteeSanction) or not laws.online.is_appealable(
        sanction, rules_of(state).final_decisions
    )
    new = Sanction(
        number=len(state.sanctions) + 1,
        article=article,
        entry=command.entry,
        by=command.by,
        reason=command.reason.strip(),
        scope=command.scope,
        rounds=tuple(sorted(set(command.rounds))),
        round=command.round if is_on_points and board is not None else None,
        board=board_number if is_on_points and board is not None else None,
        result=result,
        fine=command.fine,
        days=command.days,
        final=final,
    )
    return happened(Sanctioned(**command.signed(now), sanction=new))


def _objection_to_arbiter(
    state: State, command: Impose, sanction: ArbiterSanction | CommitteeSanction
) -> Decision | None:
    """6.3 — an assistant warns, and only at the boards that are theirs."""
    arbiter = state.arbiter(command.by)
    if arbiter is None or state.role(command.by) is EventRole.CHIEF:
        return None
    if sanction not in BY_ASSISTANTS:
        return refused("for_the_chief", "6.3")
    last = state.last_round
    board = None if last is None else last.board_of(command.entry)
    if board is None or not arbiter.watches(board):
        return refused("not_in_zone", "6.3", board=board or "-")
    return None


def _objection_to_rounds(state: State, command: Impose) -> Decision | None:
    """6.9h — rounds to come: one that is paired is paired anew, or decided at the board."""
    if command.rounds and command.scope is not Scope.ROUNDS:
        return refused("rounds_without_scope", command.article)
    for number in sorted(command.rounds):
        if number < state.next_round:
            return refused("round_is_paired", command.article, round=number)
        if number > (state.announced_rounds or number):
            return refused("no_such_round", command.article, round=number)
    return None


def _board(state: State, command: Impose) -> tuple[int | None, Board | None]:
    """The board at which the player sat in the round that is named."""
    round_ = None if command.round is None else state.round(command.round)
    number = None if round_ is None else round_.board_of(command.entry)
    if round_ is None or number is None:
        return None, None
    return number, round_.boards[number - 1]


def _objection_by_law(
    state: State,
    command: Impose,
    sanction: ArbiterSanction | CommitteeSanction,
    board: Board | None,
    laws: Laws,
) -> Decision | None:
    rules, law = rules_of(state), laws.online
    before = after = None
    if board is not None and board.result is not None and command.points is not None:
        before = _culprit_first(board.result.points, board, command.entry)
        after = _culprit_first(command.points, board, command.entry)
    terms = Terms(
        score_before=before,
        score_after=after,
        fine=command.fine,
        announced_fine=rules.announced_fine,
        scope=command.scope,
        rounds=len(set(command.rounds)) or None,
        period=None if command.days is None else timedelta(days=command.days),
    )
    if isinstance(sanction, ArbiterSanction):
        objections = law.objections_to_arbiter(sanction, terms, rules.scoring)
    else:
        objections = law.objections_to_committee(sanction, terms, rules.scoring)
    if not objections:
        return None
    return unlawful(objections[-1], law.objection_article(sanction, objections[-1]))


def _culprit_first(points: Pair, board: Board, culprit: int) -> Pair:
    """Scores of White and Black as the law takes them: the player at fault, the opponent."""
    white, black = points
    return (white, black) if board.white == culprit else (black, white)
