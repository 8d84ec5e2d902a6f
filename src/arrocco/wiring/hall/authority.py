"""Which acts in a game are an arbiter's to do: an assistant's, the chief's, and until when."""

from __future__ import annotations

from arrocco.findings import Finding, Severity
from arrocco.hall import acts as a
from arrocco.hall.event import Laws
from arrocco.hall.event import State as EventState
from arrocco.hall.event.commands import Command as EventCommand
from arrocco.hall.event.commands import Enter
from arrocco.hall.event.records import Role
from arrocco.hall.event.results import AFTER_VALIDATION, made, objection_to_result
from arrocco.hall.game import Command, State, kind
from arrocco.office.roles import Asker
from arrocco.report import GameKind

_LAWS = Laws()
FOR_THE_CHIEF = frozenset(
    {"6.9d", "6.9e", "6.9f", "6.9g", "6.9h", "6.9i", "6.9j", "5.16", "13.3", "13.5b"}
)
"""6.3 — what assistants cannot do in the event they cannot do at a board either."""
_ON_THE_RESULT = (
    a.DeclareResult, a.CorrectResult, a.ChangePoints, a.Replay, a.ResumeFromPosition,
    a.CorrectColours, a.Warn, a.Fine, a.Exclude, a.BlockChat, a.Withdraw,
)  # fmt: skip
"""What changes standings or sanctions: these are validated once, and then appealed."""


def objection_to_act(
    event: EventState, game: State, person: str, command: Command
) -> Finding | None:
    """Why an arbiter of a board cannot do something there; the game itself decides the rest."""
    if not isinstance(command, a.ArbiterAct):
        return None
    article = _article(game, command)
    arbiter = event.arbiter(person)
    if arbiter is not None and not arbiter.chief and article in FOR_THE_CHIEF:
        return Finding(Severity.ERROR, "event.for_the_chief", article="6.3")
    open_after = (*AFTER_VALIDATION, "13.5b")
    is_late = event.validated is not None and article not in open_after
    if is_late and isinstance(command, _ON_THE_RESULT):
        details = {"articles": open_after}
        return Finding(Severity.ERROR, "event.is_validated", article="12.9", details=details)
    scores = getattr(command, "scores", None)
    if scores is not None and kind(game) is GameKind.FORFEIT:
        # The event has only the scores of a forfeit for it, so the game has no others either.
        result = made(event, scores, GameKind.FORFEIT)
        objection = objection_to_result(event, result, _LAWS)
        return None if objection is None else objection.refusal
    return None


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
