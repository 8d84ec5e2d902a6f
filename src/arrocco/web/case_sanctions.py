"""Sanctions of the committee between a form, a decision and the event that takes them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from arrocco.hall.event.acts.committee import CarryOutDecision
from arrocco.hall.event.acts.results import CorrectResult
from arrocco.hall.event.acts.sanctions import Impose
from arrocco.hall.event.state import State, rules_of
from arrocco.laws.online.sanctions import CommitteeSanction, Scope
from arrocco.office.cases import CommitteeCase, Proposal
from arrocco.office.cases.records import LOSSES, CaseSanction, OpponentPoints
from arrocco.web.forms import Form

_MAX_ROUNDS = 100
_LONGEST_REASON = 400
_SCORE = re.compile(r"(\d{1,3}),(\d{1,3})")


def read_sanctions(form: Form) -> tuple[CaseSanction, ...]:
    """The sanctions that were ticked or filled in; faults are kept in the form."""
    case_sanctions: list[CaseSanction] = []
    lost = _rounds(form, "losses_rounds")
    if lost:
        opponents = form.choice("losses_opponents", OpponentPoints, needed=False)
        case_sanctions.append(
            CaseSanction(article=LOSSES, rounds=lost, opponents=opponents or OpponentPoints.KEEP)
        )
    for sanction in CommitteeSanction:
        letter = sanction.value
        match sanction:
            case CommitteeSanction.SCORE_CHANGE:
                round_ = form.integer("b_round", least=1, most=_MAX_ROUNDS)
                score = _SCORE.fullmatch(form.text("b_points", longest=10))
                points = None if score is None else (int(score[1]), int(score[2]))
                if round_ is not None:
                    case_sanctions.append(
                        CaseSanction(article=sanction.article, round=round_, points=points)
                    )
            case CommitteeSanction.EXCLUSION | CommitteeSanction.EXCLUSION_FROM_STANDINGS:
                scope = form.choice(f"{letter}_scope", Scope, needed=False)
                if scope is not None:
                    case_sanctions.append(
                        CaseSanction(
                            article=sanction.article,
                            scope=scope,
                            rounds=_rounds(form, "c_rounds") if scope is Scope.ROUNDS else (),
                            days=form.integer("c_days", least=1, most=36_500)
                            if scope is Scope.PERIOD
                            else None,
                        )
                    )
            case _:
                if form.chosen(letter):
                    case_sanctions.append(CaseSanction(article=sanction.article))
    return tuple(case_sanctions)


def _rounds(form: Form, name: str) -> tuple[int, ...]:
    words = [word for word in re.split(r"[\s,;]+", form.text(name, longest=200)) if word]
    if any(not word.isdecimal() or not 1 <= int(word) <= _MAX_ROUNDS for word in words):
        form.wrong(name, "cases.form.rounds_wrong")
        return ()
    return tuple(sorted({int(word) for word in words}))


def commands_for(
    state: State, case: CommitteeCase, decision: Proposal, number: int
) -> Iterator[tuple[str, CarryOutDecision]]:
    """What the event is asked for a sanction of a decision, each with a name of its own.

    A loss of earlier rounds is one correction for each round, in the name of the chief arbiter.
    """
    sanction = decision.put.sanctions[number - 1]
    reason = f"n. {case.number}: {decision.put.reasons[:_LONGEST_REASON]}"
    entry = case.opened.entry
    if sanction.article != LOSSES:
        impose = Impose(
            by=str(decision.put.by),
            article=sanction.article,
            entry=entry,
            reason=reason,
            scope=sanction.scope,
            rounds=sanction.rounds,
            round=sanction.round,
            points=sanction.points,
            days=sanction.days,
        )
        yield f"{number}", CarryOutDecision(by="", case=case.number, impose=impose)
        return
    chief = "" if state.chief is None else state.chief.account
    for round_ in sanction.rounds:
        correct = CorrectResult(
            by=chief,
            round=round_,
            board=_board(state, round_, entry),
            points=_points(state, round_, entry, sanction.opponents),
            article=LOSSES,
            reason=reason,
            against=entry,
        )
        yield f"{number}-{round_}", CarryOutDecision(by="", case=case.number, correct=correct)


def _board(state: State, number: int, entry: int) -> int:
    """The board of the player; one that is not there where they did not play."""
    round_ = state.round(number)
    return (None if round_ is None else round_.board_of(entry)) or 10_000


def _points(state: State, number: int, entry: int, opponents: OpponentPoints) -> tuple[int, int]:
    """12.13 — the culprit's loss; the opponent keeps what they had unless it is decided to win."""
    scoring = rules_of(state).scoring
    board = state.board(number, _board(state, number, entry))
    if board is None or board.result is None:
        return scoring.loss, scoring.loss
    own = board.players.index(entry)
    other = board.result.points[1 - own] if opponents is OpponentPoints.KEEP else scoring.win
    return (scoring.loss, other) if own == 0 else (other, scoring.loss)
