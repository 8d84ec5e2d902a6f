"""Players who are not to meet."""

from __future__ import annotations

from datetime import datetime

from arrocco.hall.event.acts.base import OFFICIALS, ActRecord, Command, Reason
from arrocco.hall.event.changes import Changes, pair_of
from arrocco.hall.event.decision import Decision, happened, refused
from arrocco.hall.event.possible import are_entries
from arrocco.hall.event.records import EntryId
from arrocco.hall.event.state import State
from arrocco.hall.game.events import Detail
from arrocco.laws.hall import Laws


class ForbidPair(Command, frozen=True, kw_only=True):
    """Two players are not to meet."""

    MAY = OFFICIALS

    one: EntryId
    other: EntryId
    reason: Reason

    def decide(self, state: State, now: datetime, laws: Laws) -> Decision:
        """Two players are not to meet: of one family, say; not in a round robin, where all do."""
        first, other = sorted((self.one, self.other))
        if first == other or state.entry(first) is None or state.entry(other) is None:
            return refused("two_entries_needed")
        if not self.reason.strip():
            return refused("reason_needed")
        if state.rules is not None and state.rules.system.is_round_robin:
            return refused("everybody_meets", "C.05")
        if (first, other) in state.forbidden:
            return refused("pair_already_forbidden")
        return happened(
            PairForbidden(**self.signed(now), one=first, other=other, reason=self.reason.strip())
        )


class PairForbidden(ActRecord, frozen=True, kw_only=True):
    """Two players are not to meet; `one` is the lower entry."""

    IS_REPORTED = True

    one: EntryId
    other: EntryId
    reason: str

    def changes(self, state: State) -> Changes:
        return {"forbidden": {**state.forbidden, pair_of(self.one, self.other): self.reason}}

    def is_possible(self, state: State) -> bool:
        return self.one != self.other and are_entries(state, self.one, self.other)

    def details(self, state: State) -> tuple[Detail, ...]:
        return (Detail("text", f"{state.name_of(self.one)} – {state.name_of(self.other)}"),)


class AllowPair(Command, frozen=True, kw_only=True):
    MAY = OFFICIALS

    one: EntryId
    other: EntryId

    def decide(self, state: State, now: datetime, laws: Laws) -> Decision:
        first, other = sorted((self.one, self.other))
        if (first, other) not in state.forbidden:
            return refused("pair_not_forbidden")
        return happened(PairAllowed(**self.signed(now), one=first, other=other))


class PairAllowed(ActRecord, frozen=True, kw_only=True):
    IS_REPORTED = True

    one: EntryId
    other: EntryId

    def changes(self, state: State) -> Changes:
        allowed = pair_of(self.one, self.other)
        return {
            "forbidden": {pair: why for pair, why in state.forbidden.items() if pair != allowed}
        }

    def is_possible(self, state: State) -> bool:
        return self.one != self.other and are_entries(state, self.one, self.other)

    def details(self, state: State) -> tuple[Detail, ...]:
        return (Detail("text", f"{state.name_of(self.one)} – {state.name_of(self.other)}"),)
