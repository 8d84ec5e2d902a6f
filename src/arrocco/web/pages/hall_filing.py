"""12.9 to 12.12 — one complaint or appeal: how it was judged, its fee, its decision; to print."""

from __future__ import annotations

from typing import Any

from anyio import to_thread
from litestar import Response
from litestar.params import FromPath

from arrocco.desk.filing_papers import MESSAGE
from arrocco.desk.filing_parties import FilingParty, party_of
from arrocco.errors import Malformed, NotFound, Refusal
from arrocco.hall.event.acts import Command
from arrocco.hall.event.acts.filing_decisions import DecideFiling, RecordPayment, filing_of
from arrocco.hall.event.filings import (
    MAX_TEXT,
    SEEN_BY_READING,
    FiledPaper,
    FilingOutcome,
    Payment,
    money_of,
    payments_to_come,
)
from arrocco.hall.event.state import State
from arrocco.laws.online.filings import FilingKind
from arrocco.live.reader import EventReader
from arrocco.office.roles import Permission
from arrocco.web.forms import Form
from arrocco.web.pages.hall_common import event_of, hall_act, hall_page, local_text, objected
from arrocco.web.pages.hall_filings import is_shown, transfer_reason
from arrocco.web.view import TheForm, TheView, View

_TEMPLATE = "hall/filing.html"
_FIELDS = {"event.reason_needed": "reasons", "event.filing_reason_needed": "found"}
_PAPERS = ("message", "receipt")


@hall_page("/hall/{event:str}/filings/{number:int}", permission=Permission.SEE_OWN_ACCOUNT)
async def filing(view: TheView, event: FromPath[str], number: FromPath[int]) -> Response[str]:
    """One filing, for whoever has to do with it."""
    room, party, filed = await _found(view, event, number)
    return view.page(_TEMPLATE, **_context(view, room, party, filed))


@hall_page(
    "/hall/{event:str}/filings/{number:int}/{paper:str}", permission=Permission.SEE_OWN_ACCOUNT
)
async def paper(
    view: TheView, event: FromPath[str], number: FromPath[int], paper: FromPath[str]
) -> Response[bytes]:
    """The e-mail or the copy of the transfer, to be saved and not to be shown here."""
    _, party, filed = await _found(view, event, number)
    kept = getattr(filed, paper) if paper in _PAPERS else None
    if kept is None or not party.may_open_papers(filed):
        raise NotFound.of("filings.refused.no_paper")
    data = await to_thread.run_sync(view.office.filing_papers.read, kept)
    suffix = "eml" if kept.media_type == MESSAGE else kept.media_type.rpartition("/")[2]
    name = f"{event}-{number}-{paper}.{suffix}"
    headers = {
        "content-disposition": f'attachment; filename="{name}"',
        "x-content-type-options": "nosniff",
        "cache-control": "no-store",
    }
    return Response(data, media_type="application/octet-stream", headers=headers)


@hall_act("/hall/{event:str}/filings/{number:int}/decide")
async def decide(
    view: TheView, form: TheForm, event: FromPath[str], number: FromPath[int]
) -> Response[Any]:
    """The addressee decides, with reasons; all concerned are told."""

    def reading(party: FilingParty, filed: FiledPaper) -> Command:
        capacity = party.decides(filed)
        if capacity is None:
            raise NotFound.of("filings.refused.not_yours")
        outcome = form.choice("outcome", FilingOutcome)
        return DecideFiling(
            by=party.account or str(view.asker.account),
            number=number,
            capacity=capacity,
            outcome=outcome or FilingOutcome.REJECTED,
            reasons=form.text("reasons", needed=True, longest=MAX_TEXT),
            found=form.text("found"),
            false_accusation=form.chosen("false_accusation"),
        )

    return await _asked(view, form, event, number, reading, "decided")


@hall_act("/hall/{event:str}/filings/{number:int}/payment")
async def record_payment(
    view: TheView, form: TheForm, event: FromPath[str], number: FromPath[int]
) -> Response[Any]:
    """12.10, 12.11.2 — what the federation's bank account says of the transfer."""

    def reading(party: FilingParty, filed: FiledPaper) -> Command:
        if not party.is_treasurer:
            raise NotFound.of("filings.refused.not_yours")
        payment = form.choice("payment", Payment) or Payment.ARRIVED
        reason = form.text("reason", needed=True, longest=2000)
        by = party.account or str(view.asker.account)
        return RecordPayment(by=by, number=number, payment=payment, reason=reason)

    return await _asked(view, form, event, number, reading, "payment")


async def _asked(
    view: View, form: Form, event: str, number: int, reading: Any, done: str
) -> Response[Any]:
    room, party, filed = await _found(view, event, number)
    command = reading(party, filed)
    try:
        if not form.ok:
            raise Malformed.of("hall_pages.form_wrong", faults=tuple(form.errors.values()))
        outcome = await room.ask(command)
        if outcome.objections:
            raise objected(outcome.objections)
    except Refusal as refusal:
        context = _context(view, room, party, filed)
        return view.refused(_TEMPLATE, refusal, form=form, fields=_FIELDS, **context)
    return view.go(f"/hall/{event}/filings/{number}", f"filings.done.{done}")


async def _found(
    view: View, event: str, number: int
) -> tuple[EventReader, FilingParty, FiledPaper]:
    """A filing that the asker may see. Raises `NotFound` for others, whether it is there or not."""
    room = await event_of(view, event)
    account = room.account_of(view.asker)
    party = await to_thread.run_sync(party_of, view.office.desk, view.asker, room.state, account)
    filed = filing_of(room.state, number)
    if filed is None or not is_shown(party, room.state, filed):
        raise NotFound.of("filings.refused.no_filing")
    return room, party, filed


def _context(
    view: View, room: EventReader, party: FilingParty, filed: FiledPaper
) -> dict[str, Any]:
    state = room.state
    return {
        "event": room.id,
        "state": state,
        "party": party,
        "filed": filed,
        "local": lambda moment: local_text(view.language, moment, "d MMM y, HH:mm:ss"),
        "is_whole": party.may_read(filed),
        "may_open_papers": party.may_open_papers(filed),
        "capacity": party.decides(filed),
        "until": _until(state, filed),
        "transfer": transfer_reason(state, filed.round or _last(state)),
        "money": money_of(filed, state.laws.online),
        "outcomes": [
            (filing_outcome.value, view.t(f"filings.outcome.{filing_outcome.value}"))
            for filing_outcome in FilingOutcome
        ],
        "founds": [("", "–")]
        + [
            (
                inadmissible.key,
                view.t(f"filings.reason.{inadmissible.key}", article=inadmissible.article),
            )
            for inadmissible in SEEN_BY_READING
        ],
        "payments": [
            (payment.value, view.t(f"filings.payment.{payment.value}"))
            for payment in payments_to_come(filed, state.laws.online)
        ],
    }


def _until(state: State, filed: FiledPaper) -> Any:
    """12.9 — when its hours ended; `None` where it came before they had begun."""
    facts, law = filed.facts, state.laws.online
    if facts is None or facts.counted_from == facts.received:
        return None
    if filed.kind is FilingKind.COMPLAINT:
        return law.complaint_deadline(facts.counted_from)
    return law.appeal_deadline(facts.counted_from)


def _last(state: State) -> int | None:
    return None if state.last_round is None else state.last_round.number
