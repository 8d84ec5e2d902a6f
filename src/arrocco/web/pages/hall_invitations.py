"""Inviting to an event: a link to share, a file of numbers and addresses, e-mails."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

import msgspec
from anyio import to_thread
from litestar import Response, post
from litestar.params import FromPath

from arrocco.desk.event_invitations import MAX_BYTES, MAX_LINES, Row, read_rows
from arrocco.errors import Malformed, Refusal
from arrocco.findings import Finding
from arrocco.hall.event.acts.entry_links import LONGEST, digest_of
from arrocco.hall.event.schedule import MAX_CAP
from arrocco.hall.event.state import State
from arrocco.live.reader import EventReader
from arrocco.live.server_time import as_datetime
from arrocco.office.roles import Permission
from arrocco.store.sql.accounts import Account
from arrocco.web.forms import Form
from arrocco.web.pages.hall_common import (
    Objected,
    ask,
    event_of,
    hall_act,
    hall_of,
    hall_page,
    local_text,
)
from arrocco.web.pages.hall_people import person_of_account
from arrocco.web.pages.hall_schedule import moment_in, require_official
from arrocco.web.routes import BODY_LIMIT, COMMANDS, PERMISSION
from arrocco.web.view import TheForm, TheView, View
from arrocco.words import finding_text

_TEMPLATE = "hall/invite.html"
_ENVELOPE = 4096
"""What a browser puts around a file."""
_MAX_MAILS = 200
_FIELDS = {
    "event.link_until": "until",
    "hall_plan.file_too_long": "file",
    "hall_plan.file_not_text": "file",
    "hall_plan.file_empty": "file",
    "hall_plan.too_many_mails": "emails",
    "hall_plan.too_many_mails_today": "emails",
}


class Told(msgspec.Struct, frozen=True):
    """What became of a line of the file."""

    line: int
    what: str
    text: str
    column: int = 0
    is_wrong: bool = False


@hall_page("/hall/{event:str}/invite", permission=Permission.SEE_OWN_ACCOUNT)
async def invite_page(view: TheView, event: FromPath[str]) -> Response[str]:
    """The ways to enter many, for officials."""
    room = await event_of(view, event)
    require_official(room.state, room.account_of(view.asker))
    return view.page(_TEMPLATE, **_context(view, room))


@hall_act("/hall/{event:str}/invite/link")
async def make_link(view: TheView, form: TheForm, event: FromPath[str]) -> Response[Any]:
    """Makes a link to share and shows it, this once."""
    room = await event_of(view, event)
    require_official(room.state, room.account_of(view.asker))
    until, cap = moment_in(form, "until"), form.integer("cap", needed=True, least=1, most=MAX_CAP)
    if until is None:
        form.wrong("until", "web.field.needed")
    if not form.ok or until is None or cap is None:
        return view.page(_TEMPLATE, status=422, **{**_context(view, room), "form": form})
    try:
        secret = await _link(view, room, until, cap)
    except Refusal as refusal:
        context = {**_context(view, room), "form": form}
        return view.refused(_TEMPLATE, refusal, fields=_FIELDS, **context)
    site = str(view.request.base_url).rstrip("/")
    made = f"{site}{view.url(f'/hall/{event}/join/{secret}')}"
    room = await event_of(view, event)
    return view.page(_TEMPLATE, **{**_context(view, room), "made": made})


@post(
    "/hall/{event:str}/invite/file",
    opt={PERMISSION: Permission.SEE_OWN_ACCOUNT, COMMANDS: True, BODY_LIMIT: MAX_BYTES + _ENVELOPE},
    include_in_schema=False,
    status_code=200,
)
async def enter_file(view: TheView, form: TheForm, event: FromPath[str]) -> Response[Any]:
    """Enters everybody of a file and invites who has no account; or tells why nobody was."""
    room = await event_of(view, event)
    require_official(room.state, room.account_of(view.asker))
    file = form.upload("file")
    if file is None:
        return view.page(_TEMPLATE, status=422, **{**_context(view, room), "form": form})
    try:
        rows = await to_thread.run_sync(
            lambda: view.office.event_invitations.found(read_rows(file.data))
        )
        told = await _enter(view, room, rows)
    except Refusal as refusal:
        context = {**_context(view, room), "form": form}
        return view.refused(_TEMPLATE, refusal, fields=_FIELDS, **context)
    is_wrong = any(line.is_wrong for line in told)
    room = await event_of(view, event)
    context = {**_context(view, room), "told": told, "is_wrong": is_wrong}
    return view.page(_TEMPLATE, status=422 if is_wrong else 200, **context)


@hall_act("/hall/{event:str}/invite/mail")
async def invite_by_mail(view: TheView, form: TheForm, event: FromPath[str]) -> Response[Any]:
    """Sends a link to addresses, each of which can enter once by it."""
    room = await event_of(view, event)
    require_official(room.state, room.account_of(view.asker))
    try:
        emails = _addresses(form)
        if not form.ok:
            return view.page(_TEMPLATE, status=422, **{**_context(view, room), "form": form})
        left_out = await _mail(view, room, emails)
    except Refusal as refusal:
        context = {**_context(view, room), "form": form}
        return view.refused(_TEMPLATE, refusal, fields=_FIELDS, **context)
    sent = len(emails) - len(left_out)
    return view.go(f"/hall/{event}/invite", "hall_plan.done.mailed", count=sent)


@hall_act("/hall/{event:str}/invite/withdraw/{number:int}")
async def withdraw_link(
    view: TheView, event: FromPath[str], number: FromPath[int]
) -> Response[Any]:
    """Lets a link serve no more."""
    room = await event_of(view, event)
    command = {"type": "withdraw_entry_link", "number": number}
    try:
        await ask(room, room.account_of(view.asker), command)
    except Refusal as refusal:
        return view.refused(_TEMPLATE, refusal, **_context(view, room))
    return view.go(f"/hall/{event}/invite", "hall_plan.done.link_withdrawn")


def _context(view: View, room: EventReader) -> dict[str, Any]:
    state, now = room.state, as_datetime(hall_of(view).time.now())
    return {
        "event": state.created.event,
        "name": state.created.name,
        "links": [(link, link.serves(now)) for link in state.links if not link.withdrawn],
        "local": lambda value: local_text(view.language, value),
        "proposed": f"{_until(state, now):%Y-%m-%dT%H:%M}",
        "made": "",
        "told": (),
        "is_wrong": False,
        "most": (MAX_LINES, MAX_CAP, _MAX_MAILS),
    }


def _until(state: State, now: datetime) -> datetime:
    """Until when a link serves that nobody says an end of: while people can enter themselves."""
    schedule = state.schedule
    stated = schedule.entries_until or schedule.start_of(1)
    if stated is not None and stated > now:
        return stated
    return now + min(timedelta(days=7), LONGEST)


async def _link(view: View, room: EventReader, until: datetime, cap: int) -> str:
    """A new link of the event; its secret, which only this answer has."""
    secret = secrets.token_urlsafe(18)
    command = {
        "type": "make_entry_link",
        "digest": digest_of(secret),
        "until": until.isoformat(),
        "cap": cap,
    }
    await ask(room, room.account_of(view.asker), command)
    return secret


def _addresses(form: Form) -> list[str]:
    """The addresses of a field, one a line; the first that is none is told with its line."""
    text = form.text("emails", needed=True, longest=20_000)
    rows = read_rows(text.encode()) if text else []
    if len(rows) > _MAX_MAILS:
        raise Malformed.of("hall_plan.too_many_mails", most=_MAX_MAILS)
    for row in rows:
        if not row.email:
            form.wrong("emails", "hall_plan.field.no_address", line=row.line)
    return list(dict.fromkeys(row.email for row in rows))


async def _mail(view: View, room: EventReader, emails: Sequence[str]) -> list[str]:
    invitations = view.office.event_invitations
    await to_thread.run_sync(invitations.require_mails, view.asker, len(emails))
    created = room.state.created
    until = _until(room.state, as_datetime(hall_of(view).time.now()))
    secret = await _link(view, room, until, len(emails))
    return await to_thread.run_sync(
        lambda: invitations.invite(
            view.asker, created.event, created.name, secret, until, emails, view.language
        )
    )


async def _enter(view: View, room: EventReader, rows: Sequence[Row]) -> list[Told]:
    """Everybody or nobody: one line that is wrong stops all, and each is told."""
    wrong = [_wrong(view, row, view.t(row.problem), row.column) for row in rows if row.problem]
    if wrong:
        return wrong
    known = [(row, row.account) for row in rows if row.account is not None]
    if known:
        try:
            await _enter_known(view, room, known)
        except Objected as refusal:
            return [_objection(view, known, finding) for finding in refusal.findings]
    strangers = [row for row in rows if row.account is None]
    if strangers:
        await _mail(view, room, [row.email for row in strangers])
    after = (await event_of(view, room.id)).state
    waiting = {applicant.person.account for applicant in after.waiting}
    return [_became(view, row, waiting) for row in rows]


async def _enter_known(view: View, room: EventReader, known: list[tuple[Row, Account]]) -> None:
    kind = room.state.time_class

    def people() -> list[dict[str, Any]]:
        return [person_of_account(view, account, kind) for _, account in known]

    command = {"type": "enter_many", "people": await to_thread.run_sync(people)}
    await ask(room, room.account_of(view.asker), msgspec.to_builtins(command))


def _wrong(view: View, row: Row, text: str, column: int = 0) -> Told:
    what = row.email or (str(row.number) if row.number else "–")
    return Told(row.line, what, text, column, is_wrong=True)


def _objection(view: View, known: list[tuple[Row, Account]], finding: Finding) -> Told:
    place = finding.details.get("place")
    text = finding_text(view.language, finding)
    if not isinstance(place, int):
        return Told(0, "–", text, is_wrong=True)
    return _wrong(view, known[place][0], text)


def _became(view: View, row: Row, waiting: set[str]) -> Told:
    if row.account is None:
        return Told(row.line, row.email, view.t("hall_plan.became.invited"))
    state = "waiting" if str(row.account.id) in waiting else "entered"
    return Told(row.line, row.account.name, view.t(f"hall_plan.became.{state}"))
