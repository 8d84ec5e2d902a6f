"""The ratings of players through the lists: a row for each list on which something changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date
from itertools import islice
from typing import Any, NamedTuple

from sqlalchemy import Connection, insert, select

from arrocco.store.sql.bulk import copy_rows
from arrocco.store.sql.tables import history

_AT_ONCE = 20_000
_COLUMNS = tuple(column.name for column in history.columns)


class Change(NamedTuple):
    """What a list brought a player; `rating` and `k` are `None` for the unrated."""

    player: int
    rating: int | None
    change: int = 0
    games: int = 0
    k: int | None = None
    note: str = ""


class HistoryRow(NamedTuple):
    """A player on one list of one system."""

    system: str
    player: int
    list_date: date
    rating: int | None
    change: int
    games: int
    k: int | None
    note: str


def add(connection: Connection, system: str, list_date: date, changes: Iterable[Change]) -> int:
    """Writes the changes of a list, fast for hundreds of thousands of them; how many."""
    rows = (
        (
            system,
            change.player,
            list_date,
            change.rating,
            change.change,
            change.games,
            change.k,
            change.note,
        )
        for change in changes
    )
    if connection.dialect.name == "postgresql":
        return copy_rows(connection, history.name, _COLUMNS, rows)
    return _insert(connection, rows)


def _insert(connection: Connection, rows: Iterator[tuple[Any, ...]]) -> int:
    statement = str(insert(history).compile(dialect=connection.dialect))
    count = 0
    while part := [(*row[:2], row[2].isoformat(), *row[3:]) for row in islice(rows, _AT_ONCE)]:
        connection.exec_driver_sql(statement, part)
        count += len(part)
    return count


def of_player(connection: Connection, player: int, system: str = "") -> list[HistoryRow]:
    """What the lists brought a player, by system and then by day, the oldest first."""
    query = select(history).where(history.c.player == player)
    if system:
        query = query.where(history.c.system == system)
    query = query.order_by(history.c.system, history.c.list_date)
    return [HistoryRow(*row) for row in connection.execute(query)]
