"""The one-off adjustment of a list: what it would move, and the form that enters it."""

from __future__ import annotations

from typing import Any

import numpy as np
from litestar import Response

from arrocco.errors import Refusal
from arrocco.office.roles import Permission
from arrocco.web import writing
from arrocco.web.routes import act, page
from arrocco.web.view import TheForm, TheView, View

_ADJUST = "desk/adjust.html"
_SHOWN = 20
"""Rows of the preview."""


@page("/desk/lists/adjust", permission=Permission.PUBLISH_LIST)
def adjust_form(view: TheView) -> Response[str]:
    """The lists that can be adjusted, and whom that would move."""
    return view.page(_ADJUST, **_context(view))


@act("/desk/lists/adjust", permission=Permission.PUBLISH_LIST)
def adjust(view: TheView, form: TheForm) -> Response[Any]:
    """Adjusts a list, once."""
    system, day = form.text("system", needed=True), form.day("list_date", needed=True)
    reason = form.text("reason", needed=True)
    if day is None or not form.ok:
        return view.page(_ADJUST, status=422, **(_context(view) | {"form": form}))
    try:
        view.office.adjustments.enter(view.asker, system, day, reason)
    except Refusal as refusal:
        fields = {"office.refused.field": "reason"}
        return view.refused(_ADJUST, refusal, fields=fields, **(_context(view) | {"form": form}))
    return view.go("/desk/lists", "desk_pages.adjust.done", day=writing.day(view.language, day))


def _context(view: View) -> dict[str, Any]:
    lists = []
    for adjustable in view.office.adjustments.open():
        moved = view.office.adjustments.preview(view.asker, adjustable.system, adjustable.list_date)
        order = np.argsort(moved.before, kind="stable")[:_SHOWN]
        columns = (moved.player, moved.before, moved.after)
        rows = list(zip(*(column[order].tolist() for column in columns), strict=True))
        lists.append((adjustable, moved, rows))
    return {"lists": lists}
