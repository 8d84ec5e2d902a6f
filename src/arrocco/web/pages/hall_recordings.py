"""12.3 — recordings of an event, for its chief arbiter and the committee; each access is logged."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from anyio import to_thread
from litestar import Response
from litestar.params import FromPath
from litestar.response import Stream

from arrocco.desk.tournament_life import official_waits_for
from arrocco.errors import NotFound
from arrocco.hall.event.acts.filing_decisions import CHIEF, COMMITTEE
from arrocco.hall.event.records import EventRole
from arrocco.hall.event.state import State
from arrocco.live.reader import EventReader
from arrocco.live.server_time import as_datetime
from arrocco.office.roles import Permission
from arrocco.video.erasure import certificate_of
from arrocco.video.kept import Kept, find_kept, kept_of, used_of
from arrocco.video.recordings import FOLDER
from arrocco.video.settings import settings_from_environment
from arrocco.web.pages.hall_common import (
    ask,
    event_of,
    hall_act,
    hall_of,
    hall_page,
    local_text,
)
from arrocco.web.pages.hall_people import names_of
from arrocco.web.view import TheForm, TheView, View
from arrocco.words import Language

OPEN_FOR = timedelta(minutes=30)
"""How long a recording can be watched after an access that was logged."""


class KeptRecording(NamedTuple):
    """A recording that is kept: whose, of what, from when to when, how large."""

    name: str
    player: str
    kind: str
    span: str
    size: int


@hall_page("/hall/{event:str}/recordings", permission=Permission.SEE_OWN_ACCOUNT)
async def recordings_page(view: TheView, event: FromPath[str]) -> Response[str]:
    """What is kept, what was erased, and who has opened what."""
    room, _ = await _for_recordings(view, event)
    return await to_thread.run_sync(lambda: _list(view, room))


@hall_act("/hall/{event:str}/recordings/{recording:str}/watch")
async def watch_recording(
    view: TheView, form: TheForm, event: FromPath[str], recording: FromPath[str]
) -> Response[Any]:
    """12.3 — opens a recording, with a reason that stands in the event's log."""
    room, capacity = await _for_recordings(view, event)
    kept = await _one(view, room, recording)
    reason = form.text("reason", needed=True, longest=500)
    if form.errors:
        return await to_thread.run_sync(lambda: _list(view, room, form, recording))
    command = {
        "type": "watch_recording",
        "capacity": capacity,
        "recording": kept.name,
        "reason": reason,
    }
    await ask(room, room.account_of(view.asker), command)
    return view.go(f"/hall/{event}/recordings/{kept.name}")


@hall_page("/hall/{event:str}/recordings/{recording:str}", permission=Permission.SEE_OWN_ACCOUNT)
async def recording_page(
    view: TheView, event: FromPath[str], recording: FromPath[str]
) -> Response[Any]:
    """One recording, for whoever has said why they open it."""
    room, _ = await _for_recordings(view, event)
    kept = await _one(view, room, recording)
    if not _is_open(view, room, recording):
        return view.go(f"/hall/{event}/recordings")
    shown = await to_thread.run_sync(_shown, room.state, view.language, kept)
    return view.page(
        "hall/recording.html", event=event, name=room.state.created.name, recording=shown
    )


@hall_page(
    "/hall/{event:str}/recordings/{recording:str}/file", permission=Permission.SEE_OWN_ACCOUNT
)
async def recording_file(
    view: TheView, event: FromPath[str], recording: FromPath[str]
) -> Response[Any]:
    """The film of a recording, as long as the access holds."""
    room, _ = await _for_recordings(view, event)
    kept = await _one(view, room, recording)
    if not _is_open(view, room, recording):
        raise NotFound.of("video_pages.recordings.none")
    return Stream(kept.film(), headers={"cache-control": "no-store"}, media_type="video/webm")


async def _for_recordings(view: View, event: str) -> tuple[EventReader, str]:
    """The event, and as what somebody asks. Raises `NotFound` for all others (12.3)."""
    room = await event_of(view, event)
    account = room.account_of(view.asker)
    if room.state.entry_of(account) is not None:  # whoever else they are, they play in it
        raise NotFound.of("video_pages.recordings.none")
    if account and EventRole.CHIEF in room.state.roles(account):
        return room, CHIEF
    if await to_thread.run_sync(view.office.committee.is_member, view.asker.account):
        return room, COMMITTEE
    raise NotFound.of("video_pages.recordings.none")


def _folder(view: View) -> Path:
    return view.office.folder / FOLDER


async def _one(view: View, room: EventReader, recording: str) -> Kept:
    """A recording that is kept. Raises `NotFound`; a name is never a path."""
    kept = await to_thread.run_sync(find_kept, _folder(view), room.id, recording)
    if kept is None:
        raise NotFound.of("video_pages.recordings.none")
    return kept


def _is_open(view: View, room: EventReader, recording: str) -> bool:
    at = room.state.recordings_watched.get((room.account_of(view.asker), recording))
    return at is not None and as_datetime(hall_of(view).time.now()) < at + OPEN_FOR


def _list(view: View, room: EventReader, form: Any = None, wrong: str = "") -> Response[str]:
    folder, state = _folder(view), room.state
    kept = [_shown(state, view.language, one) for one in kept_of(folder, room.id)]
    names = names_of(view, state)
    watched = [
        (at, names.get(account, account), recording)
        for (account, recording), at in sorted(
            state.recordings_watched.items(), key=lambda one: one[1], reverse=True
        )
    ]
    certificate = certificate_of(folder, room.id)
    now = as_datetime(hall_of(view).time.now())
    return view.page(
        "hall/recordings.html",
        waits=official_waits_for(view.office.desk, state, now),
        used=used_of(folder),
        quota=settings_from_environment().quota,
        event=room.id,
        name=state.created.name,
        recordings=kept,
        erased=certificate,
        erased_at=None if certificate is None else datetime.fromisoformat(certificate.at),
        watched=watched,
        form=form,
        wrong=wrong,
        local=partial(local_text, view.language),
    )


def _shown(state: State, language: Language, kept: Kept) -> KeptRecording:
    name = state.name_of(kept.entry)
    return KeptRecording(kept.name, name, kept.kind, _span(language, kept.span), kept.size)


def _span(language: Language, span: tuple[int, int] | None) -> str:
    """From when to when; the day stands once where it is the same."""
    if span is None:
        return "–"
    begins, ends = (local_text(language, as_datetime(moment)) for moment in span)
    if begins.rpartition(",")[0] == ends.rpartition(",")[0]:
        ends = local_text(language, as_datetime(span[1]), "HH:mm")
    return f"{begins} – {ends}"
