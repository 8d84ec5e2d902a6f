"""9.1d, 9.1e — when players join the video conference, who has, and who said that they cannot."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from msgspec import Meta

from arrocco.hall.event.acts.base import ARBITERS, EVERYBODY, ActRecord, Command
from arrocco.hall.event.acts.entries import own_entry
from arrocco.hall.event.changes import Changes, change_entry
from arrocco.hall.event.decision import Decision, happened, refused
from arrocco.hall.event.record import Moment
from arrocco.hall.event.records import EntryId, EventRole
from arrocco.hall.event.rules import Supervision
from arrocco.hall.event.state import State
from arrocco.hall.game.events import Detail
from arrocco.laws.hall import Laws

_MAX_REASON = 500


class SetJoiningTime(Command, frozen=True, kw_only=True):
    """9.1d — the arbiter says when players have to be in the video conference."""

    MAY = ARBITERS

    joining: Moment

    def decide(self, state: State, now: datetime, laws: Laws) -> Decision:
        """A moment that lies ahead; who is late, and every check of a room, is counted anew."""
        objection = objection_to_supervision(state)
        if objection is not None:
            return objection
        if self.joining <= now:
            return refused("joining_in_the_past", "9.1d")
        return happened(JoiningTimeSet(**self.signed(now), joining=self.joining))


class JoiningTimeSet(ActRecord, frozen=True, kw_only=True):
    """9.1d — players have to be in the video conference at that moment."""

    IS_PUBLIC = True
    IS_REPORTED = True

    joining: Moment

    def changes(self, state: State) -> Changes:
        return {"joining": self.joining, "joined": {}, "excused": {}, "room_checks": ()}

    def details(self, state: State) -> tuple[Detail, ...]:
        return (Detail("moment", self.joining),)


class NoteJoined(Command, frozen=True, kw_only=True):
    """The hall itself notes that a player has come to the video conference."""

    MAY = frozenset({EventRole.SERVER})

    entry: EntryId

    def decide(self, state: State, now: datetime, laws: Laws) -> Decision:
        """Once for each joining time."""
        if state.entry(self.entry) is None:
            return refused("no_such_entry", entry=self.entry)
        if self.entry in state.joined:
            return happened()
        return happened(JoinedConference(**self.signed(now), entry=self.entry))


class JoinedConference(ActRecord, frozen=True, kw_only=True):
    """9.1d — a player has come to the video conference."""

    entry: EntryId

    def changes(self, state: State) -> Changes:
        return {"joined": {**state.joined, self.entry: self.at}}

    def is_possible(self, state: State) -> bool:
        return state.entry(self.entry) is not None

    def details(self, state: State) -> tuple[Detail, ...]:
        return (Detail("text", state.name_of(self.entry)),)


class AnnounceAbsence(Command, frozen=True, kw_only=True):
    """9.1e — a player tells the arbiter that they will not be there, or an arbiter notes it."""

    MAY = EVERYBODY

    entry: EntryId
    reason: Annotated[str, Meta(max_length=_MAX_REASON)] = ""

    def decide(self, state: State, now: datetime, laws: Laws) -> Decision:
        """Until the next joining time; who checks in again is there after all."""
        entry, objection = own_entry(state, self.entry, self.by, assistants=True)
        if entry is None or objection is not None:
            return objection or refused("no_such_entry", entry=self.entry)
        if entry.withdrawn:
            return refused("has_withdrawn")
        if entry.id in state.excused:
            return happened()
        return happened(
            AbsenceAnnounced(**self.signed(now), entry=entry.id, reason=self.reason.strip())
        )


class AbsenceAnnounced(ActRecord, frozen=True, kw_only=True):
    """9.1e — a player will not be there, and has said so."""

    CHANGES_ENTRIES = True
    IS_REPORTED = True

    entry: EntryId
    reason: str = ""

    def changes(self, state: State) -> Changes:
        away = change_entry(state, self.entry, checked_in=False)
        return {**away, "excused": {**state.excused, self.entry: self.reason}}

    def is_possible(self, state: State) -> bool:
        return state.entry(self.entry) is not None

    def details(self, state: State) -> tuple[Detail, ...]:
        return (Detail("text", state.name_of(self.entry)),)


def objection_to_supervision(state: State) -> Decision | None:
    """Whether there is a video conference at all."""
    rules = state.rules
    if rules is None or rules.supervision is Supervision.NONE or state.closed is not None:
        return refused("not_supervised", "9.1")
    return None
