"""The schedule of an event: stated starts, which start rounds, and places to be had."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Annotated

from msgspec import Meta

from arrocco.hall.event.acts.base import OFFICIALS, ActRecord, Command, Reason
from arrocco.hall.event.acts.waiting import promoted
from arrocco.hall.event.changes import Changes
from arrocco.hall.event.decision import Decision, happened, refused
from arrocco.hall.event.objections import MAX_TEXT
from arrocco.hall.event.records import EventRole, Positive
from arrocco.hall.event.schedule import Schedule
from arrocco.hall.event.starts import next_start
from arrocco.hall.event.state import Phase, State
from arrocco.hall.game.events import Detail
from arrocco.laws.hall import Laws

_DAY = timedelta(days=1)


class SetSchedule(Command, frozen=True, kw_only=True):
    """States when rounds start, until when and how many can enter, and of which ratings."""

    MAY = OFFICIALS

    schedule: Schedule

    def decide(self, state: State, now: datetime, laws: Laws) -> Decision:
        """A stated start lies ahead, in order and in the days of the event."""
        if state.closed is not None:
            return refused("event_closed")
        objection = _objection(state, self.schedule, now)
        if objection is not None:
            return objection
        if self.schedule == state.schedule:
            return happened()
        record = ScheduleSet(**self.signed(now), schedule=self.schedule)
        return happened(record, *promoted(state, self, now, cap=self.schedule.cap))


class ScheduleSet(ActRecord, frozen=True, kw_only=True):
    """The event's hours and places are these from now on."""

    IS_PUBLIC = True

    schedule: Schedule

    def changes(self, state: State) -> Changes:
        """A new start of a round that was held is a start again."""
        before, coming = state.schedule, self.schedule
        stays = {
            number: reason
            for number, reason in state.held.items()
            if before.start_of(number) == coming.start_of(number)
        }
        return {"schedule": coming, "held": stays}

    def details(self, state: State) -> tuple[Detail, ...]:
        return tuple(Detail("moment", start) for start in self.schedule.starts if start is not None)


def _objection(state: State, schedule: Schedule, now: datetime) -> Decision | None:
    if len(schedule.description) > MAX_TEXT:
        return refused("text_too_long", most=MAX_TEXT)
    least, most = schedule.least_rating, schedule.most_rating
    if least is not None and most is not None and least > most:
        return refused("rating_limits", least=least, most=most)
    begun = len(state.rounds) - (1 if _is_paired(state) else 0)
    created, before = state.created, state.schedule
    earlier: datetime | None = None
    for number, start in enumerate(schedule.starts, start=1):
        if start is None or number <= begun:
            continue
        if _is_paired(state) and number == len(state.rounds):
            if start != before.start_of(number):
                return refused("start_is_published", "C.04.2 4.4", round=number)
            continue
        if start <= now and start != before.start_of(number):
            return refused("start_in_the_past", round=number)
        if not created.start - _DAY <= start.date() <= created.end + _DAY:
            return refused("start_on_another_day", round=number)
        if earlier is not None and start <= earlier:
            return refused("starts_not_in_order", round=number)
        earlier = start
    first = next((start for start in schedule.starts if start is not None), None)
    until = schedule.entries_until
    if until is not None and first is not None and until > first:
        return refused("entries_after_start")
    return None


def _is_paired(state: State) -> bool:
    last = state.last_round
    return last is not None and last.phase is Phase.PAIRED


class HoldStart(Command, frozen=True, kw_only=True):
    """Keeps the next round from starting by itself; `key` is why, where the hall itself does."""

    MAY = OFFICIALS | {EventRole.SERVER}

    reason: Reason = ""
    key: Annotated[str, Meta(max_length=200)] = ""

    def decide(self, state: State, now: datetime, laws: Laws) -> Decision:
        """The arbiter can hold a stated start at any time before it."""
        start = next_start(state)
        if start is None:
            return refused("no_stated_start")
        if start.is_held:
            return refused("start_is_held", round=start.round)
        reason = self.reason.strip() if self.by else self.key
        return happened(StartHeld(**self.signed(now), round=start.round, reason=reason))


class StartHeld(ActRecord, frozen=True, kw_only=True):
    """A round does not start by itself; of the hall's own doing `reason` is a key."""

    IS_PUBLIC = True
    IS_REPORTED = True

    round: Positive
    reason: str = ""

    def changes(self, state: State) -> Changes:
        return {"held": {**state.held, self.round: self.reason}}

    def details(self, state: State) -> tuple[Detail, ...]:
        return (Detail("text", str(self.round)),)


class ReleaseStart(Command, frozen=True, kw_only=True):
    """Lets the next round start by itself again."""

    MAY = OFFICIALS

    def decide(self, state: State, now: datetime, laws: Laws) -> Decision:
        """A start that has passed is for the arbiter to state anew, or to do by hand."""
        start = next_start(state)
        if start is None or not start.is_held:
            return refused("start_not_held")
        if start.moment <= now:
            return refused("start_has_passed", round=start.round)
        return happened(StartReleased(**self.signed(now), round=start.round))


class StartReleased(ActRecord, frozen=True, kw_only=True):
    """A round that was held starts by itself again."""

    IS_PUBLIC = True
    IS_REPORTED = True

    round: Positive

    def changes(self, state: State) -> Changes:
        return {"held": {n: why for n, why in state.held.items() if n != self.round}}

    def details(self, state: State) -> tuple[Detail, ...]:
        return (Detail("text", str(self.round)),)
