"""What strangers were refused, counted by the hour: the audit log gets one line for each sum."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct
from sqlalchemy import Connection, select

from arrocco.store.sql import moments, seals
from arrocco.store.sql.tables import refusal_counts


class RefusalCount(Struct, frozen=True, kw_only=True):
    """How often something was refused in one window."""

    since: datetime
    action: str
    key: str
    total: int
    accounts: dict[int, int]
    """Of these, how many were about each account; the others were about none there is."""


def add(connection: Connection, since: datetime, action: str, key: str, account: int = 0) -> None:
    """Counts one refusal in the window that began at a moment; of no account without one."""
    named = {"since": moments.written(since), "action": action, "key": key, "account": account}
    one_more = {"count": refusal_counts.c.count + 1}
    seals.upsert(connection, refusal_counts, named, {"count": 1}, one_more)


def has_any_before(connection: Connection, moment: datetime) -> bool:
    """Whether there are windows that began before a moment."""
    old = refusal_counts.c.since < moments.written(moment)
    return (
        connection.execute(select(refusal_counts.c.since).where(old).limit(1)).first() is not None
    )


def before(connection: Connection, moment: datetime) -> list[RefusalCount]:
    """The sums of the windows that began before a moment, the oldest first."""
    columns = refusal_counts.c
    rows = connection.execute(
        select(refusal_counts)
        .where(columns.since < moments.written(moment))
        .order_by(columns.since, columns.action, columns.key, columns.account)
        .with_for_update()
    )
    sums: dict[tuple[str, str, str], dict[int, int]] = {}
    for row in rows.mappings():
        kind = (row["since"], row["action"], row["key"])
        sums.setdefault(kind, {})[row["account"]] = row["count"]
    return [
        RefusalCount(
            since=moments.read(since),
            action=action,
            key=key,
            total=sum(counts.values()),
            accounts={account: count for account, count in counts.items() if account},
        )
        for (since, action, key), counts in sums.items()
    ]


def forget_before(connection: Connection, moment: datetime) -> None:
    """Takes away the windows that began before a moment: their sums are written down."""
    old = refusal_counts.c.since < moments.written(moment)
    seals.delete(connection, refusal_counts, old)
