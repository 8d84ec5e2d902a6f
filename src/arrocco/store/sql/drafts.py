"""Drafts of lists: how far they are and what came of them."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date, datetime

from msgspec import Struct
from sqlalchemy import Connection, Row, select

from arrocco.office.records import DraftStatus
from arrocco.store.sql import moments, seals
from arrocco.store.sql.tables import drafts


class DraftRow(Struct, frozen=True, kw_only=True):
    """A draft as it is kept; `body` is JSON that the maker of lists understands."""

    id: int
    system: str
    list_date: date
    status: DraftStatus
    stage: str
    done: int
    total: int
    made_by: int
    made_at: datetime
    ledger_seq: int
    body: str


def add(
    connection: Connection,
    *,
    system: str,
    list_date: date,
    made_by: int,
    made_at: datetime,
    ledger_seq: int,
) -> DraftRow:
    """A new draft, running."""
    values = {
        "system": system,
        "list_date": list_date,
        "status": DraftStatus.RUNNING.value,
        "stage": "",
        "done": 0,
        "total": 0,
        "made_by": made_by,
        "made_at": moments.written(made_at),
        "ledger_seq": ledger_seq,
        "body": "{}",
    }
    return _read(seals.insert(connection, drafts, values)[0])


def get(connection: Connection, draft: int) -> DraftRow | None:
    row = connection.execute(select(drafts).where(drafts.c.id == draft)).one_or_none()
    return None if row is None else _read(row)


def progress(connection: Connection, draft: int, stage: str, done: int, total: int) -> bool:
    """Notes how far a draft is; false where it is no longer running, and its maker should stop."""
    noted = seals.update(
        connection,
        drafts,
        drafts.c.id == draft,
        drafts.c.status == DraftStatus.RUNNING.value,
        values={"stage": stage, "done": done, "total": total},
    )
    return len(noted) == 1


def settle(
    connection: Connection,
    draft: int,
    status: DraftStatus,
    *,
    was: Collection[DraftStatus],
    body: str | None = None,
) -> bool:
    """Moves a draft from one of the states it may be in to another; whether it was in one."""
    values: dict[str, object] = {"status": status.value}
    if body is not None:
        values["body"] = body
    before = drafts.c.status.in_(sorted(draft_status.value for draft_status in was))
    moved = seals.update(connection, drafts, drafts.c.id == draft, before, values=values)
    return len(moved) == 1


def of_list(connection: Connection, system: str, list_date: date) -> list[DraftRow]:
    """The drafts of a list, the newest first."""
    query = select(drafts).where(drafts.c.system == system, drafts.c.list_date == list_date)
    return [_read(row) for row in connection.execute(query.order_by(drafts.c.id.desc()))]


def with_status(connection: Connection, *status: DraftStatus) -> list[DraftRow]:
    """The drafts that stand so, the oldest first."""
    query = select(drafts).where(
        drafts.c.status.in_(sorted(draft_status.value for draft_status in status))
    )
    return [_read(row) for row in connection.execute(query.order_by(drafts.c.id))]


def _read(row: Row[tuple[object, ...]]) -> DraftRow:
    value = dict(row._mapping)
    value["status"] = DraftStatus(value["status"])
    value["made_at"] = moments.read(value["made_at"])
    return DraftRow(**value)
