"""6.9j, 13.5c — the championship an event belongs to: an exclusion can reach over all of it."""

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


class JoinChampionship(Command, frozen=True, kw_only=True):
    """Says of which championship an event is one; an empty name of none."""

    MAY = frozenset({EventRole.ORGANISER})

    name: Annotated[str, Meta(max_length=200)]

    def decide(self, state: State, now: datetime, laws: Laws) -> Decision:
        """Until the first round is paired, like the rules."""
        name = " ".join(self.name.split())
        if state.closed is not None or state.rounds:
            return refused("rules_stand", "1.3.3")
        if name == state.championship:
            return happened()
        return happened(ChampionshipJoined(**self.signed(now), name=name))


class ChampionshipJoined(ActRecord, frozen=True, kw_only=True):
    """The event is one of a championship."""

    IS_PUBLIC = True

    name: str

    def changes(self, state: State) -> Changes:
        return {"championship": self.name}

    def details(self, state: State) -> tuple[Detail, ...]:
        return (Detail("text", self.name or "–"),)
