"""1.2 — somebody else, known to the arbiter, moves the pieces for a player who cannot."""

from __future__ import annotations

from arrocco.findings import Finding, Severity
from arrocco.hall.game.acts.base import ActRecord, ArbiterCommand, EventFacts
from arrocco.hall.game.changes import Changes, change_seat
from arrocco.hall.game.decision import Decision, Judge, happened, refused
from arrocco.hall.game.events import Detail, SeenBy
from arrocco.hall.game.state import State
from arrocco.laws.online.side import Side


class AllowAssistant(ArbiterCommand, frozen=True, kw_only=True):
    """Lets a person move the pieces for a player who cannot."""

    ARTICLES = ("1.2",)
    PLACE = 17

    side: Side
    assistant: str
    name: str = ""

    def decide(self, state: State, article: str, now: int, judge: Judge) -> Decision:
        is_taken = state.side_of(self.assistant) is not None or self.assistant == self.by
        if not self.assistant or is_taken:
            return refused("hall.assistant_not_free", article, field="assistant")
        return happened(
            AssistantAllowed(
                **self.signed(article, now),
                side=self.side,
                assistant=self.assistant,
                name=self.name,
            )
        )

    def objection_in_event(self, event: EventFacts, game: State, article: str) -> Finding | None:
        """6.6 — nobody who plays in the event, or is one of its arbiters."""
        if not event.takes_part(self.assistant):
            return None
        details = {"field": "assistant"}
        return Finding(Severity.ERROR, "hall.assistant_not_free", article="1.2", details=details)


class AssistantAllowed(ActRecord, frozen=True, kw_only=True):
    """A person may move the pieces for a player who cannot (1.2)."""

    SEEN_BY = SeenBy.PLAYERS

    side: Side
    assistant: str
    name: str = ""

    def changes(self, state: State) -> Changes:
        return change_seat(state, self.side, assistant=self.assistant)

    def can_be_withdrawn(self, state: State, number: int) -> bool:
        return True

    def changes_withdrawn(self, state: State, side: Side | None) -> Changes:
        if side is None or state.seat(side).assistant != self.assistant:
            return {}
        return change_seat(state, side, assistant="")

    def details(self) -> tuple[Detail, ...]:
        return (Detail("text", self.name or self.assistant),)
