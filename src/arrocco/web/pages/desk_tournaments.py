"""Tournaments from the announcement on: registering, their working file, and what is decided."""

from __future__ import annotations

from datetime import date
from typing import Any

from litestar import Response

from arrocco.desk.desk import subject_of
from arrocco.desk.owed_reports import OwedReport
from arrocco.errors import NoLawInForce, Refusal
from arrocco.office.amendments import announced_on
from arrocco.office.records import Amendment, ReportStatus, Tournament, TournamentStatus
from arrocco.office.registration import Assessment
from arrocco.office.roles import Permission
from arrocco.web.forms import Form
from arrocco.web.pages.desk_amending import shown_changes
from arrocco.web.pages.desk_announcing import (
    BY_PERIOD,
    FACTS,
    control_in_words,
    form_context,
    registration_of,
    rows_of,
    tell_field,
)
from arrocco.web.pages.desk_numbers import Number
from arrocco.web.paging import page_number
from arrocco.web.routes import act, page
from arrocco.web.view import TheForm, TheView, View

_NEW, _FILE = "desk/register.html", "desk/tournament.html"
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
_RATED = (ReportStatus.ACCEPTED, ReportStatus.RATED)
_CANCELLABLE = (*_OPEN, TournamentStatus.APPEALED)


# --- announcing -----------------------------------------------------------------------------------


@page("/desk/tournaments/new", permission=Permission.REGISTER_TOURNAMENT)
def new(view: TheView) -> Response[str]:
    """The form that announces a tournament."""
    return view.page(_NEW, **form_context(view))


@act("/desk/tournaments/new", permission=Permission.REGISTER_TOURNAMENT)
def register(view: TheView, form: TheForm) -> Response[Any]:
    """Shows the rows of the schedule, what the laws make of it, or registers it."""
    wanted = form.value("do")
    rows = rows_of(form, again=wanted == "spread")
    if wanted in ("rows", "spread"):
        form.errors = {name: told for name, told in form.errors.items() if name == "rounds"}
        return view.page(_NEW, **form_context(view, form, rows))
    asked = registration_of(form, rows, view.office.desk.now().date())
    if asked is None:
        return view.page(_NEW, status=422, **form_context(view, form, rows))
    assessments: tuple[Assessment, ...] = ()
    try:
        assessments = view.office.tournaments.assess(asked)
        if wanted != "register":
            return view.page(_NEW, **form_context(view, form, rows, assessments))
        made = view.office.tournaments.register(view.asker, asked)
    except Refusal as refusal:
        if tell_field(view, form, refusal):
            return view.page(_NEW, status=422, **form_context(view, form, rows))
        return view.refused(_NEW, refusal, **form_context(view, form, rows, assessments))
    return view.go(f"/desk/tournaments/{made.id}", "desk_pages.register.done", name=asked.name)


# --- lists of tournaments -------------------------------------------------------------------------


@page("/desk/tournaments", permission=Permission.SEE_TOURNAMENT_FILE)
def mine(view: TheView) -> Response[str]:
    """The tournaments one works on, and the reports that came back."""
    query = view.request.query_params
    text, status = query.get("q", "").strip()[:200], query.get("status", "")
    wanted = (TournamentStatus(status),) if status in tuple(TournamentStatus) else ()
    number = page_number(query)
    total, tournaments = view.office.tournaments.mine(
        view.asker, text=text, status=wanted, offset=(number - 1) * _SIZE, limit=_SIZE
    )
    waiting: list[Any] = []
    missing: list[OwedReport] = []
    send_by: dict[int, date | None] = {}
    if not (view.may(Permission.DECIDE_REPORT) or text or status):
        missing = view.office.owed_reports.missing(view.asker)
        send_by = view.office.owed_reports.came_back(view.asker)
        _, reports = view.office.reports.waiting(view.asker)
        waiting = [
            (report, view.office.tournaments.get(view.asker, report.tournament))
            for report in reports
        ]
    statuses = [("", view.t("desk_pages.any"))]
    statuses += [
        (tournament_status.value, view.t(f"office.tournament.{tournament_status.value}"))
        for tournament_status in TournamentStatus
    ]
    return view.page(
        "desk/tournaments.html",
        found=tournaments,
        stages=view.office.tournaments.stages(tournaments),
        total=total,
        number=number,
        size=_SIZE,
        text=text,
        chosen=status,
        statuses=statuses,
        waiting=waiting,
        missing=missing[:_SIZE],
        send_by=send_by,
        today=view.office.desk.now().date(),
        signs=STATUS_SIGNS,
    )


@page("/desk/registrations", permission=Permission.APPROVE_REGISTRATION)
def registrations(view: TheView) -> Response[str]:
    """The registrations that wait for an approval, and the appeals."""
    number = page_number(view.request.query_params)
    total, tournaments = view.office.tournaments.mine(
        view.asker,
        status=(TournamentStatus.AWAITING_APPROVAL, TournamentStatus.APPEALED),
        offset=(number - 1) * _SIZE,
        limit=_SIZE,
    )
    return view.page(
        "desk/registrations.html",
        found=tournaments,
        total=total,
        number=number,
        size=_SIZE,
        signs=STATUS_SIGNS,
    )


# --- the working file -----------------------------------------------------------------------------


@page("/desk/tournaments/{tournament:int}", permission=Permission.SEE_TOURNAMENT_FILE)
def tournament_file(view: TheView, tournament: Number) -> Response[str]:
    """Everything about a tournament, and what can be done with it now."""
    return view.page(_FILE, **_file_context(view, tournament))


def _file_context(view: View, number: int, form: Form | None = None) -> dict[str, Any]:
    tournament = view.office.tournaments.get(view.asker, number)
    subject = subject_of(tournament)
    reports = view.office.reports.of_tournament(view.asker, number)
    lists = {report.id: view.office.reports.lists(view.asker, report.id) for report in reports}
    on_a_list = any(
        is_out
        for report in reports
        if report.status in (ReportStatus.ACCEPTED, ReportStatus.RATED)
        for _, is_out in lists[report.id].values()
    )
    may = {
        "send": tournament.status is TournamentStatus.REGISTERED
        and view.may(Permission.SEND_REPORT, subject),
        "decide": view.may(Permission.APPROVE_REGISTRATION, subject),
        "appeal": tournament.status is TournamentStatus.REFUSED
        and tournament.appeal_until is not None
        and tournament.appeal_decided_on is None
        and view.may(Permission.APPEAL_REFUSAL, subject),
        "annul": on_a_list
        and tournament.status in _OPEN
        and view.may(Permission.APPROVE_REGISTRATION, subject),
        "cancel": tournament.status in _CANCELLABLE
        and not on_a_list
        and view.may(Permission.REGISTER_TOURNAMENT, subject),
        "amend": tournament.status in _OPEN
        and not any(report.status in _RATED for report in reports)
        and view.may(Permission.REGISTER_TOURNAMENT, subject),
    }
    told = tournament.registration
    return {
        "form": form or Form(language=view.language),
        "tournament": tournament,
        "told": told,
        "assessments": assessed(view, tournament),
        "reports": reports,
        "lists": lists,
        "can": may,
        "signs": STATUS_SIGNS,
        "today": view.office.desk.now().date(),
        "control_words": control_in_words(view, told.time_control),
        "ticked": [name for name in (*FACTS, BY_PERIOD) if getattr(told.facts, name)],
        "is_open": tournament.status in _OPEN,
        "amendments": _amendments(view, tournament),
        "waiting": [approval for approval in tournament.approvals if approval.granted_on is None],
    }


def _amendments(
    view: View, tournament: Tournament
) -> list[tuple[Amendment, list[tuple[str, ...]]]]:
    """The amendments of a registration, the newest first, each with what it changed."""
    after = tournament.registration
    shown = []
    for amendment in reversed(tournament.amendments):
        shown.append((amendment, shown_changes(view, amendment.before, after)))
        after = amendment.before
    return shown


def assessed(view: View, tournament: Tournament) -> tuple[Assessment, ...]:
    """What the laws made of it on the day it was announced."""
    try:
        return view.office.tournaments.assess(tournament.registration, announced_on(tournament))
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

    return _decided(view, form, tournament, "desk_pages.file.approved", step)


@act("/desk/tournaments/{tournament:int}/refuse", permission=Permission.APPROVE_REGISTRATION)
def refuse(view: TheView, form: TheForm, tournament: Number) -> Response[Any]:
    """Refuses to rate a tournament."""
    reason = form.text("refuse_reason", needed=True, longest=_LONGEST)
    return _decided(
        view,
        form,
        tournament,
        "desk_pages.file.refused",
        lambda: view.office.tournaments.refuse(view.asker, tournament, reason),
    )


@act("/desk/tournaments/{tournament:int}/appeal", permission=Permission.APPEAL_REFUSAL)
def appeal(view: TheView, form: TheForm, tournament: Number) -> Response[Any]:
    """Appeals against a refusal."""
    text = form.text("appeal", needed=True, longest=_LONGEST)
    return _decided(
        view,
        form,
        tournament,
        "desk_pages.file.appealed",
        lambda: view.office.tournaments.appeal(view.asker, tournament, text),
    )


@act("/desk/tournaments/{tournament:int}/decide-appeal", permission=Permission.APPROVE_REGISTRATION)
def decide_appeal(view: TheView, form: TheForm, tournament: Number) -> Response[Any]:
    """Records what became of an appeal."""
    outcome = form.text("outcome", needed=True)
    if outcome not in ("", "upheld", "dismissed"):
        form.wrong("outcome", "web.field.not_a_choice")
    note = form.text("appeal_note", longest=_LONGEST)
    return _decided(
        view,
        form,
        tournament,
        "desk_pages.file.appeal_decided",
        lambda: view.office.tournaments.decide_appeal(
            view.asker, tournament, outcome == "upheld", note
        ),
    )


@act("/desk/tournaments/{tournament:int}/cancel", permission=Permission.REGISTER_TOURNAMENT)
def cancel(view: TheView, form: TheForm, tournament: Number) -> Response[Any]:
    """Takes an announcement back."""
    reason = form.text("cancel_reason", needed=True, longest=_LONGEST)
    return _decided(
        view,
        form,
        tournament,
        "desk_pages.file.cancelled",
        lambda: view.office.tournaments.cancel(view.asker, tournament, reason),
    )
