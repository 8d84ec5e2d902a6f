"""One's own number on the lists: claimed from the office, or by a code."""

from __future__ import annotations

from typing import Any

from litestar import Response

from arrocco.desk.claims import CODE_MINUTES, MAX_NOTE
from arrocco.errors import Refusal
from arrocco.office.claims import ClaimState
from arrocco.office.roles import Permission
from arrocco.web.forms import whole_number
from arrocco.web.pages.public_players import listed_player, search, systems_of
from arrocco.web.routes import act, page
from arrocco.web.view import TheForm, TheView, View

_TEMPLATE = "access/number.html"
_OWN = Permission.SEE_OWN_ACCOUNT
_MAX_FOUND, _MAX_TEXT = 10, 100
_FIELDS = {
    "desk.refused.no_player": "player",
    "access.refused.number_taken": "player",
    "access.refused.left_number": "player",
    "access.refused.no_address": "player",
    "access.refused.code": "code",
    "access.refused.note": "note",
}


def _context(view: View, player: int | None = None, text: str = "") -> dict[str, Any]:
    claims = view.office.claims.own(view.asker)
    waits = next((claim for claim in claims if claim.state is ClaimState.WAITING), None)
    refused = claims[0] if claims and claims[0].state is ClaimState.REFUSED else None
    chosen = listed_player(systems_of(view, player, charts=False)) if player else None
    matching = [] if chosen or not text else search(view, text, _MAX_FOUND)[0]
    return {
        "waits": waits,
        "refused_claim": refused,
        "player": player,
        "chosen": chosen,
        "text": text,
        "found": matching,
    }


@page("/account/number", permission=_OWN)
def number(view: TheView) -> Response[str]:
    """One's number, or the ways to claim it: first those of one's name on the lists."""
    query = view.request.query_params
    player = whole_number(query.get("player", ""))
    typed = query["q"] if "q" in query else view.office.accounts.me(view.asker).name
    return view.page(_TEMPLATE, **_context(view, player, typed.strip()[:_MAX_TEXT]))


@act("/account/number", permission=_OWN)
def claim(view: TheView, form: TheForm) -> Response[Any]:
    """Asks the office, has a code sent, or takes the number by its code."""
    player = form.integer("player", needed=True, least=1)
    do = form.value("do")
    code = form.text("code", needed=do == "enter", longest=20)
    note = form.text("note", longest=MAX_NOTE)
    if not form.ok or player is None:
        return view.page(_TEMPLATE, status=422, form=form, **_context(view))
    desk = view.office.claims
    try:
        if do == "send":
            desk.send_code(view.asker, player)
            said = view.t("access.number.sent", minutes=CODE_MINUTES)
            return view.page(_TEMPLATE, sent=said, form=form, **_context(view, player))
        if do == "enter":
            desk.enter_code(view.asker, player, code)
            return view.go("/account/number", "access.number.done")
        desk.ask(view.asker, player, note)
    except Refusal as refusal:
        context = _context(view, player)
        return view.refused(_TEMPLATE, refusal, fields=_FIELDS, form=form, **context)
    return view.go("/account/number", "access.number.asked")


@act("/account/number/withdraw", permission=_OWN)
def withdraw(view: TheView) -> Response[Any]:
    """Takes back a claim that waits."""
    view.office.claims.withdraw(view.asker)
    return view.go("/account/number", "access.number.withdrawn")
