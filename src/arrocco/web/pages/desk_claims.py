"""Claims of numbers, for officers; and the addresses that the office has of players."""

from __future__ import annotations

from typing import Any

from litestar import Response
from litestar.params import FromPath

from arrocco.errors import Refusal
from arrocco.office.roles import Permission
from arrocco.web.routes import act, page
from arrocco.web.view import TheForm, TheView, View

_TEMPLATE = "desk/claims.html"
_DECIDE = Permission.DECIDE_CLAIM


def _context(view: View) -> dict[str, Any]:
    return {"claims": view.office.claims.waiting(view.asker)}


@page("/desk/claims", permission=_DECIDE)
def claims(view: TheView) -> Response[str]:
    """The claims that wait."""
    return view.page(_TEMPLATE, **_context(view))


@act("/desk/claims/{claim:int}/accept", permission=_DECIDE)
def accept(view: TheView, claim: FromPath[int]) -> Response[Any]:
    """Gives an account the number it claims."""
    try:
        view.office.claims.decide(view.asker, claim, accept=True)
    except Refusal as refusal:
        return view.refused(_TEMPLATE, refusal, **_context(view))
    return view.go("/desk/claims", "access.claims.accepted")


@act("/desk/claims/{claim:int}/refuse", permission=_DECIDE)
def refuse(view: TheView, form: TheForm, claim: FromPath[int]) -> Response[Any]:
    """Refuses a claim, with a reason."""
    reason = form.text(f"reason-{claim}", needed=True, longest=2000)
    if not form.ok:
        return view.page(_TEMPLATE, status=422, form=form, **_context(view))
    try:
        view.office.claims.decide(view.asker, claim, accept=False, reason=reason)
    except Refusal as refusal:
        return view.refused(_TEMPLATE, refusal, form=form, **_context(view))
    return view.go("/desk/claims", "access.claims.was_refused")


@act("/desk/claims/address", permission=_DECIDE)
def put_address(view: TheView, form: TheForm) -> Response[Any]:
    """Keeps the address of a player."""
    player = form.integer("player", needed=True, least=1)
    email = form.text("email", longest=254)
    if not form.ok or player is None:
        return view.page(_TEMPLATE, status=422, form=form, **_context(view))
    fields = {"desk.refused.email": "email", "desk.refused.no_player": "player"}
    fields["office.refused.not_yours"] = "player"
    try:
        view.office.claims.put_address(view.asker, player, email)
    except Refusal as refusal:
        return view.refused(_TEMPLATE, refusal, fields=fields, form=form, **_context(view))
    return view.go("/desk/claims", "access.claims.address_saved")
