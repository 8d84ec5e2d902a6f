"""C.04.2 3.3 — rounds that a player asks not to be paired in."""

from __future__ import annotations

from datetime import datetime

from arrocco.hall.event.acts.base import EVERYBODY, ActRecord, Command
from arrocco.hall.event.acts.entries import own_entry
from arrocco.hall.event.changes import Changes, change_entry
from arrocco.hall.event.decision import Decision, happened, refused
from arrocco.hall.event.records import REQUESTED_BYES, EntryId, Positive
from arrocco.hall.event.state import State
from arrocco.hall.game.events import Detail
from arrocco.laws.hall import Laws
from arrocco.records.report import ByeKind


class RequestBye(Command, frozen=True, kw_only=True):
    """A player asks not to be paired in a round, for half a point or for nothing."""

    MAY = EVERYBODY

    entry: EntryId
    round: Positive
    kind: ByeKind = ByeKind.ZERO_POINT

    def decide(self, state: State, now: datetime, laws: Laws) -> Decision:
        """C.04.2 3.3 — a player is not paired; for half a point only as the rules have it."""
        entry, objection = own_entry(state, self.entry, self.by)
        if entry is None or objection is not None:
            return objection or refused("no_such_entry", entry=self.entry)
        rules = state.rules
        if rules is None:
            return refused("no_rules", "1.3.3")
        if rules.system.is_round_robin or self.kind not in REQUESTED_BYES:
            return refused("no_such_bye")
        if self.round < state.next_round:
            return refused("round_is_paired", round=self.round)
        if self.round > rules.rounds:
            return refused("no_such_round", round=self.round)
        if self.kind is ByeKind.HALF_POINT:
            had = [n for n, k in entry.byes.items() if k is ByeKind.HALF_POINT and n != self.round]
            until = rules.half_point_byes_until
            if len(had) >= rules.half_point_byes or (until is not None and self.round > until):
                return refused("no_half_point_bye", most=rules.half_point_byes, until=until or "-")
        return happened(
            ByeRequested(**self.signed(now), entry=entry.id, round=self.round, kind=self.kind)
        )


class ByeRequested(ActRecord, frozen=True, kw_only=True):
    """A player will not play a round."""

    CHANGES_ENTRIES = True

    entry: EntryId
    round: Positive
    kind: ByeKind

    def changes(self, state: State) -> Changes:
        byes = {**state.entries[self.entry - 1].byes, self.round: self.kind}
        return change_entry(state, self.entry, byes=byes)

    def is_possible(self, state: State) -> bool:
        return state.entry(self.entry) is not None

    def details(self, state: State) -> tuple[Detail, ...]:
        return (Detail("text", state.name_of(self.entry)),)


class CancelBye(Command, frozen=True, kw_only=True):
    """A player will play after all."""

    MAY = EVERYBODY

    entry: EntryId
    round: Positive

    def decide(self, state: State, now: datetime, laws: Laws) -> Decision:
        """A player plays a round after all, as long as it is not paired."""
        entry, objection = own_entry(state, self.entry, self.by)
        if entry is None or objection is not None:
            return objection or refused("no_such_entry", entry=self.entry)
        if self.round < state.next_round:
            return refused("round_is_paired", round=self.round)
        if self.round not in entry.byes:
            return refused("no_such_bye")
        return happened(ByeCancelled(**self.signed(now), entry=entry.id, round=self.round))


class ByeCancelled(ActRecord, frozen=True, kw_only=True):
    CHANGES_ENTRIES = True

    entry: EntryId
    round: Positive

    def changes(self, state: State) -> Changes:
        byes = {n: k for n, k in state.entries[self.entry - 1].byes.items() if n != self.round}
        return change_entry(state, self.entry, byes=byes)

    def is_possible(self, state: State) -> bool:
        entry = state.entry(self.entry)
        return entry is not None and self.round in entry.byes

    def details(self, state: State) -> tuple[Detail, ...]:
        return (Detail("text", state.name_of(self.entry)),)
