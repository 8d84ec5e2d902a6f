"""Statistics of the lists: what a rating administrator watches a system by, for everybody to see.

They are counted once for each list, in the background, and every table can be fetched.
"""

from __future__ import annotations

import csv
import io
from typing import Any

import msgspec
from litestar import Response, get
from litestar.params import FromPath

from arrocco.errors import Inconsistent
from arrocco.formats.csv_cells import defused_row
from arrocco.office.roles import Permission
from arrocco.office.systems import SYSTEMS, system_named
from arrocco.store.statistics_rows import TABLES, Row
from arrocco.web import writing
from arrocco.web.pages.public_asking import NotThere
from arrocco.web.pages.statistics_charts import charts_of
from arrocco.web.routes import PERMISSION, page
from arrocco.web.view import TheView, View
from arrocco.wiring.watching import Watching

_PATIENCE = 0.6
"""Seconds a page waits for what a small office has counted by then."""
_LARGEST = 20
"""Federations shown; the table that can be fetched has all."""
_TYPES = {"csv": "text/csv", "json": "application/json"}


@page("/statistics", permission=Permission.LOOK_UP)
def systems(view: TheView) -> Response[str]:
    """The systems, and how many lists of each there are to watch."""
    found = []
    for key in SYSTEMS:
        lists = view.office.lists.published(key)
        found.append((key, len(lists), lists[0] if lists else None, lists[-1] if lists else None))
    return view.page("statistics/systems.html", found=found)


@page("/statistics/{system:str}", permission=Permission.LOOK_UP)
def statistics(view: TheView, system: FromPath[str]) -> Response[str]:
    """A system in charts."""
    system_named(system)
    counting = _watching(view).of(system, _PATIENCE)
    charts: list[Any] = []
    federations: list[Row] = []
    if counting.tables is not None and counting.lists:
        source = view.t(
            "statistics_pages.source",
            system=view.t(f"web.system.{system}"),
            first=writing.day(view.language, counting.lists[0]),
            last=writing.day(view.language, counting.lists[-1]),
        )
        charts = charts_of(view, counting.tables, source)
        last = counting.lists[-1].isoformat()
        federations = [row for row in counting.tables["federations"] if row["list"] == last]
    return view.page(
        "statistics/system.html",
        system=system,
        counting=counting,
        refusal=counting.refusal,
        charts=charts,
        federations=federations[:_LARGEST],
        more_federations=len(federations) > _LARGEST,
        tables=TABLES,
    )


@page("/statistics/{system:str}/counting", permission=Permission.LOOK_UP)
def counting(view: TheView, system: FromPath[str]) -> Response[str]:
    """How far the counting is, for the page that waits for it."""
    found = _watching(view).of(system)
    answer = view.partial("statistics/_counting.html", system=system, counting=found)
    if found.tables is not None or found.refusal is not None:
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
    if name not in TABLES or kind not in _TYPES:
        raise NotThere.of("statistics_pages.refused.no_table", file=file[:60], known=TABLES)
    found = _watching(view).of(system, _PATIENCE)
    if found.refusal is not None:
        raise found.refusal
    if found.tables is None:
        raise Inconsistent.of("statistics_pages.refused.counting", done=found.done,
                              total=found.total)  # fmt: skip
    rows = found.tables[name]
    body = msgspec.json.encode(rows) if kind == "json" else _csv(rows)
    return Response(
        body,
        media_type=_TYPES[kind],
        headers={
            "content-disposition": f'attachment; filename="{system}-{name}.{kind}"',
            "cache-control": "no-cache",
        },
    )


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
    found: Watching | None = state.get("watching")
    if found is None or found.office is not view.office:
        found = state["watching"] = Watching(view.office)
    return found
