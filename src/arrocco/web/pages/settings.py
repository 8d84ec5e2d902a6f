"""The settings of the office: its name, crest and colours, its contact, who may come in."""

from __future__ import annotations

from typing import Any

from litestar import Response

from arrocco.desk.crest import MAX_BYTES
from arrocco.errors import Refusal
from arrocco.office.cutoff import MAX_REPORT_DAYS
from arrocco.office.roles import Permission, Role
from arrocco.office.settings import MAX_CONTACT, MAX_NAME, MAX_URL, SignUp
from arrocco.office.suspensions import Suspension
from arrocco.web.forms import Form
from arrocco.web.routes import FORM_BYTES, act, page
from arrocco.web.view import TheForm, TheView, View

_TEMPLATE = "settings.html"
FIELDS = {
    "settings.refused.name": "name_en",
    "settings.refused.federation": "federation",
    "settings.refused.colour": "accent",
    "settings.refused.pale_colour": "accent",
    "settings.refused.contact": "contact",
    "settings.refused.website": "website",
    "settings.refused.crest": "crest",
    "settings.refused.crest_bytes": "crest",
    "settings.refused.crest_size": "crest",
    "settings.refused.link_days": "days",
    "settings.refused.report_days": "report_days",
    "settings.refused.suspended_code": "suspended_code",
    "settings.refused.suspended_days": "suspended_until",
    "settings.refused.suspensions": "suspended_code",
    "desk.refused.email": "contact_email",
}
"""The field of these forms that each refusal is about."""
DEFAULT_ACCENT = "#7a2f22"
"""What the field of the colour begins with, as the stylesheet has it: no colour of its own."""
CREST_BYTES = MAX_BYTES + FORM_BYTES


def _context(view: View) -> dict[str, Any]:
    roles = [(role.value, view.t(f"web.role.{role.value}")) for role in Role if role != Role.PUBLIC]
    ways = [(way.value, view.t(f"settings.sign_up.{way.value}")) for way in SignUp]
    return {
        "settings": view.office.settings.get(),
        "roles": roles,
        "ways": ways,
        "link": "",
        "now": view.office.desk.now(),
        "most_report_days": MAX_REPORT_DAYS,
        "mark": _mark,
    }


def identity_fields(form: Form) -> dict[str, Any]:
    """What a form says of the office's identity."""
    return {
        "name_en": form.text("name_en", longest=MAX_NAME),
        "name_it": form.text("name_it", longest=MAX_NAME),
        "federation": form.text("federation").upper(),
        "accent": form.text("accent").lower().replace(DEFAULT_ACCENT, ""),
        "contact_email": form.text("contact_email", longest=254),
        "contact": form.text("contact", longest=MAX_CONTACT).replace("\r\n", "\n"),
        "website": form.text("website", longest=MAX_URL),
    }


@page("/settings", permission=Permission.MANAGE_OFFICE)
def settings(view: TheView) -> Response[str]:
    """All settings, each group a form of its own."""
    return view.page(_TEMPLATE, **_context(view))


@act("/settings/identity", permission=Permission.MANAGE_OFFICE)
def change_identity(view: TheView, form: TheForm) -> Response[Any]:
    """Changes name, colour and contact."""
    return _changed(view, form, identity_fields(form))


@act("/settings/coming-in", permission=Permission.MANAGE_OFFICE)
def change_coming_in(view: TheView, form: TheForm) -> Response[Any]:
    """Changes who may sign up, and who needs a second factor."""
    way = form.choice("sign_up", SignUp)
    known = {role.value: role for role in Role if role is not Role.PUBLIC}
    roles = tuple(known[name] for name in form.values("second_factor") if name in known)
    return _changed(view, form, {"sign_up": way, "second_factor": roles})


@act("/settings/reports", permission=Permission.MANAGE_OFFICE)
def change_reports(view: TheView, form: TheForm) -> Response[Any]:
    """Changes until when reports are taken for a list."""
    days = form.integer("report_days", least=0, needed=True)
    return _changed(view, form, {"report_days": days})


@act("/settings/suspended", permission=Permission.MANAGE_OFFICE)
def change_suspended(view: TheView, form: TheForm) -> Response[Any]:
    """Marks a federation as suspended with its days, or takes a mark away."""
    suspended = view.office.settings.get().suspended
    if form.value("do") == "remove":
        gone = form.text("mark")
        return _changed(
            view,
            form,
            {
                "suspended": tuple(
                    suspension for suspension in suspended if _mark(suspension) != gone
                )
            },
        )
    code = form.text("suspended_code", needed=True).upper()
    since = form.day("suspended_since", needed=True)
    until = form.day("suspended_until")
    if since is not None:
        new = Suspension(federation=code, since=since, until=until)
        suspended = tuple(sorted({*suspended, new}, key=_mark))
    return _changed(view, form, {"suspended": suspended})


def _mark(suspension: Suspension) -> str:
    """What tells a suspension from the others."""
    return f"{suspension.federation} {suspension.since} {suspension.until or ''}".strip()


def _changed(view: View, form: Form, changes: dict[str, Any]) -> Response[Any]:
    if not form.ok:
        return view.page(_TEMPLATE, status=422, form=form, **_context(view))
    try:
        view.office.settings.change(view.asker, **changes)
    except Refusal as refusal:
        return view.refused(_TEMPLATE, refusal, fields=FIELDS, form=form, **_context(view))
    return view.go("/settings", "settings.saved")


@act("/settings/crest", permission=Permission.MANAGE_OFFICE, body_limit=CREST_BYTES)
def change_crest(view: TheView, form: TheForm) -> Response[Any]:
    """Takes a new crest, or takes it away."""
    removed = form.value("do") == "remove"
    file = None if removed else form.upload("crest")
    if file is None and not removed:
        return view.page(_TEMPLATE, status=422, form=form, **_context(view))
    try:
        view.office.settings.set_crest(view.asker, None if file is None else file.data)
    except Refusal as refusal:
        return view.refused(_TEMPLATE, refusal, fields=FIELDS, form=form, **_context(view))
    return view.go("/settings", "settings.crest_removed" if removed else "settings.crest_saved")


@act("/settings/sign-up-link", permission=Permission.MANAGE_OFFICE)
def sign_up_link(view: TheView, form: TheForm) -> Response[Any]:
    """Makes a new link to sign up by and shows it, this once."""
    days = form.integer("days", least=1, needed=True)
    if not form.ok or days is None:
        return view.page(_TEMPLATE, status=422, form=form, **_context(view))
    try:
        token = view.office.settings.new_sign_up_link(view.asker, days)
    except Refusal as refusal:
        return view.refused(_TEMPLATE, refusal, fields=FIELDS, form=form, **_context(view))
    link = view.site + view.url("/sign-up", token=token)
    return view.page(_TEMPLATE, **(_context(view) | {"link": link}))
