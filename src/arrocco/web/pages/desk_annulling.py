"""What was rated and is not right as a whole: a report sent again, a tournament to be annulled."""

from __future__ import annotations

from typing import Any

from litestar import Response

from arrocco.errors import Refusal
from arrocco.office.roles import Permission
from arrocco.web.forms import Form
from arrocco.web.pages.desk_numbers import Number
from arrocco.web.pages.desk_reports import errors_to_waive, waivers_of
from arrocco.web.routes import act, page
from arrocco.web.view import TheForm, TheView, View

_REPLACE, _ANNUL = "desk/replace.html", "desk/annul.html"
_LONGEST = 2000


@page("/desk/reports/{report:int}/correct", permission=Permission.CORRECT)
def replace_form(view: TheView, report: Number) -> Response[str]:
    """Where a report sent after publication differs from the rated one, and whom that touches."""
    return view.page(_REPLACE, **_replace_context(view, report))


@act("/desk/reports/{report:int}/correct", permission=Permission.CORRECT)
def replace(view: TheView, form: TheForm, report: Number) -> Response[Any]:
    """Enters a report that was sent after publication as a correction of the rated one."""
    reason = form.text("reason", needed=True, longest=_LONGEST)
    waivers = waivers_of(view, form, view.office.reports.get(view.asker, report))
    if not form.ok:
        return view.page(_REPLACE, status=422, **_replace_context(view, report, form))
    try:
        view.office.replacements.enter(view.asker, report, reason, waivers)
    except Refusal as refusal:
        return view.refused(_REPLACE, refusal, **_replace_context(view, report, form))
    return view.go(f"/desk/reports/{report}", "desk_pages.correct.entered")


def _replace_context(view: View, report: int, form: Form | None = None) -> dict[str, Any]:
    offer, preview = view.office.replacements.preview(view.asker, report)
    return {
        "form": form or Form(language=view.language),
        "offer": offer,
        "preview": preview,
        "errors": errors_to_waive(view, offer.sent),
        "tournament": view.office.tournaments.get(view.asker, offer.sent.tournament),
        "differences": [
            view.t(difference.key, **difference.details) for difference in offer.differences
        ],
    }


@page("/desk/tournaments/{tournament:int}/annul", permission=Permission.APPROVE_REGISTRATION)
def annul_form(view: TheView, tournament: Number) -> Response[str]:
    """Whom annulling a published tournament touches."""
    return view.page(_ANNUL, **_annul_context(view, tournament))


@act("/desk/tournaments/{tournament:int}/annul", permission=Permission.APPROVE_REGISTRATION)
def annul(view: TheView, form: TheForm, tournament: Number) -> Response[Any]:
    """Annuls a tournament that is on published lists."""
    reason = form.text("reason", needed=True, longest=_LONGEST)
    if not form.ok:
        return view.page(_ANNUL, status=422, **_annul_context(view, tournament, form))
    try:
        view.office.annulments.enter(view.asker, tournament, reason)
    except Refusal as refusal:
        return view.refused(_ANNUL, refusal, **_annul_context(view, tournament, form))
    return view.go(f"/desk/tournaments/{tournament}", "desk_pages.annul.done")


def _annul_context(view: View, tournament: int, form: Form | None = None) -> dict[str, Any]:
    preview = view.office.annulments.preview(view.asker, tournament)
    return {
        "form": form or Form(language=view.language),
        "preview": preview,
        "tournament": preview.tournament,
    }
