"""Statistics of the lists: what a rating administrator watches a system by, for everybody to see.

They are counted once for each list, in the background, and every table can be fetched.
"""

from __future__ import annotations

import csv
import io

import msgspec
from litestar import Response, get
from litestar.params import FromPath

from arrocco.desk.list_statistics import Counting, Watching
from arrocco.errors import Inconsistent, NotFound
from arrocco.formats.csv_cells import defused_row
from arrocco.laws.systems import SYSTEMS, system_named
from arrocco.office.roles import Permission
from arrocco.store.statistics_rows import TABLES, Row
from arrocco.web import writing
from arrocco.web.pages.statistics_charts import ShownChart, charts_of
from arrocco.web.routes import PERMISSION, page
from arrocco.web.view import TheView, View

_PATIENCE = 0.6
"""Seconds a page waits for what a small office has counted by then."""
_ON_FIRST_PAGE = 2
"""Pictures of the first system on the page of all of them."""
_LARGEST = 20
"""Federations shown; the table that can be fetched has all."""
_TYPES = {"csv": "text/csv", "json": "application/json"}


@page("/statistics", permission=Permission.LOOK_UP)
def systems(view: TheView) -> Response[str]:
    """The first system in pictures, and the lists of all of them."""
    rows = []
    for key in SYSTEMS:
        lists = view.office.lists.published(key)
        rows.append((key, len(lists), lists[0] if lists else None, lists[-1] if lists else None))
    first = next((key for key, count, *_ in rows if count), None)
    charts = [] if first is None else _charts(view, first, _watching(view).of(first, _PATIENCE))
    return view.page(
        "statistics/systems.html", systems=rows, first=first, charts=charts[:_ON_FIRST_PAGE]
    )


@page("/statistics/{system:str}", permission=Permission.LOOK_UP)
def statistics(view: TheView, system: FromPath[str]) -> Response[str]:
    """A system in charts."""
    system_named(system)
    counting = _watching(view).of(system, _PATIENCE)
    federations: list[Row] = []
    if counting.tables is not None and counting.lists:
        last = counting.lists[-1].isoformat()
        federations = [row for row in counting.tables["federations"] if row["list"] == last]
    return view.page(
        "statistics/system.html",
        system=system,
        counting=counting,
        refusal=counting.refusal,
        charts=_charts(view, system, counting),
        federations=federations[:_LARGEST],
        more_federations=len(federations) > _LARGEST,
        tables=_shown(view),
    )


def _charts(view: View, system: str, counting: Counting) -> list[ShownChart]:
    """The pictures of a system; none until its lists are counted."""
    if counting.tables is None or not counting.lists:
        return []
    source = view.t(
        "statistics_pages.source",
        system=view.t(f"web.system.{system}"),
        first=writing.day(view.language, counting.lists[0]),
        last=writing.day(view.language, counting.lists[-1]),
    )
    hidden = view.office.settings.get().hidden_fields
    return charts_of(view, counting.tables, source, hidden)


@page("/statistics/{system:str}/counting", permission=Permission.LOOK_UP)
def counting(view: TheView, system: FromPath[str]) -> Response[str]:
    """How far the counting is, for the page that waits for it."""
    figures = _watching(view).of(system)
    answer = view.partial("statistics/_counting.html", system=system, counting=figures)
    if figures.tables is not None or figures.refusal is not None:
        answer.headers["hx-refresh"] = "true"
    return answer


@get(
    "/statistics/{system:str}/files/{file:str}",
    opt={PERMISSION: Permission.LOOK_UP},
    include_in_schema=False,
    sync_to_thread=True,
)
def table(view: TheView, system: FromPath[str], file: FromPath[str]) -> Response[bytes]:
    """One table as CSV or JSON."""
    name, _, kind = file.rpartition(".")
    shown = _shown(view)
    if name not in shown or kind not in _TYPES:
        raise NotFound.of("statistics_pages.refused.no_table", file=file[:60], known=shown)
    figures = _watching(view).of(system, _PATIENCE)
    if figures.refusal is not None:
        raise figures.refusal
    if figures.tables is None:
        raise Inconsistent.of(
            "statistics_pages.refused.counting", done=figures.done, total=figures.total
        )
    rows = figures.tables[name]
    body = msgspec.json.encode(rows) if kind == "json" else _csv(rows)
    return Response(
        body,
        media_type=_TYPES[kind],
        headers={
            "content-disposition": f'attachment; filename="{system}-{name}.{kind}"',
            "cache-control": "no-cache",
        },
    )


def _shown(view: View) -> tuple[str, ...]:
    """The tables that everybody gets: none by what the office hides of players."""
    hidden = view.office.settings.get().hidden_fields
    return tuple(name for name in TABLES if name != "ages" or not hidden)


def _csv(rows: list[Row]) -> bytes:
    text = io.StringIO()
    if rows:
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(rows[0])
        writer.writerows(defused_row(row.values()) for row in rows)
    return text.getvalue().encode()


def _watching(view: View) -> Watching:
    """The statistics of the office of this application."""
    state = view.request.app.state
    watching: Watching | None = state.get("watching")
    if watching is None or watching.office is not view.office:
        watching = state["watching"] = Watching(view.office)
    return watching
