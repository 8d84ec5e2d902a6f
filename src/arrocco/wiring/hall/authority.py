"""Which acts in a game are an arbiter's to do: an assistant's, the chief's, and until when."""

from __future__ import annotations

from arrocco.findings import Finding, Severity
from arrocco.hall import acts as a
from arrocco.hall.event import Laws
from arrocco.hall.event import State as EventState
from arrocco.hall.event.commands import Command as EventCommand
from arrocco.hall.event.commands import Enter
from arrocco.hall.event.records import Role
from arrocco.hall.event.results import AFTER_VALIDATION, is_final, made, objection_to_result
from arrocco.hall.event.state import Phase
from arrocco.hall.game import Command, State, kind
from arrocco.hall.log.events import Warned
from arrocco.laws.online.connection import Card
from arrocco.laws.online.side import Side
from arrocco.office.roles import Asker, Permission, Subject, require
from arrocco.office.roles import Role as OfficeRole
from arrocco.report import GameKind

_LAWS = Laws()
FOR_THE_CHIEF = frozenset(
    {"5.9", "5.10", "5.16", "6.9d", "6.9e", "6.9f", "6.9g", "6.9h", "6.9i", "6.9j"}
    | {"13.3", "13.5b"}
)
"""6.3, 12.7 — what assistants cannot do in the event, or under other articles, at a board."""
_ON_THE_RESULT = (
    a.DeclareResult, a.CorrectResult, a.ChangePoints, a.Replay, a.ResumeFromPosition,
    a.CorrectColours, a.Warn, a.Fine, a.Exclude, a.BlockChat, a.Withdraw,
)  # fmt: skip
"""What changes standings or sanctions: these are validated once, and then appealed."""
_PLAYED_ON = (a.Replay, a.ResumeFromPosition, a.CorrectColours)
"""What lets a game go on or begin anew: its round waits for it."""


def objection_to_act(
    event: EventState, game: State, person: str, command: Command
) -> Finding | None:
    """Why an arbiter of a board cannot do something there; the game itself decides the rest."""
    if not isinstance(command, a.ArbiterAct):
        return None
    article = _article(game, command)
    arbiter = event.arbiter(person)
    if arbiter is not None and not arbiter.chief and _is_for_the_chief(game, command, article):
        return Finding(Severity.ERROR, "event.for_the_chief", article="6.3")
    open_after = (*AFTER_VALIDATION, "13.5b")
    is_late = event.validated is not None and article not in open_after
    if is_late and isinstance(command, _ON_THE_RESULT):
        details = {"articles": open_after}
        return Finding(Severity.ERROR, "event.is_validated", article="12.9", details=details)
    objection = _objection_by_rules(event, game, command, article) or _objection_to_round(
        event, game, command
    )
    if objection is not None:
        return objection
    scores = getattr(command, "scores", None)
    if scores is not None and kind(game) is GameKind.FORFEIT:
        # The event has only the scores of a forfeit for it, so the game has no others either.
        result = made(event, scores, GameKind.FORFEIT)
        refused = objection_to_result(event, result, _LAWS)
        return None if refused is None else refused.refusal
    return None


def _is_for_the_chief(game: State, command: a.ArbiterAct, article: str) -> bool:
    """6.3, 12.7 — sanctions but warnings, time and the chat; by 9.2 red cards, not yellow ones."""
    if article != "9.2":
        return article in FOR_THE_CHIEF
    withdrawn = game.act(command.corrects) if isinstance(command, a.Withdraw) else None
    return not isinstance(command, a.Warn) and not isinstance(withdrawn, Warned)


def _objection_by_rules(
    event: EventState, game: State, command: a.ArbiterAct, article: str
) -> Finding | None:
    """1.2, 5.9, 9.2 — what the event's own rules have, or put in the place of something else."""
    rules = event.rules
    if isinstance(command, a.AllowAssistant) and _has_a_part(event, command.assistant):
        return Finding(Severity.ERROR, "hall.assistant_not_free", article="1.2")
    if isinstance(command, a.Withdraw) or rules is None:
        return None
    if article == "9.2" and not rules.cards:
        return Finding(Severity.ERROR, "hall_live.no_cards", article="9.2")
    if article == "9.2" and isinstance(command, a.Warn):
        given = _yellow_cards(game, command.side) + 1
        card = _LAWS.online.card(given, cards_in_use=True, red_from=rules.red_card_from)
        if card is Card.RED:
            return Finding(
                Severity.ERROR, "hall_live.card_is_red", article="9.2", details={"card": given}
            )
    if article == "5.9" and rules.device_sanction is not None:
        details = {"sanction": rules.device_sanction.article}
        return Finding(Severity.ERROR, "hall_live.milder_sanction", article="5.9", details=details)
    return None


def _yellow_cards(game: State, side: Side) -> int:
    """9.2 — the cards that a player has in a game and that were not withdrawn."""
    player = game.seat(side).player.id
    return sum(
        isinstance(one.act, Warned)
        and one.act.card is not None
        and one.concerns == player
        and one.number not in game.withdrawn
        for one in game.acts
    )


def _has_a_part(event: EventState, person: str) -> bool:
    """6.6 — whether somebody plays other games of the event, or is one of its arbiters."""
    return event.arbiter(person) is not None or event.entry_of(person) is not None


def _objection_to_round(event: EventState, game: State, command: a.ArbiterAct) -> Finding | None:
    """6.8, 12.7 — games are played in their round; what is final stands against an appeal."""
    created = game.created
    round_, board = event.round(created.round), event.board(created.round, created.board)
    if isinstance(command, _PLAYED_ON) and (round_ is None or round_.phase is Phase.CLOSED):
        return Finding(Severity.ERROR, "hall_live.round_is_over", article="6.8")
    if command.article == "5.16" and board is not None and is_final(event, board, _LAWS):
        return Finding(Severity.ERROR, "hall.decision_is_final", article="12.7")
    return None


def federation_of_event(asker: Asker, federation: str) -> str:
    """The federation of an event that somebody makes: an officer's own, whatever is left empty.

    Raises `Forbidden` for one that is not theirs to make.
    """
    if asker.role is OfficeRole.FEDERATION_OFFICER:
        federation = federation or asker.federation
    subject = Subject(federation=federation, owner=asker.account)
    require(asker, Permission.REGISTER_TOURNAMENT, subject)
    return federation


def objection_to_entry(event: EventState, asker: Asker, command: EventCommand) -> Finding | None:
    """5.4 — who enters themselves does so under the federation's number of their own account.

    Games are rated under the number of the entry: another's would change another's rating.
    Officials answer for whomever they enter, as for a report that they send.
    """
    if not isinstance(command, Enter) or not enters_themselves(event, command):
        return None
    if command.person.id in (None, asker.player):
        return None
    return Finding(Severity.ERROR, "event.not_about_you", article="5.4")


def enters_themselves(event: EventState, command: Enter) -> bool:
    """Whether whoever enters is no official, who may enter others."""
    return event.role(command.by) not in (Role.ORGANISER, Role.CHIEF)


def _article(game: State, act: a.ArbiterAct) -> str:
    """The article of an act; that of a withdrawal is the withdrawn act's own."""
    if isinstance(act, a.Withdraw):
        withdrawn = game.act(act.corrects)
        return "" if withdrawn is None else withdrawn.article
    return act.article or (act.ARTICLES[0] if act.ARTICLES else "")
