"""5.6, 7.8 — a player may leave the playing area for some time."""

from __future__ import annotations

from arrocco.hall.game.acts.base import NOT_ENDED, ActRecord, ArbiterCommand, Milliseconds
from arrocco.hall.game.decision import Decision, Judge, happened, refused
from arrocco.hall.game.events import Detail, SeenBy
from arrocco.hall.game.records import Count
from arrocco.hall.game.state import State
from arrocco.laws.online.side import Side


class AllowLeaving(ArbiterCommand, frozen=True, kw_only=True):
    """Lets a player leave the playing area for some time."""

    ARTICLES = ("5.6", "7.8")
    PHASES = NOT_ENDED

    side: Side
    time: Milliseconds

    def decide(self, state: State, article: str, now: int, judge: Judge) -> Decision:
        if self.time <= 0:
            return refused("hall.objection.no_time_given", article, field="time")
        return happened(LeavingAllowed(**self.signed(article, now), side=self.side, time=self.time))


class LeavingAllowed(ActRecord, frozen=True, kw_only=True):
    """A player may leave the playing area (5.6), for that long."""

    SEEN_BY = SeenBy.PLAYERS

    side: Side
    time: Count

    def can_be_withdrawn(self, state: State, number: int) -> bool:
        return True

    def details(self) -> tuple[Detail, ...]:
        return (Detail("clock", self.time),)
