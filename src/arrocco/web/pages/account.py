"""One's own account."""

from __future__ import annotations

from typing import Any

from litestar import Response

from arrocco.errors import Refusal
from arrocco.office.roles import Permission
from arrocco.web.forms import Form
from arrocco.web.routes import act, page
from arrocco.web.view import View


@page("/account", permission=Permission.SEE_OWN_ACCOUNT)
def account(view: View) -> Response[str]:
    """Who one is here, and the form to change the password."""
    return view.page("account.html")


@act("/account/password", permission=Permission.SEE_OWN_ACCOUNT)
def change_password(view: View, form: Form) -> Response[Any]:
    """Changes the password after asking for the old one."""
    old, new = form.secret("old"), form.secret("new")
    if form.secret("again") != new:
        form.wrong("again", "web.field.not_the_same")
    if not form.ok:
        return view.page("account.html", status=422, form=form)
    try:
        view.office.accounts.change_password(view.asker, old, new)
    except Refusal as refusal:
        return view.refused("account.html", refusal, form=form)
    return view.go("/account", "web.account.changed")
