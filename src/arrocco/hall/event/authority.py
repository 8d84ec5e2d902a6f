"""Which acts in a game are an arbiter's to do: an assistant's, the chief's, and until when."""

from __future__ import annotations

from arrocco.findings import Finding, Severity
from arrocco.hall.event.acts.results import AFTER_VALIDATION, LOSSES, is_final
from arrocco.hall.event.result_rules import made, objection_to_gift, objection_to_result
from arrocco.hall.event.sanction_rules import ARTICLES
from arrocco.hall.event.state import Phase, State
from arrocco.hall.game import Command, kind
from arrocco.hall.game import State as GameState
from arrocco.hall.game.acts import ArbiterCommand
from arrocco.hall.game.acts.base import EventFacts
from arrocco.hall.game.acts.withdraw import Withdraw
from arrocco.laws.hall import Laws
from arrocco.records.report import GameKind

_OPEN_AFTER_VALIDATION = (*AFTER_VALIDATION, "13.5b")
_OF_THE_COMMITTEE = ("13.3", "13.5b")
"""12.7, 13.3 — what an arbiter does with the committee, or for it, they do not undo alone."""


def objection_to_act(
    event: State,
    game: GameState,
    person: str,
    command: Command,
    laws: Laws | None = None,
    *,
    is_carried_out: bool = False,
) -> Finding | None:
    """Why an arbiter of a board cannot do something there; the game itself decides the rest.

    What is carried out for the committee was voted on, and signed where 13.3 asks for it.
    """
    if not isinstance(command, ArbiterCommand):
        return None
    laws = laws or event.laws
    article = command.article_in(game)
    arbiter = event.arbiter(person)
    if arbiter is not None and not arbiter.chief and command.is_for_chief(game, article):
        return Finding(Severity.ERROR, "event.for_the_chief", article="6.3")
    if isinstance(command, Withdraw) and article in _OF_THE_COMMITTEE:
        return Finding(Severity.ERROR, "event.of_the_committee", article="12.7")
    if not is_carried_out:
        alone = _objection_to_arbiter_alone(event, game, article, laws)
        if alone is not None:
            return alone
    is_late = event.validated is not None and article not in _OPEN_AFTER_VALIDATION
    if is_late and command.CHANGES_STANDINGS:
        details = {"articles": _OPEN_AFTER_VALIDATION}
        return Finding(Severity.ERROR, "event.is_validated", article="12.9", details=details)
    return (
        _objection_to_gift(event, game, command, article, laws)
        or _objection_by_rules(event, game, command, article, laws)
        or _objection_to_round(event, game, command, laws)
        or _objection_to_scores(event, game, command, laws)
    )


def _objection_to_arbiter_alone(
    event: State, game: GameState, article: str, laws: Laws
) -> Finding | None:
    """13.3, 13.5 — what the committee decides, with the chief arbiter's signature or without."""
    sanction, round_ = ARTICLES.get(article), game.created.round
    if sanction is not None and not laws.online.arbiter_imposes(sanction):
        details: dict[str, object] = {"given": article}
        return Finding(Severity.ERROR, "event.committee_imposes", article="13.5", details=details)
    is_earlier = event.is_earlier_round(round_)
    if article == LOSSES and laws.online.loss_needs_committee(is_earlier_round=is_earlier):
        details = {"round": round_}
        return Finding(Severity.ERROR, "event.committee_signs", article=LOSSES, details=details)
    return None


def _objection_by_rules(
    event: State, game: GameState, command: ArbiterCommand, article: str, laws: Laws
) -> Finding | None:
    """1.2, 5.9, 9.2 — what the event's own rules have, or put in the place of something else."""
    rules = event.rules
    facts = EventFacts(
        cards=rules is not None and rules.cards,
        red_card_from=None if rules is None else rules.red_card_from,
        takes_part=lambda person: _takes_part(event, person),
        law=laws.online,
    )
    objection = command.objection_in_event(facts, game, article)
    if objection is not None or rules is None or isinstance(command, Withdraw):
        return objection
    if article == "9.2" and not rules.cards:
        details = {"field": "card"}
        return Finding(Severity.ERROR, "hall_live.no_cards", article="9.2", details=details)
    if article == "5.9" and rules.device_sanction is not None:
        details = {"sanction": rules.device_sanction.article}
        return Finding(Severity.ERROR, "hall_live.milder_sanction", article="5.9", details=details)
    return None


def _objection_to_gift(
    event: State, game: GameState, command: ArbiterCommand, article: str, laws: Laws
) -> Finding | None:
    """12.13 — nobody is given more for the fault of who is out of the standings."""
    scores = getattr(command, "scores", None)
    board = event.board(game.created.round, game.created.board)
    if scores is None or board is None:
        return None
    refused = objection_to_gift(event, board, scores, article, laws)
    return None if refused is None else refused.refusal


def _takes_part(event: State, person: str) -> bool:
    """6.6 — whether somebody plays other games of the event, or is one of its arbiters."""
    return event.arbiter(person) is not None or event.entry_of(person) is not None


def _objection_to_round(
    event: State, game: GameState, command: ArbiterCommand, laws: Laws
) -> Finding | None:
    """6.8, 12.7 — games are played in their round; what is final stands against an appeal."""
    created = game.created
    round_, board = event.round(created.round), event.board(created.round, created.board)
    if command.PLAYS_ON and (round_ is None or round_.phase is Phase.CLOSED):
        return Finding(Severity.ERROR, "hall_live.round_is_over", article="6.8")
    if command.article == "5.16" and board is not None and is_final(event, board, laws):
        return Finding(Severity.ERROR, "hall.decision_is_final", article="12.7")
    return None


def _objection_to_scores(
    event: State, game: GameState, command: ArbiterCommand, laws: Laws
) -> Finding | None:
    """3.1 — the event has only the scores of a forfeit for one, so the game has no others."""
    scores = getattr(command, "scores", None)
    if scores is None or kind(game) is not GameKind.FORFEIT:
        return None
    refused = objection_to_result(event, made(event, scores, GameKind.FORFEIT), laws)
    return None if refused is None else refused.refusal
