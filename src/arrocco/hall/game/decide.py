"""The one door into a game: a command comes in, events or a refusal come out.

`decide` changes nothing. Whoever calls it writes the events down first and applies them then, so
that what was acknowledged is what was written.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from arrocco.hall.game import commands, moves, players
from arrocco.hall.game.acts import ArbiterCommand
from arrocco.hall.game.deadlines import on_deadline
from arrocco.hall.game.decision import Decision, Judge, refused, together
from arrocco.hall.game.fold import apply
from arrocco.hall.game.state import State

Command = commands.PlayerCommand | ArbiterCommand


def decide(state: State, command: Command, now: int, judge: Judge) -> Decision:
    """What comes of a command at a moment of the server's time.

    First comes whatever time has brought about by then: a flag that fell, a tolerance that ended.
    """
    now = max(now, state.last_at)
    due = on_deadline(state, now, judge)
    for event in due:
        state = apply(state, event)
    if isinstance(command, ArbiterCommand):
        decision = _act(state, command, now, judge)
    else:
        decision = _COMMANDS[type(command)](state, command, now, judge)
    return together(due, decision) if due else decision


def _act(state: State, act: ArbiterCommand, now: int, judge: Judge) -> Decision:
    """What every act needs: an arbiter who does not play, a reason, an article that allows it."""
    article = act.article or (act.ARTICLES[0] if act.ARTICLES else "")
    if not act.by:
        return refused("hall.arbiter_needed", article)
    if state.side_of(act.by) is not None:
        return refused("hall.arbiter_is_player", article)
    if not act.reason.strip() and not act.REASON_MAY_FOLLOW:
        return refused("hall.reason_needed", article, field="reason")
    if len(act.reason) > players.MAX_TEXT:
        return refused("hall.text_too_long", article, field="reason", most=players.MAX_TEXT)
    if act.ARTICLES and article not in act.ARTICLES:
        articles = ", ".join(act.ARTICLES)
        return refused(
            "hall.article_not_open", article, field="article", given=article, articles=articles
        )
    if act.corrects is not None and not _is_there(state, act.corrects):
        return refused("hall.no_such_act", article, field="corrects", act=act.corrects)
    return act.decide(state, article, now, judge)


def _is_there(state: State, number: int) -> bool:
    """Whether a number is that of an act or of the end: what an act can set right."""
    if state.outcome is not None and state.outcome.number == number:
        return True
    return state.act(number) is not None


_COMMANDS: dict[type[commands.PlayerCommand], Callable[[State, Any, int, Judge], Decision]] = {
    commands.Start: players.start,
    commands.Connect: players.connect,
    commands.Disconnect: players.disconnect,
    commands.Move: moves.move,
    commands.SetPremove: moves.set_premove,
    commands.ClearPremove: moves.clear_premove,
    commands.SetAutoQueen: players.set_auto_queen,
    commands.OfferDraw: players.offer_draw,
    commands.AcceptDraw: players.accept_draw,
    commands.WithdrawOffer: players.withdraw_offer,
    commands.Resign: players.resign,
    commands.CallArbiter: players.call_arbiter,
    commands.AskPermission: players.ask_permission,
    commands.AnswerInspection: players.answer_inspection,
    commands.AddNote: players.add_note,
    commands.Expel: players.expel,
    commands.Say: players.say,
    commands.SetVcs: players.set_vcs,
    commands.SetSupervision: players.set_supervision,
    commands.SetFocus: players.set_focus,
}
