"""6.5, 6.9b, 6.9c, 11.5, 11.6 — the time on a clock is set, added to, or taken from."""

from __future__ import annotations

from datetime import timedelta

from arrocco.hall.game.acts.base import NOT_ENDED, ActRecord, ArbiterCommand, Milliseconds
from arrocco.hall.game.changes import Changes
from arrocco.hall.game.decision import Decision, Judge, happened, refused
from arrocco.hall.game.endings import flag_fallen
from arrocco.hall.game.events import Detail, SeenBy
from arrocco.hall.game.records import Count
from arrocco.hall.game.state import Phase, State
from arrocco.laws.online.sanctions import ArbiterSanction, Terms
from arrocco.laws.online.side import Side

MAX_TIME = 100 * 3600 * 1000
"""The most time an act can give or take, in milliseconds: what no control exceeds."""


class SetTime(ArbiterCommand, frozen=True, kw_only=True):
    """Puts the right time on a clock (11.5)."""

    ARTICLES = ("11.5", "1.3.5")
    PLACE = 6
    PHASES = NOT_ENDED

    side: Side
    time: Milliseconds

    def decide(self, state: State, article: str, now: int, judge: Judge) -> Decision:
        objection = _objection(state, self.time, article, judge)
        if objection is not None:
            return objection
        return happened(
            TimeSet(
                **self.signed(article, now),
                side=self.side,
                left=self.time,
                before=state.clock.remaining(self.side, now),
            )
        )


class TimeSet(ActRecord, frozen=True, kw_only=True):
    """A side's clock was set (11.5); `before` is what it showed."""

    SEEN_BY = SeenBy.PLAYERS

    side: Side
    left: Count
    before: Count

    def changes(self, state: State) -> Changes:
        return {"clock": state.clock.set(self.side, self.left, self.at)}

    def details(self) -> tuple[Detail, ...]:
        return (Detail("clock", self.before, after=self.left),)


class AddTime(ArbiterCommand, frozen=True, kw_only=True):
    """Gives a side more time: for a disturbance, as a sanction on the opponent, as a correction."""

    ARTICLES = ("6.5", "6.9b", "11.5", "11.6")
    PLACE = 4
    KEY = "t"
    PHASES = NOT_ENDED

    side: Side
    time: Milliseconds

    def decide(self, state: State, article: str, now: int, judge: Judge) -> Decision:
        objection = _objection(state, self.time, article, judge)
        if objection is not None:
            return objection
        left = state.clock.add(self.side, self.time, now).shown(self.side)
        return happened(
            TimeAdded(**self.signed(article, now), side=self.side, time=self.time, left=left)
        )


class TimeAdded(ActRecord, frozen=True, kw_only=True):
    """A side was given time (6.5, 6.9b, 11.5, 11.6); it then had `left`."""

    SEEN_BY = SeenBy.PLAYERS

    side: Side
    time: Count
    left: Count

    def changes(self, state: State) -> Changes:
        return {"clock": state.clock.set(self.side, self.left, self.at)}

    def details(self) -> tuple[Detail, ...]:
        return (Detail("clock", self.time, sign="+", after=self.left),)


class SubtractTime(ArbiterCommand, frozen=True, kw_only=True):
    """Takes time from a side (6.9c, 11.5), at most all it has: then its flag falls (1.3.4)."""

    ARTICLES = ("6.9c", "11.5")
    PLACE = 5
    KEY = "s"
    PHASES = NOT_ENDED

    side: Side
    time: Milliseconds

    def decide(self, state: State, article: str, now: int, judge: Judge) -> Decision:
        objection = _objection(state, self.time, article, judge)
        if objection is not None:
            return objection
        left = state.clock.subtract(self.side, self.time, now).shown(self.side)
        if left == 0 and state.phase is Phase.WAITING:
            return refused("hall.time_would_be_over", article, field="time")
        taken = TimeSubtracted(
            **self.signed(article, now), side=self.side, time=self.time, left=left
        )
        if left == 0:
            return happened(taken, *flag_fallen(state, self.side, now, judge))
        return happened(taken)


class TimeSubtracted(ActRecord, frozen=True, kw_only=True):
    """Time was taken from a side (6.9c, 11.5); it then had `left`."""

    SEEN_BY = SeenBy.PLAYERS

    side: Side
    time: Count
    left: Count

    def changes(self, state: State) -> Changes:
        return {"clock": state.clock.set(self.side, self.left, self.at)}

    def details(self) -> tuple[Detail, ...]:
        return (Detail("clock", self.time, sign="−", after=self.left),)


def _objection(state: State, time: int, article: str, judge: Judge) -> Decision | None:
    if state.phase is Phase.ENDED:
        return refused("hall.game_over", article)
    if state.flagged is not None:
        return refused("hall.time_is_over", "1.3.4", field="time")
    if time > MAX_TIME:
        return refused("hall.time_too_long", article, field="time", hours=MAX_TIME // 3_600_000)
    # What the law asks of the sanctions on time, some time, holds for every act on it.
    terms = Terms(time=timedelta(milliseconds=max(time, 0)))
    if judge.law.objections_to_arbiter(ArbiterSanction.LESS_TIME, terms):
        return refused("hall.objection.no_time_given", article, field="time")
    return None
