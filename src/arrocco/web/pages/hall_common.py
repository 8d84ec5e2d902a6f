"""What the pages of the playing hall share: the hall itself, an event or a game of it, decorators.

The hall plays in a process of its own: pages read its logs and send it commands. Reading and asking
wait, so these handlers are asynchronous; whatever asks the office's database goes to a thread.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import msgspec
from babel.dates import format_datetime
from litestar import get, post
from litestar.handlers import HTTPRouteHandler

from arrocco.errors import NotFound, Refusal
from arrocco.findings import Finding
from arrocco.hall.event import read_command
from arrocco.hall.game.held import HELD, HELD_NO_LONGER
from arrocco.hall.game.recovery import HANDED_OVER, RECOVERED, TAKEN_OVER
from arrocco.live.opening import ROME
from arrocco.live.reader import EventReader, GameReader, HallReader
from arrocco.live.seats import Seat
from arrocco.office.roles import Permission
from arrocco.web.routes import BODY_LIMIT, COMMANDS, FORM_BYTES, PERMISSION
from arrocco.web.view import View
from arrocco.words import Language, catalogue

ZONE = ZoneInfo(ROME)
_LOCALES: dict[Language, str] = {"en": "en_GB", "it": "it_IT"}
_JS = "hall_pages.js."

Handler = Callable[..., Any]


class NoHall(Refusal):
    """The server runs without its hall."""

    http_status = 503


class Objected(Refusal):
    """The event refuses a command, for the reasons among its findings."""

    http_status = 409


def hall_page(
    path: str, *, permission: Permission = Permission.LOOK_UP
) -> Callable[[Handler], HTTPRouteHandler]:
    """A page of the hall; the function is a coroutine and gets `view`."""
    return get(path, opt={PERMISSION: permission}, include_in_schema=False)


def hall_act(
    path: str,
    *,
    permission: Permission = Permission.SEE_OWN_ACCOUNT,
    body_limit: int = FORM_BYTES,
) -> Callable[[Handler], HTTPRouteHandler]:
    """What a form of the hall asks for; the function is a coroutine and gets `view` and `form`."""
    opt = {PERMISSION: permission, COMMANDS: True, BODY_LIMIT: body_limit}
    return post(path, opt=opt, include_in_schema=False, status_code=200)


def hall_of(view: View) -> HallReader:
    """The hall of this server. Raises `NoHall` where it runs without one."""
    hall = view.request.app.state.hall
    if not isinstance(hall, HallReader):
        raise view.request.app.state.hall_damaged or NoHall.of("hall_pages.no_hall")
    return hall


async def event_of(view: View, event: str) -> EventReader:
    """An event by name. Raises `NotFound`."""
    room = await hall_of(view).find_event(event)
    if room is None:
        raise NotFound.of("hall_live.no_such_event")
    return room


async def game_of(view: View, game: str) -> tuple[GameReader, Seat]:
    """A game by name and what the asker is at its board. Raises `NotFound`."""
    hall = hall_of(view)
    room = await hall.find_game(game)
    seat = None if room is None else hall.seat(room, view.asker)
    if room is None or seat is None:
        raise NotFound.of("hall_live.no_such_game")
    return room, seat


async def ask(room: EventReader, account: str, command: dict[str, Any]) -> None:
    """Asks something of an event. Raises `Objected` with everything that stands against it."""
    read = read_command(msgspec.json.encode(command), account)
    outcome = await room.ask(read)
    if outcome.objections:
        raise objected(outcome.objections)


def objected(objections: tuple[Finding, ...]) -> Objected:
    """A refusal that says the first objection, and carries all."""
    objections = tuple(
        replace(
            objection, details={name: _shown(value) for name, value in objection.details.items()}
        )
        for objection in objections
    )
    first = objections[0]
    return Objected.of(first.key, findings=objections, **first.details)


def _shown(value: Any) -> Any:
    """A detail of an objection as people read it: moments by the clocks where events are held."""
    if not isinstance(value, str) or "T" not in value:
        return value
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        return value
    return value if moment.tzinfo is None else f"{local(moment):%Y-%m-%d %H:%M}"


def script_words(language: Language) -> str:
    """The words that the hall's scripts need, as JSON; their places are filled in the browser."""
    own = {
        key.removeprefix(_JS): text
        for key, text in catalogue(language, "hall_pages").items()
        if key.startswith(_JS)
    }
    shared = {
        key: text
        for part in ("hall", "hall_live")
        for key, text in catalogue(language, part).items()
        if key.startswith(
            (
                "hall.end.",
                "hall_live.alarm.",
                "hall_live.call_stops_clocks",
                "hall_live.inspection_stops_clocks",
            )
        )
    }
    proofs = catalogue(language, "unwinnable")
    said = catalogue(language, "hall")
    keys = (RECOVERED, HANDED_OVER, TAKEN_OVER, HELD, HELD_NO_LONGER)
    reasons = {key: said[f"{key}.text"] for key in keys}
    return msgspec.json.encode(own | shared | proofs | reasons).decode()


def start_words(language: Language) -> str:
    """The words that tell a player of a round that begins, as JSON."""
    start = {
        key.removeprefix(_JS): text
        for key, text in catalogue(language, "hall_pages").items()
        if key.startswith(f"{_JS}start.")
    }
    return msgspec.json.encode(start).decode()


def decimal_in(language: Language, text: str) -> str:
    """A number with a decimal point as a language writes it."""
    return text.replace(".", ",") if language == "it" else text


def local(value: datetime) -> datetime:
    """A moment where the events are held."""
    return value.astimezone(ZONE)


def local_text(language: Language, value: datetime | None, pattern: str = "d MMM y, HH:mm") -> str:
    """A moment of an event as its players' clocks show it; a dash for none."""
    if value is None:
        return "–"
    return format_datetime(local(value), pattern, locale=_LOCALES[language])
