"""Tournaments: kept whole, found by what has a column."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Connection, func, insert, select, update

from arrocco.office.records import Tournament, TournamentStatus
from arrocco.store.folding import folded
from arrocco.store.sql import moments, records
from arrocco.store.sql.tables import tournaments

_DECODER = msgspec.json.Decoder(Tournament)


def add(connection: Connection, tournament: Tournament) -> Tournament:
    """Keeps a new tournament and gives it its number; the one it came with does not count."""
    values = columns_of(tournament) | {"record": ""}
    added = insert(tournaments).values(values).returning(tournaments.c.id)
    numbered = msgspec.structs.replace(tournament, id=connection.execute(added).scalar_one())
    connection.execute(
        update(tournaments)
        .where(tournaments.c.id == numbered.id)
        .values(record=records.encoded(numbered))
    )
    return numbered


def get(connection: Connection, tournament: int) -> Tournament | None:
    found = select(tournaments.c.record).where(tournaments.c.id == tournament)
    record = connection.execute(found).scalar_one_or_none()
    return None if record is None else _DECODER.decode(record)


def change(connection: Connection, old: Tournament, new: Tournament) -> Tournament:
    """Puts `new` in the place of `old`. Raises `Inconsistent` where `old` is no longer there."""
    return records.replace(connection, tournaments, old, new, columns_of(new))


def columns_of(tournament: Tournament) -> dict[str, Any]:
    """What the columns have of a record that is kept whole beside them."""
    told = tournament.registration
    return {
        "name": told.name[:300], "federation": told.federation, "start": told.start,
        "end": told.end, "status": tournament.status.value,
        "registered_by": tournament.registered_by,
        "registered_at": moments.written(tournament.registered_at),
        "folded": folded(f"{told.name} {told.city} {told.chief_arbiter}"),
    }  # fmt: skip


def search(
    connection: Connection,
    *,
    text: str = "",
    federation: str = "",
    owner: int | None = None,
    status: Collection[TournamentStatus] = (),
    from_day: date | None = None,
    to_day: date | None = None,
    offset: int = 0,
    limit: int = 50,
) -> tuple[int, list[Tournament]]:
    """How many there are and a page of them, those that start last first.

    `text` is words of the name, the city or the chief arbiter, in any order; the days are those a
    tournament is played on, at least in part.
    """
    wanted: list[ColumnElement[bool]] = [
        tournaments.c.folded.contains(word, autoescape=True) for word in folded(text).split()
    ]
    if federation:
        wanted.append(tournaments.c.federation == federation)
    if owner is not None:
        wanted.append(tournaments.c.registered_by == owner)
    if status:
        wanted.append(tournaments.c.status.in_(sorted(one.value for one in status)))
    if from_day is not None:
        wanted.append(tournaments.c.end >= from_day)
    if to_day is not None:
        wanted.append(tournaments.c.start <= to_day)
    counted = select(func.count()).select_from(tournaments).where(*wanted)
    order = (tournaments.c.start.desc(), tournaments.c.id.desc())
    found = select(tournaments.c.record).where(*wanted).order_by(*order)
    rows = connection.execute(found.offset(offset).limit(limit)).scalars()
    return connection.execute(counted).scalar_one(), [_DECODER.decode(row) for row in rows]
