"""The administration of accounts: who there is, inviting, disabling."""

from __future__ import annotations

from typing import Any

from litestar import Response

from arrocco.errors import Refusal
from arrocco.office.roles import Permission, Role
from arrocco.web.forms import Form
from arrocco.web.routes import act, page
from arrocco.web.view import View

_TEMPLATE = "accounts.html"


def _context(view: View) -> dict[str, Any]:
    roles = [(role.value, view.t(f"web.role.{role.value}")) for role in Role if role != Role.PUBLIC]
    return {"accounts": view.office.accounts.all(view.asker), "roles": roles, "link": "",
            "invited": ""}  # fmt: skip


@page("/accounts", permission=Permission.MANAGE_ACCOUNTS)
def accounts(view: View) -> Response[str]:
    """All accounts, and the form to invite somebody."""
    return view.page(_TEMPLATE, **_context(view))


@act("/accounts/invite", permission=Permission.INVITE)
def invite(view: View, form: Form) -> Response[Any]:
    """Makes an invitation and shows its link, this once: the office keeps only its hash."""
    email, role = form.text("email", needed=True, longest=254), form.choice("role", Role)
    federation, player = form.text("federation").upper(), form.integer("player", least=1)
    if not form.ok or role is None:
        return view.page(_TEMPLATE, status=422, **(_context(view) | {"form": form}))
    try:
        token = view.office.accounts.invite(view.asker, email, role, federation, player)
    except Refusal as refusal:
        return view.refused(_TEMPLATE, refusal, **(_context(view) | {"form": form}))
    site = str(view.request.base_url).rstrip("/")
    link = f"{site}{view.url('/invitation', token=token)}"
    return view.page(_TEMPLATE, **(_context(view) | {"link": link, "invited": email}))


@act("/accounts/{account:int}/disable", permission=Permission.MANAGE_ACCOUNTS)
def disable(view: View, account: int) -> Response[Any]:
    """Closes an account: its sessions end and nobody can log in with it."""
    view.office.accounts.disable(view.asker, account)
    return view.go("/accounts", "web.accounts.was_disabled")
