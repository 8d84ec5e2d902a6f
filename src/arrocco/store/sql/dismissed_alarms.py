"""Alarms that somebody has looked at and dismissed, with the games that they rested on."""

from __future__ import annotations

from datetime import datetime

import msgspec
from msgspec import Struct
from sqlalchemy import Connection, select

from arrocco.store.sql import moments, seals
from arrocco.store.sql.tables import dismissed_alarms as alarms


class DismissedAlarm(Struct, frozen=True, kw_only=True):
    """Who dismissed an alarm about a player of an event, when and why."""

    event: str
    entry: int
    games: tuple[str, ...]
    account: int
    at: datetime
    reason: str


def add(connection: Connection, alarm: DismissedAlarm) -> None:
    values = {
        "event": alarm.event,
        "entry": alarm.entry,
        "account": alarm.account,
        "games": msgspec.json.encode(alarm.games).decode(),
        "at": moments.written(alarm.at),
        "reason": alarm.reason,
    }
    seals.insert(connection, alarms, values)


def of_event(connection: Connection, event: str) -> list[DismissedAlarm]:
    """The dismissed alarms of an event, in order."""
    rows = connection.execute(select(alarms).where(alarms.c.event == event).order_by(alarms.c.id))
    return [
        DismissedAlarm(
            event=row.event,
            entry=row.entry,
            account=row.account,
            reason=row.reason,
            games=msgspec.json.decode(row.games, type=tuple[str, ...]),
            at=moments.read(row.at),
        )
        for row in rows
    ]
