"""The one door into a game: a wish comes in, events or a refusal come out.

`decide` changes nothing. Whoever calls it writes the events down first and applies them then, so
that what was acknowledged is what was written.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from arrocco.hall import acts
from arrocco.hall.game import (
    arbiter_conduct,
    arbiter_game,
    arbiter_results,
    arbiter_time,
    commands,
    moves,
    players,
)
from arrocco.hall.game.deadlines import on_deadline
from arrocco.hall.game.decision import Decision, Judge, refused, together
from arrocco.hall.game.fold import apply
from arrocco.hall.game.state import State

Command = commands.Wish | acts.ArbiterAct


def decide(state: State, command: Command, now: int, judge: Judge) -> Decision:
    """What comes of a wish at a moment of the server's time.

    First comes whatever time has brought about by then: a flag that fell, a tolerance that ended.
    """
    now = max(now, state.last_at)
    due = on_deadline(state, now, judge)
    for event in due:
        state = apply(state, event)
    if isinstance(command, acts.ArbiterAct):
        decision = _act(state, command, now, judge)
    else:
        decision = _WISHES[type(command)](state, command, now, judge)
    return together(due, decision) if due else decision


def _act(state: State, act: acts.ArbiterAct, now: int, judge: Judge) -> Decision:
    """What every act needs: an arbiter who does not play, a reason, an article that allows it."""
    article = act.article or (act.ARTICLES[0] if act.ARTICLES else "")
    if not act.by:
        return refused("hall.arbiter_needed", article)
    if state.side_of(act.by) is not None:
        return refused("hall.arbiter_is_player", article)
    if not act.reason.strip():
        return refused("hall.reason_needed", article)
    if len(act.reason) > players.MOST_TEXT:
        return refused("hall.text_too_long", article, most=players.MOST_TEXT)
    if act.ARTICLES and article not in act.ARTICLES:
        articles = ", ".join(act.ARTICLES)
        return refused("hall.article_not_open", article, given=article, articles=articles)
    if act.corrects is not None and not _is_there(state, act.corrects):
        return refused("hall.no_such_act", article, act=act.corrects)
    return _ACTS[type(act)](state, act, article, now, judge)


def _is_there(state: State, number: int) -> bool:
    """Whether a number is that of an act or of the end: what an act can set right."""
    if state.outcome is not None and state.outcome.number == number:
        return True
    return state.act(number) is not None


_WISHES: dict[type[commands.Wish], Callable[[State, Any, int, Judge], Decision]] = {
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
    commands.AddNote: players.add_note,
    commands.Say: players.say,
    commands.SetVcs: players.set_vcs,
}

_ACTS: dict[type[acts.ArbiterAct], Callable[[State, Any, str, int, Judge], Decision]] = {
    acts.Pause: arbiter_time.pause,
    acts.Resume: arbiter_time.resume,
    acts.SetTime: arbiter_time.set_time,
    acts.AddTime: arbiter_time.add_time,
    acts.SubtractTime: arbiter_time.subtract_time,
    acts.ResumeFromPosition: arbiter_game.resume_from_position,
    acts.Replay: arbiter_game.replay,
    acts.CorrectColours: arbiter_game.correct_colours,
    acts.DeclareResult: arbiter_results.declare_result,
    acts.CorrectResult: arbiter_results.correct_result,
    acts.ChangePoints: arbiter_results.change_points,
    acts.Warn: arbiter_conduct.warn,
    acts.Fine: arbiter_conduct.fine,
    acts.Exclude: arbiter_conduct.exclude,
    acts.BlockChat: arbiter_conduct.block_chat,
    acts.AllowAssistant: arbiter_conduct.allow_assistant,
    acts.AnswerCall: arbiter_conduct.answer_call,
    acts.Withdraw: arbiter_conduct.withdraw,
}
