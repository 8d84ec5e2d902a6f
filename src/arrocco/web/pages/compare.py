"""A player's record in one system, and two players beside each other."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from litestar import Response
from litestar.params import FromPath

from arrocco.errors import NotFound
from arrocco.office.roles import Permission
from arrocco.store.list_view import ViewedPlayer
from arrocco.web import writing
from arrocco.web.pages.player_record import between, record_of
from arrocco.web.pages.public_asking import player_number, system_name
from arrocco.web.pages.public_players import (
    InSystem,
    Series,
    listed_player,
    search,
    series_of,
    series_text,
    systems_of,
)
from arrocco.web.routes import page
from arrocco.web.view import TheView, View

_MAX_TEXT = 110
_NUMBER = re.compile(r"(?:^|\()(\d{1,18})\)?$", re.ASCII)
"""A number alone, or behind a name as fields show it."""


class Side(NamedTuple):
    """Two players in one system; the games are those of the first against the second."""

    name: str
    first: int | None
    second: int | None
    games: int
    half_points: int


@page("/players/{player:int}/record/{system:str}", permission=Permission.LOOK_UP)
def player_record(view: TheView, player: FromPath[int], system: FromPath[str]) -> Response[str]:
    """Tournaments, results by strength, the best win and whom a player met, in one system."""
    player_number(player)
    rows = view.office.people.history(player).get(system, [])
    if not rows:
        raise NotFound.of("public.refused.no_player", player=player)
    context: dict[str, Any] = {
        "id": player,
        "system": system,
        "in_system": system_name(view.language, system),
        "record": record_of(view, system, rows),
        "score": _score(view),
    }
    if view.is_partial:
        return view.partial("public/_record.html", **context)
    listed = listed_player(systems_of(view, player, charts=False))
    name = listed.name if listed else view.t("public.player.number", number=player)
    return view.page("public/record.html", name=name, **context)


@page("/compare", permission=Permission.LOOK_UP)
def compare(view: TheView) -> Response[str]:
    """Two players side by side: ratings, their lines over time, their games against each other."""
    typed = {key: view.request.query_params.get(key, "").strip()[:_MAX_TEXT] for key in ("a", "b")}
    first, second = (_asked(view, text) for text in typed.values())
    context: dict[str, Any] = {
        "first": first,
        "second": second,
        "typed": typed,
        "score": _score(view),
    }
    if first is None or second is None:
        return view.page("public/compare.html", rows=[], series="", **context)
    one, other = systems_of(view, first.id, charts=False), systems_of(view, second.id, charts=False)
    shared = {each.system for each in one} & {each.system for each in other}
    rows = [
        _side(view, mine, theirs, second.id)
        for mine in one
        for theirs in other
        if mine.system == theirs.system
    ]
    drawn: list[Series] = []
    for systems, who in ((one, first), (other, second)):
        kept = [each for each in systems if each.system in shared]
        drawn += series_of(view, kept, who.name)
    return view.page("public/compare.html", rows=rows, series=series_text(drawn), **context)


def _side(view: View, mine: InSystem, theirs: InSystem, opponent: int) -> Side:
    games, half_points = between(view, mine.system, mine.history[::-1], opponent)
    first, second = (each.row.rating if each.row else None for each in (mine, theirs))
    return Side(mine.name, first, second, games, half_points)


def _asked(view: View, text: str) -> ViewedPlayer | None:
    """The player of a field: by number, alone or behind the name, or the first of that name."""
    if not text:
        return None
    number = _NUMBER.search(text)
    by_number = listed_player(systems_of(view, int(number[1]), charts=False)) if number else None
    if by_number or text.isdigit():
        return by_number
    matching, _ = search(view, text, 1)
    return matching[0].player if matching else None


def _score(view: View) -> Any:
    return lambda half_points: writing.score(view.language, half_points)
