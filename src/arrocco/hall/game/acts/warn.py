"""6.9a, 9.2 — an official warning; by 9.2 it is a yellow card."""

from __future__ import annotations

from arrocco.findings import Finding, Severity
from arrocco.hall.game.acts.base import (
    FOR_THE_CHIEF,
    ActRecord,
    ArbiterCommand,
    EventFacts,
    Sanction,
)
from arrocco.hall.game.decision import Decision, Judge, happened, refused
from arrocco.hall.game.events import SeenBy
from arrocco.hall.game.records import Card
from arrocco.hall.game.state import State
from arrocco.laws.online.connection import Card as LawCard
from arrocco.laws.online.law import OnlineLaw
from arrocco.laws.online.side import Side


class Warn(ArbiterCommand, frozen=True, kw_only=True):
    """Warns a player officially, perhaps with a yellow card."""

    ARTICLES = ("6.9a", "9.2")
    PLACE = 7
    KEY = "w"
    CHANGES_STANDINGS = True

    side: Side
    card: Card | None = None

    def decide(self, state: State, article: str, now: int, judge: Judge) -> Decision:
        if self.card is not None and article != "9.2":
            return refused(
                "hall.article_not_open", article, field="article", given=article, articles="9.2"
            )
        card = Card.YELLOW if article == "9.2" else None
        return happened(Warned(**self.signed(article, now), side=self.side, card=card))

    @classmethod
    def choices(cls, field: str, article: str, law: OnlineLaw) -> tuple[str, ...] | None:
        """9.2 — a card is given only by the article that has cards."""
        return () if field == "card" and article != "9.2" else None

    def is_for_chief(self, game: State, article: str) -> bool:
        """9.2 — a yellow card is a warning, a red one is not given so."""
        return article in FOR_THE_CHIEF

    def objection_in_event(self, event: EventFacts, game: State, article: str) -> Finding | None:
        """9.2 — after so many yellow cards the next one is red, and loses the game."""
        if article != "9.2" or not event.cards:
            return None
        given = yellow_cards(game, self.side) + 1
        card = event.law.card(given, cards_in_use=True, red_from=event.red_card_from)
        if card is not LawCard.RED:
            return None
        return Finding(
            Severity.ERROR, "hall_live.card_is_red", article="9.2", details={"card": given}
        )


class Warned(ActRecord, frozen=True, kw_only=True):
    """An official warning (6.9a), perhaps with a card (9.2)."""

    SEEN_BY = SeenBy.ITS_PLAYER

    side: Side
    card: Card | None = None

    def can_be_withdrawn(self, state: State, number: int) -> bool:
        return True

    def sanction(self) -> Sanction:
        return Sanction("6.9a")


def yellow_cards(game: State, side: Side) -> int:
    """9.2 — the cards that a player has in a game and that were not withdrawn."""
    return sum(warning.card is not None for warning in warnings(game, game.seat(side).player.id))


def warnings(game: State, player: str) -> list[Warned]:
    """6.9a — the warnings of a player in a game that were not withdrawn."""
    return [
        act.act
        for act in game.acts
        if isinstance(act.act, Warned)
        and act.concerns == player
        and act.number not in game.withdrawn
    ]
