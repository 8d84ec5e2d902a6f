"""What every act of an arbiter is made of: a command, and a record of the log.

An act is one module of this package. Its command decides what comes of it, its record changes the
state and says who sees it; whoever reads commands and logs, reports acts or draws forms finds all
of it by these two classes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, ClassVar, NamedTuple

import msgspec
from msgspec import Meta

from arrocco.findings import Finding
from arrocco.hall.game.changes import Changes
from arrocco.hall.game.decision import Decision, Judge
from arrocco.hall.game.events import Act, tag_of
from arrocco.hall.game.records import Pair
from arrocco.hall.game.state import Numbered, Phase, State
from arrocco.laws.online.law import OnlineLaw
from arrocco.laws.online.sanctions import Scope
from arrocco.laws.online.side import Side

NOT_ENDED = (Phase.WAITING, Phase.RUNNING, Phase.PAUSED)
LOST = ("6.9f", "5.9", "5.10", "9.2", "13.3")
"""The articles by which a game is declared lost for a player at fault."""
FOR_THE_CHIEF = frozenset(
    {"5.9", "5.10", "5.16", "6.9d", "6.9e", "6.9f", "6.9g", "6.9h", "6.9i", "6.9j"}
    | {"13.3", "13.5b", "C.04.2 4.3"}
)
"""6.3, 12.7 — what assistants cannot do in the event, or under other articles, at a board."""

OF_THE_COMMITTEE = frozenset({"13.5b"})
"""13.5 — what an act rests on only where a decision of the committee is carried out."""

# --- fields, and how a form asks for them: by `form`, and only `when` another field says so -------

Milliseconds = Annotated[int, Meta(extra={"form": "time"})]
Ply = Annotated[int, Meta(extra={"form": "ply"})]
"""A position of the game, by the half moves before it."""
Clocks = Annotated[Pair, Meta(extra={"form": "clocks"})]
Scores = Annotated[Pair, Meta(extra={"form": "scores"})]
"""Of White and Black, in the unit of the event's scoring."""
Cents = Annotated[int, Meta(extra={"form": "euro"})]
RoundCount = Annotated[int, Meta(extra={"form": "count", "when": {"scope": [Scope.ROUNDS.value]}})]
CallNumber = Annotated[int, Meta(extra={"form": "call"})]
InspectionNumber = Annotated[int, Meta(extra={"form": "inspection"})]
"""Something that a player was asked to show, and that nobody has closed."""
ActNumber = Annotated[int, Meta(extra={"form": "act"})]
"""An act that can be withdrawn."""


class EventFacts(NamedTuple):
    """What an act in a game may ask of its event."""

    cards: bool
    """9.2 — whether the event's rules have cards."""
    red_card_from: int | None
    takes_part: Callable[[str], bool]
    """6.6 — whether somebody plays in the event, or is one of its arbiters."""
    law: OnlineLaw


class ArbiterCommand(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    tag_field="type",
    tag=tag_of,
    forbid_unknown_fields=True,
):
    """What an arbiter asks: `by` whom, why, and by which of the `ARTICLES` (the first if unsaid).

    `corrects` is the number of an earlier event that this act sets right.
    """

    ARTICLES: ClassVar[tuple[str, ...]] = ()
    """What it can rest on; none where its article is that of another act."""
    PLACE: ClassVar[int] = 100
    """Where a form names it: the acts that are needed most often come first."""
    KEY: ClassVar[str] = ""
    """The key that opens its form on the arbiter's wall, where it has one."""
    PHASES: ClassVar[tuple[Phase, ...]] = ()
    """When it makes sense at all, in every phase if none; whether it is granted `decide` says."""
    ARTICLE_IS_CHOSEN: ClassVar[bool] = False
    """Whether the article decides what becomes of a game: then a form proposes none."""
    CHANGES_STANDINGS: ClassVar[bool] = False
    """12.9 — whether it changes standings or sanctions: these are validated once."""
    PLAYS_ON: ClassVar[bool] = False
    """6.8 — whether a game goes on or begins anew by it: its round must not be over."""

    REASON_MAY_FOLLOW: ClassVar[bool] = False
    """Whether it can be done at once and its reason be given afterwards."""

    by: str = ""
    reason: str
    article: str = ""
    corrects: int | None = None

    def decide(self, state: State, article: str, now: int, judge: Judge) -> Decision:
        """The records to be written, or a refusal; what every act needs was looked at before."""
        raise NotImplementedError

    def article_in(self, game: State) -> str:
        """The article it rests on."""
        return self.article or (self.ARTICLES[0] if self.ARTICLES else "")

    def is_for_chief(self, game: State, article: str) -> bool:
        """6.3, 12.7 — sanctions but warnings, time and the chat; by 9.2 a red card."""
        return article in FOR_THE_CHIEF or article == "9.2"

    def objection_in_event(self, event: EventFacts, game: State, article: str) -> Finding | None:
        """What the game's event has against it, beyond what it has against its article."""
        return None

    @classmethod
    def choices(cls, field: str, article: str, law: OnlineLaw) -> tuple[str, ...] | None:
        """What a field can be by an article, where that is less than all there is."""
        return None

    def signed(self, article: str, now: int) -> dict[str, Any]:
        """What every record of an act has: when, who, why, by what, for what."""
        return {
            "at": now,
            "by": self.by,
            "reason": self.reason.strip(),
            "article": article,
            "corrects": self.corrects,
        }


class Sanction(NamedTuple):
    """What the event has to carry out of an act in a game."""

    article: str
    fine: int | None = None
    scope: Scope | None = None
    rounds: int | None = None
    """How many, where an exclusion is from rounds."""


class ActRecord(Act, frozen=True, kw_only=True):
    """What an arbiter did, as the log has it and the state knows it."""

    def changes(self, state: State) -> Changes:
        """What it changes in the state."""
        return {}

    def fault(self, state: State) -> str:
        """The key of why it cannot be the next record of a log; empty where it can."""
        return ""

    def can_be_withdrawn(self, state: State, number: int) -> bool:
        """Whether it can be taken back now; what cannot is put right by another act."""
        return False

    def scores_before(self) -> Pair | None:
        """The scores that count again once it is withdrawn, where it changed them."""
        return None

    def changes_withdrawn(self, state: State, side: Side | None) -> Changes:
        """What taking it back changes; `side` is where the player sits now whom it was about."""
        return {}

    def sanction(self) -> Sanction | None:
        """6.9 — what the event has to carry out; on time and points the game itself did."""
        return None


def is_withdrawable(state: State, numbered: Numbered) -> bool:
    """Whether an act of a game can be taken back now."""
    act = numbered.act
    return (
        numbered.number not in state.withdrawn
        and isinstance(act, ActRecord)
        and act.can_be_withdrawn(state, numbered.number)
    )
