"""Second factors: setting them up, and showing one when logging in."""

from __future__ import annotations

from typing import Any

from litestar import Response
from litestar.params import FromPath
from markupsafe import Markup

from arrocco.desk.second_factor import NewApp
from arrocco.errors import Refusal
from arrocco.office.roles import Permission
from arrocco.web.browser_session import agent_of, logged_in
from arrocco.web.pages.account_proof import asked_again
from arrocco.web.pages.session import inner_path
from arrocco.web.qr_code import qr_code
from arrocco.web.routes import act, page
from arrocco.web.view import TheForm, TheView, View

_TEMPLATE, _APP, _LOG_IN = "access/factor.html", "access/factor-app.html", "access/log-in.html"
_OWN = Permission.SEE_OWN_ACCOUNT
_PATH = "/account/second-factor"
_FIELDS = {"access.refused.factor_code": "code", "access.refused.factor_name": "name"}


def _context(view: View, codes: list[str] | None = None) -> dict[str, Any]:
    own = view.office.second_factors.own(view.asker)
    challenge = view.office.passkeys.begin(view.asker, view.site, _issuer(view))
    return {"own": own, "challenge": challenge, "codes": codes or []}


def _issuer(view: View) -> str:
    return view.identity.name or "Arrocco"


def _qr(app: NewApp) -> Markup:
    """The QR code of an app's key, as a picture in the page."""
    return Markup(qr_code(app.address))


@page("/account/second-factor", permission=_OWN)
def factors(view: TheView) -> Response[Any]:
    """One's second factors, and the ways to set one up."""
    if (elsewhere := asked_again(view, _PATH)) is not None:
        return elsewhere
    return view.page(_TEMPLATE, **_context(view))


@act("/account/second-factor/app", permission=_OWN)
def new_app(view: TheView) -> Response[Any]:
    """Shows the key of a new authenticator app, to be confirmed by a code of it."""
    if (elsewhere := asked_again(view, _PATH)) is not None:
        return elsewhere
    app = view.office.second_factors.new_app(view.asker, _issuer(view))
    return view.page(_APP, app=app, qr=_qr(app))


@act("/account/second-factor/app/confirm", permission=_OWN)
def confirm_app(view: TheView, form: TheForm) -> Response[Any]:
    """Takes the app whose code was entered."""
    if (elsewhere := asked_again(view, _PATH)) is not None:
        return elsewhere
    attempt, code = form.text("attempt"), form.text("code", needed=True, longest=40)
    name = form.text("name", needed=True, longest=100)
    desk = view.office.second_factors
    app = desk.pending_app(view.asker, attempt, _issuer(view))
    if not form.ok:
        return view.page(_APP, status=422, form=form, app=app, qr=_qr(app))
    try:
        codes = desk.add_app(view.asker, attempt, code, name)
    except Refusal as refusal:
        return view.refused(_APP, refusal, fields=_FIELDS, form=form, app=app, qr=_qr(app))
    return _added(view, codes)


@act("/account/second-factor/passkey", permission=_OWN)
def add_passkey(view: TheView, form: TheForm) -> Response[Any]:
    """Takes the passkey that the browser has made."""
    if (elsewhere := asked_again(view, _PATH)) is not None:
        return elsewhere
    attempt, answer = form.text("attempt"), form.value("answer")
    name = form.text("name", needed=True, longest=100)
    if not answer:
        form.wrong("name", "access.factor.failed")
    if not form.ok:
        return view.page(_TEMPLATE, status=422, form=form, **_context(view))
    try:
        codes = view.office.passkeys.add(view.asker, attempt, answer, name, view.site)
    except Refusal as refusal:
        return view.refused(_TEMPLATE, refusal, fields=_FIELDS, form=form, **_context(view))
    return _added(view, codes)


def _added(view: View, codes: list[str]) -> Response[Any]:
    """Recovery codes are shown once; without new ones the page is fetched anew."""
    if not codes:
        return view.go("/account/second-factor", "access.factor.added")
    view.now_has_factor()
    return view.page(_TEMPLATE, **_context(view, codes))


@act("/account/second-factor/codes", permission=_OWN)
def new_codes(view: TheView) -> Response[Any]:
    """Makes new recovery codes and shows them, this once."""
    if (elsewhere := asked_again(view, _PATH)) is not None:
        return elsewhere
    codes = view.office.second_factors.new_codes(view.asker)
    return view.page(_TEMPLATE, **_context(view, codes))


@act("/account/second-factor/{factor:int}/remove", permission=_OWN)
def remove(view: TheView, factor: FromPath[int]) -> Response[Any]:
    """Removes a second factor."""
    if (elsewhere := asked_again(view, _PATH)) is not None:
        return elsewhere
    view.office.second_factors.remove(view.asker, factor)
    return view.go("/account/second-factor", "access.factor.removed")


# --- logging in -----------------------------------------------------------------------------------


def _asked(view: View, following: str, **more: Any) -> dict[str, Any]:
    pending = view.request.cookies.get(view.jar.pending, "")
    challenge = view.office.passkeys.challenge(pending, view.site)
    kinds = view.office.second_factors.kinds(pending)
    return {"challenge": challenge, "kinds": kinds, "next": following, **more}


@page("/log-in/second", permission=Permission.LOOK_UP)
def second_page(view: TheView) -> Response[Any]:
    """Asks for the second factor of who knew the password."""
    following = inner_path(view.request.query_params.get("next", ""), "")
    if not view.request.cookies.get(view.jar.pending):
        return view.go("/log-in")
    return view.page(_LOG_IN, **_asked(view, following))


@act("/log-in/second", permission=Permission.LOOK_UP)
def second(view: TheView, form: TheForm) -> Response[Any]:
    """Opens the session by a code, or by the answer of a passkey."""
    pending = view.request.cookies.get(view.jar.pending, "")
    if not pending:
        return view.go("/log-in")
    following = inner_path(form.value("next"), "")
    who = view.asker.address, view.device_token, agent_of(view)
    answer, code = form.value("answer"), form.text("code", longest=60)
    try:
        if answer:
            opened = view.office.passkeys.log_in(
                pending, form.text("attempt"), answer, view.site, *who
            )
        else:
            opened = view.office.second_factors.log_in(pending, code, *who)
    except Refusal as refusal:
        try:
            context = _asked(view, following, form=form)
        except Refusal as over:  # the password was too long ago
            return view.refused("log-in.html", over, next=following)
        return view.refused(_LOG_IN, refusal, fields=_FIELDS, **context)
    return logged_in(view, opened, following)
