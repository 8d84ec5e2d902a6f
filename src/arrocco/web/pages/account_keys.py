"""Keys for programs that work in one's name."""

from __future__ import annotations

from typing import Any

from litestar import Response
from litestar.params import FromPath

from arrocco.desk.api_keys import MAX_DAYS, Scope
from arrocco.errors import Refusal
from arrocco.office.roles import Permission
from arrocco.web.pages.account_proof import asked_again
from arrocco.web.routes import act, page
from arrocco.web.view import TheForm, TheView, View

_PATH, _TEMPLATE = "/account/keys", "access/keys.html"
_OWN = Permission.SEE_OWN_ACCOUNT
_FIELDS = {
    "access.refused.key_name": "name",
    "access.refused.no_scope": "scope",
    "access.refused.key_days": "days",
}


def _context(view: View) -> dict[str, Any]:
    scopes = [(scope.value, view.t(f"access.scope.{scope.value}")) for scope in Scope]
    keys = view.office.api_keys.own(view.asker)
    return {"keys": keys, "scopes": scopes, "made": "", "now": view.office.desk.now()}


@page("/account/keys", permission=_OWN)
def keys(view: TheView) -> Response[Any]:
    """One's keys, and the form to make one."""
    if (elsewhere := asked_again(view, _PATH)) is not None:
        return elsewhere
    return view.page(_TEMPLATE, **_context(view))


@act("/account/keys", permission=_OWN)
def make(view: TheView, form: TheForm) -> Response[Any]:
    """Makes a key and shows it, this once."""
    if (elsewhere := asked_again(view, _PATH)) is not None:
        return elsewhere
    name = form.text("name", needed=True, longest=100)
    days = form.integer("days", needed=True, least=1, most=MAX_DAYS)
    known = {scope.value: scope for scope in Scope}
    scopes = tuple(known[value] for value in form.values("scope") if value in known)
    if not form.ok or days is None:
        return view.page(_TEMPLATE, status=422, form=form, **_context(view))
    try:
        key = view.office.api_keys.make(view.asker, name, scopes, days)
    except Refusal as refusal:
        return view.refused(_TEMPLATE, refusal, fields=_FIELDS, form=form, **_context(view))
    return view.page(_TEMPLATE, **(_context(view) | {"made": key}))


@act("/account/keys/{key:int}/revoke", permission=_OWN)
def revoke(view: TheView, key: FromPath[int]) -> Response[Any]:
    """Ends a key."""
    view.office.api_keys.revoke(view.asker, key)
    return view.go("/account/keys", "access.keys.was_revoked")
