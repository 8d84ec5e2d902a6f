"""Which events there are: those under way are opened when the server starts, others when asked."""

from __future__ import annotations

from typing import Protocol

from arrocco.hall.event.record import Created
from arrocco.live.journal import LogStore
from arrocco.store.sql import hall_events
from arrocco.store.sql.database import Database

OPEN, CLOSED = "open", "closed"
MAX_TITLE = 300
"""Characters of an event's name in the list of events; its log has all of it."""


class EventIndex(Protocol):
    """The list of events; its methods block."""

    def add(self, created: Created) -> None:
        """Lists an event, before its log begins: one that is listed and has no log is nothing."""
        ...

    def set_status(self, event: str, status: str) -> None: ...

    def under_way(self) -> list[str]:
        """The events that are not closed."""
        ...


class LogIndex:
    """All events that have a log: enough for a hall without an office."""

    def __init__(self, store: LogStore) -> None:
        self._store = store

    def add(self, created: Created) -> None:
        """The log itself tells."""

    def set_status(self, event: str, status: str) -> None:
        """The log itself tells."""

    def under_way(self) -> list[str]:
        return [name.removeprefix("event:") for name in self._store.streams("event:")]


class OfficeIndex:
    """The events as the office lists them."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, created: Created) -> None:
        listed = hall_events.HallEvent(
            id=created.event,
            name=created.name[:MAX_TITLE],
            owner=int(created.by),
            status=OPEN,
            start=created.start,
            created_at=created.at,
        )
        with self._database.writing() as connection:
            if hall_events.get(connection, created.event) is None:
                hall_events.add(connection, listed)

    def set_status(self, event: str, status: str) -> None:
        with self._database.writing() as connection:
            hall_events.change(connection, event, status=status)

    def under_way(self) -> list[str]:
        events: list[str] = []
        with self._database.reading() as connection:
            while True:
                total, page = hall_events.search(
                    connection, status=(OPEN,), offset=len(events), limit=500
                )
                events.extend(event.id for event in page)
                if not page or len(events) >= total:
                    return events
