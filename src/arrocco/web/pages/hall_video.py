"""The player's pages of the video conference: consent, a check to do alone, joining (9.1, 12.3),
and that of a phone as a second camera (10.3)."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import msgspec
from litestar import Response
from litestar.params import FromPath

from arrocco.errors import NotFound
from arrocco.hall.event.acts.consent import WORDS
from arrocco.hall.event.attendance import AttendanceState, attendance_state, checklist, is_excused
from arrocco.hall.event.rules import Supervision
from arrocco.hall.event.state import Entry, State
from arrocco.live.server_time import as_datetime
from arrocco.office.roles import Permission
from arrocco.web.pages.hall_common import ask, event_of, hall_act, hall_of, hall_page
from arrocco.web.view import TheForm, TheView, View
from arrocco.words import Language, catalogue

_JS = "video_pages.js."


@hall_page("/hall/{event:str}/video", permission=Permission.SEE_OWN_ACCOUNT)
async def video_page(view: TheView, event: FromPath[str]) -> Response[str]:
    """What a player reads, checks and consents to before the first picture is sent."""
    room = await event_of(view, event)
    context = video_context(view, room.state, room.account_of(view.asker))
    if not context["video"]:
        raise NotFound.of("video_pages.none")
    return view.page("hall/video.html", event=event, name=room.state.created.name, **context)


@hall_page("/hall/{event:str}/phone")
async def phone_page(view: TheView, event: FromPath[str]) -> Response[str]:
    """10.3 — what a phone shows that has read a player's code; the code itself tells whose it is.

    Nobody has to log in on a phone for it, and the page names nobody.
    """
    state = (await event_of(view, event)).state
    if not _is_supervised(state):
        raise NotFound.of("video_pages.none")
    words = video_words(view.language, "phone")
    return view.page("hall/phone.html", event=event, name=state.created.name, words=words)


@hall_act("/hall/{event:str}/video/consent")
async def consent(view: TheView, form: TheForm, event: FromPath[str]) -> Response[Any]:
    """12.3 — a player consents to the words that the page shows."""
    room = await event_of(view, event)
    words = form.text("words", longest=20)
    command = {"type": "consent_to_video", "words": words}
    await ask(room, room.account_of(view.asker), command)
    return view.go(f"/hall/{event}/video", "hall_pages.done.consent_to_video")


def video_context(view: View, state: State, account: str) -> dict[str, Any]:
    """What the pages of a player need to know of the video conference, where there is one."""
    entry, rules = state.entry_of(account), state.rules
    is_watched = entry is not None and not entry.withdrawn and _is_supervised(state)
    if not is_watched or entry is None or rules is None:
        return {"video": False}
    return {
        "video": True,
        "video_consented": entry.id in state.consents,
        "video_screen": rules.needs_screen,
        "video_room": rules.needs_second_camera,
        "video_grace": int(rules.grace.total_seconds()),
        "video_by_sample": rules.supervision is Supervision.SAMPLE,
        "video_words": video_words(view.language),
        "consent_words": WORDS,
        **_before_play(state, entry, as_datetime(hall_of(view).time.now())),
    }


def _is_supervised(state: State) -> bool:
    rules = state.rules
    return rules is not None and rules.supervision is not Supervision.NONE and state.closed is None


def _before_play(state: State, entry: Entry, now: datetime) -> dict[str, Any]:
    """9.1d, 12.4 — by when a player has to join, and what they are asked to show before play."""
    how = attendance_state(state, entry, now, state.laws.online)
    return {
        "joining_at": state.joining,
        "own_standing": "" if how is AttendanceState.EXPECTED else how.value,
        "own_excused": is_excused(state, entry),
        "own_checks": [
            room_check for room_check in checklist(state, entry.id) if room_check.in_order is None
        ],
    }


def video_words(language: Language, *groups: str) -> str:
    """The words that the scripts of the video conference need, or some groups of them, as JSON."""
    words = catalogue(language, "video_pages")
    own = {
        key.removeprefix(_JS): text
        for group in groups or ("conference", "check")
        for key, text in words.items()
        if key.startswith(f"video_pages.js.{group}.")
    }
    return msgspec.json.encode(own).decode()
