"""12.3 — a player consents to be seen by the arbiters and recorded, before the first picture."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from msgspec import Meta

from arrocco.hall.event.acts.base import ActRecord, Command
from arrocco.hall.event.changes import Changes
from arrocco.hall.event.decision import Decision, happened, refused
from arrocco.hall.event.records import EntryId, EventRole
from arrocco.hall.event.rules import Supervision
from arrocco.hall.event.state import State
from arrocco.hall.game.events import Detail
from arrocco.laws.hall import Laws

WORDS = "2026-11-18"
"""The version of the words that players consent to; others have another version."""


class ConsentToVideo(Command, frozen=True, kw_only=True):
    """12.3 — a player has read who sees them and how long it is kept, and consents."""

    MAY = frozenset({EventRole.PLAYER})

    words: Annotated[str, Meta(max_length=20)]

    def decide(self, state: State, now: datetime, laws: Laws) -> Decision:
        """Each for themselves, and to the words as they are now."""
        entry, rules = state.entry_of(self.by), state.rules
        if entry is None:
            return refused("no_such_entry", entry="-")
        if rules is None or rules.supervision is Supervision.NONE or state.closed is not None:
            return refused("not_supervised", "9.1")
        if self.words != WORDS:
            return refused("other_words", "12.3")
        if entry.id in state.consents:
            return happened()
        return happened(ConsentedToVideo(**self.signed(now), entry=entry.id, words=self.words))


class ConsentedToVideo(ActRecord, frozen=True, kw_only=True):
    """12.3 — a player has consented, to these words."""

    entry: EntryId
    words: str

    def changes(self, state: State) -> Changes:
        return {"consents": state.consents | {self.entry}}

    def is_possible(self, state: State) -> bool:
        return state.entry(self.entry) is not None

    def details(self, state: State) -> tuple[Detail, ...]:
        return (Detail("text", state.name_of(self.entry)),)
