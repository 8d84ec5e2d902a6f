"""Programs that are told what is published."""

from __future__ import annotations

from typing import Any

from litestar import Response
from litestar.params import FromPath

from arrocco.errors import Refusal
from arrocco.office.roles import Permission
from arrocco.web.routes import act, page
from arrocco.web.view import TheForm, TheView

_TEMPLATE = "webhooks.html"
_FIELDS = {"hooks.refused.url": "url"}


@page("/account/webhooks", permission=Permission.SEE_OWN_ACCOUNT)
def webhooks(view: TheView) -> Response[str]:
    """One's own addresses and what they were told."""
    return view.page(_TEMPLATE, mine=view.office.webhooks.mine(view.asker), made=None)


@act("/account/webhooks", permission=Permission.SEE_OWN_ACCOUNT)
def add(view: TheView, form: TheForm) -> Response[Any]:
    """Has an address told, and shows its secret this once."""
    url = form.text("url", needed=True, longest=500)
    mine = view.office.webhooks.mine
    if not form.ok:
        return view.page(_TEMPLATE, status=422, form=form, mine=mine(view.asker), made=None)
    try:
        made = view.office.webhooks.add(view.asker, url)
    except Refusal as refusal:
        return view.refused(
            _TEMPLATE, refusal, fields=_FIELDS, form=form, mine=mine(view.asker), made=None
        )
    return view.page(_TEMPLATE, mine=mine(view.asker), made=made)


@act("/account/webhooks/{webhook:int}/stop", permission=Permission.SEE_OWN_ACCOUNT)
def stop(view: TheView, webhook: FromPath[int]) -> Response[Any]:
    """Has an address told no more."""
    view.office.webhooks.stop(view.asker, webhook)
    return view.go("/account/webhooks", "hooks.page.stopped")
