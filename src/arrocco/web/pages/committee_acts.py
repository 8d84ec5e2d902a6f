"""13 — what is done in a case: by members, by the chief arbiter who signs, by the player."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

from anyio import to_thread
from litestar import Response, post
from litestar.params import FromPath

from arrocco.desk.uploads import MAX_BYTES
from arrocco.errors import Refusal
from arrocco.hall import event as ev
from arrocco.hall.event.acts.committee import TakeMeasure
from arrocco.hall.event.state import State
from arrocco.live.reader import EventReader
from arrocco.live.receipts import Receipt
from arrocco.live.server_time import as_datetime
from arrocco.office.cases import CommitteeCase, Proposal
from arrocco.office.cases.records import CaseSanction, DecisionProposed
from arrocco.office.roles import Permission
from arrocco.web.case_sanctions import commands_for, read_sanctions
from arrocco.web.forms import Form
from arrocco.web.pages.committee_cases import ONE, case_context, event_of_case
from arrocco.web.pages.hall_common import ZONE, event_of, hall_act, hall_of, objected
from arrocco.web.routes import BODY_LIMIT, PERMISSION
from arrocco.web.view import TheForm, TheView, View

_SAME = "event.same_result"
"""A loss that the game has already: there is nothing left to do."""
_FIELDS = {
    "cases.refused.deadline": "until",
    "cases.refused.deadline_shorter": "until",
    "cases.refused.file": "file",
}
Act = Callable[[State], CommitteeCase]


@post(
    "/committee/cases/{case:int}/evidence",
    include_in_schema=False,
    status_code=200,
    opt={PERMISSION: Permission.JUDGE_FAIR_PLAY, BODY_LIMIT: MAX_BYTES + 65_536},
)
async def add_evidence(view: TheView, form: TheForm, case: FromPath[int]) -> Response[Any]:
    """Keeps a file with a case."""
    upload, about = form.upload("file"), form.text("about", longest=2000)

    def added(event: State) -> CommitteeCase:
        assert upload is not None
        return view.office.cases.add_evidence(
            view.asker, case, event, upload.name, upload.data, about=about
        )

    return await _done(view, form, case, "evidence", added)


@hall_act("/committee/cases/{case:int}/note", permission=Permission.JUDGE_FAIR_PLAY)
async def add_note(view: TheView, form: TheForm, case: FromPath[int]) -> Response[Any]:
    """A note for the members."""
    text = form.text("note", needed=True, longest=8000)
    entered = lambda event: view.office.cases.add_note(view.asker, case, event, text)  # noqa: E731
    return await _done(view, form, case, "note", entered)


@hall_act("/committee/cases/{case:int}/recuse", permission=Permission.JUDGE_FAIR_PLAY)
async def recuse(view: TheView, form: TheForm, case: FromPath[int]) -> Response[Any]:
    """A member has a conflict of interest; the list of cases is what they see next."""
    room = await event_of_case(view, case)
    reason = form.text("conflict", longest=8000)
    try:
        recused = view.office.cases.recuse
        await to_thread.run_sync(recused, view.asker, case, room.state, reason)
    except Refusal as refusal:
        return await _again(view, form, room, case, refusal)
    return view.go("/committee/cases", "cases.done.recuse")


@hall_act("/committee/cases/{case:int}/hearing", permission=Permission.JUDGE_FAIR_PLAY)
async def ask_statement(view: TheView, form: TheForm, case: FromPath[int]) -> Response[Any]:
    """Asks the player to speak, until a moment by the clocks where events are held."""
    until = _moment(form, "until")
    question = form.text("question", needed=True, longest=8000)

    def asked(event: State) -> CommitteeCase:
        assert until is not None
        return view.office.cases.ask_statement(view.asker, case, event, until, question)

    return await _done(view, form, case, "hearing", asked)


@hall_act("/committee/cases/{case:int}/statement")
async def give_statement(view: TheView, form: TheForm, case: FromPath[int]) -> Response[Any]:
    """The player speaks."""
    text = form.text("statement", needed=True, longest=8000)
    given = lambda event: view.office.cases.give_statement(view.asker, case, event, text)  # noqa: E731
    return await _done(view, form, case, "statement", given)


@hall_act("/committee/cases/{case:int}/propose", permission=Permission.JUDGE_FAIR_PLAY)
async def propose(view: TheView, form: TheForm, case: FromPath[int]) -> Response[Any]:
    """Proposes a decision; what the event could not take is refused before anybody votes."""
    is_breach = form.value("outcome") == "breach"
    reasons = form.text("reasons", needed=True, longest=8000)
    sanctions = read_sanctions(form) if is_breach else ()
    now = as_datetime(hall_of(view).time.now())

    def proposed(event: State) -> CommitteeCase:
        known, _ = view.office.cases.get(view.asker, case, event)
        _check_possible(event, known, sanctions, reasons, now)
        return view.office.cases.propose(
            view.asker, case, event, is_breach=is_breach, reasons=reasons, sanctions=sanctions
        )

    return await _done(view, form, case, "propose", proposed)


@hall_act("/committee/cases/{case:int}/vote", permission=Permission.JUDGE_FAIR_PLAY)
async def vote(view: TheView, form: TheForm, case: FromPath[int]) -> Response[Any]:
    """Votes on a proposal; what is adopted and needs no signature is carried out."""
    proposal = form.integer("proposal", needed=True, least=1) or 0
    in_favour = form.value("vote") == "yes"

    def voted(event: State) -> CommitteeCase:
        return view.office.cases.vote(view.asker, case, event, proposal, in_favour=in_favour)

    return await _done(view, form, case, "vote", voted)


@hall_act("/committee/cases/{case:int}/sign")
async def sign(view: TheView, form: TheForm, case: FromPath[int]) -> Response[Any]:
    """13.3 — the chief arbiter signs with the committee, or declines; then it is carried out."""
    proposal = form.integer("proposal", needed=True, least=1) or 0
    agrees, reason = form.value("agrees") == "yes", form.text("reason", longest=8000)

    def signed(event: State) -> CommitteeCase:
        return view.office.cases.sign(
            view.asker, case, event, proposal, agrees=agrees, reason=reason
        )

    return await _done(view, form, case, "sign", signed)


@hall_act("/committee/cases/{case:int}/carry-out", permission=Permission.JUDGE_FAIR_PLAY)
async def carry_out_again(view: TheView, form: TheForm, case: FromPath[int]) -> Response[Any]:
    """Has the event take what it has not taken yet."""
    known = lambda event: view.office.cases.get(view.asker, case, event)[0]  # noqa: E731
    return await _done(view, form, case, "carry_out", known)


@hall_act("/committee/cases/{case:int}/refer", permission=Permission.JUDGE_FAIR_PLAY)
async def refer(view: TheView, form: TheForm, case: FromPath[int]) -> Response[Any]:
    """13.4 — refers the case to federal justice."""
    addressee = form.text("addressee", needed=True, longest=300)
    text = form.text("referral", needed=True, longest=8000)

    def referred(event: State) -> CommitteeCase:
        return view.office.cases.refer(view.asker, case, event, addressee, text)

    return await _done(view, form, case, "refer", referred)


@hall_act("/committee/measures", permission=Permission.JUDGE_FAIR_PLAY)
async def take_measure(view: TheView, form: TheForm) -> Response[Any]:
    """13.2 — orders or suggests a measure for an event: its arbiters are told at once."""
    room = await event_of(view, form.text("event", longest=32))
    # Whoever has no seat is refused as for the cases themselves.
    await to_thread.run_sync(view.office.cases.every, view.asker)
    command = TakeMeasure(
        by="",
        member=str(view.asker.account),
        text=form.text("text", longest=2000),
        is_ordered=form.value("kind") == "ordered",
        is_public=form.chosen("public"),
    )
    outcome = await room.ask(command)
    if outcome.objections:
        raise objected(outcome.objections)
    return view.go("/committee/cases", "cases.done.measure")


# --- what acts share ------------------------------------------------------------------------------


async def _done(view: View, form: Form, case: int, what: str, act: Act) -> Response[Any]:
    """Does something in a case, has the event take what is decided, and goes back to the page."""
    room = await event_of_case(view, case)
    if not form.ok:
        return await _again(view, form, room, case)
    try:
        after = await to_thread.run_sync(act, room.state)
        await _carry_out(view, room, after)
    except Refusal as refusal:
        return await _again(view, form, room, case, refusal)
    return view.go(f"/committee/cases/{case}", f"cases.done.{what}")


async def _again(
    view: View, form: Form, room: EventReader, case: int, refusal: Refusal | None = None
) -> Response[str]:
    """The page of the case with what is wrong."""

    def shown() -> Response[str]:
        context = case_context(view, room, case)
        if refusal is None:
            return view.page(ONE, status=422, form=form, **context)
        return view.refused(ONE, refusal, fields=_FIELDS, form=form, **context)

    return await to_thread.run_sync(shown)


async def _carry_out(view: View, room: EventReader, case: CommitteeCase) -> None:
    """13.3, 13.5 — has the event take every sanction of a decision; asked again, none twice."""
    law = room.state.laws.online
    decision = case.decision(law)
    if decision is None:
        return
    is_new = False
    for number, _ in case.to_carry_out(law):
        for name, command in commands_for(room.state, case, decision, number):
            receipt = Receipt("committee", f"case-{case.number}-{name}")
            outcome = await room.ask(command, receipt)
            against = [objection for objection in outcome.objections if objection.key != _SAME]
            if against:
                raise objected(tuple(against))
        noted = view.office.cases.carried_out
        await to_thread.run_sync(noted, view.asker, case.number, room.state, number)
        is_new = True
    if is_new:  # the office learns of what is left to it: ratings follow by a correction (12.13)
        tell = view.office.case_ratings.tell_office
        await to_thread.run_sync(tell, view.asker, case.number, room.state)


def _check_possible(
    event: State,
    case: CommitteeCase,
    sanctions: tuple[CaseSanction, ...],
    reasons: str,
    now: datetime,
) -> None:
    """Raises `Objected` for a sanction that the event would refuse as it stands."""
    put = DecisionProposed(at=now, by=1, is_breach=True, reasons=reasons, sanctions=sanctions)
    trial = Proposal(number=1, put=put)
    for number in range(1, len(sanctions) + 1):
        for _, command in commands_for(event, case, trial, number):
            decision = ev.decide(event, command, max(now, event.last_at))
            against = [objection for objection in decision.objections if objection.key != _SAME]
            if against:
                raise objected(tuple(against))


def _moment(form: Form, name: str) -> datetime | None:
    text = form.text(name, needed=True, longest=30)
    try:
        return datetime.fromisoformat(text).replace(tzinfo=ZONE) if text else None
    except ValueError:
        form.wrong(name, "cases.form.moment_wrong")
        return None
