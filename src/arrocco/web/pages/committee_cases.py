"""13 — the committee's pages: its cases, a new one, and each as its reader may see it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from anyio import to_thread
from litestar import Response
from litestar.params import FromPath, FromQuery

from arrocco.desk.cases import CaseViewer, has_conflict
from arrocco.desk.desk import account_of
from arrocco.desk.earlier_breaches import earlier_breaches
from arrocco.errors import Refusal
from arrocco.hall.event.records import EventRole
from arrocco.laws.online.sanctions import CommitteeSanction
from arrocco.live.reader import EventReader
from arrocco.live.server_time import as_datetime
from arrocco.office.cases import CommitteeCase
from arrocco.office.cases.records import CaseOrigin, OpponentPoints
from arrocco.office.roles import Permission
from arrocco.store.sql import accounts, hall_events
from arrocco.store.sql.accounts import Account
from arrocco.web.forms import Form
from arrocco.web.pages.hall_common import event_of, hall_act, hall_of, hall_page, local_text
from arrocco.web.pages.hall_figures import score_text
from arrocco.web.view import TheForm, TheView, View

_LIST, _NEW, ONE = "committee/cases.html", "committee/new_case.html", "committee/case.html"
_MAX_EVENTS = 30


@hall_page("/committee/cases", permission=Permission.JUDGE_FAIR_PLAY)
async def cases(view: TheView) -> Response[str]:
    """All cases in which the member has no conflict of interest, and the events of late."""
    committee_cases, states = [], {}
    for case in await to_thread.run_sync(view.office.cases.every, view.asker):
        room = await hall_of(view).find_event(case.opened.event)
        if room is not None:
            if has_conflict(account_of(view.asker), case, room.state):
                continue
            states[case.number] = case.state(room.state.laws.online)
        committee_cases.append(case)

    def shown() -> Response[str]:
        with view.office.desk.database.reading() as connection:
            _, events = hall_events.search(connection, limit=_MAX_EVENTS)
        return view.page(
            _LIST,
            cases=committee_cases,
            states=states,
            events=events,
            local=lambda moment: local_text(view.language, moment),
        )

    return await to_thread.run_sync(shown)


@hall_page("/committee/cases/new", permission=Permission.JUDGE_FAIR_PLAY)
async def new_case(view: TheView, event: FromQuery[str] = "") -> Response[str]:
    """The form of a case about a player of an event."""
    room = await event_of(view, event)
    query = view.request.query_params
    asked = {name: query.get(name, "")[:100] for name in ("entry", "origin", "reference")}
    form = Form({name: text for name, text in asked.items() if text}, view.language)
    return await to_thread.run_sync(lambda: view.page(_NEW, form=form, **_new_context(view, room)))


@hall_act("/committee/cases/new", permission=Permission.JUDGE_FAIR_PLAY)
async def open_case(view: TheView, form: TheForm) -> Response[Any]:
    """Opens a case by the committee itself, or from a filing."""
    room = await event_of(view, form.text("event", longest=32))

    def opened() -> Response[Any]:
        entry = form.integer("entry", needed=True, least=1)
        origin = form.choice("origin", CaseOrigin)
        reference = form.text("reference", longest=100)
        subject = form.text("subject", needed=True, longest=8000)
        if not form.ok or entry is None or origin is None:
            return view.page(_NEW, status=422, form=form, **_new_context(view, room))
        try:
            case = view.office.cases.open_case(
                view.asker, room.state, entry, origin, subject, reference=reference
            )
        except Refusal as refusal:
            fields = {"cases.refused.no_filing": "reference"}
            context = _new_context(view, room)
            return view.refused(_NEW, refusal, fields=fields, form=form, **context)
        return view.go(f"/committee/cases/{case.number}", "cases.done.opened")

    return await to_thread.run_sync(opened)


@hall_page("/committee/cases/{case:int}", permission=Permission.SEE_OWN_ACCOUNT)
async def one_case(view: TheView, case: FromPath[int]) -> Response[str]:
    """A case, for members, for the chief arbiter, and for its player once they are asked."""
    room = await event_of_case(view, case)
    return await to_thread.run_sync(lambda: view.page(ONE, **case_context(view, room, case)))


@hall_page(
    "/committee/cases/{case:int}/evidence/{place:int}", permission=Permission.SEE_OWN_ACCOUNT
)
async def evidence(view: TheView, case: FromPath[int], place: FromPath[int]) -> Response[bytes]:
    """A file of the evidence; who opens one stands in the audit log."""
    room = await event_of_case(view, case)
    read = view.office.cases.read_evidence
    kept, data = await to_thread.run_sync(read, view.asker, case, room.state, place)
    name = kept.name.encode("ascii", "replace").decode().replace('"', "_").replace("?", "_")
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(data, media_type="application/octet-stream", headers=headers)


async def event_of_case(view: View, case: int) -> EventReader:
    """The event that a case is about. Raises `NotFound`."""
    name = await to_thread.run_sync(view.office.cases.event_of, case)
    return await event_of(view, name)


def case_context(view: View, room: EventReader, number: int) -> dict[str, Any]:
    """What the page of a case shows to whoever asks. Raises `NotFound` for who may not see it."""
    case, viewer = view.office.cases.get(view.asker, number, room.state)
    law = room.state.laws.online
    rules = room.state.rules
    scores = [] if rules is None else law.legal_scores(rules.scoring)
    scopes = {
        committee_sanction: law.scopes(committee_sanction)
        for committee_sanction in CommitteeSanction
    }
    account = view.asker.account
    return {
        "case": case,
        "ratings": view.office.case_ratings.seen_in_case(view.asker, number, room.state),
        "viewer": viewer,
        "earlier": earlier_breaches(view.office.desk, case) if viewer is CaseViewer.MEMBER else [],
        "event": room.state,
        "state": case.state(law),
        "law": law,
        "decision": case.decision(law),
        "adopted": case.adopted(law),
        "to_carry_out": case.to_carry_out(law),
        "majority": law.committee_majority(),
        "names": _names(view, case),
        "member": account,
        "now": as_datetime(hall_of(view).time.now()),
        "local": lambda moment: local_text(view.language, moment),
        "scores": [("", "–")]
        + [(f"{w},{b}", f"{score_text(w)}–{score_text(b)}") for w, b in scores],
        "scopes": {
            sanction.value: [("", "–")]
            + [(scope.value, view.t(f"cases.scope.{scope.value}")) for scope in scopes[sanction]]
            for sanction in (
                CommitteeSanction.EXCLUSION,
                CommitteeSanction.EXCLUSION_FROM_STANDINGS,
            )
        },
        "opponents": [
            (OpponentPoint.value, view.t(f"cases.opponents.{OpponentPoint.value}"))
            for OpponentPoint in OpponentPoints
        ],
        "points_text": lambda pair: f"{score_text(pair[0])}–{score_text(pair[1])}",
    }


def _new_context(view: View, room: EventReader) -> dict[str, Any]:
    state = room.state
    account = "" if view.asker.account is None else str(view.asker.account)
    return {
        "event": state,
        "has_conflict": state.roles(account) != [EventRole.NOBODY],
        "players": [(str(entry.id), entry.person.full_name) for entry in state.entries],
        "origins": [
            (origin.value, view.t(f"cases.origin.{origin.value}"))
            for origin in (CaseOrigin.OWN, CaseOrigin.FILING, CaseOrigin.ALARM)
        ],
    }


def _names(view: View, case: CommitteeCase) -> dict[int, str]:
    """The names of everybody who entered something in a case."""
    wanted = {record.by for record in case.records}
    with view.office.desk.database.reading() as connection:
        owners: Iterable[Account | None] = [accounts.by_id(connection, id_) for id_ in wanted]
    return {account.id: account.name for account in owners if account is not None}
