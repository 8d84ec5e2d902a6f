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

from arrocco.errors import Refusal
from arrocco.findings import Finding
from arrocco.hall.event import commands, objections
from arrocco.hall.event.records import Arbiter
from arrocco.office.roles import Permission
from arrocco.store.sql import hall_events
from arrocco.store.sql.hall_events import HallEvent
from arrocco.web.forms import Form
from arrocco.web.pages.hall_common import (
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
from arrocco.web.view import TheForm, TheView, View
from arrocco.wiring.hall.authority import federation_of_event
from arrocco.wiring.hall.hall import MOST_NAME
from arrocco.wiring.hall.index import CLOSED, OPEN

_MOST = 200
_NEW = "hall/new.html"
_LONGEST_SLUG = MOST_NAME - 5
"""With a hyphen and four digits of chance behind it."""


@hall_page("/hall")
async def hall(view: TheView) -> Response[str]:
    """Coming, running and past events."""
    coming, running, past = await to_thread.run_sync(_events, view)
    return view.page("hall/hall.html", coming=coming, running=running, past=past)


def _events(view: View) -> tuple[list[HallEvent], list[HallEvent], list[HallEvent]]:
    today = _today(view)
    with view.office.desk.database.reading() as connection:
        _, still = hall_events.search(connection, status=(OPEN,), limit=_MOST)
        _, past = hall_events.search(connection, status=(CLOSED,), limit=_MOST)
    running = [event for event in still if event.start <= today]
    coming = [event for event in reversed(still) if event.start > today]
    return coming, running, past


def _today(view: View) -> date:
    return local(view.office.desk.now()).date()


@hall_page("/hall/new", permission=Permission.REGISTER_TOURNAMENT)
async def new_event(view: TheView) -> Response[str]:
    """The form of a new event: all that the regulation leaves it to say."""
    return view.page(_NEW, **_context({"start": _today(view).isoformat()}))


@hall_act("/hall/new", permission=Permission.REGISTER_TOURNAMENT)
async def create_event(view: TheView, form: TheForm) -> Response[Any]:
    """Creates an event with its rules, or says which article forbids them."""
    name, site = form.text("name", needed=True), form.text("site")
    federation = form.text("federation", longest=3).upper()
    start, end = form.day("start", needed=True), form.day("end")
    rules = rules_in(form)
    rest = mark_objections(form, objections(rules), view.language)
    if not form.ok or rest or start is None:
        return _faulty(view, form, rest, _NEW)
    federation = federation_of_event(view.asker, federation)
    account = str(view.asker.account)
    event = f"{_slug(name)}-{secrets.token_hex(2)}"
    try:
        outcome = await hall_of(view).create_event(
            commands.Create(
                by=account, event=event, name=name, site=site, federation=federation, start=start,
                end=end or start,
            )
        )  # fmt: skip
        if outcome.objections:
            raise objected(outcome.objections)
        room = await event_of(view, event)
        await ask(room, account, {"type": "set_rules", "rules": msgspec.to_builtins(rules)})
        if form.value("chief") == "yes":
            chief = Arbiter(account=account, name=view.asker.name, chief=True)
            await ask(
                room, account, {"type": "appoint_arbiter", "arbiter": msgspec.to_builtins(chief)}
            )
    except Refusal as refusal:
        fields = {"event.ends_before_it_starts": "end", "event.name_needed": "name"}
        return view.refused(_NEW, refusal, fields=fields, form=form, **_context())
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
    rest = mark_objections(form, objections(rules), view.language)
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
    return {"groups": GROUPS, "tie_breaks": range(1, TIE_BREAKS + 1), "shown": shown or {},
            "objections": (), "faults": ()}  # fmt: skip


def _slug(name: str) -> str:
    """A name for addresses: plain letters and digits."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:_LONGEST_SLUG].strip("-") or "event"
