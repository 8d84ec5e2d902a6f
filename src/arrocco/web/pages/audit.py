"""The audit log: who did or tried what, when, and how it ended."""

from __future__ import annotations

from litestar import Response

from arrocco.office.roles import Permission
from arrocco.web.routes import page
from arrocco.web.view import TheView

_SIZE = 50
_OUTCOMES = ("done", "refused")


@page("/audit", permission=Permission.READ_AUDIT)
def audit(view: TheView) -> Response[str]:
    """A page of the log, the newest first; the next one starts before its last line."""
    query = view.request.query_params
    action, outcome = query.get("action", "").strip(), query.get("outcome", "")
    rows = view.office.audit.page(
        view.asker, action=action, account=_number(query.get("account", "")),
        outcome=outcome if outcome in _OUTCOMES else "", before=_number(query.get("before", "")),
        limit=_SIZE + 1,
    )  # fmt: skip
    outcomes = [("", view.t("web.audit.any"))]
    outcomes += [(key, view.t(f"web.audit.{key}")) for key in _OUTCOMES]
    return view.page(
        "audit.html", rows=rows[:_SIZE], has_more=len(rows) > _SIZE, outcomes=outcomes,
        action=action, outcome=outcome, account=query.get("account", ""),
    )  # fmt: skip


def _number(text: str) -> int | None:
    """A number of an address; what is none asks for nothing in particular."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 16 else None
