"""The published lists: by system, page by page with filters, and what each changed."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from litestar import Response
from litestar.params import FromPath

from arrocco.desk.book import IMPORTABLE
from arrocco.laws.systems import SYSTEMS, has_categories
from arrocco.office.roles import Permission
from arrocco.store.list_view import ListView
from arrocco.store.list_view_changes import KINDS
from arrocco.web.pages.public_asking import (
    TOPS,
    asked_for,
    known_system,
    lookup_of,
    publication_of,
    sort_in_force,
    system_name,
)
from arrocco.web.paging import page_number
from arrocco.web.routes import page
from arrocco.web.view import TheView, View

SIZE = 50
_MAX_SHOWN = 24
LIST_QUERY = (
    "q",
    "federation",
    "sex",
    "title",
    "category",
    "active",
    "rating_from",
    "rating_to",
    "age_from",
    "age_to",
    "top",
    "sort",
)


@page("/lists", permission=Permission.LOOK_UP)
def lists(view: TheView) -> Response[str]:
    """Every system with its lists, the newest first."""
    systems = []
    for system in IMPORTABLE:
        publications = view.office.lists.published(system)
        if publications or system in SYSTEMS:
            systems.append(
                (
                    system,
                    system_name(view.language, system),
                    publications[:_MAX_SHOWN],
                    publications,
                )
            )
    return view.page("public/lists.html", systems=systems)


@page("/lists/{system:str}", permission=Permission.LOOK_UP)
def lists_of_system(view: TheView, system: FromPath[str]) -> Response[str]:
    """All lists of one system."""
    known_system(system)
    publications = view.office.lists.published(system)
    return view.page(
        "public/lists-of-system.html",
        system=system,
        name=system_name(view.language, system),
        lists=publications,
    )


@page("/lists/{system:str}/{on:str}", permission=Permission.LOOK_UP)
def one_list(view: TheView, system: FromPath[str], on: FromPath[str]) -> Response[str]:
    """A page of one list, filtered and sorted."""
    publication = publication_of(view, system, on)
    listed = view.office.lists.public_view(system, publication.list_date)
    query = view.request.query_params
    asked = asked_for(query, system, publication.list_date)
    number = page_number(query)
    total, rows = asked.page(listed, (number - 1) * SIZE, SIZE)
    if not rows and total:
        number = (total + SIZE - 1) // SIZE
        total, rows = asked.page(listed, (number - 1) * SIZE, SIZE)
    given = {name: value for name in LIST_QUERY if (value := query.get(name))}
    data = f"/api/v1/lists/{system}/{publication.list_date}/players"
    table = view.url(f"/lists/{system}/{publication.list_date}/rows.csv", **given)
    return view.page(
        "public/list.html",
        system=system,
        on=on,
        name=system_name(view.language, system),
        found=publication,
        rows=rows,
        total=total,
        number=number,
        size=SIZE,
        given=given,
        top=asked.top,
        sort=sort_in_force(asked),
        choices=_choices(view, system, listed),
        data=data + (f"?{urlencode(given)}" if given else ""),
        has_categories=has_categories(system),
        table=table,
        first=(number - 1) * SIZE,
        by_rating=asked.sort == "rating" and asked.descending is not False,
    )


def _choices(view: View, system: str, listed: ListView) -> dict[str, list[tuple[str, str]]]:
    """What the filters of a list offer: only what is on it."""
    anything = ("", view.t("public.list.any"))
    titles = _words(listed, "title", "w_title")
    categories = _words(listed, "o_title", "foa_title")
    return {
        "federation": [anything, *((word, word) for word in listed.words["federation"] if word)],
        "sex": [anything, ("F", view.t("public.list.women")), ("M", view.t("public.list.men"))],
        "title": [anything, *((word, word) for word in titles)],
        "category": [anything, *((word, _category(view, system, word)) for word in categories)],
        "top": [
            ("", view.t("public.list.everybody")),
            *((str(top), view.t("public.list.top", count=top)) for top in TOPS),
        ],
    }


def _words(listed: ListView, *columns: str) -> list[str]:
    texts = [text for name in columns for text in listed.words[name]]
    return sorted({word.strip() for text in texts for word in text.split(",")} - {""})


def _category(view: View, system: str, word: str) -> str:
    if not has_categories(system):
        return word
    from arrocco.laws.rio.categories import Category

    known = word in {category.value for category in Category}
    return view.t(f"public.category.{word}") if known else word


@page("/lists/{system:str}/{on:str}/changes", permission=Permission.LOOK_UP)
def list_changes(view: TheView, system: FromPath[str], on: FromPath[str]) -> Response[str]:
    """What a list changed of the one before."""
    publication = publication_of(view, system, on)
    lookup = lookup_of(view)
    before = lookup.before(publication)
    asked = view.request.query_params.get("kind", "")
    kind = asked if asked in KINDS else KINDS[0]
    shared: dict[str, Any] = {
        "system": system,
        "name": system_name(view.language, system),
        "found": publication,
        "on": on,
        "before": before,
        "kind": kind,
        "kinds": KINDS,
    }
    if before is None:
        return view.page("public/changes.html", **shared, changes=None, rows=[], number=1, size=1)
    changes = lookup.changes(publication, before)
    total, number = changes.count(kind), page_number(view.request.query_params)
    number = max(1, min(number, (total + SIZE - 1) // SIZE))
    rows = changes.page(kind, (number - 1) * SIZE, SIZE)
    return view.page(
        "public/changes.html", **shared, changes=changes, rows=rows, number=number, size=SIZE
    )


@page("/lists/{system:str}/{on:str}/files", permission=Permission.LOOK_UP)
def list_files(view: TheView, system: FromPath[str], on: FromPath[str]) -> Response[str]:
    """The files of a list with their hashes, and how to verify them."""
    publication = publication_of(view, system, on)
    lookup = lookup_of(view)
    files = lookup.files(publication)
    signed = view.office.keys.signed_heads().get((system, publication.list_date))
    return view.page(
        "public/files.html",
        system=system,
        on=on,
        name=system_name(view.language, system),
        found=publication,
        source=lookup.source(publication),
        signed=signed,
        lists=[file for file in files if file.name.startswith("list.")],
        others=[file for file in files if not file.name.startswith("list.")],
        address=str(view.request.base_url).rstrip("/"),
    )
