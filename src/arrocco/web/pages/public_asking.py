"""What the pages and the API of lists, players and tournaments share: how an address is read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from typing import Any, NamedTuple

from arrocco.desk.book import IMPORTABLE
from arrocco.desk.lookup import Lookup
from arrocco.errors import Inconsistent, NoLawInForce, NotFound
from arrocco.laws.systems import SYSTEMS
from arrocco.store.list_view import SORTS, Filters, ListView, Sort
from arrocco.store.sql.publications import Publication
from arrocco.web.view import View
from arrocco.words import Language, say

LATEST = "latest"
MAX_ID = 10**15
TOPS = (10, 50, 100, 500)
_LONGEST_NUMBER = 4


def lookup_of(view: View) -> Lookup:
    """What everybody may look up in the office of this application."""
    state = view.request.app.state
    lookup: Lookup | None = state.get("lookup")
    if lookup is None or lookup.office is not view.office:
        lookup = state["lookup"] = Lookup(view.office)
    return lookup


def system_name(language: Language, system: str) -> str:
    """A system in words; lists that are only asked about new players have words of their own."""
    return say(language, f"{'web' if system in SYSTEMS else 'public'}.system.{system}")


def known_system(system: str) -> str:
    """A system that can have lists. Raises `NotFound` for another."""
    if system not in IMPORTABLE:
        raise NotFound.of("public.refused.no_system", system=system[:60], known=IMPORTABLE)
    return system


def publication_of(view: View, system: str, on: str) -> Publication:
    """The list an address names by its day or as the latest. Raises `NotFound`."""
    known_system(system)
    if on == LATEST:
        latest = view.office.lists.latest(system)
        if latest is None:
            raise NotFound.of("public.refused.no_list_yet", system=system)
        return latest
    day = day_of(on)
    try:
        if day is not None:
            return view.office.lists.publication(system, day)
    except Inconsistent:
        pass
    raise NotFound.of("public.refused.no_list", system=system, on=on[:40])


def day_of(text: str) -> date | None:
    """A day written as 2025-06-01; `None` for anything else."""
    try:
        return date.fromisoformat(text) if len(text) == 10 else None
    except ValueError:
        return None


def player_number(player: int) -> int:
    """A number that a player can have. Raises `NotFound` for another."""
    if not 0 < player < MAX_ID:
        raise NotFound.of("public.refused.no_player", player=str(player)[:40])
    return player


# --- lists ----------------------------------------------------------------------------------------


class Asked(NamedTuple):
    """Which players of a list, in which order."""

    filters: Filters
    sort: Sort
    descending: bool | None
    top: int | None

    def page(self, view: ListView, offset: int, limit: int) -> tuple[int, list[Any]]:
        """How many there are, at most as many as the top asks for, and some of them."""
        if self.top is not None:
            limit = max(0, min(limit, self.top - offset))
        total, rows = view.page(self.filters, self.sort, offset, limit, descending=self.descending)
        return (total if self.top is None else min(total, self.top)), rows


def asked_for(query: Mapping[str, Any], system: str, on: date) -> Asked:
    """Reads filters from an address; what makes no sense asks for nothing in particular."""

    def text(name: str, longest: int = 60) -> str:
        return str(query.get(name, "")).strip()[:longest]

    def whole(name: str) -> int | None:
        number = text(name)
        good = number.isascii() and number.isdigit() and len(number) <= _LONGEST_NUMBER
        return int(number) if good else None

    sex = text("sex")
    age_from, age_to = whole("age_from"), whole("age_to")
    filters = Filters(
        text=text("q"),
        federation=text("federation", 10).upper(),
        sex=sex if sex in ("F", "M") else "",
        title=text("title", 10),
        category=text("category", 10),
        active_only=text("active") == "1",
        rating_from=whole("rating_from"),
        rating_to=whole("rating_to"),
        born_to=None if age_from is None else max(on.year - age_from, 0),
        born_from=None if age_to is None else max(on.year - age_to, 1),
    )
    sort, descending = _sort_of(text("sort"))
    top = whole("top")
    if top:
        sort, descending = "rating", None
    if _leaves_out_the_inactive(system, on):
        # 7.24: who is inactive for long is not among the top; 7.23b: nor in a federation's list.
        active = filters.active_only or bool(filters.federation)
        filters = replace(filters, top_only=bool(top), active_only=active)
    return Asked(filters, sort, descending, top or None)


def _leaves_out_the_inactive(system: str, on: date) -> bool:
    """Whether the law of a list says which lists the inactive leave (FIDE 2010, 7.23 and 7.24)."""
    try:
        return system in SYSTEMS and SYSTEMS[system].edition_on(on).LISTS_ONLY_RATED
    except NoLawInForce:
        return False


def _sort_of(text: str) -> tuple[Sort, bool | None]:
    for sort in SORTS:
        if text.lstrip("-") == sort:
            return sort, text.startswith("-")
    return "rating", None


def sort_in_force(asked: Asked) -> str:
    """The order of a page as its heads name it: a dash in front where it goes down."""
    down = asked.descending
    if down is None:
        down = asked.sort in ("rating", "games")
    return f"-{asked.sort}" if down else asked.sort
