"""The audit log: who did or tried what, when, and how it ended."""

from __future__ import annotations

from litestar import Response

from arrocco.office.roles import Permission
from arrocco.web.paging import page_number
from arrocco.web.routes import page
from arrocco.web.view import View

_SIZE = 50


@page("/audit", permission=Permission.READ_AUDIT)
def audit(view: View) -> Response[str]:
    """A page of the log, the newest first."""
    query = view.request.query_params
    number, action, account = page_number(query), query.get("action", ""), query.get("account", "")
    total, rows = view.office.audit.page(
        view.asker, action=action, account=int(account) if account.isdecimal() else None,
        offset=(number - 1) * _SIZE, limit=_SIZE,
    )  # fmt: skip
    return view.page(
        "audit.html",
        rows=rows,
        total=total,
        page=number,
        size=_SIZE,
        action=action,
        account=account,
    )
