"""Reports on their way: checked, sent, answered, decided."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable
from typing import Any

from anyio import to_thread
from litestar import Response

from arrocco.desk.desk import subject_of
from arrocco.desk.uploads import MAX_BYTES, File
from arrocco.engine.admission import Waiver
from arrocco.errors import Malformed, NotFound, Refusal
from arrocco.findings import Severity
from arrocco.office.findings import finding_of
from arrocco.office.records import (
    ReportStatus,
    SentReport,
    StoredFinding,
    Tournament,
    TournamentStatus,
)
from arrocco.office.roles import Permission
from arrocco.web import heavy, report_findings
from arrocco.web.forms import Form, Upload
from arrocco.web.pages.desk_numbers import Number
from arrocco.web.pages.desk_tournaments import assessed
from arrocco.web.pages.desk_waivers import waivable, waivers_in
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

_SEND, _REPORT = "desk/send.html", "desk/report.html"
_SIZE = 50
_LONGEST = 2000
REPORT_BYTES = 2 * MAX_BYTES + FORM_BYTES
"""Of a request with a report and its games, its other fields included."""
_KEPT_IN_PAGE = 512 * 1024
"""A file up to here stays in the page that checked it, to be sent from there."""
_S = ReportStatus
_STOPPED = (_S.RETURNED, _S.NEEDS_ANSWERS, _S.REJECTED, _S.WITHDRAWN)
_UNDECIDED = (_S.RETURNED, _S.NEEDS_ANSWERS, _S.SENT)


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
    games = await to_thread.run_sync(_games_of, form)

    def answer(later: View, outcome: CheckedFile | SentReport | Refusal | None) -> Response[Any]:
        if isinstance(outcome, SentReport):
            said = f"desk_pages.send.now_{outcome.status.value}"
            return later.go(f"/desk/reports/{outcome.id}", said)
        if isinstance(outcome, Refusal):
            is_of_file = isinstance(outcome, Malformed) and not outcome.findings
            field = "games" if outcome.key.startswith("pgn.") else "file"
            fields = {outcome.key: field} if is_of_file else {}
            context = _send_context(later, tournament, form)
            return later.refused(_SEND, outcome, fields=fields, **context)
        context = _send_context(later, tournament, form, file, outcome, games)
        return later.page(_SEND, status=200 if outcome else 422, **context)

    if file is None or not form.ok:
        return await to_thread.run_sync(answer, view, None)
    work = view.asker, tournament, file.name, file.data, games
    if form.value("do") == "send":
        return await heavy.answer_in_office(view, answer, send_file, *work)
    return await heavy.answer_in_office(view, answer, check_file, *work)


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


def _games_of(form: Form) -> File | None:
    """The games that were chosen beside the report, or those that the page has kept."""
    kept = form.value("kept_games")
    if kept:
        try:
            return File(form.text("kept_games_name"), base64.b64decode(kept, validate=True))
        except (binascii.Error, ValueError):
            form.wrong("games", "web.field.no_file")
            return None
    upload = form.upload("games") if form.has_file("games") else None
    return None if upload is None else File(upload.name, upload.data)


def _send_context(
    view: View,
    number: int,
    form: Form | None = None,
    file: Upload | None = None,
    checked: CheckedFile | None = None,
    games: File | None = None,
) -> dict[str, Any]:
    tournament = view.office.tournaments.get(view.asker, number)
    context: dict[str, Any] = {
        "form": form or Form(language=view.language),
        "tournament": tournament,
        "checked": checked,
        "is_registered": tournament.status is TournamentStatus.REGISTERED,
        "kept": "",
        "file": file,
        "groups": [],
        "table": None,
        "games": games,
        "kept_games": "",
        "laws": report_findings.editions(
            tournament.registration.systems, tournament.registration.start
        ),
        "assessments": assessed(view, tournament),
    }
    if file is not None and checked is not None:
        context["groups"], context["table"] = checked.shown.groups, checked.shown.table
        if len(file.data) + len(games.data if games else b"") <= _KEPT_IN_PAGE:
            context["kept"] = base64.b64encode(file.data).decode()
            context["kept_games"] = base64.b64encode(games.data).decode() if games else ""
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

    return await heavy.answer_in_office(view, answer, open_report, view.asker, number)


def _report_context(view: View, opened: OpenedReport, form: Form | None) -> dict[str, Any]:
    sent, tournament, shown = opened.sent, opened.tournament, opened.shown
    subject = subject_of(tournament)
    may_send = view.may(Permission.SEND_REPORT, subject)
    decides = view.may(Permission.DECIDE_REPORT, subject)
    unanswered = sum(
        finding.severity == Severity.WARNING and not finding.answer for finding in sent.findings
    )
    corrects = any(finding.key == "office.corrects_rated" for finding in sent.findings)
    waivable = errors_to_waive(view, sent)
    return {
        "form": form or Form(language=view.language),
        "sent": sent,
        "tournament": tournament,
        "shown": shown,
        "groups": shown.groups,
        "unanswered": unanswered,
        "lists": view.office.reports.lists(view.asker, sent.id),
        "adjustments": opened.adjustments,
        "would_fall": opened.would_fall,
        "decides": decides,
        "may_send": may_send,
        "today": view.office.desk.now().date(),
        "send_by": view.office.owed_reports.send_by(view.asker, tournament)
        if sent.status in _STOPPED
        else None,
        "table": shown.table,
        "laws": report_findings.editions(tournament.registration.systems, shown.began),
        "corrections": view.office.corrections.of_report(view.asker, sent.id),
        "fixes": _fixes(view, sent, tournament),
        "can": {
            "answer": may_send and sent.status in _UNDECIDED,
            "accept": decides and sent.status is _S.SENT and not corrects,
            "replace": corrects
            and (sent.status is _S.SENT or (sent.status is _S.RETURNED and decides and waivable))
            and view.may(Permission.CORRECT, subject),
            "waive": waivable if decides and sent.status is _S.RETURNED and not corrects else (),
            "reject": decides and sent.status in _UNDECIDED,
            "withdraw": sent.status in STILL_OPEN
            and (decides if sent.status is _S.ACCEPTED else may_send),
            "send_again": may_send
            and sent.status in (_S.RETURNED, _S.REJECTED)
            and tournament.status is TournamentStatus.REGISTERED,
            "correct": sent.status in (_S.ACCEPTED, _S.RATED)
            and view.may(Permission.CORRECT, subject),
        },
    }


def _fixes(view: View, sent: SentReport, tournament: Tournament) -> dict[str, str]:
    """By name: the page on which a finding can be put right, for who may."""
    if sent.status not in _UNDECIDED:
        return {}
    subject, fixes = subject_of(tournament), {}
    if view.may(Permission.REGISTER_TOURNAMENT, subject):
        fixes["amend"] = f"/desk/tournaments/{tournament.id}/amend"
    if view.may(Permission.SEND_REPORT, subject):
        fixes["numbers"] = f"/desk/reports/{sent.id}/numbers"
    return fixes


def errors_to_waive(view: View, sent: SentReport) -> list[tuple[str, str]]:
    """The errors that whoever decides on a report may waive; none where one never can be."""
    findings = map(finding_of, sent.findings)
    return waivable(view, (finding for finding in findings if finding.is_error))


def waivers_of(view: View, form: Form, sent: SentReport) -> list[Waiver]:
    """What a form gives as reasons for the errors of a report that came back."""
    return [] if sent.status is not _S.RETURNED else waivers_in(form, errors_to_waive(view, sent))


@page("/desk/reports/{report:int}/file", permission=Permission.SEE_TOURNAMENT_FILE)
def report_file(view: TheView, report: Number) -> Response[bytes]:
    """The file of a report, as it was sent."""
    data = view.office.reports.content(view.asker, report)
    headers = {
        "content-disposition": f'attachment; filename="report-{report}.trf"',
        "cache-control": "no-store",
    }
    return Response(data, media_type="text/plain", headers=headers)


@page("/desk/reports/{report:int}/games", permission=Permission.SEE_TOURNAMENT_FILE)
def report_games(view: TheView, report: Number) -> Response[bytes]:
    """The games that came with a report, as they were sent."""
    games = view.office.reports.games(view.asker, report)
    if games is None:
        raise NotFound.of("desk.refused.no_games", report=report)
    headers = {
        "content-disposition": f'attachment; filename="report-{report}.pgn"',
        "cache-control": "no-store",
    }
    return Response(games.data, media_type="application/x-chess-pgn", headers=headers)


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
    answers = {}
    for index, stored_finding in enumerate(sent.findings):
        if text := form.text(f"answer_{index}", longest=_LONGEST):
            answers[index] = text
            if form.chosen(f"all_{index}"):  # one reason for all that say the same
                answers |= {
                    other: text
                    for other, first in enumerate(sent.findings)
                    if not first.answer and _kind(first) == _kind(stored_finding)
                }
    if not answers:
        form.wrong("answers", "desk_pages.report.no_answer")
    return await _decided(
        view,
        form,
        report,
        "desk_pages.report.answered",
        lambda: view.office.reports.answer(view.asker, report, answers),
    )


def _kind(finding: StoredFinding) -> tuple[str, str, str]:
    return finding.system, finding.severity, finding.key


@heavy_act("/desk/reports/{report:int}/accept", permission=Permission.DECIDE_REPORT)
async def accept(view: TheView, form: TheForm, report: Number) -> Response[Any]:
    """Accepts a report to be rated, with its errors where a reason is given for each."""
    note = form.text("accept_note", longest=_LONGEST)
    sent = await to_thread.run_sync(view.office.reports.get, view.asker, report)
    waivers = waivers_of(view, form, sent)
    if not form.ok:
        return await _report_page(view, report, form)
    try:
        await heavy.result_in_office(view, accept_report, view.asker, report, note, waivers)
    except Refusal as refusal:
        return await _report_page(view, report, form, refusal)
    return view.go(f"/desk/reports/{report}", "desk_pages.report.accepted")


@heavy_act("/desk/reports/{report:int}/reject", permission=Permission.DECIDE_REPORT)
async def reject(view: TheView, form: TheForm, report: Number) -> Response[Any]:
    """Rejects a report, with a reason."""
    reason = form.text("reject_reason", needed=True, longest=_LONGEST)
    return await _decided(
        view,
        form,
        report,
        "desk_pages.report.rejected",
        lambda: view.office.reports.reject(view.asker, report, reason),
    )


@heavy_act("/desk/reports/{report:int}/withdraw", permission=Permission.SEND_REPORT)
async def withdraw(view: TheView, form: TheForm, report: Number) -> Response[Any]:
    """Takes a report back that is on no list yet."""
    reason = form.text("withdraw_reason", needed=True, longest=_LONGEST)
    return await _decided(
        view,
        form,
        report,
        "desk_pages.report.withdrawn",
        lambda: view.office.reports.withdraw(view.asker, report, reason),
    )


# --- the queue ------------------------------------------------------------------------------------


@page("/desk/reports", permission=Permission.DECIDE_REPORT)
def queue(view: TheView) -> Response[str]:
    """The reports that wait for a decision, those that wait longest first."""
    number = page_number(view.request.query_params)
    total, sent_reports = view.office.reports.waiting(
        view.asker, offset=(number - 1) * _SIZE, limit=_SIZE
    )
    rows = [
        (sent_report, view.office.tournaments.get(view.asker, sent_report.tournament))
        for sent_report in sent_reports
    ]
    counts = {sent_report.id: _counts(sent_report) for sent_report in sent_reports}
    return view.page(
        "desk/reports.html", rows=rows, counts=counts, total=total, number=number, size=_SIZE
    )


def _counts(sent: SentReport) -> dict[str, int]:
    return {
        severity.value: sum(
            1 + finding.more for finding in sent.findings if finding.severity == severity
        )
        for severity in Severity
    }
