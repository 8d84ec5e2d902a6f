"""Who takes part: entries (5.4), presence, byes, pairs that are not to meet."""

from __future__ import annotations

from datetime import datetime

from arrocco.hall.event import commands as c
from arrocco.hall.event import events as e
from arrocco.hall.event.decision import Decision, happened, refused, signed
from arrocco.hall.event.objections import Laws
from arrocco.hall.event.records import REQUESTED_BYES, Person, Role
from arrocco.hall.event.state import Entry, State
from arrocco.report import ByeKind

_MOST_NAME = 200


def enter(state: State, command: c.Enter, now: datetime, laws: Laws) -> Decision:
    """5.4 — a player enters; once a round is paired only by an official, for the next one."""
    person, rules = command.person, state.rules
    if rules is None:
        return refused("no_rules", "1.3.3")
    if state.closed is not None:
        return refused("event_closed")
    official = _is_official(state, command.by)
    if not official and (command.by != person.account or state.role(command.by) is Role.ASSISTANT):
        return refused("not_about_you", "5.4")
    if state.rounds and not official:
        return refused("late_entry_by_official")
    if state.next_round > rules.late_entries_until or (
        state.rounds and rules.system.is_round_robin
    ):
        return refused("too_late_to_enter", last=rules.late_entries_until)
    objection = _objection_to_person(state, person, None)
    if objection is not None:
        return objection
    return happened(
        e.Entered(
            **signed(command, now),
            entry=len(state.entries) + 1,
            person=person,
            first_round=state.next_round,
        )
    )


def correct_person(state: State, command: c.CorrectPerson, now: datetime, laws: Laws) -> Decision:
    """5.4 — a name or a number was wrong; the account stays while the player plays."""
    entry = state.entry(command.entry)
    if entry is None:
        return refused("no_such_entry", entry=command.entry)
    if state.rounds and command.person.account != entry.person.account:
        return refused("account_stays", "5.4")
    objection = _objection_to_person(state, command.person, entry)
    if objection is not None:
        return objection
    return happened(
        e.PersonCorrected(**signed(command, now), entry=command.entry, person=command.person)
    )


def _objection_to_person(state: State, person: Person, own: Entry | None) -> Decision | None:
    """5.4 — an account, surname and name, the federation's number where asked, and only once."""
    names = (person.surname.strip(), person.name.strip())
    if not all(names) or not person.account.strip():
        return refused("surname_and_name", "5.4")
    if max(len(name) for name in (*names, person.account, person.federation)) > _MOST_NAME:
        return refused("text_too_long", "5.4", most=_MOST_NAME)
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
    return None


# --- presence -------------------------------------------------------------------------------------


def check_in(state: State, command: c.CheckIn, now: datetime, laws: Laws) -> Decision:
    """A player is there; one who withdrew comes back only by an arbiter or the organiser."""
    entry, objection = _own(state, command.entry, command.by, assistants=True)
    if entry is None or objection is not None:
        return objection or refused("no_such_entry", entry=command.entry)
    if state.is_expelled(entry.id):
        return refused("expelled", "6.9j")
    if entry.withdrawn and not _is_official(state, command.by):
        return refused("has_withdrawn")
    if entry.checked_in:
        return refused("already_checked_in")
    return happened(e.CheckedIn(**signed(command, now), entry=entry.id))


def withdraw_entry(state: State, command: c.WithdrawEntry, now: datetime, laws: Laws) -> Decision:
    """9.1e — a player who does not go on says so; a game under way is played or lost as any."""
    entry, objection = _own(state, command.entry, command.by)
    if entry is None or objection is not None:
        return objection or refused("no_such_entry", entry=command.entry)
    if entry.withdrawn:
        return refused("has_withdrawn")
    if state.is_expelled(entry.id):
        # 12.13 — leaving afterwards must not take away what opponents have from their games.
        return refused("expelled", "6.9j")
    return happened(
        e.Withdrawn(**signed(command, now), entry=entry.id, reason=command.reason.strip())
    )


# --- byes -----------------------------------------------------------------------------------------


def request_bye(state: State, command: c.RequestBye, now: datetime, laws: Laws) -> Decision:
    """C.04.2 3.3 — a player is not paired; for half a point only as the rules have it."""
    entry, objection = _own(state, command.entry, command.by)
    if entry is None or objection is not None:
        return objection or refused("no_such_entry", entry=command.entry)
    rules = state.rules
    if rules is None:
        return refused("no_rules", "1.3.3")
    if rules.system.is_round_robin or command.kind not in REQUESTED_BYES:
        return refused("no_such_bye")
    if command.round < state.next_round:
        return refused("round_is_paired", round=command.round)
    if command.round > rules.rounds:
        return refused("no_such_round", round=command.round)
    if command.kind is ByeKind.HALF_POINT:
        had = [n for n, k in entry.byes.items() if k is ByeKind.HALF_POINT and n != command.round]
        until = rules.half_point_byes_until
        if len(had) >= rules.half_point_byes or (until is not None and command.round > until):
            return refused("no_half_point_bye", most=rules.half_point_byes, until=until or "-")
    return happened(
        e.ByeRequested(
            **signed(command, now), entry=entry.id, round=command.round, kind=command.kind
        )
    )


def cancel_bye(state: State, command: c.CancelBye, now: datetime, laws: Laws) -> Decision:
    """A player plays a round after all, as long as it is not paired."""
    entry, objection = _own(state, command.entry, command.by)
    if entry is None or objection is not None:
        return objection or refused("no_such_entry", entry=command.entry)
    if command.round < state.next_round:
        return refused("round_is_paired", round=command.round)
    if command.round not in entry.byes:
        return refused("no_such_bye")
    return happened(e.ByeCancelled(**signed(command, now), entry=entry.id, round=command.round))


# --- pairs ----------------------------------------------------------------------------------------


def forbid_pair(state: State, command: c.ForbidPair, now: datetime, laws: Laws) -> Decision:
    """Two players are not to meet: of one family, say; not in a round robin, where all do."""
    one, other = sorted((command.one, command.other))
    if one == other or state.entry(one) is None or state.entry(other) is None:
        return refused("two_entries_needed")
    if not command.reason.strip():
        return refused("reason_needed")
    if state.rules is not None and state.rules.system.is_round_robin:
        return refused("everybody_meets", "C.05")
    if (one, other) in state.forbidden:
        return refused("pair_already_forbidden")
    return happened(
        e.PairForbidden(**signed(command, now), one=one, other=other, reason=command.reason.strip())
    )


def allow_pair(state: State, command: c.AllowPair, now: datetime, laws: Laws) -> Decision:
    one, other = sorted((command.one, command.other))
    if (one, other) not in state.forbidden:
        return refused("pair_not_forbidden")
    return happened(e.PairAllowed(**signed(command, now), one=one, other=other))


# --- who asks -------------------------------------------------------------------------------------


def _is_official(state: State, account: str) -> bool:
    return state.role(account) in (Role.ORGANISER, Role.CHIEF)


def _own(
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
        or _is_official(state, account)
        or (assistants and role is Role.ASSISTANT)
    )
    return entry, None if speaks else refused("not_about_you")
