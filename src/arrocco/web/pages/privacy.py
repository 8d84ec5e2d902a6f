"""Personal data: what the office has and for how long, one's own as a file, and erasing it."""

from __future__ import annotations

from typing import Any

from anyio import to_thread
from litestar import Response

from arrocco.errors import Refusal
from arrocco.office.roles import Permission
from arrocco.office.settings import HIDEABLE
from arrocco.web.pages.hall_common import hall_page
from arrocco.web.pages.hall_own_data import own_hall_files
from arrocco.web.routes import act, page
from arrocco.web.view import TheForm, TheView, View

KEPT = (
    "lists",
    "reports",
    "audit",
    "account",
    "sessions",
    "mail",
    "questions",
    "invitations",
    "hall",
    "recordings",
    "logs",
    "backups",
)
"""What is kept, in the order of the page; each has words for how long and why."""
_DATA = "privacy/data.html"
_FIELDS = {"desk.refused.other_password": "password"}


@page("/privacy", permission=Permission.LOOK_UP)
def privacy(view: TheView) -> Response[str]:
    """What is public, what is kept, and for how long."""
    hidden = view.office.settings.get().hidden_fields
    return view.page("privacy/page.html", kept=KEPT, fields=HIDEABLE, hidden=hidden)


@page("/settings/privacy", permission=Permission.MANAGE_OFFICE)
def hidden_fields(view: TheView) -> Response[str]:
    """Which fields of players the office keeps to itself."""
    return view.page("privacy/settings.html", **_settings(view))


def _settings(view: View) -> dict[str, Any]:
    fields = [(name, view.t(f"privacy.field.{name}")) for name in HIDEABLE]
    hidden = view.office.settings.get().hidden_fields
    return {"fields": fields, "shown": [name for name in HIDEABLE if name not in hidden]}


@act("/settings/privacy", permission=Permission.MANAGE_OFFICE)
def hide_fields(view: TheView, form: TheForm) -> Response[Any]:
    """Keeps which fields everybody sees."""
    shown = form.values("shown")
    hidden = tuple(name for name in HIDEABLE if name not in shown)
    view.office.settings.change(view.asker, hidden_fields=hidden)
    return view.go("/settings/privacy", "privacy.page.saved")


@page("/account/data", permission=Permission.SEE_OWN_ACCOUNT)
def own_data(view: TheView) -> Response[str]:
    """One's own data: to take along, or to have erased."""
    return view.page(_DATA, rests=view.office.personal_data.rests_on(view.asker))


@hall_page("/account/data/export.zip", permission=Permission.SEE_OWN_ACCOUNT)
async def export(view: TheView) -> Response[bytes]:
    """One's own data as a file: what the office has, and what the hall has."""
    headers = {
        "content-disposition": 'attachment; filename="personal-data.zip"',
        "cache-control": "no-store",
    }
    of_hall = await own_hall_files(view)
    body = await to_thread.run_sync(view.office.personal_data.export, view.asker, of_hall)
    return Response(body, media_type="application/zip", headers=headers)


@act("/account/data/erase", permission=Permission.SEE_OWN_ACCOUNT)
def erase(view: TheView, form: TheForm) -> Response[Any]:
    """Erases one's account, after asking for the password."""
    password = form.secret("password")
    rests = view.office.personal_data.rests_on
    if not form.ok:
        return view.page(_DATA, status=422, form=form, rests=rests(view.asker))
    try:
        view.office.personal_data.erase(view.asker, password)
    except Refusal as refusal:
        return view.refused(_DATA, refusal, fields=_FIELDS, form=form, rests=rests(view.asker))
    answer = view.go("/", "privacy.page.erased")
    answer.set_cookie(view.jar.gone(view.jar.session))
    return answer
