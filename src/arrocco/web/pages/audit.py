"""The audit log: who did or tried what, when, and how it ended."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from litestar import Response
from msgspec import Struct

from arrocco.desk.desk import operator
from arrocco.errors import Refusal
from arrocco.laws.systems import SYSTEMS
from arrocco.office.roles import Permission
from arrocco.store.sql.audit import Audited
from arrocco.web import writing
from arrocco.web.forms import Form, whole_number
from arrocco.web.routes import page
from arrocco.web.view import TheView, View
from arrocco.words import catalogue

_SIZE = 50
_OUTCOMES = ("done", "refused")
_DID = "audit_pages.did."
_KEY = "key"
_OF_AN_ACCOUNT = (
    "disable_account",
    "enable_account",
    "ask_reset",
    "make_reset_link",
    "reset_password",
    "ask_new_address",
    "change_address",
    "end_session",
    "end_sessions",
    "close_account",
    "sign_up",
    "withdraw_claim",
    "release_number",
    "begin_authenticator",
    "add_authenticator",
    "make_recovery_codes",
    "remove_factor",
    "reset_factors",
    "second_factor",
    "add_passkey",
    "give_role",
    "prove_again",
    "name_committee_member",
    "end_committee_term",
)
"""Actions whose subject is the number of an account."""
_AS_WRITTEN = ("log_in", "invite", "invite_first", "set_language", "make_api_key", "first_step")
"""Actions whose subject is what somebody typed, whatever it looks like."""
_PAGES = {
    "tournament": ("/desk/tournaments/", Permission.SEE_TOURNAMENT_FILE),
    "report": ("/desk/reports/", Permission.SEE_TOURNAMENT_FILE),
    "draft": ("/desk/drafts/", Permission.BUILD_LIST),
    "player": ("/players/", Permission.LOOK_UP),
    "replay": ("/statistics/replays/", Permission.LOOK_UP),
    "question": ("/questions/", Permission.ANSWER_QUESTION),
    "mail": ("/mail/", Permission.MANAGE_ACCOUNTS),
    "case": ("/committee/cases/", Permission.JUDGE_FAIR_PLAY),
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
            view.asker,
            action=wanted,
            account=account,
            since=since,
            until=until,
            outcome=outcome if outcome in _OUTCOMES else "",
            before=before,
            limit=_SIZE + 1,
        )
    names = _names(view, rows)
    outcomes = [("", view.t("web.audit.any"))]
    outcomes += [(key, view.t(f"web.audit.{key}")) for key in _OUTCOMES]
    return view.page(
        "audit.html",
        status=200 if form.ok else 422,
        form=form,
        found=found,
        lines=[_line(view, row, names) for row in rows[:_SIZE]],
        has_more=len(rows) > _SIZE,
        outcomes=outcomes,
        actions=[("", view.t("audit_pages.any")), *_actions(view)],
    )


def _person(view: View, form: Form) -> tuple[int | None, list[tuple[int, str]]]:
    """The account asked for by its number or by words of a name; several are left to choose."""
    text = form.text("person")
    number = whole_number(text)
    if not text or number is not None:
        return number, []
    person = view.office.audit.named(view.asker, text)
    if len(person) == 1:
        return person[0][0], []
    form.wrong("person", "audit_pages.several" if person else "audit_pages.nobody")
    return None, person


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


class Names(Struct, frozen=True, kw_only=True):
    """The names of what lines tell of, by the numbers that the log keeps."""

    accounts: dict[int, str]
    subjects: dict[tuple[str, int], str]
    """Of players, tournaments, reports, drafts, replays and keys."""


def _names(view: View, rows: list[Audited]) -> Names:
    """Names for all numbers of a page: people read names."""
    told: dict[str, set[int]] = {
        kind: set() for kind in ("player", "tournament", "report", "draft", "replay", _KEY)
    }
    for row in rows:
        kind, _, rest = row.subject.partition(":")
        if row.action == "revoke_api_key":
            kind, rest = _KEY, row.subject
        if kind in told and (number := whole_number(rest)) is not None:
            told[kind].add(number)
        for number in (row.details.get("player"), row.details.get("left")):
            if isinstance(number, int):
                told["player"].add(number)
    subjects: dict[tuple[str, int], str] = {}
    for number in told["player"]:
        listed = next(iter(view.office.people.on_lists(number).values()), None)
        if listed is not None:
            subjects["player", number] = listed.name
    desk = view.office.audit
    tournaments, reports = desk.tournaments(view.asker, told["tournament"], told["report"])
    subjects |= {("tournament", number): name for number, name in tournaments.items()}
    subjects |= {("report", number): name for number, name in reports.items()}
    lists = desk.drafts(view.asker, told["draft"])
    subjects |= {("draft", number): _list_name(view, *of) for number, of in lists.items()}
    subjects |= {(_KEY, n): name for n, name in desk.keys(view.asker, told[_KEY]).items()}
    for number in told["replay"]:
        with suppress(Refusal):  # replays are kept for a while only
            asked = view.office.replays.get(number).asked
            days = writing.days(view.language, asked.first, asked.last)
            subjects["replay", number] = f"{view.t(f'web.system.{asked.system}')}, {days}"
    return Names(accounts=desk.names(view.asker, _accounts(rows)), subjects=subjects)


def _list_name(view: View, system: str, day: date) -> str:
    name = view.t(f"web.system.{system}") if system in SYSTEMS else system.upper()
    return view.t("audit_pages.subject.list", system=name, day=writing.day(view.language, day))


def _accounts(rows: list[Audited]) -> set[int]:
    """The accounts that lines tell of, as those who act or those it is done to."""
    of = {row.account for row in rows if row.account is not None}
    done_to = (whole_number(row.subject) for row in rows if row.action in _OF_AN_ACCOUNT)
    tried = {int(number) for row in rows for number in row.details.get("accounts", {})}
    given = (row.details.get("account") for row in rows)
    of_claims = {number for number in given if isinstance(number, int)}
    return of | tried | of_claims | {number for number in done_to if number is not None}


def _line(view: View, row: Audited, names: Names) -> Line:
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
        row=row,
        who=_who(view, row, names),
        did=view.t(key) if known else row.action,
        note=note,
        subject=subject,
        path=path,
    )


def _counted(view: View, details: dict[str, Any], names: Names) -> str:
    """How often strangers were refused something, when, and at whose accounts most."""
    since, until = (
        f"{datetime.fromisoformat(details[name]):%Y-%m-%d %H:%M}" for name in ("since", "until")
    )
    note = view.t("audit_pages.counted", count=details["count"], since=since, until=until)
    most = [f"{names.accounts.get(int(number), '')} ({number})" for number in details["accounts"]]
    if most:
        note += " " + view.t("audit_pages.counted_accounts", accounts=", ".join(most))
    return note


def _who(view: View, row: Audited, names: Names) -> str:
    """Who acted: an account's name, whoever works at the machine, or nobody known."""
    if row.account is not None:
        name = names.accounts.get(row.account, "")
        program = row.details.get("program")
        if not program:
            return name
        return view.t("audit_pages.subject.program", name=name, program=program)
    here = row.address == operator(view.asker.role).address
    return view.t("audit_pages.operator" if here else "audit_pages.nobody_known")


def _subject(view: View, row: Audited, names: Names) -> tuple[str, str]:
    """What it was done to, in words, and its page."""
    own = whole_number(row.subject)
    if own is not None and row.action in _OF_AN_ACCOUNT:
        return view.t(
            "audit_pages.subject.account", name=names.accounts.get(own, ""), number=own
        ), ""
    if own is not None and row.action == "withdraw_invitation":
        said = view.t("audit_pages.subject.invitation", number=own)
        email = row.details.get("email", "")
        return f"{email} ({said})" if email else said, ""
    if row.action in _AS_WRITTEN:
        return row.subject, ""
    if own is not None and row.action == "revoke_api_key":
        said, name = view.t("audit_pages.subject.key", number=own), names.subjects.get((_KEY, own))
        return f"{name} ({said})" if name else said, ""
    if row.subject.startswith("claim:"):
        claim = row.subject.removeprefix("claim:")
        said = view.t("audit_pages.subject.claim", number=claim)
        whose = names.accounts.get(row.details.get("account", 0), "")
        claimed = names.subjects.get(("player", row.details.get("player", 0)), "")
        return " · ".join(filter(None, (said, whose, claimed))), ""
    kind, _, rest = row.subject.partition(":")
    number = whole_number(rest)
    if kind in _PAGES and number is not None:
        path, permission = _PAGES[kind]
        said = view.t(f"audit_pages.subject.{kind}", number=number)
        if name := names.subjects.get((kind, number)):
            said = f"{name} ({said})"
        return said, f"{path}{number}" if view.may(permission) else ""
    if kind == "list":
        system, _, day = rest.partition(":")
        return _list_name(view, system, date.fromisoformat(day)), ""
    return row.subject, ""
