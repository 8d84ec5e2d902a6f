"""One account, for administrators: its role and its history, and help for who is locked out."""

from __future__ import annotations

from typing import Any

from litestar import Response
from litestar.params import FromPath

from arrocco.desk.own_account import LINK_MINUTES
from arrocco.errors import Refusal
from arrocco.office.roles import Permission, Role
from arrocco.web.routes import act, page
from arrocco.web.view import TheForm, TheView, View

_TEMPLATE = "access/person.html"
_MANAGE = Permission.MANAGE_ACCOUNTS
_FIELDS = {
    "desk.refused.no_federation": "federation",
    "desk.refused.federation": "federation",
    "access.refused.same_role": "role",
    "access.refused.last_manager": "role",
    "office.refused.field": "reason",
}


def _context(view: View, account: int) -> dict[str, Any]:
    history = view.office.role_changes.history(view.asker, account)
    everybody = view.office.accounts.all(view.asker)
    person = next(one for one in everybody if one.id == account)
    roles = [(role.value, view.t(f"web.role.{role.value}")) for role in Role if role != Role.PUBLIC]
    return {
        "person": person,
        "history": history,
        "roles": roles,
        "link": "",
        "minutes": LINK_MINUTES,
    }


@page("/accounts/{account:int}", permission=_MANAGE)
def person(view: TheView, account: FromPath[int]) -> Response[str]:
    """An account, its roles so far, and what an administrator can do about it."""
    return view.page(_TEMPLATE, **_context(view, account))


@act("/accounts/{account:int}/role", permission=_MANAGE)
def give_role(view: TheView, form: TheForm, account: FromPath[int]) -> Response[Any]:
    """Gives an account another role."""
    role, federation = form.choice("role", Role), form.text("federation").upper()
    reason = form.text("reason", needed=True, longest=2000)
    if not form.ok or role is None:
        return view.page(_TEMPLATE, status=422, form=form, **_context(view, account))
    try:
        view.office.role_changes.give(view.asker, account, role, federation, reason)
    except Refusal as refusal:
        context = _context(view, account)
        return view.refused(_TEMPLATE, refusal, fields=_FIELDS, form=form, **context)
    if account == view.asker.account:
        return view.go("/account", "access.person.given")
    return view.go(f"/accounts/{account}", "access.person.given")


@act("/accounts/{account:int}/reset-link", permission=_MANAGE)
def reset_link(view: TheView, account: FromPath[int]) -> Response[Any]:
    """Makes a link to choose a password and shows it, this once."""
    token = view.office.own_account.reset_link(view.asker, account)
    link = view.site + view.url("/reset", token=token)
    return view.page(_TEMPLATE, **(_context(view, account) | {"link": link}))


@act("/accounts/{account:int}/reset-factors", permission=_MANAGE)
def reset_factors(view: TheView, account: FromPath[int]) -> Response[Any]:
    """Removes the second factors of somebody who lost them."""
    view.office.second_factors.reset(view.asker, account)
    return view.go(f"/accounts/{account}", "access.person.factors_gone")


@act("/accounts/{account:int}/release", permission=_MANAGE)
def release(view: TheView, form: TheForm, account: FromPath[int]) -> Response[Any]:
    """Takes its number from an account."""
    reason = form.text("why", needed=True, longest=2000)
    if not form.ok:
        return view.page(_TEMPLATE, status=422, form=form, **_context(view, account))
    view.office.claims.release(view.asker, account, reason)
    return view.go(f"/accounts/{account}", "access.person.released")
