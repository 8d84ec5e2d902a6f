"""5.4, 9.1e — who takes part: entries, presence, leaving."""

from __future__ import annotations

import dataclasses
from datetime import datetime
from typing import Annotated

from msgspec import UNSET, Meta
from msgspec.structs import replace

from arrocco.hall.event.acts.base import EVERYBODY, OFFICIALS, ActRecord, Command, Reason
from arrocco.hall.event.acts.entry_links import link_of
from arrocco.hall.event.acts.waiting import (
    Entered,
    PutOnWaitingList,
    is_same,
    places_left,
    promoted,
)
from arrocco.hall.event.changes import Changes, change_entry
from arrocco.hall.event.decision import Decision, happened, objected, refused
from arrocco.hall.event.records import EntryId, EventRole, Person
from arrocco.hall.event.schedule import EntryLink
from arrocco.hall.event.state import Entry, State
from arrocco.hall.game.events import Detail
from arrocco.laws.hall import Laws

_MAX_NAME = 200
MAX_ENTERED = 500
"""Players that are entered at once."""


class Enter(Command, frozen=True, kw_only=True):
    """Enters a player: oneself, or for officials anybody, also once the event has begun.

    `link` is the secret of a link that one enters by.
    """

    MAY = EVERYBODY

    person: Person
    link: Annotated[str, Meta(max_length=200)] = ""

    def decide(self, state: State, now: datetime, laws: Laws) -> Decision:
        """5.4 — a player enters; once a round is paired only by an official, for the next one."""
        person, official = self.person, is_official(state, self.by)
        objection = _objection_to_entering(state)
        if objection is not None:
            return objection
        if not official and (
            self.by != person.account or state.role(self.by) is EventRole.ASSISTANT
        ):
            return refused("not_about_you", "5.4")
        if state.rounds and not official:
            return refused("late_entry_by_official")
        link = link_of(state, self.link)
        if not official:
            objection = _objection_to_entering_oneself(state, self.link, link, now)
            if objection is not None:
                return objection
        objection = _objection_to_person(state, person, None) or _objection_to_rating(state, person)
        if objection is not None:
            return objection
        number = None if link is None else link.number
        return happened(_entered(state, self, person, now, number))


class EnterMany(Command, frozen=True, kw_only=True):
    """Enters everybody of a list, or nobody."""

    MAY = OFFICIALS

    people: Annotated[tuple[Person, ...], Meta(min_length=1, max_length=MAX_ENTERED)]

    def decide(self, state: State, now: datetime, laws: Laws) -> Decision:
        """5.4 — as if they came one after the other; what stands against one stops all."""
        objection = _objection_to_entering(state)
        if objection is not None:
            return objection
        findings, records = [], []
        for place, person in enumerate(self.people):
            objection = _objection_to_person(state, person, None) or _objection_to_rating(
                state, person
            )
            if objection is not None and objection.refusal is not None:
                finding = objection.refusal
                details = {**finding.details, "place": place}
                findings.append(dataclasses.replace(finding, details=details))
                continue
            record = _entered(state, self, person, now, None)
            records.append(record)
            state = replace(state, **record.changes(state))
        return objected(findings) if findings else happened(*records)


def _entered(
    state: State, command: Command, person: Person, now: datetime, link: int | None
) -> Entered | PutOnWaitingList:
    """A place, or one on the waiting list where there is none or others wait already."""
    left = places_left(state, state.schedule.cap)
    if not state.rounds and left is not None and (left == 0 or state.waiting):
        return PutOnWaitingList(**command.signed(now), person=person, link=link)
    return Entered(
        **command.signed(now),
        entry=len(state.entries) + 1,
        person=person,
        first_round=state.next_round,
        link=UNSET if link is None else link,
    )


def _objection_to_entering(state: State) -> Decision | None:
    """Whether anybody can still be entered, by whomever."""
    rules = state.rules
    if rules is None:
        return refused("no_rules", "1.3.3")
    if state.closed is not None:
        return refused("event_closed")
    if state.next_round > rules.late_entries_until or (
        state.rounds and rules.system.is_round_robin
    ):
        return refused("too_late_to_enter", last=rules.late_entries_until)
    return None


def _objection_to_entering_oneself(
    state: State, secret: str, link: EntryLink | None, now: datetime
) -> Decision | None:
    """Until the entries are closed, and by a link that serves where the event asks for one."""
    schedule = state.schedule
    if schedule.entries_until is not None and now > schedule.entries_until:
        return refused("entries_closed", until=schedule.entries_until.isoformat())
    if secret and (link is None or not link.serves(now)):
        return refused("link_serves_no_more")
    if link is None and schedule.by_invitation:
        return refused("by_invitation")
    return None


def _objection_to_rating(state: State, person: Person) -> Decision | None:
    """The ratings an event is for; who has none is above no limit, and reaches none."""
    least, most = state.schedule.least_rating, state.schedule.most_rating
    rating = person.rating
    if most is not None and rating is not None and rating > most:
        return refused("rating_too_high", rating=rating, most=most, name=person.full_name)
    if least is not None and (rating is None or rating < least):
        return refused("rating_too_low", rating=rating or 0, least=least, name=person.full_name)
    return None


class CorrectPerson(Command, frozen=True, kw_only=True):
    """Puts right what is known of a player (5.4)."""

    MAY = OFFICIALS

    entry: EntryId
    person: Person

    def decide(self, state: State, now: datetime, laws: Laws) -> Decision:
        """5.4 — a name or a number was wrong; the account stays while the player plays."""
        entry = state.entry(self.entry)
        if entry is None:
            return refused("no_such_entry", entry=self.entry)
        if state.rounds and self.person.account != entry.person.account:
            return refused("account_stays", "5.4")
        objection = _objection_to_person(state, self.person, entry)
        if objection is not None:
            return objection
        return happened(PersonCorrected(**self.signed(now), entry=self.entry, person=self.person))


class PersonCorrected(ActRecord, frozen=True, kw_only=True):
    CHANGES_ENTRIES = True
    CHANGES_PEOPLE = True

    entry: EntryId
    person: Person

    def changes(self, state: State) -> Changes:
        return change_entry(state, self.entry, person=self.person)

    def is_possible(self, state: State) -> bool:
        return state.entry(self.entry) is not None

    def details(self, state: State) -> tuple[Detail, ...]:
        return (Detail("text", self.person.full_name),)


class CheckIn(Command, frozen=True, kw_only=True):
    """A player is there; an official can also bring back one who had withdrawn."""

    MAY = EVERYBODY

    entry: EntryId

    def decide(self, state: State, now: datetime, laws: Laws) -> Decision:
        """A player is there; one who withdrew comes back only by an arbiter or the organiser."""
        entry, objection = own_entry(state, self.entry, self.by, assistants=True)
        if entry is None or objection is not None:
            return objection or refused("no_such_entry", entry=self.entry)
        if state.is_expelled(entry.id):
            return refused("expelled", "6.9j")
        if entry.withdrawn and not is_official(state, self.by):
            return refused("has_withdrawn")
        if entry.checked_in:
            return refused("already_checked_in")
        return happened(CheckedIn(**self.signed(now), entry=entry.id))


class CheckedIn(ActRecord, frozen=True, kw_only=True):
    """A player is there, again where they had withdrawn."""

    CHANGES_ENTRIES = True
    entry: EntryId

    def changes(self, state: State) -> Changes:
        return change_entry(state, self.entry, checked_in=True, withdrawn=False)

    def is_possible(self, state: State) -> bool:
        return state.entry(self.entry) is not None

    def details(self, state: State) -> tuple[Detail, ...]:
        return (Detail("text", state.name_of(self.entry)),)


class WithdrawEntry(Command, frozen=True, kw_only=True):
    """A player leaves the event (9.1e: one tells the arbiter beforehand)."""

    MAY = EVERYBODY

    entry: EntryId
    reason: Reason = ""

    def decide(self, state: State, now: datetime, laws: Laws) -> Decision:
        """9.1e — a player who does not go on says so; a game under way is played or lost as any."""
        entry, objection = own_entry(state, self.entry, self.by)
        if entry is None or objection is not None:
            return objection or refused("no_such_entry", entry=self.entry)
        if entry.withdrawn:
            return refused("has_withdrawn")
        if state.is_expelled(entry.id):
            # 12.13 — leaving afterwards must not take away what opponents have from their games.
            return refused("expelled", "6.9j")
        withdrawn = Withdrawn(**self.signed(now), entry=entry.id, reason=self.reason.strip())
        cap = state.schedule.cap
        return happened(withdrawn, *promoted(state, self, now, cap=cap, freed=1))


class Withdrawn(ActRecord, frozen=True, kw_only=True):
    """A player leaves the event."""

    CHANGES_ENTRIES = True
    entry: EntryId
    reason: str = ""

    def changes(self, state: State) -> Changes:
        return change_entry(state, self.entry, withdrawn=True, checked_in=False)

    def is_possible(self, state: State) -> bool:
        return state.entry(self.entry) is not None

    def is_reported(self, state: State) -> bool:
        """Whether somebody else had the player leave."""
        entry = state.entry(self.entry)
        return entry is None or entry.person.account != self.by

    def details(self, state: State) -> tuple[Detail, ...]:
        return (Detail("text", state.name_of(self.entry)),)


def _objection_to_person(state: State, person: Person, own: Entry | None) -> Decision | None:
    """5.4 — an account, surname and name, the federation's number where asked, and only once."""
    names = (person.surname.strip(), person.name.strip())
    if not all(names) or not person.account.strip():
        return refused("surname_and_name", "5.4")
    if max(len(name) for name in (*names, person.account, person.federation)) > _MAX_NAME:
        return refused("text_too_long", "5.4", most=_MAX_NAME)
    if person.id is None and state.rules is not None and state.rules.federation_id_required:
        return refused("federation_id_needed", "5.4")
    if person.id is not None and person.id < 1:
        return refused("federation_id_needed", "5.4")
    if state.arbiter(person.account) is not None:
        return refused("arbiter_plays", "6.3", name=person.full_name)
    for entry in state.entries:
        same_id = person.id is not None and entry.person.id == person.id
        if entry is not own and (same_id or entry.person.account == person.account):
            return refused("already_entered", "12.5d", name=entry.person.full_name)
    if own is None and any(is_same(applicant.person, person) for applicant in state.waiting):
        return refused("already_waiting", "12.5d", name=person.full_name)
    return None


def is_official(state: State, account: str) -> bool:
    return state.role(account) in (EventRole.ORGANISER, EventRole.CHIEF)


def own_entry(
    state: State, number: int, account: str, *, assistants: bool = False
) -> tuple[Entry | None, Decision | None]:
    """An entry that whoever asks may speak for: their own, or for officials any.

    6.3 — assistants see who is there; who leaves or stays away is not for them to say.
    """
    entry = state.entry(number)
    if entry is None:
        return None, None
    if state.closed is not None:
        return entry, refused("event_closed")
    role = state.role(account)
    speaks = (
        entry.person.account == account
        or is_official(state, account)
        or (assistants and role is EventRole.ASSISTANT)
    )
    return entry, None if speaks else refused("not_about_you")
