"""9.1d — the presence board of an arbiter: who is expected, and how each of them stands."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from arrocco.hall.event.acts.chat import read_by
from arrocco.hall.event.attendance import attendance_state, checklists, demanded, expected, is_late
from arrocco.hall.event.rules import Supervision
from arrocco.hall.event.state import Entry, RoomCheck, State
from arrocco.hall.presence import PlayerPresence
from arrocco.live.event_room import EventRoom
from arrocco.live.messages import FromServer
from arrocco.live.server_time import as_datetime, as_moment

Told = Callable[[str, str], PlayerPresence | None]
"""What the video server told last of an account in an event."""


class PointShown(Struct, frozen=True, kw_only=True):
    """6.4, 12.4 — a point of a player's checklist, and when it came to stand so."""

    point: str
    standing: str
    at: int | None
    note: str = ""


class PlayerAttends(Struct, frozen=True, kw_only=True):
    """A player of the presence board."""

    entry: int
    name: str
    standing: str
    is_late: bool
    is_on: bool
    problems: tuple[str, ...] = ()
    is_resting: bool = False
    points: tuple[PointShown, ...] = ()


class AttendanceShown(FromServer, frozen=True, kw_only=True, tag="attendance"):
    """9.1d — everybody whom an arbiter expects in the video conference; `joining` is by when."""

    event: str
    now: int
    joining: int | None
    players: tuple[PlayerAttends, ...]
    demanded: tuple[str, ...] = ()
    """10.3 — points of everybody's checklist that the event's rules ask for."""


def attendance(event: EventRoom, told: Told, person: str, now: int) -> AttendanceShown | None:
    """What one arbiter sees of it (6.3); nothing where the event has no video conference."""
    state = event.state
    rules = state.rules
    if rules is None or rules.supervision is Supervision.NONE or state.closed is not None:
        return None
    checks, is_read = checklists(state), read_by(state, person)
    players = tuple(
        _player(state, entry, told(event.id, entry.person.account), checks.get(entry.id, ()), now)
        for entry in expected(state)
        if is_read(entry.id)
    )
    joining = None if state.joining is None else as_moment(state.joining)
    return AttendanceShown(
        event=event.id,
        now=now,
        joining=joining,
        players=players,
        demanded=tuple(map(str, demanded(state))),
    )


def _player(
    state: State,
    entry: Entry,
    seen: PlayerPresence | None,
    checks: Sequence[RoomCheck],
    now: int,
) -> PlayerAttends:
    moment, law = as_datetime(now), state.laws.online
    return PlayerAttends(
        entry=entry.id,
        name=entry.person.full_name,
        standing=attendance_state(state, entry, moment, law, checks).value,
        is_late=is_late(state, entry, moment, law),
        is_on=seen is not None and seen.is_on,
        problems=() if seen is None else tuple(map(str, seen.problems)),
        is_resting=seen is not None and seen.is_resting,
        points=tuple(map(_point, checks)),
    )


def _point(check: RoomCheck) -> PointShown:
    if check.in_order is not None:
        now, at = ("in_order" if check.in_order else "not_in_order"), check.at
    elif check.shows is not None:
        now, at = ("shown" if check.shows else "refuses"), check.answered
    else:
        now, at = "waiting", check.asked
    moment = None if at is None else as_moment(at)
    return PointShown(point=check.point.value, standing=now, at=moment, note=check.note)
