"""12.9 — complaints and appeals of an event: what was filed, until when, and the forms to file."""

from __future__ import annotations

from typing import Any

from anyio import to_thread
from litestar import Response
from litestar.params import FromPath
from msgspec.structs import replace

from arrocco.desk.filing_message import read_message
from arrocco.desk.filing_papers import MAX_FILE, Attachment
from arrocco.desk.filing_parties import FilingParty, addressees, party_of
from arrocco.errors import Malformed, NotFound, Refusal
from arrocco.hall import event as ev
from arrocco.hall.event.acts.filings import SubmitFiling, name_of, role_of
from arrocco.hall.event.filings import MAX_TEXT, FilingWay, Ground
from arrocco.hall.event.state import State
from arrocco.laws.online.filings import Filer, FilingKind
from arrocco.live.reader import EventReader
from arrocco.live.server_time import as_datetime
from arrocco.office.roles import Permission
from arrocco.store.sql import accounts
from arrocco.store.sql.accounts import Account
from arrocco.web.forms import Form
from arrocco.web.pages.hall_common import (
    event_of,
    hall_act,
    hall_of,
    hall_page,
    local_text,
    objected,
)
from arrocco.web.routes import FORM_BYTES
from arrocco.web.view import TheForm, TheView, View

_TEMPLATE = "hall/filings.html"
_BODY = MAX_FILE + FORM_BYTES
_FIELDS = {
    "filings.refused.no_receipt": "receipt",
    "filings.refused.file_too_large": "receipt",
    "filings.refused.no_message": "message",
    "event.reason_needed": "text",
}
_MAX_ID = 10**12


@hall_page("/hall/{event:str}/filings", permission=Permission.SEE_OWN_ACCOUNT)
async def filings(view: TheView, event: FromPath[str]) -> Response[str]:
    """What the asker may see of an event's complaints and appeals, and the forms to file."""
    room = await event_of(view, event)
    return view.page(_TEMPLATE, **await to_thread.run_sync(_context, view, room))


@hall_act("/hall/{event:str}/filings", body_limit=_BODY)
async def file(view: TheView, form: TheForm, event: FromPath[str]) -> Response[Any]:
    """Files from the page, which writes the e-mail to the addressee."""
    return await _filed(view, form, event, _from_page)


@hall_act("/hall/{event:str}/filings/message", body_limit=_BODY)
async def hand_in(view: TheView, form: TheForm, event: FromPath[str]) -> Response[Any]:
    """Files by an e-mail, uploaded as it was sent."""
    return await _filed(view, form, event, _from_message)


@hall_act("/hall/{event:str}/filings/spoken")
async def record_spoken(view: TheView, form: TheForm, event: FromPath[str]) -> Response[Any]:
    """12.11.1a — writes down what did not come by e-mail; it is not considered."""
    return await _filed(view, form, event, _from_words)


async def _filed(view: View, form: Form, event: str, reading: Any) -> Response[Any]:
    room = await event_of(view, event)
    try:
        command = await to_thread.run_sync(reading, view, form, room)
        outcome = await room.ask(command)
        if outcome.objections:
            raise objected(outcome.objections)
    except Refusal as refusal:
        context = await to_thread.run_sync(_context, view, room)
        return view.refused(_TEMPLATE, refusal, form=form, fields=_FIELDS, **context)
    after = (await event_of(view, event)).state.filings
    own = [filed.number for filed in after if filed.by == command.filer]
    return view.go(f"/hall/{event}/filings/{own[-1]}", "filings.done.filed")


# --- reading the forms ----------------------------------------------------------------------------


def _from_page(view: View, form: Form, room: EventReader) -> SubmitFiling:
    account, state = room.account_of(view.asker), room.state
    about = form.integer("about", least=1, most=_MAX_ID)
    text = form.text("text", needed=True, longest=MAX_TEXT)
    number = form.integer("federation_id", least=1, most=_MAX_ID)
    command = SubmitFiling(
        by=account,
        filer=account,
        kind=_kind(form, "kind"),
        way=FilingWay.PAGE,
        text=text,
        grounds=tuple(ground for ground in Ground if ground.value in form.values("grounds")),
        about=() if about is None else (about,),
        round=form.integer("round", least=1, most=1000),
        name=_name(state, account, view.asker.name, number),
        has_federation_id=view.asker.player is not None or number is not None,
        is_member=form.chosen("member"),
    )
    _require(form)
    if not form.has_file("receipt"):
        return command
    sent = form.upload("receipt")
    _require(form)
    assert sent is not None
    kept = view.office.filing_papers.keep_receipt(
        view.asker, room.id, Attachment(sent.name, sent.data)
    )
    return replace(command, receipt=kept)


def _from_message(view: View, form: Form, room: EventReader) -> SubmitFiling:
    """An addressee hands in what reached them, anybody else what they sent themselves.

    The header of the addressee's mail server tells when it arrived; only the addressee's word
    for it counts. For others it is the moment of the upload.
    """
    account, papers = room.account_of(view.asker), view.office.filing_papers
    kind, sent = _kind(form, "message_kind"), form.upload("message")
    _require(form)
    assert sent is not None
    message = read_message(sent.data)
    party = party_of(view.office.desk, view.asker, room.state, account)
    reached = party.is_chief if kind is FilingKind.COMPLAINT else party.is_member
    with view.office.desk.database.reading() as connection:
        sender = accounts.by_email(connection, message.sender)
        asker = accounts.by_id(connection, view.asker.account or 0)
        addressed = addressees(connection, room.state, kind, view.office.desk)
    is_own = not reached or (asker is not None and asker.email == message.sender)
    filer, name, number = account, view.asker.name, view.asker.player
    if not is_own:
        filer, name, number = _known(room, sender), message.sender, _number(sender)
    kept = papers.keep_message(view.asker, room.id, Attachment(sent.name, sent.data))
    receipt = message.receipt
    return SubmitFiling(
        by=account,
        filer=filer,
        kind=kind,
        way=FilingWay.MESSAGE,
        text=message.text,
        name=_name(room.state, filer, name, None),
        received=message.arrived if reached else None,
        has_federation_id=number is not None,
        is_member=form.chosen("message_member"),
        right_addressee=bool(message.recipients & {account.email for account in addressed}),
        message=kept,
        receipt=None if receipt is None else papers.keep_receipt(view.asker, room.id, receipt),
    )


def _from_words(view: View, form: Form, room: EventReader) -> SubmitFiling:
    account, state = room.account_of(view.asker), room.state
    if not party_of(view.office.desk, view.asker, state, account).is_addressee:
        raise NotFound.of("filings.refused.not_yours")
    entry = state.entry(form.integer("entry", least=1, most=_MAX_ID) or 0)
    text = form.text("said", needed=True, longest=MAX_TEXT)
    who = form.text("who", longest=200)
    _require(form)
    filer = "" if entry is None else entry.person.account
    return SubmitFiling(
        by=account,
        filer=filer,
        kind=_kind(form, "spoken_kind"),
        way=FilingWay.OTHER,
        text=text,
        name=name_of(state, filer) or who,
        is_member=True,
        has_federation_id=entry is not None and entry.person.id is not None,
    )


def _kind(form: Form, name: str) -> FilingKind:
    return form.choice(name, FilingKind) or FilingKind.COMPLAINT


def _require(form: Form) -> None:
    if not form.ok:
        raise Malformed.of("hall_pages.form_wrong", faults=tuple(form.errors.values()))


def _name(state: State, account: str, otherwise: str, number: int | None) -> str:
    name = name_of(state, account) or otherwise
    return name if number is None else f"{name} ({number})"


def _known(room: EventReader, sender: Account | None) -> str:
    """The account that the sender of a message is known by in the event."""
    if sender is None:
        return ""
    entry = next((e for e in room.state.entries if e.person.id == sender.player), None)
    own = str(sender.id)
    is_known = role_of(room.state, own) is not Filer.OTHER
    return own if is_known or entry is None or sender.player is None else entry.person.account


def _number(sender: Account | None) -> int | None:
    return None if sender is None else sender.player


# --- showing --------------------------------------------------------------------------------------


def _context(view: View, room: EventReader) -> dict[str, Any]:
    state, account = room.state, room.account_of(view.asker)
    party = party_of(view.office.desk, view.asker, state, account)
    law, last = state.laws.online, state.last_round
    return {
        "event": room.id,
        "state": state,
        "party": party,
        "now": as_datetime(hall_of(view).time.now()),
        "complaints_until": ev.complaints_until(state, state.laws),
        "appeals_until": ev.appeals_until(state, state.laws),
        "hours": (int(law.COMPLAINT_HOURS), int(law.APPEAL_HOURS)),
        "fee": int(law.APPEAL_FEE),
        "transfer": transfer_reason(state, None if last is None else last.number),
        "rows": [filed for filed in state.filings if is_shown(party, state, filed)],
        "kinds": _words(view, "kind", FilingKind),
        "grounds": _words(view, "ground", Ground),
        "rounds": [("", "–")]
        + [(str(round_.number), str(round_.number)) for round_ in state.rounds],
        "people": [("", "–")]
        + [(str(entry.id), entry.person.full_name) for entry in state.entries],
        "needs_number": view.asker.player is None,
        "local": lambda moment: local_text(view.language, moment, "d MMM y, HH:mm:ss"),
    }


def is_shown(party: FilingParty, state: State, filed: Any) -> bool:
    """Whether a filing stands in somebody's list."""
    return party.may_read(filed) or party.may_hear(state, filed)


def transfer_reason(state: State, round_number: int | None) -> str:
    """12.10 — the reason that the transfer of a fee must give."""
    kind = "" if state.time_class is None else state.time_class.value.capitalize()
    return state.laws.online.payment_reason(state.created.event, kind, round_number or 1)


def _words(view: View, part: str, values: Any) -> list[tuple[str, str]]:
    return [(value.value, view.t(f"filings.{part}.{value.value}")) for value in values]
