"""The lists that are out, made here or imported."""

from __future__ import annotations

from datetime import date, datetime

from msgspec import Struct
from sqlalchemy import Connection, Row, Select, select
from sqlalchemy.exc import IntegrityError

from arrocco.errors import Inconsistent
from arrocco.store.sql import moments, seals
from arrocco.store.sql.tables import publications


class Publication(Struct, frozen=True, kw_only=True):
    """A list that is out; `body` is its summary in JSON, `seq` its place in the ledger."""

    system: str
    list_date: date
    seq: int
    published_at: datetime
    players: int
    body: str


def add(connection: Connection, publication: Publication) -> None:
    """Notes a list as out. Raises `Inconsistent` where that list is out already."""
    values = {
        "system": publication.system,
        "list_date": publication.list_date,
        "seq": publication.seq,
        "published_at": moments.written(publication.published_at),
        "players": publication.players,
        "body": publication.body,
    }
    try:
        with connection.begin_nested():
            seals.insert(connection, publications, values)
    except IntegrityError:
        if get(connection, publication.system, publication.list_date) is None:
            raise  # not because the list is there: a place of the ledger that does not exist
        raise Inconsistent.of(
            "sql.refused.published_already",
            system=publication.system,
            on=publication.list_date,
        ) from None


def get(connection: Connection, system: str, list_date: date) -> Publication | None:
    query = _of(system).where(publications.c.list_date == list_date)
    row = connection.execute(query).one_or_none()
    return None if row is None else _read(row)


def of_system(connection: Connection, system: str) -> list[Publication]:
    """The lists of a system, the newest first."""
    newest = _of(system).order_by(publications.c.list_date.desc())
    return [_read(row) for row in connection.execute(newest)]


def latest(
    connection: Connection, system: str, *, on_or_before: date | None = None
) -> Publication | None:
    """The newest list of a system, or the one in force on a day."""
    query = _of(system).order_by(publications.c.list_date.desc()).limit(1)
    if on_or_before is not None:
        query = query.where(publications.c.list_date <= on_or_before)
    row = connection.execute(query).one_or_none()
    return None if row is None else _read(row)


def every(connection: Connection) -> list[Publication]:
    """All lists that are out, in the order they came out."""
    return [
        _read(row) for row in connection.execute(select(publications).order_by(publications.c.seq))
    ]


def _of(system: str) -> Select[tuple[object, ...]]:
    return select(publications).where(publications.c.system == system)


def _read(row: Row[tuple[object, ...]]) -> Publication:
    value = dict(row._mapping)
    value["published_at"] = moments.read(value["published_at"])
    return Publication(**value)
