"""Building lists: the calendar, drafts on their way, what a draft changes, publishing it."""

from __future__ import annotations

import shutil
import tempfile
from datetime import date
from pathlib import Path
from typing import Any

from anyio import to_thread
from litestar import Response
from litestar.params import FromPath

from arrocco.errors import NoLawInForce, Refusal, Unavailable
from arrocco.office.cutoff import StillOpen
from arrocco.office.findings import details_of
from arrocco.office.records import DraftStatus
from arrocco.office.roles import Forbidden, Permission
from arrocco.office.systems import SYSTEMS, system_named
from arrocco.store.sql import drafts
from arrocco.web import heavy
from arrocco.web.charts import Bar, Chart, histogram
from arrocco.web.forms import Form
from arrocco.web.pages.work_draft_players import KINDS, MOST, players_of
from arrocco.web.pages.work_numbers import Number
from arrocco.web.report_work import import_file
from arrocco.web.routes import act, heavy_act, page
from arrocco.web.view import TheForm, TheView, View
from arrocco.wiring.heavy import JobFailed
from arrocco.wiring.office.book import IMPORTABLE
from arrocco.wiring.office.draft_records import Draft, DraftUnusual, body_of

_CALENDAR, _IMPORT, _DRAFT = "work/lists.html", "work/import.html", "work/draft.html"
_S = DraftStatus
DRAFT_SIGNS = {
    _S.RUNNING: "running", _S.READY: "done", _S.FAILED: "error", _S.PUBLISHED: "done",
    _S.DISCARDED: "off",
}  # fmt: skip
_FIGURES = (
    "reports", "players", "rated_before", "rated", "played", "games", "new", "newcomers",
    "in_pools", "delisted", "inactive", "k_limited", "entries_without_id",
)  # fmt: skip
"""Numbers of a summary that are shown, in this order."""
_LED_TO = {"new": "new", "delisted": "delisted", "inactive": "inactive", "k_limited": "k_limited"}


# --- the calendar ---------------------------------------------------------------------------------


@page("/desk/lists", permission=Permission.BUILD_LIST)
def calendar(view: TheView) -> Response[str]:
    """The next lists of every system, when they close and what waits for them."""
    return view.page(_CALENDAR, **_calendar_context(view))


def _calendar_context(view: View) -> dict[str, Any]:
    rows: list[tuple[str, Any, Refusal | None]] = []
    for system in SYSTEMS:
        try:
            rows.append((system, view.office.lists.calendar(system, count=2), None))
        except Refusal as refusal:  # no edition is in force: there is no list to come
            rows.append((system, [], refusal))
    to_decide, _ = view.office.reports.waiting(view.asker, limit=1)
    return {
        "rows": rows, "signs": DRAFT_SIGNS, "to_decide": to_decide,
        "latest": {key: view.office.lists.latest(key) for key in SYSTEMS},
        "laws": {key: system.law for key, system in SYSTEMS.items()},
    }  # fmt: skip


@act("/desk/lists/draft", permission=Permission.BUILD_LIST)
def begin(view: TheView, form: TheForm) -> Response[Any]:
    """Begins the draft of a list."""
    system, day = form.text("system", needed=True), form.day("list_date", needed=True)
    if day is None or not form.ok:
        return view.page(_CALENDAR, status=422, form=form, **_calendar_context(view))
    try:
        number = view.office.lists.begin_draft(view.asker, system_named(system).key, day)
    except Refusal as refusal:
        return view.refused(_CALENDAR, refusal, **_calendar_context(view))
    return view.go(f"/desk/drafts/{number}")


# --- a draft --------------------------------------------------------------------------------------


@page("/desk/drafts/{draft:int}", permission=Permission.BUILD_LIST)
def one_draft(view: TheView, draft: Number) -> Response[str]:
    """A draft: how far it is, or what it changes."""
    return view.page(_DRAFT, **_draft_context(view, draft))


@page("/desk/drafts/{draft:int}/progress", permission=Permission.BUILD_LIST)
def progress(view: TheView, draft: Number) -> Response[Any]:
    """How far a draft is, as a part of its page; once it is done the whole of it."""
    found = view.office.lists.draft(view.asker, draft)
    if not view.is_partial:
        return view.go(f"/desk/drafts/{draft}")
    if found.status is _S.RUNNING:
        return view.partial("work/_progress.html", draft=found)
    return view.partial("work/_draft.html", **_draft_context(view, draft))


@act("/desk/drafts/{draft:int}/publish", permission=Permission.PUBLISH_LIST)
def publish(view: TheView, form: TheForm, draft: Number) -> Response[Any]:
    """Publishes a draft, once that was confirmed."""
    if not form.chosen("looked"):
        form.wrong("looked", "work.draft.look_first")
    early = form.chosen("before_closing")
    if not early and _still_open(view, view.office.lists.draft(view.asker, draft)):
        form.wrong("before_closing", "work.draft.confirm_early")
    if not form.ok:
        return view.page(_DRAFT, status=422, **_draft_context(view, draft, form))
    try:
        made = view.office.lists.publish(view.asker, draft, before_closing=early)
    except Refusal as refusal:
        return view.refused(_DRAFT, refusal, **_draft_context(view, draft, form))
    return view.go(f"/desk/drafts/{draft}", "work.draft.published", players=made.players)


@act("/desk/drafts/{draft:int}/discard", permission=Permission.BUILD_LIST)
def discard(view: TheView, draft: Number) -> Response[Any]:
    """Throws a draft away."""
    try:
        view.office.lists.discard(view.asker, draft)
    except Refusal as refusal:
        return view.refused(_DRAFT, refusal, **_draft_context(view, draft))
    return view.go("/desk/lists", "work.draft.discarded")


@page("/desk/drafts/{draft:int}/players/{what:str}", permission=Permission.BUILD_LIST)
def draft_players(view: TheView, draft: Number, what: FromPath[str]) -> Response[str]:
    """The players of a draft that something happens to."""
    found = view.office.lists.draft(view.asker, draft)
    what = what if what in KINDS else KINDS[0]
    folder = _folder(view, found)
    opening = date.fromisoformat(str(found.summary["opened_on"]))
    lists = view.office.lists
    before = lists.folder(found.system, opening) if _has_list(view, found.system, opening) else None
    total, players = players_of(folder, before, system_named(found.system).kind, what)
    tabs = [(f"/desk/drafts/{draft}/players/{one}", view.t(f"work.kind.{one}")) for one in KINDS]
    return view.page(
        "work/draft_players.html", draft=found, what=what, total=total, players=players, tabs=tabs,
        most=MOST,
    )  # fmt: skip


def _has_list(view: View, system: str, day: date) -> bool:
    return any(one.list_date == day for one in view.office.lists.published(system))


def _folder(view: View, draft: Draft) -> Path:
    if draft.status is _S.PUBLISHED:
        return view.office.lists.folder(draft.system, draft.list_date)
    return view.office.lists.draft_folder(view.asker, draft.id)


def _draft_context(view: View, number: int, form: Form | None = None) -> dict[str, Any]:
    draft = view.office.lists.draft(view.asker, number)
    failure = None
    if draft.failure is not None:
        failure = Refusal.of(draft.failure.key, **details_of(draft.failure.details))
    is_ready = draft.status is _S.READY
    return {
        "form": form or Form(language=view.language), "draft": draft, "signs": DRAFT_SIGNS,
        "failure": failure,
        "is_behind": is_ready and view.office.lists.is_behind(view.asker, number),
        "still_open": _still_open(view, draft), "law": system_named(draft.system).law,
        "figures": _figures(draft), "chart": _chart(view, draft), "files": _files(view, number),
        "unusual": [(one, _said(view, one)) for one in draft.unusual],
        "names": _names(view, draft), "kinds": KINDS, "led_to": _LED_TO,
        "no_chart": "no_change" if draft.diff.histogram else "no_list_before",
        "left_out": [
            (one, view.office.tournaments.get(view.asker, one.tournament))
            for one in draft.left_out
        ],
    }  # fmt: skip


def _still_open(view: View, draft: Draft) -> StillOpen | None:
    """What may still arrive for a draft that can be published."""
    ready = draft.status is _S.READY
    return view.office.lists.still_open(view.asker, draft.id) if ready else None


def _figures(draft: Draft) -> list[tuple[str, int]]:
    return [(name, draft.summary[name]) for name in _FIGURES if name in draft.summary]


def _chart(view: View, draft: Draft) -> Chart:
    """How many gained and lost how much, the greatest losses on the left."""

    def label(sign: str, low: int, high: int | None) -> str:
        return f"{sign}{low}–{high}" if high is not None else f"{sign}{low}+"

    sizes = draft.diff.histogram
    bars = [Bar(label("−", low, high), lost) for low, high, _, lost in reversed(sizes)]
    bars += [Bar(label("+", low, high), gained) for low, high, gained, _ in sizes]
    if not any(bar.count for bar in bars):
        bars = []
    heads = view.t("work.draft.change"), view.t("work.report.players")
    source = view.t("work.draft.chart_source", same=draft.diff.classes.get("same", 0))
    return histogram(view.language, view.t("work.draft.chart"), heads, bars, source=source)


def _files(view: View, number: int) -> dict[str, str]:
    """The SHA-256 of each file, as it was when the draft was made."""
    with view.office.desk.database.reading() as connection:
        row = drafts.get(connection, number)
    return {} if row is None else body_of(row).files


def _said(view: View, unusual: DraftUnusual) -> str:
    return view.t(f"office.unusual.{unusual.kind}", **details_of(unusual.figures))


def _names(view: View, draft: Draft) -> dict[int, str]:
    """The names of players that are unusual, as far as the list in force has them."""
    named = {one.player: one.name for one in (*draft.diff.gains, *draft.diff.losses)}
    named |= {one.player: one.name for one in draft.diff.new}
    wanted = {player for one in draft.unusual for player in one.players} - named.keys()
    if wanted and view.office.lists.latest(draft.system) is not None:
        listed = view.office.lists.view(draft.system)
        for player in wanted:
            if (row := listed.player(player)) is not None:
                named[player] = row.name
    return named


# --- lists from elsewhere -------------------------------------------------------------------------


LARGEST_LIST = 64 << 20
"""Bytes of a request with a list: those of a federation come to 60 MB in their archive."""
_OF_DAY = ("desk.refused.import_order", "desk.refused.import_day")


@page("/desk/lists/import", permission=Permission.PUBLISH_LIST)
def import_form(view: TheView) -> Response[str]:
    """The form to take over a list from elsewhere."""
    return view.page(_IMPORT, **_import_context(view))


@heavy_act("/desk/lists/import", permission=Permission.PUBLISH_LIST, body_limit=LARGEST_LIST)
async def import_list(view: TheView, form: TheForm) -> Response[Any]:
    """Takes over a list; what cannot be read is refused and nothing is changed."""
    folder = Path(await to_thread.run_sync(lambda: tempfile.mkdtemp(prefix="arrocco-")))
    system, day, path = await to_thread.run_sync(_import_fields, form, folder)

    def answer(later: View, outcome: Any) -> Response[Any]:
        context = _import_context(later)
        if isinstance(outcome, Refusal):
            fields = _fields_of(outcome, path)
            return later.refused(_IMPORT, outcome, fields=fields, **context, form=form)
        if outcome is None:
            return later.page(_IMPORT, status=422, **context, form=form)
        made, findings = outcome
        return later.page(_IMPORT, **(context | {"made": made, "findings": findings}))

    def remove() -> None:
        shutil.rmtree(folder, ignore_errors=True)

    if day is None or path is None or not form.ok:
        await to_thread.run_sync(remove)
        return await to_thread.run_sync(answer, view, None)
    return await heavy.answer_in_office(
        view, answer, import_file, view.asker, system, day, path,
        queue=heavy.lanes_of(view).imports, afterwards=remove,
    )  # fmt: skip


def _import_fields(form: Form, folder: Path) -> tuple[str, date | None, Path | None]:
    system, day = form.text("system", needed=True), form.day("list_date", needed=True)
    if system not in IMPORTABLE:
        form.wrong("system", "web.field.not_a_choice")
    return system, day, form.saved("file", folder)


def _fields_of(refusal: Refusal, path: Path | None) -> dict[str, str]:
    """The field that a refusal is about; the file in it is named as its sender did."""
    of_day = refusal.key in _OF_DAY or isinstance(refusal, NoLawInForce)
    fields = {refusal.key: "list_date" if of_day else "file"}
    if path is not None and "file" in refusal.details:
        # Where the office keeps it for a moment is nobody's business; its own name is.
        _, mark, member = str(refusal.details["file"]).partition("!")
        refusal.details["file"] = f"{path.name}{mark}{member}"
    is_of_page = refusal.findings or isinstance(refusal, Forbidden | Unavailable | JobFailed)
    return {} if is_of_page else fields


def _import_context(view: View) -> dict[str, Any]:
    words = {key: view.t(f"web.system.{key}") for key in SYSTEMS}
    systems = [(key, words.get(key, key.upper())) for key in IMPORTABLE]
    return {"systems": systems, "made": None, "findings": (), "most": LARGEST_LIST}
