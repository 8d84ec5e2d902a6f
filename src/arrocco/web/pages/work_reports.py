"""Reports on their way: checked, sent, answered, decided."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable
from typing import Any

from anyio import to_thread
from litestar import Response

from arrocco.errors import Malformed, Refusal
from arrocco.findings import Severity
from arrocco.office.records import ReportStatus, SentReport, TournamentStatus
from arrocco.office.roles import Permission
from arrocco.web import heavy
from arrocco.web.forms import Form, Upload
from arrocco.web.pages import work_findings
from arrocco.web.pages.work_numbers import Number
from arrocco.web.paging import page_number
from arrocco.web.report_work import (
    STILL_OPEN,
    CheckedFile,
    OpenedReport,
    accept_report,
    check_file,
    open_report,
    send_file,
)
from arrocco.web.routes import FORM_BYTES, heavy_act, page, waiting_page
from arrocco.web.view import TheForm, TheView, View
from arrocco.wiring.office.desk import subject_of
from arrocco.wiring.office.uploads import MOST_BYTES

_SEND, _REPORT = "work/send.html", "work/report.html"
_SIZE = 50
_LONGEST = 2000
REPORT_BYTES = MOST_BYTES + FORM_BYTES
"""Of a request with a report, its other fields included."""
_KEPT_IN_PAGE = 512 * 1024
"""A file up to here stays in the page that checked it, to be sent from there."""
_S = ReportStatus
_UNDECIDED = (_S.RETURNED, _S.NEEDS_ANSWERS, _S.SENT)
REPORT_SIGNS = {
    _S.RETURNED: "error", _S.NEEDS_ANSWERS: "warning", _S.SENT: "waiting", _S.ACCEPTED: "done",
    _S.REJECTED: "error", _S.SUPERSEDED: "off", _S.RATED: "done", _S.WITHDRAWN: "off",
}  # fmt: skip


# --- checking and sending -------------------------------------------------------------------------


@page("/desk/tournaments/{tournament:int}/report", permission=Permission.SEND_REPORT)
def send_form(view: TheView, tournament: Number) -> Response[str]:
    """The form to check or send the report of a tournament."""
    return view.page(_SEND, **_send_context(view, tournament))


@heavy_act(
    "/desk/tournaments/{tournament:int}/report",
    permission=Permission.SEND_REPORT,
    body_limit=REPORT_BYTES,
)
async def send(view: TheView, form: TheForm, tournament: Number) -> Response[Any]:
    """Says what there is to say of a report; sends it if that is what was asked."""
    file = await to_thread.run_sync(_file_of, form)

    def answer(later: View, outcome: CheckedFile | SentReport | Refusal | None) -> Response[Any]:
        if isinstance(outcome, SentReport):
            said = f"work.send.now_{outcome.status.value}"
            return later.go(f"/desk/reports/{outcome.id}", said)
        if isinstance(outcome, Refusal):
            is_of_file = isinstance(outcome, Malformed) and not outcome.findings
            fields = {outcome.key: "file"} if is_of_file else {}
            context = _send_context(later, tournament, form)
            return later.refused(_SEND, outcome, fields=fields, **context)
        context = _send_context(later, tournament, form, file, outcome)
        return later.page(_SEND, status=200 if outcome else 422, **context)

    if file is None:
        return await to_thread.run_sync(answer, view, None)
    work = view.asker, tournament, file.name, file.data
    if form.value("do") == "send":
        return await heavy.answer_in_office(view, answer, send_file, *work)
    return await heavy.answer_in_office(view, answer, check_file, *work, view.language)


def _file_of(form: Form) -> Upload | None:
    """The file that was chosen, or the one that the page of a check has kept."""
    kept = form.value("kept")
    if kept:
        try:
            return Upload(form.text("kept_name"), base64.b64decode(kept, validate=True))
        except (binascii.Error, ValueError):
            form.wrong("file", "web.field.no_file")
            return None
    return form.upload("file")


def _send_context(
    view: View,
    number: int,
    form: Form | None = None,
    file: Upload | None = None,
    checked: CheckedFile | None = None,
) -> dict[str, Any]:
    found = view.office.tournaments.get(view.asker, number)
    context: dict[str, Any] = {
        "form": form or Form(language=view.language), "tournament": found, "checked": checked,
        "is_registered": found.status is TournamentStatus.REGISTERED, "signs": REPORT_SIGNS,
        "kept": "", "file": file, "groups": [], "table": None,
        "laws": work_findings.editions(found.registration.systems, found.registration.start),
    }  # fmt: skip
    if file is not None and checked is not None:
        context["groups"], context["table"] = checked.shown.groups, checked.shown.table
        if len(file.data) <= _KEPT_IN_PAGE:
            context["kept"] = base64.b64encode(file.data).decode()
    return context


# --- one report -----------------------------------------------------------------------------------


@waiting_page("/desk/reports/{report:int}", permission=Permission.SEE_TOURNAMENT_FILE)
async def one_report(view: TheView, report: Number) -> Response[Any]:
    """A report: its findings, what is adjusted, its table, and what can be done with it."""
    return await _report_page(view, report)


async def _report_page(
    view: View, number: int, form: Form | None = None, refusal: Refusal | None = None
) -> Response[Any]:
    """The page of a report; after a form that was refused with what it said."""

    def answer(later: View, outcome: OpenedReport | Refusal) -> Response[Any]:
        if isinstance(outcome, Refusal):
            raise outcome
        context = _report_context(later, outcome, form)
        status = 422 if form is not None and form.errors else 200
        return later.page(_REPORT, status=status, refusal=refusal, **context)

    return await heavy.answer_in_office(
        view, answer, open_report, view.asker, number, view.language
    )


def _report_context(view: View, opened: OpenedReport, form: Form | None) -> dict[str, Any]:
    sent, tournament, shown = opened.sent, opened.tournament, opened.shown
    subject = subject_of(tournament)
    may_send = view.may(Permission.SEND_REPORT, subject)
    decides = view.may(Permission.DECIDE_REPORT, subject)
    unanswered = sum(one.severity == Severity.WARNING and not one.answer for one in sent.findings)
    return {
        "form": form or Form(language=view.language), "sent": sent, "tournament": tournament,
        "shown": shown, "groups": shown.groups, "unanswered": unanswered, "signs": REPORT_SIGNS,
        "lists": view.office.reports.lists(view.asker, sent.id), "adjustments": opened.adjustments,
        "would_fall": opened.would_fall, "table": shown.table,
        "laws": work_findings.editions(tournament.registration.systems, shown.start),
        "corrections": view.office.corrections.of_report(view.asker, sent.id),
        "can": {
            "answer": may_send and sent.status in (_S.NEEDS_ANSWERS, _S.SENT),
            "accept": decides and sent.status is _S.SENT,
            "reject": decides and sent.status in _UNDECIDED,
            "withdraw": sent.status in STILL_OPEN
            and (decides if sent.status is _S.ACCEPTED else may_send),
            "send_again": may_send and sent.status in (_S.RETURNED, _S.REJECTED)
            and tournament.status is TournamentStatus.REGISTERED,
            "correct": sent.status in (_S.ACCEPTED, _S.RATED)
            and view.may(Permission.CORRECT, subject),
        },
    }  # fmt: skip


@page("/desk/reports/{report:int}/file", permission=Permission.SEE_TOURNAMENT_FILE)
def report_file(view: TheView, report: Number) -> Response[bytes]:
    """The file of a report, as it was sent."""
    data = view.office.reports.content(view.asker, report)
    headers = {
        "content-disposition": f'attachment; filename="report-{report}.trf"',
        "cache-control": "no-store",
    }
    return Response(data, media_type="text/plain", headers=headers)


async def _decided(
    view: View, form: Form, number: int, said: str, step: Callable[[], SentReport]
) -> Response[Any]:
    if not form.ok:
        return await _report_page(view, number, form)
    try:
        await to_thread.run_sync(step)
    except Refusal as refusal:
        return await _report_page(view, number, form, refusal)
    return view.go(f"/desk/reports/{number}", said)


@heavy_act("/desk/reports/{report:int}/answer", permission=Permission.SEND_REPORT)
async def answer(view: TheView, form: TheForm, report: Number) -> Response[Any]:
    """Gives reasons for warnings, each on its own."""
    sent = await to_thread.run_sync(view.office.reports.get, view.asker, report)
    answers = {
        index: text
        for index in range(len(sent.findings))
        if (text := form.text(f"answer_{index}", longest=_LONGEST))
    }
    if not answers:
        form.wrong("answers", "work.report.no_answer")
    return await _decided(
        view, form, report, "work.report.answered",
        lambda: view.office.reports.answer(view.asker, report, answers),
    )  # fmt: skip


@heavy_act("/desk/reports/{report:int}/accept", permission=Permission.DECIDE_REPORT)
async def accept(view: TheView, form: TheForm, report: Number) -> Response[Any]:
    """Accepts a report to be rated."""
    note = form.text("accept_note", longest=_LONGEST)
    if not form.ok:
        return await _report_page(view, report, form)
    try:
        await heavy.result_in_office(view, accept_report, view.asker, report, note)
    except Refusal as refusal:
        return await _report_page(view, report, form, refusal)
    return view.go(f"/desk/reports/{report}", "work.report.accepted")


@heavy_act("/desk/reports/{report:int}/reject", permission=Permission.DECIDE_REPORT)
async def reject(view: TheView, form: TheForm, report: Number) -> Response[Any]:
    """Rejects a report, with a reason."""
    reason = form.text("reject_reason", needed=True, longest=_LONGEST)
    return await _decided(
        view, form, report, "work.report.rejected",
        lambda: view.office.reports.reject(view.asker, report, reason),
    )  # fmt: skip


@heavy_act("/desk/reports/{report:int}/withdraw", permission=Permission.SEND_REPORT)
async def withdraw(view: TheView, form: TheForm, report: Number) -> Response[Any]:
    """Takes a report back that is on no list yet."""
    reason = form.text("withdraw_reason", needed=True, longest=_LONGEST)
    return await _decided(
        view, form, report, "work.report.withdrawn",
        lambda: view.office.reports.withdraw(view.asker, report, reason),
    )  # fmt: skip


# --- the queue ------------------------------------------------------------------------------------


@page("/desk/reports", permission=Permission.DECIDE_REPORT)
def queue(view: TheView) -> Response[str]:
    """The reports that wait for a decision, those that wait longest first."""
    number = page_number(view.request.query_params)
    total, found = view.office.reports.waiting(view.asker, offset=(number - 1) * _SIZE, limit=_SIZE)
    rows = [(one, view.office.tournaments.get(view.asker, one.tournament)) for one in found]
    counts = {one.id: _counts(one) for one in found}
    return view.page(
        "work/reports.html", rows=rows, counts=counts, total=total, number=number, size=_SIZE
    )


def _counts(sent: SentReport) -> dict[str, int]:
    return {
        severity.value: sum(1 + one.more for one in sent.findings if one.severity == severity)
        for severity in Severity
    }
