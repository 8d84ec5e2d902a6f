"""Anchors of the hall: records that its chains have had, kept where its logs are not."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, select

from arrocco.hall.chain import Head
from arrocco.store.sql import moments, seals
from arrocco.store.sql.tables import hall_anchors


class Anchor(NamedTuple):
    """A record of a chain, and when it was seen there."""

    link: int
    hash: str
    at: datetime


def every(connection: Connection) -> dict[str, Anchor]:
    """The anchor of each chain."""
    return {
        row.chain: Anchor(row.link, row.hash, moments.read(row.at))
        for row in connection.execute(select(hall_anchors))
    }


def put(connection: Connection, chain: str, head: Head, at: datetime) -> None:
    """Keeps the last record of a chain."""
    new = {"link": head.link, "hash": head.hash, "at": moments.written(at)}
    seals.upsert(connection, hall_anchors, {"chain": chain}, new)
