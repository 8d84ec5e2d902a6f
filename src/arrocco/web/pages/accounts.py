"""The administration of accounts: who there is, inviting, disabling."""

from __future__ import annotations

from typing import Any

from litestar import Response
from litestar.params import FromPath

from arrocco.errors import Refusal
from arrocco.office.roles import Permission, Role
from arrocco.web.routes import act, page
from arrocco.web.view import TheForm, TheView, View

_TEMPLATE = "accounts.html"
_FIELDS = {
    "desk.refused.no_player_number": "player",
    "desk.refused.no_federation": "federation",
    "desk.refused.federation": "federation",
    "desk.refused.email": "email",
    "desk.refused.has_account": "email",
    "access.refused.number_taken": "player",
    "desk.refused.public_role": "role",
}
"""The field of an invitation that each refusal is about."""


def _context(view: View) -> dict[str, Any]:
    roles = [(role.value, view.t(f"web.role.{role.value}")) for role in Role if role != Role.PUBLIC]
    desk = view.office.accounts
    return {
        "accounts": desk.all(view.asker),
        "waiting": desk.waiting(view.asker),
        "roles": roles,
        "link": "",
        "invited": "",
    }


@page("/accounts", permission=Permission.MANAGE_ACCOUNTS)
def accounts(view: TheView) -> Response[str]:
    """All accounts, and the form to invite somebody."""
    return view.page(_TEMPLATE, **_context(view))


@act("/accounts/invite", permission=Permission.INVITE)
def invite(view: TheView, form: TheForm) -> Response[Any]:
    """Makes an invitation and shows its link, this once: the office keeps only its hash."""
    email, role = form.text("email", needed=True, longest=254), form.choice("role", Role)
    federation, player = form.text("federation").upper(), form.integer("player", least=1)
    if not form.ok or role is None:
        return view.page(_TEMPLATE, status=422, **(_context(view) | {"form": form}))
    try:
        name = view.office.people.listed_name(player)
        token = view.office.accounts.invite(view.asker, email, role, federation, player, name)
    except Refusal as refusal:
        return view.refused(_TEMPLATE, refusal, fields=_FIELDS, form=form, **_context(view))
    site = str(view.request.base_url).rstrip("/")
    link = f"{site}{view.url('/invitation', token=token)}"
    return view.page(_TEMPLATE, **(_context(view) | {"link": link, "invited": email}))


@act("/accounts/{account:int}/disable", permission=Permission.MANAGE_ACCOUNTS)
def disable(view: TheView, account: FromPath[int]) -> Response[Any]:
    """Closes an account: its sessions end and nobody can log in with it."""
    view.office.accounts.disable(view.asker, account)
    return view.go("/accounts", "web.accounts.was_disabled")


@act("/accounts/{account:int}/enable", permission=Permission.MANAGE_ACCOUNTS)
def enable(view: TheView, account: FromPath[int]) -> Response[Any]:
    """Opens a closed account again."""
    view.office.accounts.enable(view.asker, account)
    return view.go("/accounts", "web.accounts.was_enabled")


@act("/accounts/invitations/{invitation:int}/withdraw", permission=Permission.INVITE)
def withdraw(view: TheView, invitation: FromPath[int]) -> Response[Any]:
    """Takes an invitation back that nobody has taken up."""
    view.office.accounts.withdraw_invitation(view.asker, invitation)
    return view.go("/accounts", "web.accounts.was_withdrawn")
