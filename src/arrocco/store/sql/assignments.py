"""On which list of which system an accepted report falls, and whether that list is out."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from sqlalchemy import Connection, func, select

from arrocco.store.sql import seals
from arrocco.store.sql.tables import assignments


def add(connection: Connection, report: int, lists: Mapping[str, date]) -> None:
    """Puts a report on a list of each system."""
    rows = [
        {"report": report, "system": system, "list_date": day, "published": False}
        for system, day in lists.items()
    ]
    seals.insert(connection, assignments, *rows)


def move(connection: Connection, report: int, system: str, list_date: date) -> None:
    """Puts a report on another list that is not out yet."""
    seals.update(
        connection,
        assignments,
        assignments.c.report == report,
        assignments.c.system == system,
        assignments.c.published.is_(False),
        values={"list_date": list_date},
    )


def remove(connection: Connection, report: int) -> int:
    """Takes a report off the lists that are not out yet; off how many."""
    return seals.delete(
        connection,
        assignments,
        assignments.c.report == report,
        assignments.c.published.is_(False),
    )


def of_report(connection: Connection, report: int) -> dict[str, tuple[date, bool]]:
    """By system: the list of a report and whether it is out."""
    query = select(assignments).where(assignments.c.report == report)
    return {
        row.system: (row.list_date, row.published)
        for row in connection.execute(query.order_by(assignments.c.system))
    }


def of_list(connection: Connection, system: str, list_date: date) -> list[int]:
    """The reports of a list, in order of their numbers."""
    query = select(assignments.c.report).where(
        assignments.c.system == system, assignments.c.list_date == list_date
    )
    return list(connection.execute(query.order_by(assignments.c.report)).scalars())


def waiting(connection: Connection, system: str) -> dict[date, int]:
    """How many reports wait for each list that is not out, by its day."""
    query = (
        select(assignments.c.list_date, func.count())
        .where(assignments.c.system == system, assignments.c.published.is_(False))
        .group_by(assignments.c.list_date)
        .order_by(assignments.c.list_date)
    )
    return {row[0]: row[1] for row in connection.execute(query)}


def mark_published(connection: Connection, system: str, list_date: date) -> int:
    """Notes that a list is out; of how many reports."""
    changed = seals.update(
        connection,
        assignments,
        assignments.c.system == system,
        assignments.c.list_date == list_date,
        values={"published": True},
    )
    return len(changed)


def are_all_published(connection: Connection, report: int) -> bool:
    """Whether every list a report falls on is out, and there is one."""
    lists = of_report(connection, report)
    return bool(lists) and all(out for _, out in lists.values())
