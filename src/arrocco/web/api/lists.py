"""Systems and their lists: hashes, rows by filters, what each list changed."""

from __future__ import annotations

from typing import Annotated, Literal

from litestar.params import FromPath, FromQuery, QueryParameter

from arrocco.office.roles import Permission
from arrocco.office.systems import SYSTEMS
from arrocco.store.list_view_changes import KINDS
from arrocco.store.sql.publications import Publication
from arrocco.web.api.records import (
    ChangeRow,
    ChangeRows,
    FileRecord,
    ListHead,
    ListRecord,
    ListRows,
    SystemRecord,
    player_row,
    refusals,
)
from arrocco.web.pages.public_asking import (
    asked_for,
    known_system,
    lookup_of,
    publication_of,
    system_name,
)
from arrocco.web.routes import api
from arrocco.web.view import TheView
from arrocco.wiring.office.book import IMPORTABLE

Offset = Annotated[int, QueryParameter(ge=0, le=10**9, description="How many rows to leave out.")]
Limit = Annotated[int, QueryParameter(ge=1, le=1000, description="At most so many rows.")]
Text = Annotated[str, QueryParameter(max_length=60)]
Whole = Annotated[int | None, QueryParameter(ge=0, le=9999)]
Kind = Literal["gained", "lost", "new", "left", "federation", "title"]
Sort = Annotated[
    Literal[
        "rating", "name", "id", "federation", "birth", "games",
        "-rating", "-name", "-id", "-federation", "-birth", "-games",
    ],
    QueryParameter(description="The order; a dash in front goes down."),
]  # fmt: skip


@api("/systems", permission=Permission.LOOK_UP, responses=refusals())
def systems(view: TheView) -> list[SystemRecord]:
    """The ratings of this office and their newest lists."""
    found = []
    for key in IMPORTABLE:
        lists = view.office.lists.published(key)
        system = SYSTEMS.get(key)
        found.append(
            SystemRecord(
                key=key, name=system_name(view.language, key), law=system.law if system else "",
                kind=system.kind if system else "", lists=len(lists),
                latest=lists[0].list_date if lists else None,
            )
        )  # fmt: skip
    return found


@api("/lists/{system:str}", permission=Permission.LOOK_UP, responses=refusals(404))
def lists(view: TheView, system: FromPath[str]) -> list[ListHead]:
    """The lists of a system, the newest first."""
    known_system(system)
    return [_head(one) for one in view.office.lists.published(system)]


def _head(one: Publication) -> ListHead:
    return ListHead(
        system=one.system, list_date=one.list_date, players=one.players,
        published_at=one.published_at, seq=one.seq,
    )  # fmt: skip


@api("/lists/{system:str}/{on:str}", permission=Permission.LOOK_UP, responses=refusals(404))
def one_list(view: TheView, system: FromPath[str], on: FromPath[str]) -> ListRecord:
    """A list by its day, or `latest`: its files with their hashes, and its entry in the ledger."""
    found = publication_of(view, system, on)
    lookup = lookup_of(view)
    source = lookup.source(found)
    url = f"/{view.language}/lists/{system}/{found.list_date}/files/"
    files = [
        FileRecord(
            name=one.name, size=one.size, sha256=one.sha256, sealed=one.sealed, url=url + one.name
        )
        for one in lookup.files(found)
    ]
    return ListRecord(
        system=system, list_date=found.list_date, players=found.players,
        published_at=found.published_at, seq=found.seq, entry_hash=source.hash,
        previous_hash=source.previous, edition=source.edition, reports=source.reports,
        corrections=source.corrections, imported=source.imported, imported_sha256=source.blob,
        files=files,
    )  # fmt: skip


@api("/lists/{system:str}/{on:str}/players", permission=Permission.LOOK_UP, responses=refusals(404))
def list_rows(
    view: TheView,
    system: FromPath[str],
    on: FromPath[str],
    q: Text = "",
    federation: Text = "",
    sex: FromQuery[Literal["", "F", "M"]] = "",
    title: Text = "",
    category: Text = "",
    active: FromQuery[Literal["", "1"]] = "",
    rating_from: Whole = None,
    rating_to: Whole = None,
    age_from: Whole = None,
    age_to: Whole = None,
    top: Whole = None,
    sort: Sort = "-rating",
    offset: Offset = 0,
    limit: Limit = 100,
) -> ListRows:
    """Rows of a list, by the same filters as its page."""
    found = publication_of(view, system, on)
    given = {
        "q": q, "federation": federation, "sex": sex, "title": title, "category": category,
        "active": active, "rating_from": rating_from, "rating_to": rating_to,
        "age_from": age_from, "age_to": age_to, "top": top, "sort": sort,
    }  # fmt: skip
    query = {name: value for name, value in given.items() if value not in (None, "")}
    asked = asked_for(query, found.list_date)
    total, rows = asked.page(view.office.lists.view(system, found.list_date), offset, limit)
    return ListRows(
        system=system, list_date=found.list_date, total=total, offset=offset,
        players=[player_row(row) for row in rows],
    )  # fmt: skip


@api("/lists/{system:str}/{on:str}/changes", permission=Permission.LOOK_UP, responses=refusals(404))
def list_changes(
    view: TheView,
    system: FromPath[str],
    on: FromPath[str],
    kind: FromQuery[Kind] = "gained",
    offset: Offset = 0,
    limit: Limit = 100,
) -> ChangeRows:
    """What a list changed of the one before; of the first list, nothing."""
    found = publication_of(view, system, on)
    lookup = lookup_of(view)
    before = lookup.before(found)
    if before is None:
        return ChangeRows(
            system=system, list_date=found.list_date, before=None, kind=kind,
            counts=dict.fromkeys(KINDS, 0), total=0, offset=offset, players=[],
        )  # fmt: skip
    changes = lookup.changes(found, before)
    rows = [
        ChangeRow(
            id=one.player.id, name=one.player.name,
            before=one.before.rating if one.before else None,
            after=one.after.rating if one.after else None, change=one.change,
            federation_before=one.before.federation if one.before else None,
            federation=one.after.federation if one.after else None,
            title_before=one.before.title if one.before else None,
            title=one.after.title if one.after else None,
        )
        for one in changes.page(kind, offset, limit)
    ]  # fmt: skip
    return ChangeRows(
        system=system, list_date=found.list_date, before=before.list_date, kind=kind,
        counts={name: changes.count(name) for name in KINDS}, total=changes.count(kind),
        offset=offset, players=rows,
    )  # fmt: skip
