"""The audit log: who did or tried what, when, and how it ended."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from litestar import Response
from msgspec import Struct

from arrocco.office.roles import Permission
from arrocco.office.systems import SYSTEMS
from arrocco.store.sql.audit import Audited
from arrocco.web import writing
from arrocco.web.forms import Form, whole_number
from arrocco.web.routes import page
from arrocco.web.view import TheView, View
from arrocco.wiring.office.desk import operator
from arrocco.words import catalogue

_SIZE = 50
_OUTCOMES = ("done", "refused")
_DID = "audit_pages.did."
_OF_AN_ACCOUNT = ("disable_account", "enable_account")
_AS_WRITTEN = ("log_in", "invite", "invite_first", "set_language")
"""Actions whose subject is what somebody typed, whatever it looks like."""
_PAGES = {
    "tournament": ("/desk/tournaments/", Permission.SEE_TOURNAMENT_FILE),
    "report": ("/desk/reports/", Permission.SEE_TOURNAMENT_FILE),
    "draft": ("/desk/drafts/", Permission.BUILD_LIST),
    "player": ("/players/", Permission.LOOK_UP),
    "replay": ("/statistics/replays/", Permission.LOOK_UP),
}
"""Where the subjects of acts are shown, and who may look there."""


class Line(Struct, frozen=True, kw_only=True):
    """A line of the log in words."""

    row: Audited
    who: str
    did: str
    note: str
    subject: str
    path: str
    """The page of the subject; empty where there is none or it is not for this reader."""


@page("/audit", permission=Permission.READ_AUDIT)
def audit(view: TheView) -> Response[str]:
    """A page of the log, the newest first; the next one starts before its last line."""
    query = view.request.query_params
    form = Form(dict(query.items()), view.language)
    outcome, before = form.value("outcome"), whole_number(form.value("before"))
    day, (account, found) = form.day("day"), _person(view, form)
    wanted = form.text("action")
    rows = []
    if form.ok:
        since, until = _bounds(day)
        rows = view.office.audit.page(
            view.asker, action=wanted, account=account, since=since, until=until,
            outcome=outcome if outcome in _OUTCOMES else "", before=before, limit=_SIZE + 1,
        )  # fmt: skip
    names = view.office.audit.names(view.asker, _accounts(rows))
    outcomes = [("", view.t("web.audit.any"))]
    outcomes += [(key, view.t(f"web.audit.{key}")) for key in _OUTCOMES]
    return view.page(
        "audit.html", status=200 if form.ok else 422, form=form, found=found,
        lines=[_line(view, row, names) for row in rows[:_SIZE]], has_more=len(rows) > _SIZE,
        outcomes=outcomes, actions=[("", view.t("audit_pages.any")), *_actions(view)],
    )  # fmt: skip


def _person(view: View, form: Form) -> tuple[int | None, list[tuple[int, str]]]:
    """The account asked for by its number or by words of a name; several are left to choose."""
    text = form.text("person")
    number = whole_number(text)
    if not text or number is not None:
        return number, []
    found = view.office.audit.named(view.asker, text)
    if len(found) == 1:
        return found[0][0], []
    form.wrong("person", "audit_pages.several" if found else "audit_pages.nobody")
    return None, found


def _bounds(day: date | None) -> tuple[datetime | None, datetime | None]:
    """The moments a day begins and ends, in the time the log is kept in."""
    if day is None or day == date.max:
        return None, None
    start = datetime.combine(day, time(), UTC)
    return start, start + timedelta(days=1)


def _actions(view: View) -> list[tuple[str, str]]:
    """All that can be done, by its words."""
    words = catalogue(view.language, "audit_pages")
    did = [(key.removeprefix(_DID), said) for key, said in words.items() if key.startswith(_DID)]
    return sorted(did, key=lambda pair: pair[1])


def _accounts(rows: list[Audited]) -> set[int]:
    """The accounts that lines tell of, as those who act or those it is done to."""
    of = {row.account for row in rows if row.account is not None}
    done_to = (whole_number(row.subject) for row in rows if row.action in _OF_AN_ACCOUNT)
    tried = {int(number) for row in rows for number in row.details.get("accounts", {})}
    return of | tried | {number for number in done_to if number is not None}


def _line(view: View, row: Audited, names: dict[int, str]) -> Line:
    key = f"{_DID}{row.action}"
    known = key in catalogue(view.language, "audit_pages")
    closes, note = row.details.get("before_closing"), ""
    if isinstance(closes, str):
        shown = writing.day(view.language, date.fromisoformat(closes))
        note = view.t("audit_pages.before_closing", day=shown)
    if "count" in row.details:
        note = _counted(view, row.details, names)
    subject, path = _subject(view, row, names)
    return Line(
        row=row, who=_who(view, row, names), did=view.t(key) if known else row.action, note=note,
        subject=subject, path=path,
    )  # fmt: skip


def _counted(view: View, details: dict[str, Any], names: dict[int, str]) -> str:
    """How often strangers were refused something, when, and at whose accounts most."""
    since, until = (
        f"{datetime.fromisoformat(details[name]):%Y-%m-%d %H:%M}" for name in ("since", "until")
    )
    note = view.t("audit_pages.counted", count=details["count"], since=since, until=until)
    most = [f"{names.get(int(number), '')} ({number})" for number in details["accounts"]]
    if most:
        note += " " + view.t("audit_pages.counted_accounts", accounts=", ".join(most))
    return note


def _who(view: View, row: Audited, names: dict[int, str]) -> str:
    """Who acted: an account's name, whoever works at the machine, or nobody known."""
    if row.account is not None:
        return names.get(row.account, "")
    here = row.address == operator(view.asker.role).address
    return view.t("audit_pages.operator" if here else "audit_pages.nobody_known")


def _subject(view: View, row: Audited, names: dict[int, str]) -> tuple[str, str]:
    """What it was done to, in words, and its page."""
    own = whole_number(row.subject)
    if own is not None and row.action in _OF_AN_ACCOUNT:
        return view.t("audit_pages.subject.account", name=names.get(own, ""), number=own), ""
    if own is not None and row.action == "withdraw_invitation":
        return view.t("audit_pages.subject.invitation", number=own), ""
    if row.action in _AS_WRITTEN:
        return row.subject, ""
    kind, _, rest = row.subject.partition(":")
    number = whole_number(rest)
    if kind in _PAGES and number is not None:
        path, permission = _PAGES[kind]
        said = view.t(f"audit_pages.subject.{kind}", number=number)
        return said, f"{path}{number}" if view.may(permission) else ""
    if kind == "list":
        system, _, day = rest.partition(":")
        name = view.t(f"web.system.{system}") if system in SYSTEMS else system.upper()
        listed = writing.day(view.language, date.fromisoformat(day))
        return view.t("audit_pages.subject.list", system=name, day=listed), ""
    return row.subject, ""
