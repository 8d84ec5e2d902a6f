"""Reports on their way: checked, sent, answered, decided."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable
from typing import Any

from litestar import Response

from arrocco.errors import Malformed, Refusal
from arrocco.findings import Severity
from arrocco.office.records import ReportStatus, SentReport, TournamentStatus
from arrocco.office.roles import Permission
from arrocco.report import Report
from arrocco.web.forms import Form, Upload
from arrocco.web.pages import work_findings
from arrocco.web.pages.work_crosstable import CrossTable, cross_table
from arrocco.web.pages.work_numbers import Number
from arrocco.web.paging import page_number
from arrocco.web.routes import FORM_BYTES, act, page
from arrocco.web.view import TheForm, TheView, View
from arrocco.wiring.office.checking import Checked
from arrocco.wiring.office.desk import subject_of
from arrocco.wiring.office.uploads import MOST_BYTES, taken

_SEND, _REPORT = "work/send.html", "work/report.html"
_SIZE = 50
_LONGEST = 2000
REPORT_BYTES = MOST_BYTES + FORM_BYTES
"""Of a request with a report, its other fields included."""
_KEPT_IN_PAGE = 512 * 1024
"""A file up to here stays in the page that checked it, to be sent from there."""
_S = ReportStatus
_UNDECIDED = (_S.RETURNED, _S.NEEDS_ANSWERS, _S.SENT)
_STILL_OPEN = (*_UNDECIDED, _S.ACCEPTED)
REPORT_SIGNS = {
    _S.RETURNED: "error", _S.NEEDS_ANSWERS: "warning", _S.SENT: "waiting", _S.ACCEPTED: "done",
    _S.REJECTED: "error", _S.SUPERSEDED: "off", _S.RATED: "done", _S.WITHDRAWN: "off",
}  # fmt: skip


# --- checking and sending -------------------------------------------------------------------------


@page("/desk/tournaments/{tournament:int}/report", permission=Permission.SEND_REPORT)
def send_form(view: TheView, tournament: Number) -> Response[str]:
    """The form to check or send the report of a tournament."""
    return view.page(_SEND, **_send_context(view, tournament))


@act(
    "/desk/tournaments/{tournament:int}/report",
    permission=Permission.SEND_REPORT,
    body_limit=REPORT_BYTES,
)
def send(view: TheView, form: TheForm, tournament: Number) -> Response[Any]:
    """Says what there is to say of a report; sends it if that is what was asked."""
    file = _file_of(form)
    if file is None:
        return view.page(_SEND, status=422, **_send_context(view, tournament, form))
    try:
        if form.value("do") == "send":
            sent = view.office.reports.send(view.asker, tournament, file.name, file.data)
            return view.go(f"/desk/reports/{sent.id}", f"work.send.now_{sent.status.value}")
        checked = view.office.reports.check(view.asker, tournament, file.name, file.data)
    except Refusal as refusal:
        of_file = (
            {refusal.key: "file"} if isinstance(refusal, Malformed) and not refusal.findings else {}
        )
        return view.refused(_SEND, refusal, fields=of_file, **_send_context(view, tournament, form))
    return view.page(_SEND, **_send_context(view, tournament, form, file, checked))


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
    checked: Checked | None = None,
) -> dict[str, Any]:
    found = view.office.tournaments.get(view.asker, number)
    context: dict[str, Any] = {
        "form": form or Form(language=view.language), "tournament": found, "checked": checked,
        "is_registered": found.status is TournamentStatus.REGISTERED, "signs": REPORT_SIGNS,
        "kept": "", "file": file, "groups": [], "table": None,
        "laws": work_findings.editions(found.registration.systems, found.registration.start),
    }  # fmt: skip
    if file is not None and checked is not None:
        _, data = taken(file.name, file.data)
        start = checked.report.start or found.registration.start
        context["groups"] = work_findings.of_check(checked.findings, data, start)
        context["table"] = _table(view, checked.report)
        if len(file.data) <= _KEPT_IN_PAGE:
            context["kept"] = base64.b64encode(file.data).decode()
    return context


def _table(view: View, report: Report) -> CrossTable:
    return cross_table(report, view.t("work.report.white"), view.t("work.report.black"))


# --- one report -----------------------------------------------------------------------------------


@page("/desk/reports/{report:int}", permission=Permission.SEE_TOURNAMENT_FILE)
def one_report(view: TheView, report: Number) -> Response[str]:
    """A report: its findings, what is adjusted, its table, and what can be done with it."""
    return view.page(_REPORT, **_report_context(view, report))


def _report_context(view: View, number: int, form: Form | None = None) -> dict[str, Any]:
    desk = view.office.reports
    sent = desk.get(view.asker, number)
    tournament = view.office.tournaments.get(view.asker, sent.tournament)
    subject = subject_of(tournament)
    data = desk.content(view.asker, number)
    read = desk.read(view.asker, number)
    groups = work_findings.of_sent(sent, data, read.start or tournament.registration.start)
    may_send = view.may(Permission.SEND_REPORT, subject)
    decides = view.may(Permission.DECIDE_REPORT, subject)
    unanswered = sum(one.severity == Severity.WARNING and not one.answer for one in sent.findings)
    adjustments, would_fall = {}, {}
    if sent.status in _STILL_OPEN and may_send:
        checked = desk.check(view.asker, tournament.id, sent.file_name, data)
        adjustments, would_fall = dict(checked.adjustments), dict(checked.lists)
    return {
        "form": form or Form(language=view.language), "sent": sent, "tournament": tournament,
        "read": read, "groups": groups, "unanswered": unanswered, "signs": REPORT_SIGNS,
        "lists": desk.lists(view.asker, number), "adjustments": adjustments,
        "would_fall": would_fall, "table": _table(view, read),
        "laws": work_findings.editions(tournament.registration.systems, read.start),
        "corrections": view.office.corrections.of_report(view.asker, number),
        "can": {
            "answer": may_send and sent.status in (_S.NEEDS_ANSWERS, _S.SENT),
            "accept": decides and sent.status is _S.SENT,
            "reject": decides and sent.status in _UNDECIDED,
            "withdraw": sent.status in _STILL_OPEN
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


def _decided(
    view: View, form: Form, number: int, said: str, step: Callable[[], SentReport]
) -> Response[Any]:
    if not form.ok:
        return view.page(_REPORT, status=422, **_report_context(view, number, form))
    try:
        step()
    except Refusal as refusal:
        return view.refused(_REPORT, refusal, **_report_context(view, number, form))
    return view.go(f"/desk/reports/{number}", said)


@act("/desk/reports/{report:int}/answer", permission=Permission.SEND_REPORT)
def answer(view: TheView, form: TheForm, report: Number) -> Response[Any]:
    """Gives reasons for warnings, each on its own."""
    sent = view.office.reports.get(view.asker, report)
    answers = {
        index: text
        for index in range(len(sent.findings))
        if (text := form.text(f"answer_{index}", longest=_LONGEST))
    }
    if not answers:
        form.wrong("answers", "work.report.no_answer")
    return _decided(
        view, form, report, "work.report.answered",
        lambda: view.office.reports.answer(view.asker, report, answers),
    )  # fmt: skip


@act("/desk/reports/{report:int}/accept", permission=Permission.DECIDE_REPORT)
def accept(view: TheView, form: TheForm, report: Number) -> Response[Any]:
    """Accepts a report to be rated."""
    note = form.text("accept_note", longest=_LONGEST)
    return _decided(
        view, form, report, "work.report.accepted",
        lambda: view.office.reports.accept(view.asker, report, note),
    )  # fmt: skip


@act("/desk/reports/{report:int}/reject", permission=Permission.DECIDE_REPORT)
def reject(view: TheView, form: TheForm, report: Number) -> Response[Any]:
    """Rejects a report, with a reason."""
    reason = form.text("reject_reason", needed=True, longest=_LONGEST)
    return _decided(
        view, form, report, "work.report.rejected",
        lambda: view.office.reports.reject(view.asker, report, reason),
    )  # fmt: skip


@act("/desk/reports/{report:int}/withdraw", permission=Permission.SEND_REPORT)
def withdraw(view: TheView, form: TheForm, report: Number) -> Response[Any]:
    """Takes a report back that is on no list yet."""
    reason = form.text("withdraw_reason", needed=True, longest=_LONGEST)
    return _decided(
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
