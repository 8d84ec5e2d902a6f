"""13.2, 13.3, 13.5 — what the Fair Play Committee has decided reaches the event.

Only the server asks for these: it has seen the votes and signatures of a case.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from msgspec import Meta

from arrocco.hall.event.acts.base import ActRecord, Command
from arrocco.hall.event.acts.results import LOSSES, CorrectResult
from arrocco.hall.event.acts.sanctions import Impose, imposed
from arrocco.hall.event.changes import Changes
from arrocco.hall.event.decision import Decision, happened, refused
from arrocco.hall.event.records import EventRole, Positive
from arrocco.hall.event.sanction_rules import ARTICLES
from arrocco.hall.event.schedule import Measure
from arrocco.hall.event.state import State
from arrocco.hall.game.events import Detail
from arrocco.laws.hall import Laws
from arrocco.laws.online.sanctions import CommitteeSanction

MAX_LETTERS = 500
MAX_MEASURES = 50


class CarryOutDecision(Command, frozen=True, kw_only=True):
    """A sanction of a decision of the committee, imposed in the name of who put it."""

    MAY = frozenset({EventRole.SERVER})
    FROM_PAGES = True

    case: Positive
    impose: Impose | None = None
    correct: CorrectResult | None = None
    """13.3 — a loss of an earlier round; the chief arbiter has signed it."""

    def decide(self, state: State, now: datetime, laws: Laws) -> Decision:
        """13.3, 13.5 — within the limits of the article, also after the event has ended."""
        if self.correct is not None and self.correct.article == LOSSES:
            return self.correct.decide_together(state, now, laws)
        asked = self.impose
        if asked is None or not isinstance(ARTICLES.get(asked.article), CommitteeSanction):
            return refused(
                "no_such_sanction", "13.5", given="-" if asked is None else asked.article
            )
        return imposed(state, asked, now, laws)


class TakeMeasure(Command, frozen=True, kw_only=True):
    """A measure that the committee orders or suggests; `member` is who entered it."""

    MAY = frozenset({EventRole.SERVER})
    FROM_PAGES = True

    member: str
    text: Annotated[str, Meta(max_length=2000)]
    is_ordered: bool
    is_public: bool = False

    def decide(self, state: State, now: datetime, laws: Laws) -> Decision:
        """13.2 — at any time; the arbiters read it, and everybody where it is a rule for all."""
        text = " ".join(self.text.split())
        if not text:
            return refused("text_needed", "13.2")
        if len(text) > MAX_LETTERS:
            return refused("text_too_long", "13.2", most=MAX_LETTERS)
        if len(state.measures) >= MAX_MEASURES:
            return refused("too_many_measures", "13.2", most=MAX_MEASURES)
        return happened(
            MeasureTaken(
                at=now,
                by=self.member,
                text=text,
                is_ordered=self.is_ordered,
                is_public=self.is_public,
            )
        )


class MeasureTaken(ActRecord, frozen=True, kw_only=True):
    """13.2 — the committee orders or suggests a measure."""

    IS_REPORTED = True

    text: str
    is_ordered: bool
    is_public: bool = False

    def changes(self, state: State) -> Changes:
        measure = Measure(
            at=self.at, text=self.text, is_ordered=self.is_ordered, is_public=self.is_public
        )
        return {"measures": (*state.measures, measure)}

    def details(self, state: State) -> tuple[Detail, ...]:
        return (Detail("text", self.text),)
