"""6.9g — a fine, only if the event has announced it and not above that."""

from __future__ import annotations

from arrocco.hall.game.acts.base import ActRecord, ArbiterCommand, Cents, Sanction
from arrocco.hall.game.decision import Decision, Judge, happened, refused
from arrocco.hall.game.events import Detail, SeenBy
from arrocco.hall.game.records import Count
from arrocco.hall.game.state import State
from arrocco.laws.online.sanctions import ArbiterSanction, Terms
from arrocco.laws.online.side import Side


class Fine(ArbiterCommand, frozen=True, kw_only=True):
    """Fines a player, up to what the event has announced."""

    ARTICLES = ("6.9g",)
    PLACE = 14
    CHANGES_STANDINGS = True

    side: Side
    cents: Cents

    def decide(self, state: State, article: str, now: int, judge: Judge) -> Decision:
        terms = Terms(fine=self.cents, announced_fine=state.rules.announced_fine)
        objections = judge.law.objections_to_arbiter(ArbiterSanction.FINE, terms)
        if objections:
            return refused(f"hall.objection.{objections[-1].value}", article, field="cents")
        return happened(Fined(**self.signed(article, now), side=self.side, cents=self.cents))


class Fined(ActRecord, frozen=True, kw_only=True):
    """A fine (6.9g), in euro cents."""

    SEEN_BY = SeenBy.ITS_PLAYER

    side: Side
    cents: Count

    def can_be_withdrawn(self, state: State, number: int) -> bool:
        return True

    def sanction(self) -> Sanction:
        return Sanction(self.article, fine=self.cents)

    def details(self) -> tuple[Detail, ...]:
        return (Detail("euro", self.cents),)
