"""9.1 — an arbiter takes back that a player is there: it was somebody else."""

from __future__ import annotations

from datetime import datetime

from arrocco.hall.event.acts.base import ARBITERS, ActRecord, Command, Reason
from arrocco.hall.event.changes import Changes, change_entry
from arrocco.hall.event.decision import Decision, happened, refused
from arrocco.hall.event.records import EntryId
from arrocco.hall.event.state import State
from arrocco.hall.game.events import Detail
from arrocco.laws.hall import Laws


class TakeBackCheckIn(Command, frozen=True, kw_only=True):
    """Takes back that a player is there."""

    MAY = ARBITERS

    entry: EntryId
    reason: Reason

    def decide(self, state: State, now: datetime, laws: Laws) -> Decision:
        """Of somebody who is entered, and with a reason."""
        if state.entry(self.entry) is None:
            return refused("no_such_entry", entry=self.entry)
        if not self.reason.strip():
            return refused("reason_needed", "9.1")
        done = {**self.signed(now), "entry": self.entry, "reason": self.reason.strip()}
        return happened(CheckInTakenBack(**done))


class CheckInTakenBack(ActRecord, frozen=True, kw_only=True):
    """A player is not there after all."""

    IS_REPORTED = True
    IS_FOR_ITS_PLAYER = True
    CHANGES_ENTRIES = True

    entry: EntryId
    reason: str

    def changes(self, state: State) -> Changes:
        return change_entry(state, self.entry, checked_in=False)

    def is_possible(self, state: State) -> bool:
        return state.entry(self.entry) is not None

    def details(self, state: State) -> tuple[Detail, ...]:
        return (Detail("text", state.name_of(self.entry)),)
