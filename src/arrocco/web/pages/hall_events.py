"""The playing hall's front: which events there are, and a new one with its rules."""

from __future__ import annotations

import re
import secrets
import unicodedata
from collections.abc import Sequence
from datetime import date
from typing import Any

import msgspec
from anyio import to_thread
from litestar import Response
from litestar.params import FromPath

from arrocco.errors import Refusal, Unavailable
from arrocco.findings import Finding
from arrocco.hall.event import objections
from arrocco.hall.event.creation import Create
from arrocco.hall.event.records import Arbiter
from arrocco.hall.event.schedule import Schedule
from arrocco.hall.event.state import State
from arrocco.laws.hall import laws_held_under
from arrocco.live.entering import federation_of_event
from arrocco.live.hall import MAX_NAME
from arrocco.live.index import CLOSED, OPEN
from arrocco.office.roles import Permission
from arrocco.store.sql import hall_events
from arrocco.store.sql.hall_events import HallEvent
from arrocco.web.forms import Form
from arrocco.web.pages.hall_common import (
    ZONE,
    ask,
    event_of,
    hall_act,
    hall_of,
    hall_page,
    local,
    objected,
)
from arrocco.web.pages.hall_rules import (
    GROUPS,
    TIE_BREAKS,
    faults_of,
    mark_objections,
    rules_in,
    shown_in_form,
)
from arrocco.web.pages.hall_schedule import schedule_of_new
from arrocco.web.view import TheForm, TheView, View

_MAX_LISTED = 200
_MAX_PAST_TOLD = 50
"""Past events whose state is told as their own pages do; of older ones that they are over."""
_MAX_OWN = 50
"""Events of one's own that are looked at for templates."""
_NEW = "hall/new.html"
_LONGEST_SLUG = MAX_NAME - 5
"""With a hyphen and four digits of chance behind it."""


@hall_page("/hall")
async def hall(view: TheView) -> Response[str]:
    """Coming, running and past events."""
    still, past = await to_thread.run_sync(_events, view)
    told = [*still, *past[:_MAX_PAST_TOLD]]
    states = {event.id: await _state(view, event.id) for event in told}
    begun = {event.id for event in still if (of := states[event.id]) is not None and of.rounds}
    return view.page(
        "hall/hall.html",
        running=[event for event in still if event.id in begun],
        coming=[event for event in reversed(still) if event.id not in begun],
        past=past,
        states=states,
    )


def _events(view: View) -> tuple[list[HallEvent], list[HallEvent]]:
    """The events that are not closed, and those that are."""
    with view.office.desk.database.reading() as connection:
        _, still = hall_events.search(connection, status=(OPEN,), limit=_MAX_LISTED)
        _, past = hall_events.search(connection, status=(CLOSED,), limit=_MAX_LISTED)
    return still, past


async def _state(view: View, event: str) -> State | None:
    """An event as its own page tells it; `None` where its log cannot be read."""
    try:
        room = await hall_of(view).find_event(event)
    except Unavailable:
        raise
    except Refusal:
        return None
    return None if room is None else room.state


def _today(view: View) -> date:
    return local(view.office.desk.now()).date()


@hall_page("/hall/new", permission=Permission.REGISTER_TOURNAMENT)
async def new_event(view: TheView) -> Response[str]:
    """The form of a new event: all that the regulation leaves it to say.

    With `like` it is filled in from another event, on the days from today on.
    """
    shown: dict[str, Any] = {"start": _today(view).isoformat()}
    like = view.request.query_params.get("like", "")
    copied = await _copied(view, like)
    if copied is not None:
        shown |= _shown_of(copied, _today(view))
    return view.page(_NEW, **_context(shown), **await _of_new(view, copied))


async def _copied(view: View, name: str) -> State | None:
    """The event that a new one is made like; `None` where none is named, or it has no rules."""
    state = await _state(view, name[:MAX_NAME]) if name else None
    return None if state is None or state.rules is None else state


def _shown_of(state: State, today: date) -> dict[str, Any]:
    """What the form of a new event takes from another."""
    assert state.rules is not None
    created, first, second = state.created, *map(state.schedule.start_of, (1, 2))
    shown: dict[str, Any] = shown_in_form(state.rules)
    shown |= {"name": created.name, "site": created.site, "federation": created.federation}
    shown |= {
        "start": today.isoformat(),
        "end": (today + (created.end - created.start)).isoformat(),
    }
    if first is not None:
        shown["hour"] = f"{local(first):%H:%M}"
    if first is not None and second is not None:
        shown["every"] = str(int((second - first).total_seconds() // 60))
    return shown


async def _of_new(view: View, copied: State | None = None) -> dict[str, Any]:
    """What the page of a new event has beside its form: the templates of whoever makes it."""
    own = await to_thread.run_sync(_own_events, view)
    states = [await _state(view, event) for event in own]
    named = [state for state in states if state is not None and state.template]
    return {"templates": named, "copied": copied, "zone": str(ZONE)}


def _own_events(view: View) -> list[str]:
    with view.office.desk.database.reading() as connection:
        _, rows = hall_events.search(connection, owner=view.asker.account, limit=_MAX_OWN)
    return [event.id for event in rows]


@hall_act("/hall/new", permission=Permission.REGISTER_TOURNAMENT)
async def create_event(view: TheView, form: TheForm) -> Response[Any]:
    """Creates an event with its rules, or says which article forbids them."""
    name, site = form.text("name", needed=True), form.text("site")
    federation = form.text("federation", longest=3).upper()
    start, end = form.day("start", needed=True), form.day("end")
    rules = rules_in(form)
    laws = laws_held_under(start)
    rest = mark_objections(form, objections(rules, laws), view.language)
    copied = await _copied(view, form.text("like"))
    of_new = await _of_new(view, copied)
    taken = None if copied is None else copied.schedule
    schedule = schedule_of_new(form, start, rules.rounds, taken)
    if not form.ok or rest or start is None:
        return _faulty(view, form, rest, _NEW, **of_new)
    federation = federation_of_event(view.asker, federation)
    account = str(view.asker.account)
    event = f"{_slug(name)}-{secrets.token_hex(2)}"
    try:
        outcome = await hall_of(view).create_event(
            Create(
                by=account,
                event=event,
                name=name,
                site=site,
                federation=federation,
                start=start,
                end=end or start,
            )
        )
        if outcome.objections:
            raise objected(outcome.objections)
        room = await event_of(view, event)
        await ask(room, account, {"type": "set_rules", "rules": msgspec.to_builtins(rules)})
        if schedule is not None and schedule != Schedule():
            command = {"type": "set_schedule", "schedule": msgspec.to_builtins(schedule)}
            await ask(room, account, command)
        if form.value("chief") == "yes":
            chief = Arbiter(account=account, name=view.asker.name, chief=True)
            await ask(
                room, account, {"type": "appoint_arbiter", "arbiter": msgspec.to_builtins(chief)}
            )
    except Refusal as refusal:
        fields = {"event.ends_before_it_starts": "end", "event.name_needed": "name"}
        fields |= dict.fromkeys(("event.start_in_the_past", "event.start_on_another_day"), "hour")
        return view.refused(_NEW, refusal, fields=fields, form=form, **_context(), **of_new)
    return view.go(f"/hall/{event}", "hall_pages.created")


@hall_page("/hall/{event:str}/rules", permission=Permission.SEE_OWN_ACCOUNT)
async def rules_form(view: TheView, event: FromPath[str]) -> Response[str]:
    """The rules again, to be changed until the first round is paired (1.3.3)."""
    room = await event_of(view, event)
    state = room.state
    shown = {} if state.rules is None else shown_in_form(state.rules)
    return view.page("hall/rules.html", event=event, name=state.created.name, **_context(shown))


@hall_act("/hall/{event:str}/rules")
async def set_rules(view: TheView, form: TheForm, event: FromPath[str]) -> Response[Any]:
    """States the rules anew."""
    room = await event_of(view, event)
    rules = rules_in(form)
    context: dict[str, Any] = {"event": event, "name": room.state.created.name, **_context()}
    rest = mark_objections(form, objections(rules, room.state.laws), view.language)
    if not form.ok or rest:
        return _faulty(view, form, rest, "hall/rules.html", **context)
    try:
        command = {"type": "set_rules", "rules": msgspec.to_builtins(rules)}
        await ask(room, room.account_of(view.asker), command)
    except Refusal as refusal:
        return view.refused("hall/rules.html", refusal, form=form, **context)
    return view.go(f"/hall/{event}", "hall_pages.rules_set")


def _faulty(
    view: View, form: Form, rest: Sequence[Finding], template: str, **context: Any
) -> Response[str]:
    """The form again: above it where something is wrong, and under each field what."""
    faults = faults_of(form)
    given = {**_context(), **context, "objections": rest, "faults": faults}
    return view.page(template, status=422, form=form, **given)


def _context(shown: dict[str, Any] | None = None) -> dict[str, Any]:
    return {
        "groups": GROUPS,
        "tie_breaks": range(1, TIE_BREAKS + 1),
        "shown": shown or {},
        "objections": (),
        "faults": (),
    }


def _slug(name: str) -> str:
    """A name for addresses: plain letters and digits."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:_LONGEST_SLUG].strip("-") or "event"
