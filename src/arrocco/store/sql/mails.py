"""The spool of mail: written with what it tells of, sent by a worker, forgotten after a while."""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import StrEnum

from msgspec import Struct
from sqlalchemy import Connection, Row, func, select

from arrocco.store.sql import moments, seals
from arrocco.store.sql.tables import mails

_LONGEST_SAID = 300


class MailState(StrEnum):
    """What became of a mail."""

    WAITING = "waiting"
    SENT = "sent"
    FAILED = "failed"
    """The mail server refused it for good, or did not take it for days."""


class Mail(Struct, frozen=True, kw_only=True):
    """A mail as it is kept; its words are made when it is sent or shown."""

    id: int
    kind: str
    account: int | None
    address: str
    language: str
    params: str
    message_id: str
    state: MailState
    queued_at: datetime
    due_at: datetime
    attempts: int
    said: str
    ended_at: datetime | None


def add(
    connection: Connection,
    *,
    kind: str,
    account: int | None,
    address: str,
    language: str,
    params: str,
    message_id: str,
    at: datetime,
) -> Mail:
    """A mail that is due at once."""
    values = {
        "kind": kind,
        "account": account,
        "address": address,
        "language": language,
        "params": params,
        "message_id": message_id,
        "state": MailState.WAITING.value,
        "queued_at": moments.written(at),
        "due_at": moments.written(at),
        "attempts": 0,
        "said": "",
    }
    return _read(seals.insert(connection, mails, values)[0])


def get(connection: Connection, mail: int) -> Mail | None:
    row = connection.execute(select(mails).where(mails.c.id == mail)).one_or_none()
    return None if row is None else _read(row)


def newest(connection: Connection, *, offset: int = 0, limit: int = 50) -> list[Mail]:
    """A page of the spool, the newest first."""
    rows = select(mails).order_by(mails.c.id.desc()).offset(offset).limit(limit)
    return [_read(row) for row in connection.execute(rows)]


def counts(connection: Connection) -> dict[MailState, int]:
    """How many mails there are of each state."""
    rows = connection.execute(select(mails.c.state, func.count()).group_by(mails.c.state))
    return dict.fromkeys(MailState, 0) | {MailState(state): count for state, count in rows}


def count_waiting(connection: Connection) -> int:
    waiting = select(func.count()).where(mails.c.state == MailState.WAITING.value)
    return connection.execute(waiting).scalar_one()


def count_to(connection: Connection, address: str, since: datetime) -> int:
    """How many mails an address was written since a moment."""
    mine = (mails.c.address == address, mails.c.queued_at > moments.written(since))
    return connection.execute(select(func.count()).where(*mine)).scalar_one()


def is_any_due(connection: Connection, at: datetime) -> bool:
    """Whether a mail waits whose time has come."""
    due = (mails.c.state == MailState.WAITING.value, mails.c.due_at <= moments.written(at))
    return connection.execute(select(mails.c.id).where(*due).limit(1)).first() is not None


def claim(connection: Connection, at: datetime, lease: timedelta) -> Mail | None:
    """The mail that waits longest, which nobody else gets until the lease is over."""
    due = (
        select(mails.c.id, mails.c.due_at)
        .where(mails.c.state == MailState.WAITING.value, mails.c.due_at <= moments.written(at))
        .order_by(mails.c.due_at, mails.c.id)
        .limit(1)
        .with_for_update(skip_locked=True)
    )
    row = connection.execute(due).one_or_none()
    if row is None:
        return None
    until = moments.written(at + lease)
    values = {"due_at": until, "attempts": mails.c.attempts + 1}
    return _read(seals.update(connection, mails, mails.c.id == row.id, values=values)[0])


def end(
    connection: Connection, mail: int, state: MailState, at: datetime, said: str, params: str
) -> None:
    """What became of a mail for good; `params` without what must not be kept."""
    values = {
        "state": state.value,
        "ended_at": moments.written(at),
        "said": _short(said),
        "params": params,
    }
    seals.update(connection, mails, mails.c.id == mail, values=values)


def put_off(connection: Connection, mail: int, until: datetime, said: str) -> None:
    """Tries a mail again later."""
    values = {"due_at": moments.written(until), "said": _short(said)}
    seals.update(connection, mails, mails.c.id == mail, values=values)


def waiting_since_before(connection: Connection, moment: datetime) -> list[Mail]:
    """Mails that were queued before a moment and still wait."""
    old = (
        mails.c.state == MailState.WAITING.value,
        mails.c.queued_at < moments.written(moment),
    )
    return [_read(row) for row in connection.execute(select(mails).where(*old).limit(500))]


def forget_before(connection: Connection, moment: datetime) -> int:
    """Forgets mails that were written before a moment and have ended; how many."""
    old = mails.c.queued_at < moments.written(moment)
    return seals.delete(connection, mails, old, mails.c.ended_at.is_not(None))


def forget_of_account(connection: Connection, account: int) -> int:
    """Forgets all mail of an account; how many."""
    return seals.delete(connection, mails, mails.c.account == account)


def of_account(connection: Connection, account: int) -> list[Mail]:
    """The mails of an account that are still kept, the newest first."""
    rows = select(mails).where(mails.c.account == account).order_by(mails.c.id.desc()).limit(1000)
    return [_read(row) for row in connection.execute(rows)]


def _short(said: str) -> str:
    return "".join(c if c.isprintable() else " " for c in said)[:_LONGEST_SAID]


def _read(row: Row[tuple[object, ...]]) -> Mail:
    value = row._mapping
    return Mail(
        id=value["id"],
        kind=value["kind"],
        account=value["account"],
        address=value["address"],
        language=value["language"],
        params=value["params"],
        message_id=value["message_id"],
        state=MailState(value["state"]),
        queued_at=moments.read(value["queued_at"]),
        due_at=moments.read(value["due_at"]),
        attempts=value["attempts"],
        said=value["said"],
        ended_at=moments.read_maybe(value["ended_at"]),
    )
