"""Logging in and out, taking up an invitation, and how the pages look."""

from __future__ import annotations

from typing import Any

from litestar import Response
from litestar.datastructures import Cookie
from litestar.response import Redirect

from arrocco.errors import Inconsistent, Refusal
from arrocco.office.roles import Permission, Role
from arrocco.store.sql.invitations import Invitation
from arrocco.web.browser_session import YEAR, agent_of, logged_in
from arrocco.web.language import language_of_path
from arrocco.web.routes import act, page
from arrocco.web.view import THEME_COOKIE, THEMES, TheForm, TheView, View

FIRST_ACCOUNT = 1
"""The number of the account that an office begins with."""


def inner_path(path: str, otherwise: str) -> str:
    """An address of this site to go on to: never another site's, whatever a link says."""
    safe = (
        language_of_path(path) is not None
        and path.startswith("/")
        and not path.startswith("//")
        and "\\" not in path
        and path.isprintable()
    )
    return path if safe else otherwise


_FIELDS = {
    "desk.refused.no_invitation": "token",
    "desk.refused.name": "name",
    "desk.refused.password": "password",
    "desk.refused.common_password": "password",
}
"""The field of the form of an invitation that each refusal is about."""


@page("/log-in", permission=Permission.LOOK_UP)
def log_in_page(view: TheView) -> Response[str]:
    """The form to log in with."""
    following = inner_path(view.request.query_params.get("next", ""), "")
    return view.page("log-in.html", next=following)


@act("/log-in", permission=Permission.LOOK_UP)
def log_in(view: TheView, form: TheForm) -> Response[Any]:
    """Opens a session; after too many failures the office makes one wait."""
    following = inner_path(form.value("next"), "")
    email, password = form.text("email", needed=True), form.secret("password")
    if not form.ok:
        return view.page("log-in.html", status=422, form=form, next=following)
    try:
        opened = view.office.accounts.log_in_with(
            email, password, view.asker.address, view.device_token, agent_of(view)
        )
    except Refusal as refusal:
        return view.refused("log-in.html", refusal, form=form, next=following)
    return logged_in(view, opened, following)


@act("/log-out", permission=Permission.SEE_OWN_ACCOUNT)
def log_out(view: TheView) -> Response[Any]:
    """Ends the session, here and in the office."""
    view.office.accounts.log_out(view.session_token)
    answer = view.go("/", "web.log_in.out")
    answer.set_cookie(view.jar.gone(view.jar.session))
    return answer


@page("/invitation", permission=Permission.LOOK_UP)
def invitation_page(view: TheView) -> Response[str]:
    """Where an invitation leads."""
    token = view.request.query_params.get("token", "")[:200]
    return view.page("invitation.html", token=token, invited=_invited(view, token))


def _invited(view: View, token: str) -> Invitation | None:
    """What the office knows of the invited, who need not type it; `None` without a token."""
    try:
        return view.office.accounts.invitation(token) if token else None
    except Inconsistent:  # sending the form says so
        return None


@act("/invitation", permission=Permission.LOOK_UP)
def accept_invitation(view: TheView, form: TheForm) -> Response[Any]:
    """Makes the account that an invitation is for, and lets its person in at once."""
    token, name = form.text("token", needed=True), form.text("name", needed=True, longest=200)
    password = form.secret("password")
    if form.secret("again") != password:
        form.wrong("again", "web.field.not_the_same")
    if not form.ok:
        return view.page(
            "invitation.html", status=422, form=form, token=token, invited=_invited(view, token)
        )
    invited = _invited(view, token)
    try:
        account = view.office.accounts.accept_invitation(
            token, name, password, language=view.language, address=view.asker.address
        )
    except Refusal as refusal:
        return view.refused(
            "invitation.html",
            refusal,
            fields=_FIELDS,
            form=form,
            token=token,
            invited=invited,
        )
    opened = view.office.own_account.begin_session(
        account, view.asker.address, view.device_token, agent_of(view)
    )
    # Who begins an office goes on with its first steps, a player with what the lists say of them.
    is_player = invited is not None and invited.role is Role.PLAYER
    following = "/first-steps" if account == FIRST_ACCOUNT else "/my-rating" if is_player else "/"
    return logged_in(view, opened, view.url(following))


@page("/appearance", permission=Permission.LOOK_UP)
def appearance(view: TheView) -> Redirect:
    """Light, dark, or as the system has it; then back to where one was."""
    query = view.request.query_params
    theme = query.get("theme", "")
    answer = Redirect(inner_path(query.get("next", ""), view.url("/")), status_code=303)
    known = theme in THEMES
    answer.set_cookie(
        Cookie(
            THEME_COOKIE,
            value=theme if known else "",
            max_age=YEAR if known else 0,
            samesite="lax",
            secure=view.jar.secure,
        )
    )
    return answer
