"""The audit log: who did or tried what, when, from where; written once.

Rows are chained by their hashes as the entries of the ledger are: what is changed or taken out
later is found. Only one transaction at a time adds rows, from its first row to its end.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import msgspec
from msgspec import Struct
from sqlalchemy import Connection, insert, select

from arrocco.store.sql import chain_heads, moments
from arrocco.store.sql.tables import audit

FIRST_HASH = "0" * 64
"""What the first row is chained to."""
SEALED = ("id", "at", "account", "role", "address", "action", "subject", "outcome", "details")
"""The columns that a row's hash is made of, in this order."""


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
    chain_heads.keep_others_out(connection, chain_heads.AUDIT)
    last = chain_heads.last(connection, chain_heads.AUDIT, audit, "id")
    number, previous = (1, FIRST_HASH) if last is None else (last.number + 1, last.hash)
    values = {
        "id": number,
        "at": moments.written(at),
        "account": account,
        "role": role,
        "address": address[:100],
        "action": action,
        "subject": subject[:200],
        "outcome": outcome,
        "details": msgspec.json.encode(dict(details or {}), order="deterministic").decode(),
    }
    digest = chained([values[name] for name in SEALED], previous)
    connection.execute(insert(audit).values(**values, previous=previous, hash=digest))
    chain_heads.put(connection, chain_heads.AUDIT, number, digest)
    return number


def chained(values: Sequence[object], previous: str) -> str:
    """The hash that seals a row, given as its columns in the order of `SEALED`."""
    return hashlib.sha256(msgspec.json.encode([previous, *values])).hexdigest()


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
    query = select(audit).order_by(audit.c.id.desc()).limit(limit)
    equal = {"account": account, "action": action, "subject": subject, "outcome": outcome}
    for name, value in equal.items():
        if value not in (None, ""):
            query = query.where(audit.c[name] == value)
    if since is not None:
        query = query.where(audit.c.at >= moments.written(since))
    if until is not None:
        query = query.where(audit.c.at < moments.written(until))
    if before is not None:
        query = query.where(audit.c.id < before)
    return [
        Audited(
            id=row.id,
            at=moments.read(row.at),
            account=row.account,
            role=row.role,
            address=row.address,
            action=row.action,
            subject=row.subject,
            outcome=row.outcome,
            details=msgspec.json.decode(row.details, type=dict[str, Any]),
        )
        for row in connection.execute(query)
    ]
