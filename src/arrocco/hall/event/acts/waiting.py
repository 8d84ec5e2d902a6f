"""The waiting list of an event that has no place left: in the order of coming."""

from __future__ import annotations

from datetime import datetime

from msgspec import UNSET, UnsetType

from arrocco.hall.event.acts.base import EVERYBODY, ActRecord, Command
from arrocco.hall.event.changes import Changes
from arrocco.hall.event.decision import Decision, happened, refused
from arrocco.hall.event.records import EntryId, EventRole, Person, Positive
from arrocco.hall.event.schedule import Waiting
from arrocco.hall.event.state import Entry, State
from arrocco.hall.game.events import Detail
from arrocco.laws.hall import Laws


class Entered(ActRecord, frozen=True, kw_only=True):
    """A player takes part, from `first_round` on; `link` is the number of that they came by."""

    CHANGES_ENTRIES = True
    CHANGES_PEOPLE = True

    entry: EntryId
    person: Person
    first_round: Positive = 1
    link: int | UnsetType = UNSET
    """Not written where there was none: logs of before are the same bytes again."""

    def changes(self, state: State) -> Changes:
        """Whoever enters waits no longer, and a link has served once more."""
        entry = Entry(id=self.entry, person=self.person, first_round=self.first_round)
        changes: Changes = {"entries": (*state.entries, entry)}
        own = [applicant for applicant in state.waiting if is_same(applicant.person, self.person)]
        if own:
            changes["waiting"] = tuple(
                applicant for applicant in state.waiting if applicant not in own
            )
        if self.link is not UNSET and not own:  # one who waited has used it already
            changes |= used(state, self.link)
        return changes

    def is_possible(self, state: State) -> bool:
        return self.entry == len(state.entries) + 1

    def details(self, state: State) -> tuple[Detail, ...]:
        return (Detail("text", self.person.full_name),)


class PutOnWaitingList(ActRecord, frozen=True, kw_only=True):
    """A player enters as soon as there is a place."""

    CHANGES_ENTRIES = True

    person: Person
    link: int | None = None

    def changes(self, state: State) -> Changes:
        waiting = Waiting(person=self.person, link=self.link)
        changes: Changes = {"waiting": (*state.waiting, waiting)}
        return changes if self.link is None else changes | used(state, self.link)

    def details(self, state: State) -> tuple[Detail, ...]:
        return (Detail("text", self.person.full_name),)


class LeaveWaitingList(Command, frozen=True, kw_only=True):
    """Waits for a place no longer: oneself, or for officials anybody by their account."""

    MAY = EVERYBODY

    account: str = ""

    def decide(self, state: State, now: datetime, laws: Laws) -> Decision:
        account = self.account or self.by
        is_official = state.role(self.by) in (EventRole.ORGANISER, EventRole.CHIEF)
        if account != self.by and not is_official:
            return refused("not_about_you")
        found = next(
            (applicant for applicant in state.waiting if applicant.person.account == account), None
        )
        if found is None:
            return refused("not_waiting")
        return happened(LeftWaitingList(**self.signed(now), person=found.person))


class LeftWaitingList(ActRecord, frozen=True, kw_only=True):
    """A player waits for a place no longer."""

    CHANGES_ENTRIES = True

    person: Person

    def changes(self, state: State) -> Changes:
        kept = tuple(
            applicant for applicant in state.waiting if not is_same(applicant.person, self.person)
        )
        return {"waiting": kept}

    def details(self, state: State) -> tuple[Detail, ...]:
        return (Detail("text", self.person.full_name),)


def is_same(first: Person, other: Person) -> bool:
    """12.5d — whether two are one player, by account or by the federation's number."""
    return first.account == other.account or (first.id is not None and first.id == other.id)


def used(state: State, number: int) -> Changes:
    """A link that has served once more."""
    links = list(state.links)
    link = links[number - 1]
    links[number - 1] = type(link)(
        number=link.number,
        digest=link.digest,
        until=link.until,
        cap=link.cap,
        used=link.used + 1,
        withdrawn=link.withdrawn,
    )
    return {"links": tuple(links)}


def places_left(state: State, cap: int | None) -> int | None:
    """How many can still enter; `None` where there is no end to it."""
    if cap is None:
        return None
    here = sum(not (entry.withdrawn or state.is_expelled(entry.id)) for entry in state.entries)
    return max(cap - here, 0)


def promoted(
    state: State, command: Command, now: datetime, *, cap: int | None, freed: int = 0
) -> tuple[Entered, ...]:
    """Those on the waiting list who have a place now, while entries can be made without anybody."""
    if state.rounds or not state.waiting:
        return ()
    left = places_left(state, cap)
    count = len(state.waiting) if left is None else left + freed
    return tuple(
        Entered(
            at=now,
            by=command.by,
            entry=len(state.entries) + place,
            person=one.person,
            link=UNSET if one.link is None else one.link,
        )
        for place, one in enumerate(state.waiting[:count], start=1)
    )
