"""The rows of a list that its page shows with its filters, all of them, as one table of text."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import Any

from litestar import Response
from litestar.params import FromPath
from litestar.response import Stream

from arrocco.formats.csv_cells import defused_row
from arrocco.office.roles import Permission
from arrocco.store.list_view import ListView, ViewedPlayer
from arrocco.web.pages.public_asking import Asked, asked_for, publication_of
from arrocco.web.routes import page
from arrocco.web.view import TheView

COLUMNS = (
    "id",
    "name",
    "federation",
    "sex",
    "birth",
    "title",
    "rating",
    "k",
    "games",
    "flag",
    "w_title",
    "o_title",
    "foa_title",
)
"""As in the list's own file, but for a birth, of which everybody is told the year."""

_AT_ONCE = 5_000


@page("/lists/{system:str}/{on:str}/rows.csv", permission=Permission.LOOK_UP)
def list_rows_csv(view: TheView, system: FromPath[str], on: FromPath[str]) -> Response[Any]:
    """The players of a list, filtered and sorted as on its page."""
    publication = publication_of(view, system, on)
    listed = view.office.lists.public_view(system, publication.list_date)
    asked = asked_for(view.request.query_params, system, publication.list_date)
    name = f"{system}-{publication.list_date}-rows.csv"
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Stream(_written(listed, asked), headers=headers, media_type="text/csv")


def _written(listed: ListView, asked: Asked) -> Iterator[str]:
    yield _lines([COLUMNS])
    offset, total = 0, 1
    while offset < total:
        total, rows = asked.page(listed, offset, _AT_ONCE)
        yield _lines(_cells(row) for row in rows)
        offset += _AT_ONCE


def _cells(row: ViewedPlayer) -> tuple[Any, ...]:
    return (
        row.id,
        row.name,
        row.federation,
        row.sex,
        row.birth.year if row.birth else None,
        row.title,
        row.rating,
        row.k,
        row.games,
        row.flag,
        row.w_title,
        row.o_title,
        row.foa_title,
    )


def _lines(rows: Any) -> str:
    text = io.StringIO()
    csv.writer(text).writerows(defused_row(row) for row in rows)
    return text.getvalue()
