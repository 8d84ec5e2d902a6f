"""Entering an event by a link that somebody shared."""

from __future__ import annotations

from typing import Any

from anyio import to_thread
from litestar import Response
from litestar.params import FromPath

from arrocco.errors import Refusal
from arrocco.hall.event.acts.entry_links import link_of
from arrocco.live.reader import EventReader
from arrocco.live.server_time import as_datetime
from arrocco.web.pages.hall_common import ask, event_of, hall_act, hall_of, hall_page, local_text
from arrocco.web.pages.hall_people import person_of_asker
from arrocco.web.view import TheForm, TheView, View

_TEMPLATE = "hall/join.html"


@hall_page("/hall/{event:str}/join/{secret:str}")
async def join_page(view: TheView, event: FromPath[str], secret: FromPath[str]) -> Response[str]:
    """Where a shared link leads: the event, and one button to enter."""
    room = await event_of(view, event)
    return view.page(_TEMPLATE, **_context(view, room, secret))


@hall_act("/hall/{event:str}/join/{secret:str}")
async def join(
    view: TheView, form: TheForm, event: FromPath[str], secret: FromPath[str]
) -> Response[Any]:
    """Enters whoever holds the link: what the office knows of them nobody types."""
    room = await event_of(view, event)
    kind = room.state.time_class
    person = await to_thread.run_sync(lambda: person_of_asker(view, view.asker, kind))
    command = {"type": "enter", "person": person, "link": secret[:200]}
    try:
        await ask(room, room.account_of(view.asker), command)
    except Refusal as refusal:
        return view.refused(_TEMPLATE, refusal, **_context(view, room, secret))
    return view.go(f"/hall/{event}", "hall_pages.done.enter")


def _context(view: View, room: EventReader, secret: str) -> dict[str, Any]:
    state = room.state
    link, account = link_of(state, secret[:200]), room.account_of(view.asker)
    serves = link is not None and link.serves(as_datetime(hall_of(view).time.now()))
    return {
        "event": state.created.event,
        "name": state.created.name,
        "state": state,
        "secret": secret,
        "serves": serves and state.closed is None and not state.rounds,
        "link": link,
        "is_in": state.entry_of(account) is not None,
        "is_waiting": any(applicant.person.account == account for applicant in state.waiting)
        and bool(account),
        "local": lambda value: local_text(view.language, value),
        "signs_up": view.office.sign_ups.is_open(""),
    }
