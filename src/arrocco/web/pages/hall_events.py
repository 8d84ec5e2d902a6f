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
    mark_objections,
    read_rules,
    shown_in_form,
)
from arrocco.web.view import TheForm, TheView, View
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
    rules = read_rules(form)
    if not form.ok or rules is None or start is None:
        return view.page(_NEW, status=422, form=form, **_context())
    found = objections(rules)
    if found:
        return _objected(view, form, found)
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
        return view.refused(_NEW, refusal, form=form, **_context())
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
    rules = read_rules(form)
    context: dict[str, Any] = {"event": event, "name": room.state.created.name, **_context()}
    if rules is None:
        return view.page("hall/rules.html", status=422, form=form, **context)
    found = objections(rules)
    if found:
        return _objected(view, form, found, "hall/rules.html", **context)
    try:
        command = {"type": "set_rules", "rules": msgspec.to_builtins(rules)}
        await ask(room, room.account_of(view.asker), command)
    except Refusal as refusal:
        return view.refused("hall/rules.html", refusal, form=form, **context)
    return view.go(f"/hall/{event}", "hall_pages.rules_set")


def _objected(
    view: View, form: Form, found: Sequence[Finding], template: str = _NEW, **context: Any
) -> Response[str]:
    """The form again, with every objection above it and under its field."""
    mark_objections(form, found)
    return view.page(
        template, status=422, form=form, **{**_context(), **context, "objections": found}
    )


def _context(shown: dict[str, Any] | None = None) -> dict[str, Any]:
    return {"groups": GROUPS, "tie_breaks": range(1, TIE_BREAKS + 1), "shown": shown or {},
            "objections": ()}  # fmt: skip


def _slug(name: str) -> str:
    """A name for addresses: plain letters and digits."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:_LONGEST_SLUG].strip("-") or "event"
