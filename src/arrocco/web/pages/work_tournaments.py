"""Tournaments from the announcement on: registering, their working file, and what is decided."""

from __future__ import annotations

from typing import Any

from litestar import Response

from arrocco.errors import NoLawInForce, Refusal
from arrocco.office.records import Tournament, TournamentStatus
from arrocco.office.registration import Assessment
from arrocco.office.roles import Permission
from arrocco.office.systems import SYSTEMS
from arrocco.report import System
from arrocco.web.forms import Form
from arrocco.web.pages.work_announcing import (
    FACTS,
    Row,
    control_in_words,
    registration_of,
    rows_of,
    tell_field,
)
from arrocco.web.pages.work_numbers import Number
from arrocco.web.paging import page_number
from arrocco.web.routes import act, page
from arrocco.web.view import TheForm, TheView, View
from arrocco.wiring.office.desk import subject_of

_NEW, _FILE = "work/register.html", "work/tournament.html"
_SIZE = 50
_LONGEST = 2000
STATUS_SIGNS = {
    TournamentStatus.AWAITING_APPROVAL: "waiting",
    TournamentStatus.REGISTERED: "done",
    TournamentStatus.REFUSED: "error",
    TournamentStatus.APPEALED: "running",
    TournamentStatus.CANCELLED: "off",
}
_OPEN = (TournamentStatus.AWAITING_APPROVAL, TournamentStatus.REGISTERED)
_CANCELLABLE = (*_OPEN, TournamentStatus.APPEALED)


# --- announcing -----------------------------------------------------------------------------------


@page("/desk/tournaments/new", permission=Permission.REGISTER_TOURNAMENT)
def new(view: TheView) -> Response[str]:
    """The form that announces a tournament."""
    return view.page(_NEW, **_form_context(view))


@act("/desk/tournaments/new", permission=Permission.REGISTER_TOURNAMENT)
def register(view: TheView, form: TheForm) -> Response[Any]:
    """Shows the rows of the schedule, what the laws make of it, or registers it."""
    rows, wanted = rows_of(form), form.value("do")
    if wanted == "rows":
        form.errors = {name: told for name, told in form.errors.items() if name == "rounds"}
        return view.page(_NEW, **_form_context(view, form, rows))
    asked = registration_of(form, rows)
    if asked is None:
        return view.page(_NEW, status=422, **_form_context(view, form, rows))
    assessments: tuple[Assessment, ...] = ()
    try:
        assessments = view.office.tournaments.assess(asked)
        if wanted != "register":
            return view.page(_NEW, **_form_context(view, form, rows, assessments))
        made = view.office.tournaments.register(view.asker, asked)
    except Refusal as refusal:
        if tell_field(view, form, refusal):
            return view.page(_NEW, status=422, **_form_context(view, form, rows))
        return view.refused(_NEW, refusal, **_form_context(view, form, rows, assessments))
    return view.go(f"/desk/tournaments/{made.id}", "work.register.done", name=asked.name)


def _form_context(
    view: View,
    form: Form | None = None,
    rows: list[Row] | None = None,
    assessments: tuple[Assessment, ...] = (),
) -> dict[str, Any]:
    form = form or Form(language=view.language)
    return {
        "form": form, "rows": rows or [], "assessments": assessments,
        "control_words": control_in_words(view, form.value("time_control")),
        "systems": [(key, view.t(f"web.system.{key}")) for key in SYSTEMS],
        "pairings": [(one.value, view.t(f"work.pairing.{one.value}")) for one in System],
        "facts": [(name, view.t(f"work.fact.{name}")) for name in FACTS],
    }  # fmt: skip


# --- lists of tournaments -------------------------------------------------------------------------


@page("/desk/tournaments", permission=Permission.SEE_TOURNAMENT_FILE)
def mine(view: TheView) -> Response[str]:
    """The tournaments one works on, and the reports that came back."""
    query = view.request.query_params
    text, status = query.get("q", "").strip()[:200], query.get("status", "")
    wanted = (TournamentStatus(status),) if status in tuple(TournamentStatus) else ()
    number = page_number(query)
    total, found = view.office.tournaments.mine(
        view.asker, text=text, status=wanted, offset=(number - 1) * _SIZE, limit=_SIZE
    )
    waiting: list[Any] = []
    if not view.may(Permission.DECIDE_REPORT):
        _, reports = view.office.reports.waiting(view.asker)
        waiting = [
            (one, view.office.tournaments.get(view.asker, one.tournament)) for one in reports
        ]
    statuses = [("", view.t("work.any"))]
    statuses += [(one.value, view.t(f"office.tournament.{one.value}")) for one in TournamentStatus]
    return view.page(
        "work/tournaments.html", found=found, total=total, number=number, size=_SIZE, text=text,
        chosen=status, statuses=statuses, waiting=waiting, signs=STATUS_SIGNS,
    )  # fmt: skip


@page("/desk/registrations", permission=Permission.APPROVE_REGISTRATION)
def registrations(view: TheView) -> Response[str]:
    """The registrations that wait for an approval, and the appeals."""
    number = page_number(view.request.query_params)
    total, found = view.office.tournaments.mine(
        view.asker, status=(TournamentStatus.AWAITING_APPROVAL, TournamentStatus.APPEALED),
        offset=(number - 1) * _SIZE, limit=_SIZE,
    )  # fmt: skip
    return view.page(
        "work/registrations.html", found=found, total=total, number=number, size=_SIZE,
        signs=STATUS_SIGNS,
    )  # fmt: skip


# --- the working file -----------------------------------------------------------------------------


@page("/desk/tournaments/{tournament:int}", permission=Permission.SEE_TOURNAMENT_FILE)
def tournament_file(view: TheView, tournament: Number) -> Response[str]:
    """Everything about a tournament, and what can be done with it now."""
    return view.page(_FILE, **_file_context(view, tournament))


def _file_context(view: View, number: int, form: Form | None = None) -> dict[str, Any]:
    found = view.office.tournaments.get(view.asker, number)
    subject = subject_of(found)
    reports = view.office.reports.of_tournament(view.asker, number)
    lists = {one.id: view.office.reports.lists(view.asker, one.id) for one in reports}
    may = {
        "send": found.status is TournamentStatus.REGISTERED
        and view.may(Permission.SEND_REPORT, subject),
        "decide": view.may(Permission.APPROVE_REGISTRATION, subject),
        "appeal": found.status is TournamentStatus.REFUSED
        and found.appeal_until is not None
        and found.appeal_decided_on is None
        and view.may(Permission.APPEAL_REFUSAL, subject),
        "cancel": found.status in _CANCELLABLE
        and view.may(Permission.REGISTER_TOURNAMENT, subject),
    }
    told = found.registration
    return {
        "form": form or Form(language=view.language), "tournament": found, "told": told,
        "assessments": _assessed(view, found), "reports": reports, "lists": lists, "can": may,
        "signs": STATUS_SIGNS, "today": view.office.desk.now().date(),
        "control_words": control_in_words(view, told.time_control),
        "ticked": [name for name in FACTS if getattr(told.facts, name)],
        "is_open": found.status in _OPEN,
        "waiting": [one for one in found.approvals if one.granted_on is None],
    }  # fmt: skip


def _assessed(view: View, found: Tournament) -> tuple[Assessment, ...]:
    """What the laws made of it on the day it was registered."""
    on = found.registered_at.date()
    try:
        return view.office.tournaments.assess(found.registration, on)
    except NoLawInForce:  # registered under an edition that this program no longer has
        return ()


def _decided(view: View, form: Form, number: int, said: str, step: Any) -> Response[Any]:
    """Does one step on a tournament and goes back to its file, or says why not."""
    if not form.ok:
        return view.page(_FILE, status=422, **_file_context(view, number, form))
    try:
        step()
    except Refusal as refusal:
        if refusal.details.get("name") and tell_field(view, form, refusal):
            return view.page(_FILE, status=422, **_file_context(view, number, form))
        # Whoever may not see the file is told so by the file itself.
        return view.refused(_FILE, refusal, **_file_context(view, number, form))
    return view.go(f"/desk/tournaments/{number}", said)


@act("/desk/tournaments/{tournament:int}/approve", permission=Permission.APPROVE_REGISTRATION)
def approve(view: TheView, form: TheForm, tournament: Number) -> Response[Any]:
    """Records an approval that somebody gave."""
    needed = form.text("needed", needed=True)
    by = form.text("granted_by", needed=True, longest=200)
    on = form.day("granted_on", needed=True)
    note = form.text("note", longest=_LONGEST)

    def step() -> None:
        assert on is not None
        view.office.tournaments.approve(view.asker, tournament, needed, by, on, note)

    return _decided(view, form, tournament, "work.file.approved", step)


@act("/desk/tournaments/{tournament:int}/refuse", permission=Permission.APPROVE_REGISTRATION)
def refuse(view: TheView, form: TheForm, tournament: Number) -> Response[Any]:
    """Refuses to rate a tournament."""
    reason = form.text("refuse_reason", needed=True, longest=_LONGEST)
    return _decided(
        view, form, tournament, "work.file.refused",
        lambda: view.office.tournaments.refuse(view.asker, tournament, reason),
    )  # fmt: skip


@act("/desk/tournaments/{tournament:int}/appeal", permission=Permission.APPEAL_REFUSAL)
def appeal(view: TheView, form: TheForm, tournament: Number) -> Response[Any]:
    """Appeals against a refusal."""
    text = form.text("appeal", needed=True, longest=_LONGEST)
    return _decided(
        view, form, tournament, "work.file.appealed",
        lambda: view.office.tournaments.appeal(view.asker, tournament, text),
    )  # fmt: skip


@act("/desk/tournaments/{tournament:int}/decide-appeal", permission=Permission.APPROVE_REGISTRATION)
def decide_appeal(view: TheView, form: TheForm, tournament: Number) -> Response[Any]:
    """Records what became of an appeal."""
    outcome = form.text("outcome", needed=True)
    if outcome not in ("", "upheld", "dismissed"):
        form.wrong("outcome", "web.field.not_a_choice")
    note = form.text("appeal_note", longest=_LONGEST)
    return _decided(
        view, form, tournament, "work.file.appeal_decided",
        lambda: view.office.tournaments.decide_appeal(
            view.asker, tournament, outcome == "upheld", note
        ),
    )  # fmt: skip


@act("/desk/tournaments/{tournament:int}/cancel", permission=Permission.REGISTER_TOURNAMENT)
def cancel(view: TheView, form: TheForm, tournament: Number) -> Response[Any]:
    """Takes an announcement back."""
    reason = form.text("cancel_reason", needed=True, longest=_LONGEST)
    return _decided(
        view, form, tournament, "work.file.cancelled",
        lambda: view.office.tournaments.cancel(view.asker, tournament, reason),
    )  # fmt: skip
