"""Tournaments: kept whole, found by what has a column."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Connection, func, or_, select

from arrocco.office.records import Tournament, TournamentStatus
from arrocco.store.folding import folded
from arrocco.store.sql import moments, records, seals
from arrocco.store.sql.tables import rated_tournaments, tournaments

_DECODER = msgspec.json.Decoder(Tournament)


def add(connection: Connection, tournament: Tournament) -> Tournament:
    """Keeps a new tournament and gives it its number; the one it came with does not count."""
    values = columns_of(tournament) | {"record": ""}
    (added,) = seals.insert(connection, tournaments, values)
    numbered = msgspec.structs.replace(tournament, id=added.id)
    records.put(connection, tournaments, numbered, {})
    return numbered


def get(connection: Connection, tournament: int) -> Tournament | None:
    query = select(tournaments.c.record).where(tournaments.c.id == tournament)
    record = connection.execute(query).scalar_one_or_none()
    return None if record is None else _DECODER.decode(record)


def change(connection: Connection, old: Tournament, new: Tournament) -> Tournament:
    """Puts `new` in the place of `old`. Raises `Inconsistent` where `old` is no longer there."""
    return records.replace(connection, tournaments, old, new, columns_of(new))


def columns_of(tournament: Tournament) -> dict[str, Any]:
    """What the columns have of a record that is kept whole beside them."""
    told = tournament.registration
    return {
        "name": told.name[:300],
        "federation": told.federation,
        "start": told.start,
        "end": told.end,
        "status": tournament.status.value,
        "registered_by": tournament.registered_by,
        "registered_at": moments.written(tournament.registered_at),
        "folded": folded(f"{told.name} {told.city} {told.chief_arbiter}"),
    }


def search(
    connection: Connection,
    *,
    text: str = "",
    federation: str = "",
    owner: int | None = None,
    status: Collection[TournamentStatus] = (),
    or_rated: bool = False,
    from_day: date | None = None,
    to_day: date | None = None,
    offset: int = 0,
    limit: int = 50,
) -> tuple[int, list[Tournament]]:
    """How many there are and a page of them, those that start last first.

    `text` is words of the name, the city or the chief arbiter, in any order; the days are those a
    tournament is played on, at least in part. With `or_rated` those on a published list are among
    them, whatever their status is.
    """
    wanted: list[ColumnElement[bool]] = [
        tournaments.c.folded.contains(word, autoescape=True) for word in folded(text).split()
    ]
    if federation:
        wanted.append(tournaments.c.federation == federation)
    if owner is not None:
        wanted.append(tournaments.c.registered_by == owner)
    if status:
        ways = [
            tournaments.c.status.in_(
                sorted(tournament_status.value for tournament_status in status)
            )
        ]
        if or_rated:
            ways.append(tournaments.c.id.in_(select(rated_tournaments.c.tournament)))
        wanted.append(or_(*ways))
    if from_day is not None:
        wanted.append(tournaments.c.end >= from_day)
    if to_day is not None:
        wanted.append(tournaments.c.start <= to_day)
    counted = select(func.count()).select_from(tournaments).where(*wanted)
    order = (tournaments.c.start.desc(), tournaments.c.id.desc())
    query = select(tournaments.c.record).where(*wanted).order_by(*order)
    rows = connection.execute(query.offset(offset).limit(limit)).scalars()
    return connection.execute(counted).scalar_one(), [_DECODER.decode(row) for row in rows]
