"""An event that others are made like: a template, by a name of its own."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from msgspec import Meta

from arrocco.hall.event.acts.base import ActRecord, Command
from arrocco.hall.event.changes import Changes
from arrocco.hall.event.decision import Decision, happened, refused
from arrocco.hall.event.records import EventRole
from arrocco.hall.event.state import State
from arrocco.hall.game.events import Detail
from arrocco.laws.hall import Laws


class SaveTemplate(Command, frozen=True, kw_only=True):
    """Names an event as a template, also after its end; an empty name takes that back."""

    MAY = frozenset({EventRole.ORGANISER})

    name: Annotated[str, Meta(max_length=200)]

    def decide(self, state: State, now: datetime, laws: Laws) -> Decision:
        if state.rules is None:
            return refused("no_rules", "1.3.3")
        name = " ".join(self.name.split())
        if name == state.template:
            return happened()
        return happened(TemplateSaved(**self.signed(now), name=name))


class TemplateSaved(ActRecord, frozen=True, kw_only=True):
    """The event is a template of that name."""

    name: str

    def changes(self, state: State) -> Changes:
        return {"template": self.name}

    def details(self, state: State) -> tuple[Detail, ...]:
        return (Detail("text", self.name or "–"),)
