"""What everything that is asked of an event is made of: a command, and a record of its log.

An act, or a small family of acts, is one module of this package. Its command says who may ask for
it and decides what comes of it; its record changes the state and says who is told of it.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, ClassVar

from msgspec import Struct

from arrocco.hall.event.changes import Changes
from arrocco.hall.event.decision import Decision
from arrocco.hall.event.record import Record
from arrocco.hall.event.records import EventRole
from arrocco.hall.event.state import State
from arrocco.hall.game.events import Detail, tag_of
from arrocco.laws.hall import Laws

Reason = str
"""Why something is asked, in somebody's own words; `decide` minds how many."""

OFFICIALS = frozenset({EventRole.ORGANISER, EventRole.CHIEF})
ARBITERS = frozenset({EventRole.CHIEF, EventRole.ASSISTANT})
EVERYBODY = frozenset(EventRole) - {EventRole.SERVER}
"""Each command of these asks itself whether it is about whoever asks."""


class Command(
    Struct, frozen=True, kw_only=True, tag_field="type", tag=tag_of, forbid_unknown_fields=True
):
    """Something that somebody asks of an event; `by` is the person, as the server knows them.

    Scores are in tenths of points; boards and entries are counted from 1.
    """

    MAY: ClassVar[frozenset[EventRole]] = frozenset()
    """Who may ask for it."""
    FROM_PAGES: ClassVar[bool] = False
    """Whether only the site itself asks for it: it has fields that nobody may write themselves."""
    REFUSED_ELSEWHERE: ClassVar[tuple[str, str]] = ("event.only_on_pages", "")
    """What a program is told that asks for it all the same: the key, and the article."""
    IS_SLOW: ClassVar[bool] = False
    """Whether it takes long enough to be thought about in a thread."""

    by: str

    def decide(self, state: State, now: datetime, laws: Laws) -> Decision:
        """The records to be written, or why there are none."""
        raise NotImplementedError

    def signed(self, now: datetime) -> dict[str, Any]:
        """What every record has: when and by whom."""
        return {"at": now, "by": self.by}


class ActRecord(Record, frozen=True, kw_only=True):
    """What came of a command, as the log has it and the state knows it."""

    def changes(self, state: State) -> Changes:
        """What it changes in the state."""
        raise NotImplementedError

    def is_possible(self, state: State) -> bool:
        """Whether it can be the next record of a log."""
        return True

    def is_reported(self, state: State) -> bool:
        """Whether the arbiter's report tells it by itself."""
        return self.IS_REPORTED

    def details(self, state: State) -> tuple[Detail, ...]:
        """Whom and how much of it, for whoever shows it."""
        return ()
