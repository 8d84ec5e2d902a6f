"""13.5c, 13.5e, 6.9j — what reaches beyond its event: for a time, or in a championship."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from msgspec import Struct

from arrocco.hall.event.acts.sanctions import Sanctioned
from arrocco.hall.event.fold import apply, begin
from arrocco.hall.event.record import Created, Record
from arrocco.hall.event.records import COMMITTEE_EXCLUDES, EXPELS, Person
from arrocco.hall.event.state import State
from arrocco.laws.online.sanctions import Scope

QUALIFICATION_REVOKED = "13.5e"
"""Who loses the qualification is not taken by the next phase: other events of the championship."""
ARTICLES = EXPELS | {COMMITTEE_EXCLUDES, QUALIFICATION_REVOKED}
"""The articles of which an exclusion can reach further than its event."""
_OF_ALL_EVENTS = (Scope.CHAMPIONSHIP, Scope.COMPETITION)


class Exclusion(Struct, frozen=True, kw_only=True):
    """Somebody whom other events do not take: until a moment, or in a championship."""

    article: str
    event: str
    person: Person
    until: datetime | None = None
    championship: str = ""

    def concerns(self, person: Person) -> bool:
        same_number = person.id is not None and person.id == self.person.id
        return same_number or person.account == self.person.account

    def holds(self, championship: str, now: datetime) -> bool:
        """Whether an event of a championship, or of none, refuses the entry at a moment."""
        if self.until is not None:
            return now < self.until
        own = self.championship.casefold()
        return bool(own) and own == championship.casefold()


def exclusions_in(records: Iterable[Record]) -> tuple[Exclusion, ...]:
    """The exclusions of an event's log that reach beyond it, those that were lifted left out."""
    state: State | None = None
    imposed: dict[int, datetime] = {}
    for record in records:
        if isinstance(record, Created):
            state = begin(record)
            continue
        assert state is not None, "a log begins with the creation"
        state = apply(state, record)
        if isinstance(record, Sanctioned):
            imposed[record.sanction.number] = record.at
    return () if state is None else tuple(_of_state(state, imposed))


def _of_state(state: State, imposed: dict[int, datetime]) -> Iterable[Exclusion]:
    for sanction in state.sanctions:
        entry = state.entry(sanction.entry)
        if sanction.article not in ARTICLES or sanction.number in state.lifted or entry is None:
            continue
        until, championship = None, ""
        if sanction.scope is Scope.PERIOD and sanction.days is not None:
            until = imposed[sanction.number] + timedelta(days=sanction.days)
        elif sanction.scope in _OF_ALL_EVENTS or sanction.article == QUALIFICATION_REVOKED:
            championship = state.championship
        if until is not None or championship:
            yield Exclusion(
                article=sanction.article,
                event=state.created.name,
                person=entry.person,
                until=until,
                championship=championship,
            )
