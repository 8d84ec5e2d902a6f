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

from arrocco.desk.book import IMPORTABLE
from arrocco.desk.draft_records import Draft, DraftUnusual, body_of
from arrocco.desk.publication import tournament_rows
from arrocco.errors import NoLawInForce, Refusal, Unavailable
from arrocco.laws.edition import Choice, Reading
from arrocco.laws.registry import edition_named
from arrocco.laws.systems import SYSTEMS, system_named
from arrocco.office.cutoff import StillOpen
from arrocco.office.findings import details_of
from arrocco.office.records import DraftStatus
from arrocco.office.roles import Forbidden, Permission
from arrocco.operation.heavy import JobFailed
from arrocco.store.sql import drafts
from arrocco.web import heavy, writing
from arrocco.web.charts import Bar, Chart, histogram
from arrocco.web.draft_work import begin_draft
from arrocco.web.forms import Form
from arrocco.web.pages.desk_draft_players import KINDS, MAX_SHOWN, players_of
from arrocco.web.pages.desk_numbers import Number
from arrocco.web.report_work import import_file
from arrocco.web.routes import act, heavy_act, page
from arrocco.web.view import TheForm, TheView, View

_CALENDAR, _IMPORT, _DRAFT = "desk/lists.html", "desk/import.html", "desk/draft.html"
_S = DraftStatus
DRAFT_SIGNS = {
    _S.RUNNING: "running",
    _S.READY: "done",
    _S.FAILED: "error",
    _S.PUBLISHED: "done",
    _S.DISCARDED: "off",
}
_FIGURES = (
    "reports",
    "players",
    "rated_before",
    "rated",
    "played",
    "games",
    "new",
    "newcomers",
    "in_pools",
    "delisted",
    "inactive",
    "k_limited",
    "entries_without_id",
)
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
        "rows": rows,
        "signs": DRAFT_SIGNS,
        "to_decide": to_decide,
        "latest": {key: view.office.lists.latest(key) for key in SYSTEMS},
        "laws": {key: system.law for key, system in SYSTEMS.items()},
        "may_adjust": view.may(Permission.PUBLISH_LIST) and bool(view.office.adjustments.open()),
    }


@act("/desk/lists/draft", permission=Permission.BUILD_LIST)
def begin(view: TheView, form: TheForm) -> Response[Any]:
    """Begins the draft of a list."""
    system, day = form.text("system", needed=True), form.day("list_date", needed=True)
    if day is None or not form.ok:
        return view.page(_CALENDAR, status=422, form=form, **_calendar_context(view))
    try:
        number = begin_draft(view, system_named(system).key, day)
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
    row = view.office.lists.draft(view.asker, draft)
    if not view.is_partial:
        return view.go(f"/desk/drafts/{draft}")
    if row.status is _S.RUNNING:
        return view.partial("desk/_progress.html", draft=row)
    return view.partial("desk/_draft.html", **_draft_context(view, draft))


@act("/desk/drafts/{draft:int}/publish", permission=Permission.PUBLISH_LIST)
def publish(view: TheView, form: TheForm, draft: Number) -> Response[Any]:
    """Publishes a draft, once that was confirmed."""
    if not form.chosen("looked"):
        form.wrong("looked", "desk_pages.draft.look_first")
    early = form.chosen("before_closing")
    if not early and _still_open(view, view.office.lists.draft(view.asker, draft)):
        form.wrong("before_closing", "desk_pages.draft.confirm_early")
    if not form.ok:
        return view.page(_DRAFT, status=422, **_draft_context(view, draft, form))
    try:
        made = view.office.lists.publish(view.asker, draft, before_closing=early)
    except Refusal as refusal:
        return view.refused(_DRAFT, refusal, **_draft_context(view, draft, form))
    return view.go(f"/desk/drafts/{draft}", "desk_pages.draft.published", players=made.players)


@act("/desk/drafts/{draft:int}/discard", permission=Permission.BUILD_LIST)
def discard(view: TheView, draft: Number) -> Response[Any]:
    """Throws a draft away."""
    try:
        view.office.lists.discard(view.asker, draft)
    except Refusal as refusal:
        return view.refused(_DRAFT, refusal, **_draft_context(view, draft))
    return view.go("/desk/lists", "desk_pages.draft.discarded")


@page("/desk/drafts/{draft:int}/players/{what:str}", permission=Permission.BUILD_LIST)
def draft_players(view: TheView, draft: Number, what: FromPath[str]) -> Response[str]:
    """The players of a draft that something happens to."""
    row = view.office.lists.draft(view.asker, draft)
    what = what if what in KINDS else KINDS[0]
    folder = folder_of(view, row)
    opening = date.fromisoformat(str(row.summary["opened_on"]))
    lists = view.office.lists
    before = lists.folder(row.system, opening) if _has_list(view, row.system, opening) else None
    total, players = players_of(folder, before, system_named(row.system).kind, what)
    tabs = [
        (f"/desk/drafts/{draft}/players/{kind}", view.t(f"desk_pages.kind.{kind}"))
        for kind in KINDS
    ]
    return view.page(
        "desk/draft_players.html",
        draft=row,
        what=what,
        total=total,
        players=players,
        tabs=tabs,
        most=MAX_SHOWN,
    )


def _has_list(view: View, system: str, day: date) -> bool:
    return any(publication.list_date == day for publication in view.office.lists.published(system))


def folder_of(view: View, draft: Draft) -> Path:
    """The folder of a draft, or of the list that it has become."""
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
        "form": form or Form(language=view.language),
        "draft": draft,
        "signs": DRAFT_SIGNS,
        "failure": failure,
        "is_behind": is_ready and view.office.lists.is_behind(view.asker, number),
        "still_open": _still_open(view, draft),
        "entry_days": view.office.lists.entry_days(view.asker, number) if is_ready else (),
        "law": system_named(draft.system).law,
        "figures": _figures(draft),
        "read_otherwise": _read_otherwise(draft),
        "chart": _chart(view, draft),
        "files": _files(view, number),
        "unusual": [(draft_unusual, _said(view, draft_unusual)) for draft_unusual in draft.unusual],
        "rated": _rated(view, draft),
        "names": _names(view, draft),
        "kinds": KINDS,
        "led_to": _LED_TO,
        "no_chart": "no_change" if draft.diff.histogram else "no_list_before",
        "left_out": [
            (draft_left_out, view.office.tournaments.get(view.asker, draft_left_out.tournament))
            for draft_left_out in draft.left_out
        ],
    }


def _still_open(view: View, draft: Draft) -> StillOpen | None:
    """The period of a draft that can be published, while it is open."""
    ready = draft.status is _S.READY
    return view.office.lists.still_open(view.asker, draft.id) if ready else None


def _figures(draft: Draft) -> list[tuple[str, int]]:
    return [(name, draft.summary[name]) for name in _FIGURES if name in draft.summary]


def _read_otherwise(draft: Draft) -> list[tuple[Reading, Choice]]:
    """How the list was read where the office has chosen another way than the default."""
    summary = draft.summary
    if not summary:
        return []
    law = edition_named(summary["law"], summary["edition"]).with_known(summary["readings"])
    return [
        (reading, reading.choice(law.readings[reading.name]))
        for reading in law.READINGS
        if not law.reads(reading.name, reading.default)
    ]


def _chart(view: View, draft: Draft) -> Chart:
    """How many gained and lost how much, the greatest losses on the left."""

    def label(sign: str, low: int, high: int | None) -> str:
        return f"{sign}{low}–{high}" if high is not None else f"{sign}{low}+"

    sizes = draft.diff.histogram
    bars = [Bar(label("−", low, high), lost) for low, high, _, lost in reversed(sizes)]
    bars += [Bar(label("+", low, high), gained) for low, high, gained, _ in sizes]
    if not any(bar.count for bar in bars):
        bars = []
    heads = view.t("desk_pages.draft.change"), view.t("desk_pages.report.players")
    source = view.t("desk_pages.draft.chart_source", same=draft.diff.classes.get("same", 0))
    return histogram(view.language, view.t("desk_pages.draft.chart"), heads, bars, source=source)


def _files(view: View, number: int) -> dict[str, str]:
    """The SHA-256 of each file, as it was when the draft was made."""
    with view.office.desk.database.reading() as connection:
        row = drafts.get(connection, number)
    return {} if row is None else body_of(row).files


def _said(view: View, unusual: DraftUnusual) -> str:
    said = view.t(f"office.unusual.{unusual.kind}", **details_of(unusual.figures))
    return writing.true_minus(said)


def _rated(view: View, draft: Draft) -> dict[int, int]:
    """By row in the calculations of a draft: the tournament of the office."""
    if not any(draft_unusual.tournament is not None for draft_unusual in draft.unusual):
        return {}
    try:
        return {row: number for number, row in tournament_rows(folder_of(view, draft)).items()}
    except Refusal:  # thrown away since
        return {}


def _names(view: View, draft: Draft) -> dict[int, str]:
    """The names of players that are unusual, as far as the list in force has them."""
    named = {gain.player: gain.name for gain in (*draft.diff.gains, *draft.diff.losses)}
    named |= {move.player: move.name for move in draft.diff.new}
    wanted = {
        player for draft_unusual in draft.unusual for player in draft_unusual.players
    } - named.keys()
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
        view,
        answer,
        import_file,
        view.asker,
        system,
        day,
        path,
        queue=heavy.lanes_of(view).imports,
        afterwards=remove,
    )


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
