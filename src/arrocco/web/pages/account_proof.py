"""Asks for the password once more, before something is changed that opens the account."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from litestar import Response
from litestar.response import Redirect

from arrocco.errors import Refusal
from arrocco.office.roles import Permission
from arrocco.web.pages.session import inner_path
from arrocco.web.routes import act, page
from arrocco.web.view import TheForm, TheView, View

_TEMPLATE = "access/proof.html"
_OWN = Permission.SEE_OWN_ACCOUNT
_FIELDS = {"desk.refused.other_password": "password"}


def asked_again(view: View, back: str) -> Response[Any] | None:
    """Where the password is asked for, if it was entered too long ago; it leads `back`."""
    if view.office.proofs.is_fresh(view.asker, view.session_token):
        return None
    return view.go(f"/account/confirm?{urlencode({'next': view.url(back)})}")


@page("/account/confirm", permission=_OWN)
def confirm_page(view: TheView) -> Response[str]:
    """The form of the second look."""
    following = inner_path(view.request.query_params.get("next", ""), "")
    return view.page(_TEMPLATE, next=following)


@act("/account/confirm", permission=_OWN)
def confirm(view: TheView, form: TheForm) -> Response[Any]:
    """Takes the password and goes on to what was wanted."""
    following = inner_path(form.value("next"), "")
    password = form.secret("password")
    if not form.ok:
        return view.page(_TEMPLATE, status=422, form=form, next=following)
    try:
        view.office.proofs.show(view.asker, view.session_token, password)
    except Refusal as refusal:
        return view.refused(_TEMPLATE, refusal, fields=_FIELDS, form=form, next=following)
    return Redirect(following or view.url("/account"), status_code=303)
