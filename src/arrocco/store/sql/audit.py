"""The audit log: who did or tried what, when, from where; written once."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import msgspec
from msgspec import Struct
from sqlalchemy import Connection, insert, select

from arrocco.store.sql import moments
from arrocco.store.sql.tables import audit


class Audited(Struct, frozen=True, kw_only=True):
    """One line of the log."""

    id: int
    at: datetime
    account: int | None
    role: str
    address: str
    action: str
    subject: str
    outcome: str
    details: dict[str, Any]


def append(
    connection: Connection,
    *,
    at: datetime,
    account: int | None,
    role: str,
    action: str,
    outcome: str,
    address: str = "",
    subject: str = "",
    details: Mapping[str, object] | None = None,
) -> int:
    """Writes a line and gives its number. Long addresses and subjects are cut, never refused."""
    values = {
        "at": moments.written(at), "account": account, "role": role, "address": address[:100],
        "action": action, "subject": subject[:200], "outcome": outcome,
        "details": msgspec.json.encode(dict(details or {}), order="deterministic").decode(),
    }  # fmt: skip
    return int(connection.execute(insert(audit).values(values).returning(audit.c.id)).scalar_one())


def page(
    connection: Connection,
    *,
    account: int | None = None,
    action: str = "",
    subject: str = "",
    outcome: str = "",
    since: datetime | None = None,
    until: datetime | None = None,
    before: int | None = None,
    limit: int = 50,
) -> list[Audited]:
    """Lines, the newest first; `before` is the number of the last line of the page before."""
    found = select(audit).order_by(audit.c.id.desc()).limit(limit)
    equal = {"account": account, "action": action, "subject": subject, "outcome": outcome}
    for name, value in equal.items():
        if value not in (None, ""):
            found = found.where(audit.c[name] == value)
    if since is not None:
        found = found.where(audit.c.at >= moments.written(since))
    if until is not None:
        found = found.where(audit.c.at < moments.written(until))
    if before is not None:
        found = found.where(audit.c.id < before)
    return [
        Audited(
            id=row.id, at=moments.read(row.at), account=row.account, role=row.role,
            address=row.address, action=row.action, subject=row.subject, outcome=row.outcome,
            details=msgspec.json.decode(row.details, type=dict[str, Any]),
        )
        for row in connection.execute(found)
    ]  # fmt: skip
