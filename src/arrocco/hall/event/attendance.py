"""9.1d, 9.1e — how every player stands before a round: expected, joined, checked, excused, late."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from enum import StrEnum

from arrocco.hall.event.rules import Supervision
from arrocco.hall.event.state import Entry, RoomCheck, State
from arrocco.hall.game.records import InspectionPoint
from arrocco.laws.online.law import OnlineLaw


class AttendanceState(StrEnum):
    """How a player stands."""

    EXPECTED = "expected"
    LATE = "late"
    """9.1e — not there at the time that the arbiter set."""
    EXCUSED = "excused"
    JOINED = "joined"
    CHECKED = "checked"
    """Joined, and every point that was asked for is in order."""


def expected(state: State) -> list[Entry]:
    """9.1 — who has to come to the video conference: everybody, or those drawn for the round."""
    last, rules = state.last_round, state.rules
    by_sample = rules is not None and rules.supervision is Supervision.SAMPLE
    return [
        entry
        for entry in state.entries
        if not entry.withdrawn
        and not state.is_expelled(entry.id)
        and not (by_sample and last is not None and entry.id not in last.sample)
    ]


def attendance_state(
    state: State,
    entry: Entry,
    now: datetime,
    law: OnlineLaw,
    checks: Sequence[RoomCheck] | None = None,
) -> AttendanceState:
    """How a player stands now; `checks` are the player's, where they are known."""
    if entry.id in state.joined:
        checks = checklist(state, entry.id) if checks is None else checks
        in_order = {check.point for check in checks if check.in_order}
        is_checked = len(in_order) == len(checks) and in_order >= demanded(state) and bool(checks)
        return AttendanceState.CHECKED if is_checked else AttendanceState.JOINED
    if is_excused(state, entry):
        return AttendanceState.EXCUSED
    return AttendanceState.LATE if is_late(state, entry, now, law) else AttendanceState.EXPECTED


def is_late(state: State, entry: Entry, now: datetime, law: OnlineLaw) -> bool:
    """9.1e — whether a player was not there at the joining time; before it nobody is late."""
    due = state.joining
    if due is None or now < due or is_excused(state, entry):
        return False
    return law.is_late_at_vcs(state.joined.get(entry.id), due)


def is_excused(state: State, entry: Entry) -> bool:
    """9.1e — whether a player said that they would not be there, and has not come after all."""
    return entry.id in state.excused and not entry.checked_in


def demanded(state: State) -> frozenset[InspectionPoint]:
    """10.3 — the points of everybody's checklist that the event's rules ask for."""
    rules = state.rules
    is_demanded = rules is not None and rules.needs_second_camera
    return frozenset({InspectionPoint.SECOND_CAMERA}) if is_demanded else frozenset()


def checklist(state: State, entry: int) -> list[RoomCheck]:
    """6.4, 12.4 — what of a player's room and person was asked for or noted."""
    return [room_check for room_check in state.room_checks if room_check.entry == entry]


def checklists(state: State) -> Mapping[int, Sequence[RoomCheck]]:
    """The same of everybody, looked through once."""
    found: dict[int, list[RoomCheck]] = {}
    for room_check in state.room_checks:
        found.setdefault(room_check.entry, []).append(room_check)
    return found
