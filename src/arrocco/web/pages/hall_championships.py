"""Championships: several events with one standing and one list of the excluded (9.1e, 13.5c)."""

from __future__ import annotations

import re
from typing import Any

from anyio import to_thread
from litestar import Response
from litestar.params import FromPath

from arrocco.desk.championships import MAX_EVENTS, MAX_RANKS, stated_by
from arrocco.errors import Refusal
from arrocco.hall import event as ev
from arrocco.hall.event.championship import (
    Championship,
    ChampionshipRule,
    excluded_of,
    general_standings,
)
from arrocco.hall.event.state import State
from arrocco.live.index import OPEN
from arrocco.live.reader import EventReader
from arrocco.live.server_time import as_datetime
from arrocco.office.roles import Permission
from arrocco.store.sql import hall_events
from arrocco.store.sql.championships import ChampionshipRow
from arrocco.web.forms import Form
from arrocco.web.pages.hall_common import ask, decimal_in, event_of, hall_act, hall_of, hall_page
from arrocco.web.pages.hall_figures import points_text
from arrocco.web.view import TheForm, TheView, View

_LIST = "hall/championships.html"
_ONE = "hall/championship.html"
_MAX_OWN = 100
_FIELDS = {
    "championship.refused.there_already": "name",
    "championship.refused.no_name": "name",
    "championship.refused.no_table": "points",
}


@hall_page("/hall/championships")
async def championships(view: TheView) -> Response[str]:
    """All championships, and for organisers the form of a new one."""
    rows = await to_thread.run_sync(view.office.championships.newest)
    return view.page(_LIST, championships=rows)


@hall_act("/hall/championships", permission=Permission.REGISTER_TOURNAMENT)
async def make_championship(view: TheView, form: TheForm) -> Response[Any]:
    """States a new championship."""

    def made() -> Response[Any]:
        rows = view.office.championships.newest()
        stated = _stated(form)
        if stated is None:
            return view.page(_LIST, status=422, form=form, championships=rows)
        try:
            row = view.office.championships.make(view.asker, stated)
        except Refusal as refusal:
            return view.refused(_LIST, refusal, fields=_FIELDS, form=form, championships=rows)
        return view.go(f"/hall/championships/{row.id}", "championship.done.made")

    return await to_thread.run_sync(made)


def _stated(form: Form) -> Championship | None:
    name = form.text("name", needed=True, longest=200)
    rule = form.choice("rule", ChampionshipRule)
    best = form.integer("best", most=MAX_EVENTS) or 0
    words = [text for text in re.split(r"[\s,;]+", form.text("points", longest=200)) if text]
    if any(not word.isdecimal() or int(word) > 1000 for word in words) or len(words) > MAX_RANKS:
        form.wrong("points", "championship.form.points_wrong", most=MAX_RANKS)
    if not form.ok or rule is None:
        return None
    table = tuple(int(word) for word in words)
    return Championship(name=name, rule=rule, best=best, table=table)


@hall_page("/hall/championships/{championship:str}")
async def championship(view: TheView, championship: FromPath[str]) -> Response[str]:
    """The general standings, the events and who is excluded."""
    return await _page(view, championship)


@hall_act("/hall/championships/{championship:str}/add")
async def add_event(view: TheView, form: TheForm, championship: FromPath[str]) -> Response[Any]:
    """Adds an event: its own log says first that it belongs to the championship."""
    event = form.text("event", needed=True, longest=32)
    try:
        if not form.ok:
            return await _page(view, championship, form=form)
        office = view.office.championships
        row = await to_thread.run_sync(office.checked, view.asker, championship, event)
        room = await event_of(view, event)
        if room.state.championship.casefold() != row.name.casefold():
            account = room.account_of(view.asker)
            await ask(room, account, {"type": "join_championship", "name": row.name})
        await to_thread.run_sync(office.add_event, view.asker, championship, event)
    except Refusal as refusal:
        return await _page(view, championship, refusal=refusal, form=form)
    return view.go(f"/hall/championships/{championship}", "championship.done.added")


async def _page(
    view: View, championship: str, *, refusal: Refusal | None = None, form: Form | None = None
) -> Response[str]:
    office = view.office.championships
    row, names = await to_thread.run_sync(office.get, championship)
    rooms = [room for name in names if (room := await hall_of(view).find_event(name)) is not None]
    # An event counts where its own log says that it belongs here.
    rooms = [room for room in rooms if room.state.championship.casefold() == row.name.casefold()]
    may_add = office.may_change(view.asker, row)
    own = await _own_events(view, set(names)) if may_add else []
    now = as_datetime(hall_of(view).time.now())

    def told() -> Response[str]:
        context = _context(view, row, rooms, own, now)
        context["may_add"] = may_add
        if refusal is not None:
            return view.refused(_ONE, refusal, fields={}, form=form, **context)
        if form is not None:
            return view.page(_ONE, status=422, form=form, **context)
        return view.page(_ONE, **context)

    return await to_thread.run_sync(told)


def _context(
    view: View,
    row: ChampionshipRow,
    rooms: list[EventReader],
    own: list[tuple[str, str]],
    now: Any,
) -> dict[str, Any]:
    states = [_as_seen(room, now) for room in rooms]
    played = [state for state in states if state.rounds and state.rules is not None]
    return {
        "championship": row,
        "stated": stated_by(row),
        "events": states,
        "played": played,
        "standings": general_standings(stated_by(row), played),
        "excluded": excluded_of(states),
        "own": own,
        "points": lambda tenths: decimal_in(view.language, points_text(tenths)),
    }


def _as_seen(room: EventReader, now: Any) -> State:
    """5.17 — an event without what the public is not to see yet."""
    return ev.as_seen(room.state, now)


async def _own_events(view: View, there: set[str]) -> list[tuple[str, str]]:
    """The asker's own events that can be added: none of their rounds is paired."""

    def mine() -> list[hall_events.HallEvent]:
        with view.office.desk.database.reading() as connection:
            _, rows = hall_events.search(
                connection, status=(OPEN,), owner=view.asker.account, limit=_MAX_OWN
            )
        return rows

    own = []
    for event in await to_thread.run_sync(mine):
        room = None if event.id in there else await hall_of(view).find_event(event.id)
        if room is not None and not room.state.rounds:
            own.append((event.id, event.name))
    return own
