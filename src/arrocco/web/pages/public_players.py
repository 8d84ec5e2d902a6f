"""Players: found by name or number, their ratings in every system, and how each came about."""

from __future__ import annotations

from datetime import date
from typing import Any, NamedTuple

import msgspec
from litestar import Response
from litestar.params import FromPath
from msgspec import Struct

from arrocco.desk.book import IMPORTABLE
from arrocco.desk.departed import Departed
from arrocco.desk.lookup import PlayerEntry
from arrocco.errors import Inconsistent, NotFound
from arrocco.laws.systems import has_categories
from arrocco.office.roles import Permission
from arrocco.store.list_view import Rank, ViewedPlayer
from arrocco.store.sql.history import HistoryRow
from arrocco.store.sql.publications import Publication
from arrocco.web.charts import Chart, DayValue, step_chart
from arrocco.web.pages.public_asking import (
    lookup_of,
    player_number,
    publication_of,
    system_name,
)
from arrocco.web.pages.public_receipt import period_of
from arrocco.web.routes import page
from arrocco.web.view import TheView, View

MAX_FOUND = 50
_EPOCH = date(1970, 1, 1)
_MAX_TEXT = 80
_MAX_MARKED = 36
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

    @property
    def peak(self) -> int:
        """The highest rating of all lists that are known."""
        known = [row.rating for row in self.history if row.rating]
        return max([*known, (self.row.rating if self.row else None) or 0])

    @property
    def changed(self) -> int:
        """What the newest list changed; 0 where it changed nothing."""
        newest = self.history[0] if self.history else None
        is_newest = newest and self.latest and newest.list_date == self.latest.list_date
        return newest.change if newest and is_newest else 0


@page("/players", permission=Permission.LOOK_UP)
def players(view: TheView) -> Response[Any]:
    """Players of the newest lists of all systems, by number or by words of the name."""
    text = view.request.query_params.get("q", "").strip()[:_MAX_TEXT]
    matching, systems = search(view, text) if text else ([], [])
    departed = view.office.departed.search(text, MAX_FOUND) if text else []
    columns = [(system, view.t(f"public.short.{system}")) for system in systems]
    return view.page(
        "public/players.html",
        text=text,
        found=matching,
        systems=columns,
        most=MAX_FOUND,
        departed=departed,
    )


def search(view: View, text: str, limit: int = MAX_FOUND) -> tuple[list[Found], list[str]]:
    """Everybody a search finds, the best of each system by turns, and the systems they are in."""
    by_system: dict[str, list[ViewedPlayer]] = {}
    views = {}
    for system, latest in lookup_of(view).latest().items():
        views[system] = view.office.lists.public_view(system, latest.list_date)
        by_system[system] = views[system].search(text, limit)
    order: dict[int, ViewedPlayer] = {}
    for place in range(limit):
        for rows in by_system.values():
            if place < len(rows):
                order.setdefault(rows[place].id, rows[place])
    matching = []
    for player in list(order.values())[:limit]:
        on_lists = {system: opened.player(player.id) for system, opened in views.items()}
        matching.append(Found(player, {key: row.rating for key, row in on_lists.items() if row}))
    shown = {system for one in matching for system in one.ratings}
    return matching, [system for system in views if system in shown]


def listed_player(systems: list[InSystem]) -> ViewedPlayer | None:
    """What the first list that has a player says of them."""
    return next((system.row for system in systems if system.row), None)


@page("/my-rating", permission=Permission.SEE_OWN_ACCOUNT)
def my_rating(view: TheView) -> Response[Any]:
    """The player that one's own account is of; the search for those who are on no list."""
    number = view.asker.player
    if number is None:
        return view.go("/players")
    listed = systems_of(view, view.office.people.kept_number(number), charts=False)
    return view.go(f"/players/{number}" if listed else f"/players?q={number}")


@page("/players/{player:int}", permission=Permission.LOOK_UP)
def player(view: TheView, player: FromPath[int]) -> Response[Any]:
    """A player: who they are, their ratings in every system, every list that changed one."""
    player_number(player)
    systems = systems_of(view, player)
    departed = view.office.departed.get(player)
    if not systems and departed is None:
        raise NotFound.of("public.refused.no_player", player=player)
    known = listed_player(systems)
    return view.page(
        "public/player.html",
        id=player,
        known=known,
        systems=systems,
        with_categories=[system.system for system in systems if has_categories(system.system)],
        entries=lookup_of(view).entries(player),
        series=series_text(series_of(view, systems)),
        name=_name(view, player, known, departed),
        departed=departed,
        listed=_lists_of(view, departed),
    )


def _name(view: View, player: int, known: ViewedPlayer | None, departed: Departed | None) -> str:
    name = known.name if known else departed.name if departed else ""
    return name or view.t("public.player.number", number=player)


def _lists_of(view: View, departed: Departed | None) -> list[tuple[str, str, date, date | None]]:
    """The lists concerned: by system the last one that has them and the one they left with."""
    if departed is None:
        return []
    return [
        (system, system_name(view.language, system), day, departed.left_with.get(system))
        for system, day in departed.last_lists.items()
    ]


def systems_of(view: View, player: int, *, charts: bool = True) -> list[InSystem]:
    """The systems that know a player, without reading any calculation."""
    history = view.office.people.history(player)
    in_systems = []
    newest = lookup_of(view).latest()
    for system in IMPORTABLE:
        latest = newest.get(system)
        listed = view.office.lists.public_view(system, latest.list_date) if latest else None
        row = listed.player(player) if listed else None
        rows = history.get(system, [])
        if row is None and not rows:
            continue
        rank = listed.rank_of(player) if listed else None
        name = system_name(view.language, system)
        own = [row for row in rows if row.player == player]
        chart = rating_chart(view, name, own, latest, row) if charts and len(own) > 1 else None
        in_systems.append(InSystem(system, name, latest, row, rank, rows[::-1], chart))
    return in_systems


class Series(Struct, frozen=True):
    """Ratings over days, as the chart's script takes them."""

    group: str
    name: str
    days: list[int]
    ratings: list[int]


def series_of(view: View, systems: list[InSystem], name: str = "") -> list[Series]:
    """The ratings of a player in each system that has a history, in the order of lists."""
    drawn = []
    for system in systems:
        rows = [row for row in system.history[::-1] if row.rating]
        points = {(row.list_date - _EPOCH).days: row.rating or 0 for row in rows}
        if system.latest and system.row and system.row.rating and points:
            points.setdefault((system.latest.list_date - _EPOCH).days, system.row.rating)
        if len(points) > 1:
            drawn.append(
                Series(system.name, name or system.name, list(points), list(points.values()))
            )
    return drawn


def series_text(series: list[Series]) -> str:
    return msgspec.json.encode(series).decode() if series else ""


def rating_chart(
    view: View,
    name: str,
    rows: list[HistoryRow],
    latest: Publication | None,
    row: ViewedPlayer | None,
    marks: list[DayValue] | None = None,
) -> Chart:
    """The rating over the lists; it holds until the newest one."""
    values = [DayValue(row.list_date, row.rating) for row in rows if row.rating]
    if latest and row and row.rating and values and values[-1].day < latest.list_date:
        values.append(DayValue(latest.list_date, row.rating))
    heads = view.t("public.player.list"), view.t("public.player.rating")
    return step_chart(
        view.language,
        view.t("public.player.chart", system=name),
        heads,
        values,
        marks or (),
        source=view.t("public.player.source" if marks is None else "public.player.source_marks"),
    )


@page("/players/{player:int}/chart/{system:str}", permission=Permission.LOOK_UP)
def player_chart(view: TheView, player: FromPath[int], system: FromPath[str]) -> Response[str]:
    """The chart of a rating with the tournaments as marks, as a part and as a page."""
    player_number(player)
    latest = publication_of(view, system, "latest")
    every = view.office.people.history(player).get(system, [])
    rows = [history_row for history_row in every if history_row.player == player]
    if not rows:
        raise NotFound.of("public.refused.no_player", player=player)
    row = view.office.lists.public_view(system, latest.list_date).player(player)
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
    played = [row for row in rows if row.games and row.rating and row.note != "imported"]
    for history_row in played[-_MAX_MARKED:]:
        try:
            explanation = view.office.people.period(
                history_row.system, history_row.player, history_row.list_date
            )
        except Inconsistent:
            continue
        for event in explanation.rows.events:
            told = event.tournament
            held = [row.rating for row in rows if row.rating and row.list_date <= told.end]
            rating = held[-1] if held else history_row.rating or 0
            marks.append(DayValue(told.end, rating, told.name or told.key))
    return marks


@page("/players/{player:int}/{system:str}/{on:str}", permission=Permission.LOOK_UP)
def player_period(
    view: TheView, player: FromPath[int], system: FromPath[str], on: FromPath[str]
) -> Response[str]:
    """How one list came to a player's rating, as a part of their page and as a sheet of its own."""
    player_number(player)
    publication = publication_of(view, system, on)
    shared: dict[str, Any] = {
        "id": player,
        "system": system,
        "in_system": system_name(view.language, system),
        "list_date": publication.list_date,
    }
    try:
        explained = view.office.people.period(system, player, publication.list_date)
    except Inconsistent:
        return _without_calculations(view, player, system, publication.list_date, shared)
    listed = listed_rating(view, system, player, explained.opened_on)
    period = period_of(view.language, explained, listed)
    shared["entered"] = entered_with(view, system, player, publication.list_date)
    if view.is_partial:
        return view.partial("public/_period.html", period=period, **shared)
    return view.page("public/period.html", period=period, **shared)


def entered_with(view: View, system: str, player: int, on: date) -> list[PlayerEntry]:
    """What was entered of a player beside the games and came into force with a list."""
    entries = lookup_of(view).entries(player)
    return [entry for entry in entries if dict(entry.lists).get(system) == on]


def listed_rating(view: View, system: str, player: int, on: date) -> int | None:
    """The rating of a player on a list, where that list is out."""
    try:
        row = view.office.lists.public_view(system, on).player(player)
    except Inconsistent:
        return None
    return row.rating if row else None


def _without_calculations(
    view: View, player: int, system: str, on: date, shared: dict[str, Any]
) -> Response[str]:
    """A list from elsewhere says nothing of why; one that a player left says that they did."""
    row = view.office.lists.public_view(system, on).player(player)
    source = lookup_of(view).source(view.office.lists.publication(system, on))
    left = row is None and _left_with(view, player, system, on)
    if not left and (row is None or not source.imported):
        raise NotFound.of("public.refused.not_on_list", player=player, system=system, on=on)
    shared |= {
        "row": row,
        "source": source,
        "name": row.name if row else view.t("public.player.number", number=player),
    }
    if view.is_partial:
        return view.partial("public/_imported.html", **shared)
    return view.page("public/imported.html", **shared)


def _left_with(view: View, player: int, system: str, on: date) -> bool:
    """Whether a player left with a list: merged into another number, or gone."""
    rows = view.office.people.history(player).get(system, [])
    return any(row.player == player and row.list_date == on for row in rows)
