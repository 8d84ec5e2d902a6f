"""Systems and their lists: hashes, rows by filters, what each list changed."""

from __future__ import annotations

from typing import Annotated, Literal

from litestar.params import FromPath, FromQuery, QueryParameter

from arrocco.desk.book import IMPORTABLE
from arrocco.laws.systems import SYSTEMS
from arrocco.office.roles import Permission
from arrocco.store.list_view_changes import KINDS
from arrocco.store.sql.publications import Publication
from arrocco.web.api.list_records import (
    ChangeRow,
    ChangeRows,
    FileRecord,
    ListHead,
    ListRecord,
    ListRows,
    ListSignature,
    SystemRecord,
    player_row,
)
from arrocco.web.api.records import refusals
from arrocco.web.pages.public_asking import (
    asked_for,
    known_system,
    lookup_of,
    publication_of,
    system_name,
)
from arrocco.web.routes import api
from arrocco.web.view import TheView, View

Offset = Annotated[int, QueryParameter(ge=0, le=10**9, description="How many rows to leave out.")]
Limit = Annotated[int, QueryParameter(ge=1, le=1000, description="At most so many rows.")]
Text = Annotated[str, QueryParameter(max_length=60)]
Whole = Annotated[int | None, QueryParameter(ge=0, le=9999)]
Kind = Literal["gained", "lost", "new", "left", "federation", "title"]
Sort = Annotated[
    Literal[
        "rating",
        "name",
        "id",
        "federation",
        "birth",
        "games",
        "-rating",
        "-name",
        "-id",
        "-federation",
        "-birth",
        "-games",
    ],
    QueryParameter(description="The order; a dash in front goes down."),
]


@api("/systems", permission=Permission.LOOK_UP, responses=refusals())
def systems(view: TheView) -> list[SystemRecord]:
    """The ratings of this office and their newest lists."""
    system_records = []
    for key in IMPORTABLE:
        lists = view.office.lists.published(key)
        system = SYSTEMS.get(key)
        system_records.append(
            SystemRecord(
                key=key,
                name=system_name(view.language, key),
                law=system.law if system else "",
                kind=system.kind if system else "",
                lists=len(lists),
                latest=lists[0].list_date if lists else None,
            )
        )
    return system_records


@api("/lists/{system:str}", permission=Permission.LOOK_UP, responses=refusals(404))
def lists(view: TheView, system: FromPath[str]) -> list[ListHead]:
    """The lists of a system, the newest first."""
    known_system(system)
    return [_head(publication) for publication in view.office.lists.published(system)]


def _head(publication: Publication) -> ListHead:
    return ListHead(
        system=publication.system,
        list_date=publication.list_date,
        players=publication.players,
        published_at=publication.published_at,
        seq=publication.seq,
    )


@api("/lists/{system:str}/{on:str}", permission=Permission.LOOK_UP, responses=refusals(404))
def one_list(view: TheView, system: FromPath[str], on: FromPath[str]) -> ListRecord:
    """A list by its day, or `latest`: its files with their hashes, and its entry in the ledger."""
    publication = publication_of(view, system, on)
    lookup = lookup_of(view)
    source = lookup.source(publication)
    url = f"/{view.language}/lists/{system}/{publication.list_date}/files/"
    files = [
        FileRecord(
            name=file.name,
            size=file.size,
            sha256=file.sha256,
            sealed=file.sealed,
            url=url + file.name,
        )
        for file in lookup.files(publication)
    ]
    return ListRecord(
        system=system,
        list_date=publication.list_date,
        players=publication.players,
        published_at=publication.published_at,
        seq=publication.seq,
        entry_hash=source.hash,
        previous_hash=source.previous,
        edition=source.edition,
        reports=source.reports,
        corrections=source.corrections,
        imported=source.imported,
        imported_sha256=source.blob,
        files=files,
        signed=_signed(view, publication),
    )


def _signed(view: View, publication: Publication) -> ListSignature | None:
    """The head of the ledger that was signed as a list came out."""
    signed = view.office.keys.signed_heads().get((publication.system, publication.list_date))
    if signed is None:
        return None
    return ListSignature(
        office=view.office.keys.office_id(),
        seq=signed.seq,
        head=signed.head,
        key=signed.key,
        signature=signed.signature,
    )


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
    publication = publication_of(view, system, on)
    given = {
        "q": q,
        "federation": federation,
        "sex": sex,
        "title": title,
        "category": category,
        "active": active,
        "rating_from": rating_from,
        "rating_to": rating_to,
        "age_from": age_from,
        "age_to": age_to,
        "top": top,
        "sort": sort,
    }
    query = {name: value for name, value in given.items() if value not in (None, "")}
    asked = asked_for(query, system, publication.list_date)
    total, rows = asked.page(
        view.office.lists.public_view(system, publication.list_date), offset, limit
    )
    return ListRows(
        system=system,
        list_date=publication.list_date,
        total=total,
        offset=offset,
        players=[player_row(row) for row in rows],
    )


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
    publication = publication_of(view, system, on)
    lookup = lookup_of(view)
    before = lookup.before(publication)
    if before is None:
        return ChangeRows(
            system=system,
            list_date=publication.list_date,
            before=None,
            kind=kind,
            counts=dict.fromkeys(KINDS, 0),
            total=0,
            offset=offset,
            players=[],
        )
    changes = lookup.changes(publication, before)
    rows = [
        ChangeRow(
            id=one.player.id,
            name=one.player.name,
            before=one.before.rating if one.before else None,
            after=one.after.rating if one.after else None,
            change=one.change,
            federation_before=one.before.federation if one.before else None,
            federation=one.after.federation if one.after else None,
            title_before=one.before.title if one.before else None,
            title=one.after.title if one.after else None,
        )
        for one in changes.page(kind, offset, limit)
    ]
    return ChangeRows(
        system=system,
        list_date=publication.list_date,
        before=before.list_date,
        kind=kind,
        counts={name: changes.count(name) for name in KINDS},
        total=changes.count(kind),
        offset=offset,
        players=rows,
    )
