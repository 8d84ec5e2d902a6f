"""Files that came with complaints and appeals, so that a backup has them too."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, func, select

from arrocco.store.sql import moments, seals
from arrocco.store.sql.tables import filing_papers


def add(
    connection: Connection,
    *,
    event: str,
    account: int,
    name: str,
    media_type: str,
    blob: str,
    size: int,
    at: datetime,
) -> None:
    """Names a file that is kept as a blob."""
    values = {
        "event": event,
        "account": account,
        "name": name,
        "media_type": media_type,
        "blob": blob,
        "size": size,
        "at": moments.written(at),
    }
    seals.insert(connection, filing_papers, values)


def bytes_of(connection: Connection, event: str, account: int) -> int:
    """How much an account has sent in an event."""
    asked = select(func.coalesce(func.sum(filing_papers.c.size), 0)).where(
        filing_papers.c.event == event, filing_papers.c.account == account
    )
    return int(connection.execute(asked).scalar_one())


def bytes_since(connection: Connection, account: int, moment: datetime) -> int:
    """How much an account has sent in all events since a moment."""
    asked = select(func.coalesce(func.sum(filing_papers.c.size), 0)).where(
        filing_papers.c.account == account, filing_papers.c.at >= moments.written(moment)
    )
    return int(connection.execute(asked).scalar_one())


def blobs(connection: Connection) -> set[str]:
    """Every blob that a filing may name."""
    return set(connection.execute(select(filing_papers.c.blob).distinct()).scalars())
