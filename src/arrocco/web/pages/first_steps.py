"""The first steps of a new office, one after the other, each of which can be left for later."""

from __future__ import annotations

from typing import Any

from litestar import Response
from litestar.params import FromPath

from arrocco.desk.settings import READY, STEPS
from arrocco.errors import Refusal
from arrocco.office.roles import Permission
from arrocco.web.pages.settings import CREST_BYTES, FIELDS, identity_fields
from arrocco.web.routes import act, page
from arrocco.web.view import TheForm, TheView, View

_TEMPLATE = "access/first-steps.html"
_MANAGE = Permission.MANAGE_OFFICE


def _context(view: View) -> dict[str, Any]:
    settings = view.office.settings.get()
    left = view.steps_left
    current = left[0] if left else READY
    wanted = view.request.query_params.get("step", "")
    return {
        "settings": settings,
        "steps": [*STEPS, READY],
        "done": [step for step in STEPS if step not in left],
        "current": wanted if wanted in (*STEPS, READY) else current,
    }


@page("/first-steps", permission=_MANAGE)
def first_steps(view: TheView) -> Response[str]:
    """The step that is next, and what was done."""
    return view.page(_TEMPLATE, **_context(view))


@act("/first-steps/identity", permission=_MANAGE, body_limit=CREST_BYTES)
def identity(view: TheView, form: TheForm) -> Response[Any]:
    """Name, colour, contact and crest in one form; then the next step."""
    fields = identity_fields(form)
    crest = form.upload("crest") if form.has_file("crest") else None
    if not form.ok:
        return view.page(_TEMPLATE, status=422, form=form, **_context(view))
    try:
        view.office.settings.change(view.asker, **fields)
        if crest is not None:
            view.office.settings.set_crest(view.asker, crest.data)
        view.office.settings.step_done(view.asker, "identity")
    except Refusal as refusal:
        return view.refused(_TEMPLATE, refusal, fields=FIELDS, form=form, **_context(view))
    return view.go("/first-steps")


@act("/first-steps/{step:str}/done", permission=_MANAGE)
def done(view: TheView, step: FromPath[str]) -> Response[Any]:
    """Goes on to the next step, and after the last to the office."""
    view.office.settings.step_done(view.asker, step)
    return view.go("/" if step == READY else "/first-steps")
