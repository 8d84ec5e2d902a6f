"""The schedule of an event on its pages: starts of rounds, places, and what a copy keeps of it."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from typing import Any

import msgspec
from litestar import Response
from litestar.params import FromPath

from arrocco.errors import Refusal
from arrocco.hall.event.records import EventRole
from arrocco.hall.event.schedule import MAX_CAP, MAX_RATING, MAX_STARTS, Schedule
from arrocco.hall.event.state import State
from arrocco.office.roles import Forbidden, Permission
from arrocco.web.forms import Form
from arrocco.web.pages.hall_common import ZONE, ask, event_of, hall_act, hall_page, local
from arrocco.web.view import TheForm, TheView

_TEMPLATE = "hall/schedule.html"
_LONGEST = 2000
_MAX_MINUTES = 24 * 60
_ROUNDS_OFFERED = 9
"""Starts that the form has where nobody knows how many rounds there are."""
_FIELDS = {
    "event.entries_after_start": "entries_until",
    "event.rating_limits": "most_rating",
    "event.text_too_long": "description",
}
_OF_A_START = frozenset(
    f"event.{one}"
    for one in (
        "start_is_published",
        "start_in_the_past",
        "start_on_another_day",
        "starts_not_in_order",
    )
)


@hall_page("/hall/{event:str}/schedule", permission=Permission.SEE_OWN_ACCOUNT)
async def schedule_form(view: TheView, event: FromPath[str]) -> Response[str]:
    """The schedule to be stated, for officials."""
    room = await event_of(view, event)
    require_official(room.state, room.account_of(view.asker))
    return view.page(_TEMPLATE, **_context(room.state), shown=shown_schedule(room.state.schedule))


@hall_act("/hall/{event:str}/schedule")
async def set_schedule(view: TheView, form: TheForm, event: FromPath[str]) -> Response[Any]:
    """States the schedule anew."""
    room = await event_of(view, event)
    context = {**_context(room.state), "shown": {}, "form": form}
    schedule = schedule_in(form, room.state.schedule)
    if not form.ok:
        return view.page(_TEMPLATE, status=422, **context)
    try:
        command = {"type": "set_schedule", "schedule": msgspec.to_builtins(schedule)}
        await ask(room, room.account_of(view.asker), command)
    except Refusal as refusal:
        return view.refused(_TEMPLATE, refusal, fields=_fields(refusal), **context)
    return view.go(f"/hall/{event}", "hall_plan.done.schedule")


def require_official(state: State, account: str) -> None:
    """Raises `Forbidden` for whoever is neither the organiser nor the chief arbiter."""
    if not account or state.role(account) not in (EventRole.CHIEF, EventRole.ORGANISER):
        raise Forbidden.of("event.not_yours_to_do")


def _fields(refusal: Refusal) -> dict[str, str]:
    if refusal.key in _OF_A_START:
        return {refusal.key: f"start_{refusal.details.get('round', 1)}"}
    return _FIELDS


def _context(state: State) -> dict[str, Any]:
    stated = state.announced_rounds or max(len(state.schedule.starts), _ROUNDS_OFFERED)
    return {
        "event": state.created.event,
        "name": state.created.name,
        "numbers": range(1, min(stated, MAX_STARTS) + 1),
        "begun": len(state.rounds),
        "zone": str(ZONE),
        "most": MAX_CAP,
    }


def schedule_in(form: Form, before: Schedule) -> Schedule:
    """The schedule that a form states; starts of rounds that it has no fields for stay."""
    starts = [
        moment_in(form, f"start_{number}") if form.value(f"start_{number}", "-") != "-" else stated
        for number in range(1, MAX_STARTS + 1)
        for stated in (before.start_of(number),)
    ]
    while starts and starts[-1] is None:
        starts.pop()
    return Schedule(
        starts=tuple(starts),
        entries_until=moment_in(form, "entries_until"),
        cap=form.integer("cap", least=2, most=MAX_CAP),
        least_rating=form.integer("least_rating", least=1, most=MAX_RATING),
        most_rating=form.integer("most_rating", least=1, most=MAX_RATING),
        by_invitation=form.chosen("by_invitation"),
        description=form.text("description", longest=_LONGEST),
    )


def schedule_of_new(
    form: Form, first: date | None, rounds: int, copied: Schedule | None
) -> Schedule | None:
    """The schedule of a new event: an hour and the minutes between starts; `None` for none.

    Of an event that is copied the rest is taken as it was, moved with its first start.
    """
    hour, every = form.text("hour"), form.integer("every", least=1, most=_MAX_MINUTES)
    if not hour or first is None:
        return None if copied is None else msgspec.structs.replace(copied, starts=())
    try:
        start = datetime.combine(first, time.fromisoformat(hour), ZONE)
    except ValueError:
        form.wrong("hour", "hall_plan.field.no_hour")
        return None
    if copied is not None and (stated := copied.start_of(1)) is not None:
        return copied.moved(start - local(stated))
    count = max(rounds, 1) if every is not None else 1
    starts = tuple(start + timedelta(minutes=n * (every or 0)) for n in range(count))
    if copied is None:
        return Schedule(starts=starts)
    return msgspec.structs.replace(copied, starts=starts)


def shown_schedule(schedule: Schedule) -> dict[str, Any]:
    """A schedule as the form shows it."""
    shown: dict[str, Any] = {
        f"start_{number}": _shown(start) for number, start in enumerate(schedule.starts, start=1)
    }
    for name in ("cap", "least_rating", "most_rating"):
        value = getattr(schedule, name)
        shown[name] = "" if value is None else str(value)
    shown["entries_until"] = _shown(schedule.entries_until)
    return shown | {
        "description": schedule.description,
        "by_invitation": schedule.by_invitation,
    }


def _shown(moment: datetime | None) -> str:
    return "" if moment is None else f"{local(moment):%Y-%m-%dT%H:%M}"


def moment_in(form: Form, name: str) -> datetime | None:
    """A day and a time of the clocks where the event is held."""
    text = form.text(name)
    if not text:
        return None
    try:
        moment = datetime.fromisoformat(text)
        return moment.replace(tzinfo=ZONE) if moment.tzinfo is None else moment
    except (ValueError, OverflowError):
        form.wrong(name, "hall_pages.field.no_moment")
        return None
