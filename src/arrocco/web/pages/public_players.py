"""Players: found by name or number, their ratings in every system, and how each came about."""

from __future__ import annotations

from datetime import date
from typing import Any, NamedTuple

from litestar import Response
from litestar.params import FromPath

from arrocco.errors import Inconsistent
from arrocco.office.roles import Permission
from arrocco.store.list_view import Rank, ViewedPlayer
from arrocco.store.sql.history import HistoryRow
from arrocco.store.sql.publications import Publication
from arrocco.web.charts import Chart, DayValue, step_chart
from arrocco.web.pages.public_asking import (
    NotThere,
    lookup_of,
    player_number,
    publication_of,
    system_name,
)
from arrocco.web.pages.public_receipt import period_of
from arrocco.web.routes import page
from arrocco.web.view import TheView, View
from arrocco.wiring.office.book import IMPORTABLE

MOST_FOUND = 50
_MOST_TEXT = 80
_MOST_MARKED = 36
"""Periods of which a chart shows the tournaments."""


class Found(NamedTuple):
    """A player that a search found, with the ratings that lists give them."""

    player: ViewedPlayer
    ratings: dict[str, int | None]


class InSystem(NamedTuple):
    """A player in one system."""

    system: str
    name: str
    latest: Publication | None
    row: ViewedPlayer | None
    rank: Rank | None
    history: list[HistoryRow]
    chart: Chart | None


@page("/players", permission=Permission.LOOK_UP)
def players(view: TheView) -> Response[Any]:
    """Players of the newest lists of all systems, by number or by words of the name."""
    text = view.request.query_params.get("q", "").strip()[:_MOST_TEXT]
    found, systems = search(view, text) if text else ([], [])
    if text.isascii() and text.isdigit() and not found and len(text) < 15:
        kept = view.office.people.kept_number(int(text))
        if kept != int(text):
            return view.go(f"/players/{kept}")
    columns = [(system, view.t(f"public.short.{system}")) for system in systems]
    return view.page(
        "public/players.html", text=text, found=found, systems=columns, most=MOST_FOUND
    )


def search(view: View, text: str, limit: int = MOST_FOUND) -> tuple[list[Found], list[str]]:
    """Everybody a search finds, the best of each system by turns, and the systems they are in."""
    by_system: dict[str, list[ViewedPlayer]] = {}
    views = {}
    for system, latest in lookup_of(view).latest().items():
        views[system] = view.office.lists.view(system, latest.list_date)
        by_system[system] = views[system].search(text, limit)
    order: dict[int, ViewedPlayer] = {}
    for place in range(limit):
        for rows in by_system.values():
            if place < len(rows):
                order.setdefault(rows[place].id, rows[place])
    found = []
    for player in list(order.values())[:limit]:
        on_lists = {system: opened.player(player.id) for system, opened in views.items()}
        found.append(Found(player, {key: row.rating for key, row in on_lists.items() if row}))
    shown = {system for one in found for system in one.ratings}
    return found, [system for system in views if system in shown]


@page("/my-rating", permission=Permission.SEE_OWN_ACCOUNT)
def my_rating(view: TheView) -> Response[Any]:
    """The player that one's own account is of; the search for those who are on no list."""
    number = view.asker.player
    if number is None:
        return view.go("/players")
    known = systems_of(view, view.office.people.kept_number(number), charts=False)
    return view.go(f"/players/{number}" if known else f"/players?q={number}")


@page("/players/{player:int}", permission=Permission.LOOK_UP)
def player(view: TheView, player: FromPath[int]) -> Response[Any]:
    """A player: who they are, their ratings in every system, every list that changed one."""
    player_number(player)
    systems = systems_of(view, player)
    if not systems:
        kept = view.office.people.kept_number(player)
        if kept != player:
            return view.go(f"/players/{kept}")
        raise NotThere.of("public.refused.no_player", player=player)
    known = next((one.row for one in systems if one.row), None)
    return view.page(
        "public/player.html", id=player, known=known, systems=systems,
        entries=lookup_of(view).entries(player),
        name=known.name if known else view.t("public.player.number", number=player),
    )  # fmt: skip


def systems_of(view: View, player: int, *, charts: bool = True) -> list[InSystem]:
    """The systems that know a player, without reading any calculation."""
    history = view.office.people.history(player)
    found = []
    newest = lookup_of(view).latest()
    for system in IMPORTABLE:
        latest = newest.get(system)
        listed = view.office.lists.view(system, latest.list_date) if latest else None
        row = listed.player(player) if listed else None
        rows = history.get(system, [])
        if row is None and not rows:
            continue
        rank = listed.rank_of(player) if listed else None
        name = system_name(view.language, system)
        own = [one for one in rows if one.player == player]
        chart = rating_chart(view, name, own, latest, row) if charts and len(own) > 1 else None
        found.append(InSystem(system, name, latest, row, rank, rows[::-1], chart))
    return found


def rating_chart(
    view: View,
    name: str,
    rows: list[HistoryRow],
    latest: Publication | None,
    row: ViewedPlayer | None,
    marks: list[DayValue] | None = None,
) -> Chart:
    """The rating over the lists; it holds until the newest one."""
    values = [DayValue(one.list_date, one.rating) for one in rows if one.rating]
    if latest and row and row.rating and values and values[-1].day < latest.list_date:
        values.append(DayValue(latest.list_date, row.rating))
    heads = view.t("public.player.list"), view.t("public.player.rating")
    return step_chart(
        view.language, view.t("public.player.chart", system=name), heads, values, marks or (),
        source=view.t("public.player.source" if marks is None else "public.player.source_marks"),
    )  # fmt: skip


@page("/players/{player:int}/chart/{system:str}", permission=Permission.LOOK_UP)
def player_chart(view: TheView, player: FromPath[int], system: FromPath[str]) -> Response[str]:
    """The chart of a rating with the tournaments as marks, as a part and as a page."""
    player_number(player)
    latest = publication_of(view, system, "latest")
    every = view.office.people.history(player).get(system, [])
    rows = [one for one in every if one.player == player]
    if not rows:
        raise NotThere.of("public.refused.no_player", player=player)
    row = view.office.lists.view(system, latest.list_date).player(player)
    name = system_name(view.language, system)
    chart = rating_chart(view, name, rows, latest, row, _marks(view, rows))
    if view.is_partial:
        return view.partial("public/_chart.html", chart=chart)
    who = row.name if row else view.t("public.player.number", number=player)
    return view.page(
        "public/player-chart.html", id=player, name=who, system=system, in_system=name, chart=chart
    )


def _marks(view: View, rows: list[HistoryRow]) -> list[DayValue]:
    """The tournaments of the last periods: each at its end, at the rating that held then."""
    marks = []
    played = [one for one in rows if one.games and one.rating and one.note != "imported"]
    for one in played[-_MOST_MARKED:]:
        try:
            found = view.office.people.period(one.system, one.player, one.list_date)
        except Inconsistent:
            continue
        for event in found.rows.events:
            told = event.tournament
            held = [row.rating for row in rows if row.rating and row.list_date <= told.end]
            rating = held[-1] if held else one.rating or 0
            marks.append(DayValue(told.end, rating, told.name or told.key))
    return marks


@page("/players/{player:int}/{system:str}/{on:str}", permission=Permission.LOOK_UP)
def player_period(
    view: TheView, player: FromPath[int], system: FromPath[str], on: FromPath[str]
) -> Response[str]:
    """How one list came to a player's rating, as a part of their page and as a sheet of its own."""
    player_number(player)
    found = publication_of(view, system, on)
    shared: dict[str, Any] = {
        "id": player, "system": system, "in_system": system_name(view.language, system),
        "list_date": found.list_date,
    }  # fmt: skip
    try:
        explained = view.office.people.period(system, player, found.list_date)
    except Inconsistent:
        return _without_calculations(view, player, system, found.list_date, shared)
    period = period_of(view.language, explained, _listed(view, system, player, explained.opened_on))
    if view.is_partial:
        return view.partial("public/_period.html", period=period, **shared)
    return view.page("public/period.html", period=period, **shared)


def _listed(view: View, system: str, player: int, on: date) -> int | None:
    """The rating of a player on a list, where that list is out."""
    try:
        row = view.office.lists.view(system, on).player(player)
    except Inconsistent:
        return None
    return row.rating if row else None


def _without_calculations(
    view: View, player: int, system: str, on: date, shared: dict[str, Any]
) -> Response[str]:
    """A list from elsewhere says nothing of why; one that a player left says that they did."""
    row = view.office.lists.view(system, on).player(player)
    source = lookup_of(view).source(view.office.lists.publication(system, on))
    left = row is None and _left_with(view, player, system, on)
    if not left and (row is None or not source.imported):
        raise NotThere.of("public.refused.not_on_list", player=player, system=system, on=on)
    shared |= {
        "row": row, "source": source,
        "name": row.name if row else view.t("public.player.number", number=player),
    }  # fmt: skip
    if view.is_partial:
        return view.partial("public/_imported.html", **shared)
    return view.page("public/imported.html", **shared)


def _left_with(view: View, player: int, system: str, on: date) -> bool:
    """Whether a player left with a list: merged into another number, or gone."""
    rows = view.office.people.history(player).get(system, [])
    return any(one.player == player and one.list_date == on for one in rows)
