"""11.6 — the reason of a pause that was made in one click, given once there is time to write it."""

from __future__ import annotations

from arrocco.hall.game.acts.base import ActRecord, ArbiterCommand
from arrocco.hall.game.acts.pause import Paused
from arrocco.hall.game.decision import Decision, Judge, happened, refused
from arrocco.hall.game.events import SeenBy
from arrocco.hall.game.state import State


class GiveReason(ArbiterCommand, frozen=True, kw_only=True):
    """Says why the clocks were stopped, for the last pause that has no reason yet."""

    ARTICLES = ("11.6",)
    PLACE = 19

    def decide(self, state: State, article: str, now: int, judge: Judge) -> Decision:
        pause = pause_without_reason(state)
        if pause is None:
            return refused("hall.no_pause_without_reason", article)
        return happened(ReasonGiven(**{**self.signed(article, now), "corrects": pause}))


class ReasonGiven(ActRecord, frozen=True, kw_only=True):
    """Why the clocks were stopped, in the act of number `corrects`."""

    SEEN_BY = SeenBy.PLAYERS


def pause_without_reason(state: State) -> int | None:
    """The number of the last pause whose reason nobody has given."""
    given = {act.act.corrects for act in state.acts if isinstance(act.act, ReasonGiven)}
    for act in reversed(state.acts):
        if isinstance(act.act, Paused) and not act.act.reason and act.number not in given:
            return act.number
    return None
