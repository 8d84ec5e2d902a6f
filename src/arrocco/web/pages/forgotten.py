"""For who is outside: a forgotten password, and links that come by mail."""

from __future__ import annotations

from typing import Any

from litestar import Response

from arrocco.desk.own_account import LINK_MINUTES
from arrocco.errors import Refusal
from arrocco.office.roles import Permission
from arrocco.web.routes import act, page
from arrocco.web.view import TheForm, TheView, View

_FIELDS = {
    "desk.refused.email": "email",
    "desk.refused.password": "password",
    "desk.refused.common_password": "password",
}


def dead_link(view: View, token: str, again: str) -> Response[str]:
    """Says that a link serves no more, and where there is a new one."""
    return view.page("access/dead-link.html", status=404 if token else 200, again=again)


@page("/forgotten", permission=Permission.LOOK_UP)
def forgotten_page(view: TheView) -> Response[str]:
    """The form to ask for a link."""
    return view.page("access/forgotten.html")


@act("/forgotten", permission=Permission.LOOK_UP)
def forgotten(view: TheView, form: TheForm) -> Response[Any]:
    """Sends a link; the answer does not tell whether there is an account."""
    email = form.text("email", needed=True, longest=254)
    if not form.ok:
        return view.page("access/forgotten.html", status=422, form=form)
    try:
        view.office.own_account.ask_reset(email, view.asker.address)
    except Refusal as refusal:
        return view.refused("access/forgotten.html", refusal, fields=_FIELDS, form=form)
    return view.go("/log-in", "access.forgotten.sent", minutes=LINK_MINUTES)


@page("/reset", permission=Permission.LOOK_UP)
def reset_page(view: TheView) -> Response[str]:
    """Where the link of a mail leads; opening it uses nothing up."""
    token = view.request.query_params.get("token", "")
    if not view.office.own_account.has_reset(token):
        return dead_link(view, token, "/forgotten")
    return view.page("access/reset.html", token=token)


@act("/reset", permission=Permission.LOOK_UP)
def reset(view: TheView, form: TheForm) -> Response[Any]:
    """Chooses a new password by a link."""
    token, password = form.text("token", needed=True), form.secret("password")
    if form.secret("again") != password:
        form.wrong("again", "web.field.not_the_same")
    context: dict[str, Any] = {"form": form, "token": token}
    if not form.ok:
        return view.page("access/reset.html", status=422, **context)
    try:
        view.office.own_account.reset(token, password, view.asker.address)
    except Refusal as refusal:
        return view.refused("access/reset.html", refusal, fields=_FIELDS, **context)
    return view.go("/log-in", "access.reset.done")


@page("/new-address", permission=Permission.LOOK_UP)
def new_address_page(view: TheView) -> Response[str]:
    """Where the link in the mail to a new address leads."""
    token = view.request.query_params.get("token", "")
    try:
        email = view.office.own_account.new_address(token)
    except Refusal:
        return dead_link(view, token, "/account/security")
    return view.page("access/new-address.html", token=token, email=email)


@act("/new-address", permission=Permission.LOOK_UP)
def new_address(view: TheView, form: TheForm) -> Response[Any]:
    """Confirms a new address."""
    token = form.text("token")
    view.office.own_account.confirm_address(token, view.asker.address)
    return view.go("/log-in", "access.new_address.done")
