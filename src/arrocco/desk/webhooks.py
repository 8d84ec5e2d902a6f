"""Programs that are told what is published: asked for here, queued with the act, called later.

A call is a POST of JSON with `Arrocco-Event` (the same when it is tried again), `Arrocco-Time` and
`Arrocco-Signature`, the HMAC-SHA256 of time, a full stop and body under the secret of the address.
"""

from __future__ import annotations

import hashlib
import hmac
import logging
import os
import secrets
from collections.abc import Callable, Mapping
from datetime import date, datetime, timedelta

import msgspec
from sqlalchemy import Connection

from arrocco.desk import safe_request
from arrocco.desk.desk import Desk, account_of
from arrocco.desk.safe_request import Unsafe
from arrocco.errors import Illegal, NotFound
from arrocco.office.roles import Asker, Permission, require
from arrocco.store.sql import webhooks
from arrocco.store.sql.webhooks import DONE, FAILED, Call, Webhook

log = logging.getLogger(__name__)

MAX_OF_ACCOUNT = 5
MAX_WEBHOOKS = 500
LEASE = timedelta(minutes=5)
RETRIES = tuple(timedelta(minutes=n) for n in (1, 5, 30, 120, 360, 720))
"""After the first failure, the second …; the one after the last is final."""
KEPT = timedelta(days=30)
AT_ONCE = 100
ALLOW_PRIVATE = "ARROCCO_WEBHOOKS_ALLOW_PRIVATE"


def allows_private(environment: Mapping[str, str] = os.environ) -> bool:
    """Whether the operator lets programs inside their own network be told."""
    return environment.get(ALLOW_PRIVATE, "").strip().lower() in ("1", "yes", "true")


class Webhooks:
    """Whom an account has told."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def mine(self, asker: Asker) -> list[tuple[Webhook, list[Call]]]:
        """The asker's own addresses with what they were told lately."""
        with self._desk.looking(asker, "see_webhooks") as connection:
            require(asker, Permission.SEE_OWN_ACCOUNT)
            own = webhooks.of_account(connection, account_of(asker))
            return [(webhook, webhooks.calls_of(connection, webhook.id)) for webhook in own]

    def add(self, asker: Asker, url: str) -> Webhook:
        """Has an address told; its secret is to be had only now."""
        with self._desk.acting(asker, "add_webhook") as act:
            require(asker, Permission.SEE_OWN_ACCOUNT)
            parts = safe_request.checked_url(url.strip(), allow_private=allows_private())
            act.details["host"] = parts.hostname
            own = webhooks.of_account(act.connection, account_of(asker))
            if len(own) >= MAX_OF_ACCOUNT or webhooks.count(act.connection) >= MAX_WEBHOOKS:
                raise Illegal.of("hooks.refused.many", most=MAX_OF_ACCOUNT)
            secret = secrets.token_hex(32)
            return webhooks.add(act.connection, account_of(asker), url.strip(), secret, act.at)

    def stop(self, asker: Asker, webhook: int) -> None:
        """Has an address told no more."""
        with self._desk.acting(asker, "stop_webhook") as act:
            require(asker, Permission.SEE_OWN_ACCOUNT)
            row = webhooks.get(act.connection, webhook)
            if row is None or row.account != asker.account or row.stopped_at is not None:
                raise NotFound.of("hooks.refused.none", number=webhook)
            webhooks.stop(act.connection, webhook, act.at)


def tell_programs(
    connection: Connection,
    at: datetime,
    kind: str,
    own: Callable[[int], Mapping[str, object]] = lambda _: {},
    **details: object,
) -> None:
    """Queues what happened for every address that is told, in the transaction of the act.

    `own` has more of it for the account that an address belongs to.
    """
    plain = {
        name: value.isoformat() if isinstance(value, date) else value
        for name, value in details.items()
    }
    for webhook in webhooks.running(connection):
        event = secrets.token_hex(16)
        told = {"event": event, "kind": kind, "at": at.isoformat(), **plain, **own(webhook.account)}
        webhooks.queue(connection, webhook.id, event, msgspec.json.encode(told).decode(), at)


def signature(secret: str, moment: str, body: bytes) -> str:
    """What shows that a call is the office's: also how a program checks it."""
    signed = moment.encode() + b"." + body
    return "sha256=" + hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()


class WebhookDelivery:
    """Calls the addresses, each thing at least once."""

    def __init__(self, desk: Desk, *, allow_private: bool | None = None) -> None:
        self._desk = desk
        self._private = allows_private() if allow_private is None else allow_private

    def tidy(self) -> None:
        """Forgets what was told long ago."""
        with self._desk.database.writing() as connection:
            webhooks.forget_before(connection, self._desk.now() - KEPT)

    def deliver(self) -> int:
        """Calls what is due; how many took it."""
        taken = 0
        for _ in range(AT_ONCE):
            with self._desk.database.reading() as connection:
                if not webhooks.is_any_due(connection, self._desk.now()):
                    break
            with self._desk.database.writing() as connection:
                call = webhooks.claim(connection, self._desk.now(), LEASE)
                webhook = None if call is None else webhooks.get(connection, call.webhook)
            if call is None or webhook is None:
                break
            taken += self._call(webhook, call)
        return taken

    def _call(self, webhook: Webhook, call: Call) -> bool:
        moment, body = str(int(self._desk.now().timestamp())), call.body.encode()
        headers = {
            "Content-Type": "application/json",
            "User-Agent": "Arrocco",
            "Arrocco-Event": call.event,
            "Arrocco-Time": moment,
            "Arrocco-Signature": signature(webhook.secret, moment, body),
        }
        is_final = False
        try:
            status = safe_request.post(webhook.url, body, headers, allow_private=self._private)
            is_taken, said = 200 <= status < 300, str(status)
        except Unsafe as refused:
            is_taken, said, is_final = False, str(refused), True
        except OSError as error:
            is_taken, said = False, f"{type(error).__name__}: {error}"
        at = self._desk.now()
        with self._desk.database.writing() as connection:
            if is_taken or is_final or call.attempts > len(RETRIES):
                webhooks.end(connection, call.id, DONE if is_taken else FAILED, at, said)
            else:
                webhooks.put_off(connection, call.id, at + RETRIES[call.attempts - 1], said)
        return is_taken
