"""The arbiter and the players: warnings, fines, exclusions, chat, assistants, calls (1.2, 6.9)."""

from __future__ import annotations

import msgspec

from arrocco.hall.acts import (
    AllowAssistant,
    AnswerCall,
    BlockChat,
    Exclude,
    Fine,
    Warn,
    Withdraw,
)
from arrocco.hall.game.decision import Decision, Judge, happened, refused, signed
from arrocco.hall.game.endings import half_points
from arrocco.hall.game.state import State
from arrocco.hall.log import events as e
from arrocco.hall.log.records import Card
from arrocco.laws.online.sanctions import ArbiterSanction, Terms
from arrocco.laws.online.side import Side


def warn(state: State, act: Warn, article: str, now: int, judge: Judge) -> Decision:
    """6.9a, 9.2 — an official warning; by 9.2 it is a yellow card."""
    if act.card is not None and article != "9.2":
        return refused("hall.article_not_open", article, given=article, articles="9.2")
    card = Card.YELLOW if article == "9.2" else None
    return happened(
        e.Warned(
            **signed(act, article, now),
            side=act.side,
            card=card,
        )
    )


def fine(state: State, act: Fine, article: str, now: int, judge: Judge) -> Decision:
    """6.9g — a fine, only if the event has announced it and not above that."""
    terms = Terms(fine=act.cents, announced_fine=state.rules.announced_fine)
    objections = judge.law.objections_to_arbiter(ArbiterSanction.FINE, terms)
    if objections:
        return refused(f"hall.objection.{objections[-1].value}", article)
    return happened(
        e.Fined(
            **signed(act, article, now),
            side=act.side,
            cents=act.cents,
        )
    )


def exclude(state: State, act: Exclude, article: str, now: int, judge: Judge) -> Decision:
    """6.9h, 6.9i, 6.9j — an exclusion as far as its article reaches; the event carries it out."""
    terms = Terms(scope=act.scope, rounds=act.rounds)
    objections = judge.law.objections_to_arbiter(ArbiterSanction(article[-1]), terms)
    if objections:
        return refused(f"hall.objection.{objections[0].value}", article)
    return happened(
        e.Excluded(
            **signed(act, article, now),
            side=act.side,
            scope=act.scope,
            rounds=act.rounds,
        )
    )


def block_chat(state: State, act: BlockChat, article: str, now: int, judge: Judge) -> Decision:
    """6.9k — no chat for a player; the arbiter can still be called (11.1)."""
    if state.seat(act.side).chat_blocked:
        return refused("hall.chat_already_blocked", article)
    return happened(
        e.ChatBlocked(
            **signed(act, article, now),
            side=act.side,
        )
    )


def allow_assistant(
    state: State, act: AllowAssistant, article: str, now: int, judge: Judge
) -> Decision:
    """1.2 — somebody else, known to the arbiter, moves the pieces for a player who cannot."""
    is_taken = state.side_of(act.assistant) is not None or act.assistant == act.by
    if not act.assistant or is_taken:
        return refused("hall.assistant_not_free", article)
    return happened(
        e.AssistantAllowed(
            **signed(act, article, now),
            side=act.side,
            assistant=act.assistant,
            name=act.name,
        )
    )


def answer_call(state: State, act: AnswerCall, article: str, now: int, judge: Judge) -> Decision:
    """11.1 — the arbiter answers and says whether there was a reason to call."""
    call = next((one for one in state.calls if one.number == act.call), None)
    if call is None or call.answered:
        return refused("hall.no_such_call", article, call=act.call)
    return happened(
        e.CallAnswered(
            **signed(act, article, now),
            side=_side(state, call.caller),
            call=act.call,
            founded=act.founded,
        )
    )


# --- taking back ----------------------------------------------------------------------------------

_WITHDRAWN_AT_ANY_TIME = (e.Warned, e.Fined, e.Excluded, e.ChatBlocked, e.AssistantAllowed)


def withdraw(state: State, act: Withdraw, article: str, now: int, judge: Judge) -> Decision:
    """An act that should not have been holds no more; the log keeps both.

    Time is put right by another act on the clocks, a declared end by going back (6.8). A score is
    put back only while nothing has changed it since.
    """
    first = next((one for one in state.acts if one.number == act.corrects), None)
    if first is None or first.number in state.withdrawn:
        return refused("hall.no_such_act", article, act=act.corrects)
    withdrawn = e.Withdrawn(
        at=now,
        by=act.by,
        reason=act.reason.strip(),
        article=first.act.article,
        corrects=first.number,
        side=_side(state, first.concerns) if first.concerns else None,
    )
    if isinstance(first.act, _WITHDRAWN_AT_ANY_TIME):
        return happened(withdrawn)
    if not isinstance(first.act, e.ResultCorrected | e.PointsChanged):
        return refused("hall.not_withdrawable", first.act.article)
    if state.outcome is None or state.outcome.number != first.number:
        return refused("hall.not_withdrawable", first.act.article)
    before = first.act.before
    half = half_points(before, state.rules.scoring)
    return happened(msgspec.structs.replace(withdrawn, scores=before, half_points=half))


def _side(state: State, player: str) -> Side:
    return Side.WHITE if state.white.player.id == player else Side.BLACK
