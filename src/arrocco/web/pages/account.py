"""One's own account."""

from __future__ import annotations

from typing import Any

from litestar import Response
from litestar.response import Redirect

from arrocco.errors import Refusal
from arrocco.office.roles import Permission
from arrocco.web.routes import act, page
from arrocco.web.view import TheForm, TheView, View
from arrocco.words import LANGUAGES

_FIELDS = {
    "desk.refused.other_password": "old",
    "desk.refused.password": "new",
    "desk.refused.common_password": "new",
    "desk.refused.language": "language",
}
"""The field of these forms that each refusal is about."""


def _context(view: View) -> dict[str, Any]:
    languages = [(language, view.t(f"web.language.{language}")) for language in LANGUAGES]
    return {"languages": languages}


@page("/account", permission=Permission.SEE_OWN_ACCOUNT)
def account(view: TheView) -> Response[str]:
    """Who one is here, and the form to change the password."""
    return view.page("account.html", **_context(view))


@act("/account/password", permission=Permission.SEE_OWN_ACCOUNT)
def change_password(view: TheView, form: TheForm) -> Response[Any]:
    """Changes the password after asking for the old one."""
    old, new = form.secret("old"), form.secret("new")
    if form.secret("again") != new:
        form.wrong("again", "web.field.not_the_same")
    if not form.ok:
        return view.page("account.html", status=422, form=form, **_context(view))
    try:
        view.office.accounts.change_password(
            view.asker, old, new, keep=view.session_token, device=view.device_token
        )
    except Refusal as refusal:
        return view.refused("account.html", refusal, fields=_FIELDS, form=form, **_context(view))
    return view.go("/account", "web.account.changed")


@act("/account/language", permission=Permission.SEE_OWN_ACCOUNT)
def choose_language(view: TheView, form: TheForm) -> Response[Any]:
    """The language the office speaks to this account in; the pages follow at once."""
    language = form.text("language", needed=True)
    if not form.ok:
        return view.page("account.html", status=422, form=form, **_context(view))
    try:
        view.office.accounts.set_language(view.asker, language)
    except Refusal as refusal:
        return view.refused("account.html", refusal, fields=_FIELDS, form=form, **_context(view))
    answer = Redirect(f"/{language}/account", status_code=303)
    answer.set_cookie(view.language_cookie(language))
    return answer
