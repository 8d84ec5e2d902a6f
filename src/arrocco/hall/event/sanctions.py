"""Sanctions that belong to the event: 6.9 a to k, and those of the committee (13.5)."""

from __future__ import annotations

from datetime import datetime, timedelta

from msgspec.structs import replace

from arrocco.hall.event import commands as c
from arrocco.hall.event import events as e
from arrocco.hall.event.decision import Decision, happened, refused, signed, unlawful
from arrocco.hall.event.objections import Laws
from arrocco.hall.event.records import Pair, Result, Role, Sanction
from arrocco.hall.event.results import made, objection_to_result
from arrocco.hall.event.state import Board, State, rules_of
from arrocco.laws.online.sanctions import (
    ArbiterSanction,
    CommitteeSanction,
    Objection,
    Scope,
    Terms,
)

_ARTICLES: dict[str, ArbiterSanction | CommitteeSanction] = {
    one.article: one for kind in (ArbiterSanction, CommitteeSanction) for one in kind
}
_OF_THE_GAME = (ArbiterSanction.MORE_TIME_FOR_OPPONENT, ArbiterSanction.LESS_TIME)
_ON_POINTS = (
    ArbiterSanction.MORE_POINTS_FOR_OPPONENT,
    ArbiterSanction.FEWER_POINTS,
    ArbiterSanction.GAME_LOST,
    CommitteeSanction.SCORE_CHANGE,
)
_BY_ASSISTANTS = (ArbiterSanction.WARNING, ArbiterSanction.CHAT_BLOCK)
"""What an assistant who watches a player (6.3) can impose alone."""


def impose(
    state: State, command: c.Impose, now: datetime, laws: Laws, *, in_game: bool = False
) -> Decision:
    """6.9, 13.5 — a sanction on a player within the limits of its article.

    Who may impose it `in_game` was asked there: since then the player may sit at another board.
    """
    article, entry = command.article, state.entry(command.entry)
    sanction = _ARTICLES.get(article)
    if sanction is None:
        return refused("no_such_sanction", "6.9", given=article[:40])
    if sanction in _OF_THE_GAME:
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
    if sanction in _ON_POINTS:
        if board is None or board.result is None:
            return refused("no_game_of_player", article, round=command.round or "-")
        if command.points is None:
            return unlawful(Objection.NO_SCORE_GIVEN, article)
        result = made(state, command.points, board.result.kind)
        objection = objection_to_result(state, result, laws)
        if objection is not None:
            return objection
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
        round=command.round if result is not None else None,
        board=board_number if result is not None else None,
        result=result,
        fine=command.fine,
        days=command.days,
        final=final,
    )
    return happened(e.Sanctioned(**signed(command, now), sanction=new))


def carry_out(state: State, command: c.CarryOut, now: datetime, laws: Laws) -> Decision:
    """6.9 — what a game's arbiter imposed there, once, however often the hall tells of it."""
    if state.sanction_of(command.game, command.act) is not None:
        return happened()
    decision = impose(state, command.impose, now, laws, in_game=True)
    return Decision(
        tuple(_with_origin(event, command) for event in decision.events),
        decision.refusal,
        decision.objections,
    )


def _with_origin(event: e.Event, command: c.CarryOut) -> e.Event:
    if not isinstance(event, e.Sanctioned):
        return event
    return replace(event, sanction=replace(event.sanction, game=command.game, act=command.act))


def carry_back(state: State, command: c.CarryBack, now: datetime, laws: Laws) -> Decision:
    """An act withdrawn in its game takes the event's sanction with it, once."""
    sanction = state.sanction_of(command.game, command.act)
    if sanction is None or sanction.number in state.lifted:
        return happened()
    reason = command.reason.strip() or "-"
    return happened(
        e.SanctionLifted(at=now, by=command.arbiter, number=sanction.number, reason=reason)
    )


def lift_sanction(state: State, command: c.LiftSanction, now: datetime, laws: Laws) -> Decision:
    """A sanction that should not have been, or that an appeal has undone; the log keeps both."""
    if command.number > len(state.sanctions) or command.number in state.lifted:
        return refused("sanction_not_there", number=command.number)
    if not command.reason.strip():
        return refused("reason_needed")
    return happened(
        e.SanctionLifted(
            **signed(command, now), number=command.number, reason=command.reason.strip()
        )
    )


# --- objections -----------------------------------------------------------------------------------


def _objection_to_arbiter(
    state: State, command: c.Impose, sanction: ArbiterSanction | CommitteeSanction
) -> Decision | None:
    """6.3 — an assistant warns, and only at the boards that are theirs."""
    arbiter = state.arbiter(command.by)
    if arbiter is None or state.role(command.by) is Role.CHIEF:
        return None
    if sanction not in _BY_ASSISTANTS:
        return refused("for_the_chief", "6.3")
    last = state.last_round
    board = None if last is None else last.board_of(command.entry)
    if board is None or not arbiter.watches(board):
        return refused("not_in_zone", "6.3", board=board or "-")
    return None


def _objection_to_rounds(state: State, command: c.Impose) -> Decision | None:
    """6.9h — rounds to come: one that is paired is paired anew, or decided at the board."""
    if command.rounds and command.scope is not Scope.ROUNDS:
        return refused("rounds_without_scope", command.article)
    for number in sorted(command.rounds):
        if number < state.next_round:
            return refused("round_is_paired", command.article, round=number)
        if number > (state.announced_rounds or number):
            return refused("no_such_round", command.article, round=number)
    return None


def _board(state: State, command: c.Impose) -> tuple[int | None, Board | None]:
    """The board at which the player sat in the round that is named."""
    round_ = None if command.round is None else state.round(command.round)
    number = None if round_ is None else round_.board_of(command.entry)
    if round_ is None or number is None:
        return None, None
    return number, round_.boards[number - 1]


def _objection_by_law(
    state: State,
    command: c.Impose,
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
        found = law.objections_to_arbiter(sanction, terms, rules.scoring)
    else:
        found = law.objections_to_committee(sanction, terms, rules.scoring)
    if not found:
        return None
    return unlawful(found[-1], law.objection_article(sanction, found[-1]))


def _culprit_first(points: Pair, board: Board, culprit: int) -> Pair:
    """Scores of White and Black as the law takes them: the player at fault, the opponent."""
    white, black = points
    return (white, black) if board.white == culprit else (black, white)
