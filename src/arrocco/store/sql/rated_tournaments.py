"""Where the tournaments of a list stand in its calculations."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from sqlalchemy import Connection, insert, select

from arrocco.store.sql.tables import rated_tournaments


def add(connection: Connection, system: str, list_date: date, rows: Mapping[int, int]) -> None:
    """Notes the tournaments of a list: their row in the calculations by their number."""
    values = [
        {"system": system, "list_date": list_date, "tournament": tournament, "row": row}
        for tournament, row in rows.items()
    ]
    if values:
        connection.execute(insert(rated_tournaments), values)


def of_tournament(connection: Connection, tournament: int) -> list[tuple[str, date, int]]:
    """System, list and row of a tournament wherever it was rated."""
    query = (
        select(rated_tournaments.c.system, rated_tournaments.c.list_date, rated_tournaments.c.row)
        .where(rated_tournaments.c.tournament == tournament)
        .order_by(rated_tournaments.c.system, rated_tournaments.c.list_date)
    )
    return [(row[0], row[1], row[2]) for row in connection.execute(query)]


def of_list(connection: Connection, system: str, list_date: date) -> dict[int, int]:
    """The tournaments of a list by their row in its calculations."""
    query = select(rated_tournaments.c.row, rated_tournaments.c.tournament).where(
        rated_tournaments.c.system == system, rated_tournaments.c.list_date == list_date
    )
    ordered = query.order_by(rated_tournaments.c.row)
    return {one[0]: one[1] for one in connection.execute(ordered)}
