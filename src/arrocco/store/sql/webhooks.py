"""Programs that are told what is published, and what they are still to be told."""

from __future__ import annotations

from datetime import datetime, timedelta

from msgspec import Struct
from sqlalchemy import Connection, Row, func, select

from arrocco.store.sql import moments, seals
from arrocco.store.sql.tables import webhook_calls, webhooks

WAITING, DONE, FAILED = "waiting", "done", "failed"
_LONGEST_SAID = 300


class Webhook(Struct, frozen=True, kw_only=True):
    """An address that is told; its secret signs what it is told."""

    id: int
    account: int
    url: str
    secret: str
    made_at: datetime
    stopped_at: datetime | None


class Call(Struct, frozen=True, kw_only=True):
    """One thing that one address is told."""

    id: int
    webhook: int
    event: str
    body: str
    state: str
    queued_at: datetime
    due_at: datetime
    attempts: int
    said: str


def add(connection: Connection, account: int, url: str, secret: str, at: datetime) -> Webhook:
    values = {"account": account, "url": url, "secret": secret, "made_at": moments.written(at)}
    return _webhook(seals.insert(connection, webhooks, values)[0])


def get(connection: Connection, webhook: int) -> Webhook | None:
    row = connection.execute(select(webhooks).where(webhooks.c.id == webhook)).one_or_none()
    return None if row is None else _webhook(row)


def of_account(connection: Connection, account: int) -> list[Webhook]:
    """The addresses of an account that are told."""
    mine = (webhooks.c.account == account, webhooks.c.stopped_at.is_(None))
    rows = connection.execute(select(webhooks).where(*mine).order_by(webhooks.c.id))
    return [_webhook(row) for row in rows]


def running(connection: Connection) -> list[Webhook]:
    """All addresses that are told."""
    rows = select(webhooks).where(webhooks.c.stopped_at.is_(None)).order_by(webhooks.c.id)
    return [_webhook(row) for row in connection.execute(rows)]


def count(connection: Connection) -> int:
    running = select(func.count()).where(webhooks.c.stopped_at.is_(None))
    return connection.execute(running).scalar_one()


def stop(connection: Connection, webhook: int, at: datetime) -> None:
    """Tells an address no more."""
    same = webhooks.c.id == webhook
    seals.update(connection, webhooks, same, values={"stopped_at": moments.written(at)})
    seals.delete(connection, webhook_calls, webhook_calls.c.webhook == webhook)


def forget_of_account(connection: Connection, account: int) -> int:
    """Forgets the addresses of an account and what they were to be told; how many."""
    mine = select(webhooks.c.id).where(webhooks.c.account == account)
    seals.delete(connection, webhook_calls, webhook_calls.c.webhook.in_(mine))
    return seals.delete(connection, webhooks, webhooks.c.account == account)


# --- calls ----------------------------------------------------------------------------------------


def queue(connection: Connection, webhook: int, event: str, body: str, at: datetime) -> None:
    moment = moments.written(at)
    values = {
        "webhook": webhook,
        "event": event,
        "body": body,
        "state": WAITING,
        "queued_at": moment,
        "due_at": moment,
        "attempts": 0,
        "said": "",
    }
    seals.insert(connection, webhook_calls, values)


def calls_of(connection: Connection, webhook: int, limit: int = 20) -> list[Call]:
    """What an address was told lately, the newest first."""
    rows = select(webhook_calls).where(webhook_calls.c.webhook == webhook)
    rows = rows.order_by(webhook_calls.c.id.desc()).limit(limit)
    return [_call(row) for row in connection.execute(rows)]


def claim(connection: Connection, at: datetime, lease: timedelta) -> Call | None:
    """The call that waits longest, which nobody else gets until the lease is over."""
    due = (
        select(webhook_calls.c.id)
        .where(webhook_calls.c.state == WAITING, webhook_calls.c.due_at <= moments.written(at))
        .order_by(webhook_calls.c.due_at, webhook_calls.c.id)
        .limit(1)
        .with_for_update(skip_locked=True)
    )
    number = connection.execute(due).scalar()
    if number is None:
        return None
    until = moments.written(at + lease)
    values = {"due_at": until, "attempts": webhook_calls.c.attempts + 1}
    changed = seals.update(connection, webhook_calls, webhook_calls.c.id == number, values=values)
    return _call(changed[0])


def is_any_due(connection: Connection, at: datetime) -> bool:
    due = (webhook_calls.c.state == WAITING, webhook_calls.c.due_at <= moments.written(at))
    return connection.execute(select(webhook_calls.c.id).where(*due).limit(1)).first() is not None


def end(connection: Connection, call: int, state: str, at: datetime, said: str) -> None:
    values = {"state": state, "ended_at": moments.written(at), "said": said[:_LONGEST_SAID]}
    seals.update(connection, webhook_calls, webhook_calls.c.id == call, values=values)


def put_off(connection: Connection, call: int, until: datetime, said: str) -> None:
    values = {"due_at": moments.written(until), "said": said[:_LONGEST_SAID]}
    seals.update(connection, webhook_calls, webhook_calls.c.id == call, values=values)


def forget_before(connection: Connection, moment: datetime) -> int:
    """Forgets calls that ended before a moment; how many."""
    old = webhook_calls.c.ended_at < moments.written(moment)
    return seals.delete(connection, webhook_calls, old)


def _webhook(row: Row[tuple[object, ...]]) -> Webhook:
    value = row._mapping
    return Webhook(
        id=value["id"],
        account=value["account"],
        url=value["url"],
        secret=value["secret"],
        made_at=moments.read(value["made_at"]),
        stopped_at=moments.read_maybe(value["stopped_at"]),
    )


def _call(row: Row[tuple[object, ...]]) -> Call:
    value = row._mapping
    return Call(
        id=value["id"],
        webhook=value["webhook"],
        event=value["event"],
        body=value["body"],
        state=value["state"],
        queued_at=moments.read(value["queued_at"]),
        due_at=moments.read(value["due_at"]),
        attempts=value["attempts"],
        said=value["said"],
    )
