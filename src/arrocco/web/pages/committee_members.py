"""13.1 — who sits in the Fair Play Committee, and the form of whoever enters its members."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from typing import Any

from litestar import Response
from litestar.params import FromPath

from arrocco.errors import Refusal
from arrocco.laws.online.fair_play import Seat
from arrocco.office.roles import Permission
from arrocco.web.routes import act, page
from arrocco.web.view import TheForm, TheView, View

_TEMPLATE = "committee/members.html"
_FIELDS = {
    "committee.refused.not_an_account": "account",
    "committee.refused.has_seat": "account",
    "committee.refused.seat_taken": "seat",
    "committee.refused.not_a_master": "category",
    "committee.refused.no_resolution": "resolution",
    "committee.refused.term_over": "until",
}


def _context(view: View) -> dict[str, Any]:
    committee = view.office.committee
    return {
        "members": committee.members(),
        "empty": committee.empty_seats(),
        "candidates": [(str(key), name) for key, name in committee.candidates(view.asker)],
        "seats": [(seat.value, view.t(f"committee.seat.{seat.value}")) for seat in Seat],
    }


@page("/committee/members", permission=Permission.NAME_COMMITTEE)
def members(view: TheView) -> Response[str]:
    """All terms, and the form of a new one."""
    return view.page(_TEMPLATE, **_context(view))


@act("/committee/members", permission=Permission.NAME_COMMITTEE)
def name_member(view: TheView, form: TheForm) -> Response[Any]:
    """Enters whom the federation has named."""
    account, seat = form.integer("account", needed=True, least=1), form.choice("seat", Seat)
    category = form.text("category", longest=10)
    resolution = form.text("resolution", needed=True, longest=300)
    last = form.day("until")
    if not form.ok or account is None or seat is None:
        return view.page(_TEMPLATE, status=422, form=form, **_context(view))
    # A term includes its last day.
    until = None if last is None else datetime.combine(last + timedelta(days=1), time(), UTC)
    try:
        view.office.committee.name_member(
            view.asker, account, seat, category=category, resolution=resolution, until=until
        )
    except Refusal as refusal:
        return view.refused(_TEMPLATE, refusal, fields=_FIELDS, form=form, **_context(view))
    return view.go("/committee/members", "committee.done.named")


@act("/committee/members/{member:int}/end", permission=Permission.NAME_COMMITTEE)
def end_term(view: TheView, form: TheForm, member: FromPath[int]) -> Response[Any]:
    """Ends a term."""
    try:
        view.office.committee.end_term(view.asker, member, form.text("reason", longest=2000))
    except Refusal as refusal:
        return view.refused(_TEMPLATE, refusal, form=form, **_context(view))
    return view.go("/committee/members", "committee.done.ended")
