"""The organiser states the prizes, before the event is over."""

from __future__ import annotations

from datetime import datetime

from arrocco.hall.event.acts.base import ActRecord, Command
from arrocco.hall.event.changes import Changes
from arrocco.hall.event.decision import Decision, happened, refused
from arrocco.hall.event.prize_table import PrizeTable
from arrocco.hall.event.records import EventRole
from arrocco.hall.event.state import State
from arrocco.hall.game.events import Detail
from arrocco.laws.hall import Laws


class SetPrizes(Command, frozen=True, kw_only=True):
    """States the table of prizes, instead of the one before."""

    MAY = frozenset({EventRole.ORGANISER})

    prizes: PrizeTable

    def decide(self, state: State, now: datetime, laws: Laws) -> Decision:
        """Nobody changes prizes once it is known who gets them."""
        if state.rules is None:
            return refused("no_rules", "1.3.3")
        if state.closed is not None:
            return refused("prizes_fixed", "12.6")
        names = [category.name for category in self.prizes.categories]
        if len(set(names)) != len(names):
            return refused("prize_category_twice")
        if self.prizes == state.prizes:
            return happened()
        return happened(PrizesSet(**self.signed(now), prizes=self.prizes))


class PrizesSet(ActRecord, frozen=True, kw_only=True):
    """The prizes of the event."""

    IS_PUBLIC = True

    prizes: PrizeTable

    def changes(self, state: State) -> Changes:
        return {"prizes": self.prizes}

    def details(self, state: State) -> tuple[Detail, ...]:
        total = sum(sum(category.cents) for category in self.prizes.categories)
        return (Detail("euro", total),)
