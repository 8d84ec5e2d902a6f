"""One's own sessions, one's address, and closing one's account."""

from __future__ import annotations

from typing import Any

from litestar import Response
from litestar.params import FromPath

from arrocco.errors import Refusal
from arrocco.office.roles import Permission
from arrocco.store.sql.sessions import id_of
from arrocco.web.routes import act, page
from arrocco.web.view import TheForm, TheView, View

_TEMPLATE = "access/security.html"
_OWN = Permission.SEE_OWN_ACCOUNT
_BROWSERS = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Firefox", "Firefox"),
    ("FxiOS", "Firefox"),
    ("CriOS", "Chrome"),
    ("Chrome", "Chrome"),
    ("Safari", "Safari"),
)
"""What browsers say of themselves: the first that is found is the one, others only claim to be."""
_SYSTEMS = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("Mac OS", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)


def _context(view: View) -> dict[str, Any]:
    return {
        "sessions": view.office.own_account.sessions(view.asker),
        "browser_of": lambda agent: _browser(view, agent),
        "this": id_of(view.session_token),
        "me": view.office.accounts.me(view.asker),
    }


def _browser(view: View, agent: str) -> str:
    """A browser as its owner knows it: what it says of itself names a dozen others."""
    name = next((name for mark, name in _BROWSERS if mark in agent), "")
    system = next((system for mark, system in _SYSTEMS if mark in agent), "")
    if name and system:
        return view.t("access.security.browser_on", browser=name, system=system)
    return name or system or agent[:40] or "–"


@page("/account/security", permission=_OWN)
def security(view: TheView) -> Response[str]:
    """Where one is logged in, one's address, and the end."""
    return view.page(_TEMPLATE, **_context(view))


@act("/account/sessions/{session:str}/end", permission=_OWN)
def end_session(view: TheView, session: FromPath[str]) -> Response[Any]:
    """Ends one session."""
    view.office.own_account.end_session(view.asker, session)
    return view.go("/account/security", "access.security.ended")


@act("/account/sessions/end-others", permission=_OWN)
def end_others(view: TheView) -> Response[Any]:
    """Ends all sessions but this one."""
    view.office.own_account.end_everywhere(
        view.asker, keep=view.session_token, device=view.device_token
    )
    return view.go("/account/security", "access.security.ended_all")


@act("/account/address", permission=_OWN)
def change_address(view: TheView, form: TheForm) -> Response[Any]:
    """Sends a link to the new address."""
    email, password = form.text("email", needed=True, longest=254), form.secret("password")
    if not form.ok:
        return view.page(_TEMPLATE, status=422, form=form, **_context(view))
    fields = {
        "desk.refused.email": "email",
        "access.refused.same_address": "email",
        "desk.refused.other_password": "password",
    }
    try:
        view.office.own_account.ask_new_address(view.asker, email, password)
    except Refusal as refusal:
        return view.refused(_TEMPLATE, refusal, fields=fields, form=form, **_context(view))
    return view.go("/account/security", "access.security.address_sent", email=email)


@act("/account/close", permission=_OWN)
def close(view: TheView, form: TheForm) -> Response[Any]:
    """Closes one's own account."""
    password = form.secret("closing")
    if not form.ok:
        return view.page(_TEMPLATE, status=422, form=form, **_context(view))
    fields = {"desk.refused.other_password": "closing", "access.refused.last_manager": "closing"}
    try:
        view.office.own_account.close(view.asker, password)
    except Refusal as refusal:
        return view.refused(_TEMPLATE, refusal, fields=fields, form=form, **_context(view))
    answer = view.go("/", "access.security.closed")
    answer.set_cookie(view.jar.gone(view.jar.session))
    return answer
