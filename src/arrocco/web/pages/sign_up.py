"""Sign-up of players."""

from __future__ import annotations

from typing import Any

from litestar import Response

from arrocco.desk.sign_up import SIGN_UP_HOURS
from arrocco.errors import Refusal
from arrocco.office.roles import Permission
from arrocco.web.browser_session import agent_of, logged_in
from arrocco.web.pages.forgotten import dead_link
from arrocco.web.routes import act, page
from arrocco.web.view import TheForm, TheView

_ASK, _CONFIRM = "access/sign-up.html", "access/sign-up-confirm.html"
_FIELDS = {
    "desk.refused.email": "email",
    "desk.refused.name": "name",
    "desk.refused.password": "password",
    "desk.refused.common_password": "password",
}


@page("/sign-up", permission=Permission.LOOK_UP)
def sign_up_page(view: TheView) -> Response[str]:
    """The form to sign up with, where the office lets one."""
    link = view.request.query_params.get("token", "")
    return view.page(_ASK, link=link, is_open=view.office.sign_ups.is_open(link), sent="")


@act("/sign-up", permission=Permission.LOOK_UP)
def sign_up(view: TheView, form: TheForm) -> Response[Any]:
    """Sends a mail to confirm the address."""
    link, email = form.text("token"), form.text("email", needed=True, longest=254)
    context: dict[str, Any] = {"form": form, "link": link, "is_open": True, "sent": ""}
    if not form.ok:
        return view.page(_ASK, status=422, **context)
    try:
        view.office.sign_ups.ask(email, link, view.language, view.asker.address)
    except Refusal as refusal:
        return view.refused(_ASK, refusal, fields=_FIELDS, **context)
    said = view.t("access.sign_up.sent", email=email, hours=SIGN_UP_HOURS)
    return view.page(_ASK, **(context | {"sent": said}))


@page("/sign-up/confirm", permission=Permission.LOOK_UP)
def confirm_page(view: TheView) -> Response[str]:
    """Where the link in the mail leads: name and password."""
    token = view.request.query_params.get("token", "")
    try:
        email = view.office.sign_ups.email_of(token)
    except Refusal:
        return dead_link(view, token, "/sign-up")
    return view.page(_CONFIRM, token=token, email=email)


@act("/sign-up/confirm", permission=Permission.LOOK_UP)
def confirm(view: TheView, form: TheForm) -> Response[Any]:
    """Opens the account and a session of it, and goes on to the claim of a number."""
    token, name = form.text("token"), form.text("name", needed=True, longest=200)
    password = form.secret("password")
    if form.secret("again") != password:
        form.wrong("again", "web.field.not_the_same")
    email = view.office.sign_ups.email_of(token)
    context: dict[str, Any] = {"form": form, "token": token, "email": email}
    if not form.ok:
        return view.page(_CONFIRM, status=422, **context)
    address = view.asker.address
    try:
        account = view.office.sign_ups.finish(
            token, name, password, language=view.language, address=address
        )
    except Refusal as refusal:
        return view.refused(_CONFIRM, refusal, fields=_FIELDS, **context)
    opened = view.office.own_account.begin_session(
        account, address, view.device_token, agent_of(view)
    )
    return logged_in(view, opened, view.url("/account/number"))
