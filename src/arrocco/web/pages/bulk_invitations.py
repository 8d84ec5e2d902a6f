"""Inviting many: by a file, or by a link with an end and a cap."""

from __future__ import annotations

from typing import Any

from litestar import Response
from litestar.params import FromPath

from arrocco.desk.bulk_invitations import BY_LINK, COLUMNS, MAX_BYTES, MAX_CAP, MAX_DAYS
from arrocco.errors import NotFound, Refusal
from arrocco.office.roles import Permission, Role
from arrocco.web.pages.forgotten import dead_link
from arrocco.web.routes import act, page
from arrocco.web.view import TheForm, TheView, View

_TEMPLATE, _JOIN = "bulk-invitations.html", "join.html"
_FIELDS = {
    "bulk.refused.columns": "file",
    "bulk.refused.long": "file",
    "bulk.refused.bounds": "cap",
    "bulk.refused.role": "role",
    "desk.refused.no_federation": "federation",
    "desk.refused.email": "email",
}
_ENVELOPE = 4096
"""What a browser puts around a file."""


def _context(view: View) -> dict[str, Any]:
    roles = [(role.value, view.t(f"web.role.{role.value}")) for role in BY_LINK]
    return {
        "links": view.office.bulk.links(view.asker),
        "roles": roles,
        "done": None,
        "link": "",
        "columns": ",".join(COLUMNS),
        "most": (MAX_CAP, MAX_DAYS),
    }


@page("/accounts/many", permission=Permission.INVITE)
def many(view: TheView) -> Response[str]:
    """The forms to invite many."""
    return view.page(_TEMPLATE, **_context(view))


@act("/accounts/many", permission=Permission.INVITE, body_limit=MAX_BYTES + _ENVELOPE)
def invite_many(view: TheView, form: TheForm) -> Response[Any]:
    """Invites everybody in a file, and tells what became of each line."""
    file = form.upload("file")
    if file is None:
        return view.page(_TEMPLATE, status=422, form=form, **_context(view))
    try:
        done = view.office.bulk.invite(view.asker, file.data)
    except Refusal as refusal:
        return view.refused(_TEMPLATE, refusal, fields=_FIELDS, form=form, **_context(view))
    return view.page(_TEMPLATE, **(_context(view) | {"done": done}))


@act("/accounts/links", permission=Permission.INVITE)
def make_link(view: TheView, form: TheForm) -> Response[Any]:
    """Makes a link and shows it, this once."""
    role = form.choice("role", Role)
    cap = form.integer("cap", needed=True, least=1, most=MAX_CAP)
    days = form.integer("days", needed=True, least=1, most=MAX_DAYS)
    federation = form.text("federation").upper()
    if not form.ok or role is None or cap is None or days is None:
        return view.page(_TEMPLATE, status=422, form=form, **_context(view))
    try:
        token = view.office.bulk.make_link(view.asker, role, federation, cap, days)
    except Refusal as refusal:
        return view.refused(_TEMPLATE, refusal, fields=_FIELDS, form=form, **_context(view))
    site = str(view.request.base_url).rstrip("/")
    link = f"{site}{view.url('/join', token=token)}"
    return view.page(_TEMPLATE, **(_context(view) | {"link": link}))


@act("/accounts/links/{link:int}/withdraw", permission=Permission.INVITE)
def withdraw_link(view: TheView, link: FromPath[int]) -> Response[Any]:
    """Lets a link serve no more."""
    view.office.bulk.withdraw_link(view.asker, link)
    return view.go("/accounts/many", "bulk.page.withdrawn")


@page("/join", permission=Permission.LOOK_UP)
def join_page(view: TheView) -> Response[str]:
    """Where a link leads: one gives one's address and is invited there."""
    token = view.request.query_params.get("token", "")[:100]
    if not token:
        return dead_link(view, token, "/log-in")
    return view.page(_JOIN, token=token, found=view.office.bulk.link(token))


@act("/join", permission=Permission.LOOK_UP)
def join(view: TheView, form: TheForm) -> Response[Any]:
    """Sends an invitation to the address."""
    token, email = form.text("token", longest=100), form.text("email", needed=True, longest=254)
    invitation_link = view.office.bulk.link(token)
    if not form.ok:
        return view.page(_JOIN, status=422, form=form, token=token, found=invitation_link)
    try:
        view.office.bulk.join(token, email, view.language, view.asker.address)
    except NotFound:
        raise
    except Refusal as refusal:
        return view.refused(
            _JOIN, refusal, fields=_FIELDS, form=form, token=token, found=invitation_link
        )
    return view.go("/log-in", "bulk.page.joined")
