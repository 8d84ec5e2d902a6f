"""How often a password may be tried, and by whom: guessing is slow, nobody is locked out by others.

A browser that was logged in to an account before has an allowance of its own there. All others
share: what one sender tries at one account, what everybody tries at one account, what one sender
tries at all, and what the office works out for strangers at all (a hash costs a tenth of a second
and 64 MB). Each try pays before the password is looked at; the right one gets it back.
"""

from __future__ import annotations

import hashlib
import secrets
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from math import ceil
from threading import Lock
from typing import NamedTuple

from sqlalchemy import Connection

from arrocco.errors import Refusal
from arrocco.office.networks import network_of
from arrocco.store.sql import devices, throttle
from arrocco.store.sql.accounts import Account, same_email
from arrocco.store.sql.tokens import hashed


class TooManyAttempts(Refusal):
    """Too many failures in a short time: this sender has to wait, even with the right password."""


class Limit(NamedTuple):
    """So many tries at once; one more every so often."""

    burst: int
    every: timedelta


OF_DEVICE = Limit(10, timedelta(minutes=1))
"""At one account with a browser that was logged in to it before."""
OF_PAIR = Limit(8, timedelta(minutes=2))
"""At one account from one address."""
OF_ACCOUNT = Limit(60, timedelta(seconds=30))
"""At one account from everywhere, but for browsers that were logged in to it before."""
OF_ADDRESS = Limit(150, timedelta(seconds=5))
"""At all accounts from one address: a club, a school or a hotel may stand behind it."""
OF_STRANGERS = Limit(300, timedelta(milliseconds=200))
"""At all accounts from everywhere, but for browsers that were logged in before."""
OF_OWN_PASSWORD = Limit(8, timedelta(minutes=2))
"""At one's own password, by whoever found a browser open."""

OF_FACTOR = Limit(10, timedelta(minutes=2))
"""At the second factor of one account, by who knows its password; known browsers apart."""
OF_RESETS = Limit(4, timedelta(minutes=15))
"""Mails to one account that lets choose a new password: each of them serves, so none is missed."""
OF_MAILS = Limit(10, timedelta(minutes=2))
"""Mails that one address has sent to people whom the office may not know."""
OF_ALL_MAILS = Limit(200, timedelta(seconds=2))
"""The same of all addresses together."""
OF_CLAIMS = Limit(5, timedelta(hours=1))
"""Claims of one account, and codes that it has sent to one number."""
OF_CODES = Limit(6, timedelta(minutes=10))
"""Tries at a code of one account: of a hundred million codes few are tried while one serves."""

MAX_HASHING = 16
"""Passwords that are worked out or wait for it: each holds a thread that pages need too."""
MAX_HASHING_OF_SENDER = 8
RESERVED = 4
"""Places beyond these for browsers that were logged in before."""


class Attempt(NamedTuple):
    """A try at an account: what it pays, and whether the browser is known there."""

    limits: dict[str, Limit]
    pair: str
    is_known: bool


class Throttle:
    """Counts tries; what it counts is kept in the database, so a restart forgives nothing."""

    def __init__(self) -> None:
        self._key = secrets.token_bytes(16)
        self._hashing: Counter[str] = Counter()
        self._lock = Lock()

    def attempt(
        self, connection: Connection, account: Account | None, email: str, address: str, device: str
    ) -> Attempt:
        """What a try to log in would pay."""
        who = f"account:{account.id}" if account is not None else self._nobody(email)
        if account is not None and devices.is_known(connection, device, account.id):
            subject = f"device:{hashed(device)[:32]}:{account.id}"
            return Attempt({subject: OF_DEVICE}, subject, is_known=True)
        sender = network_of(address)
        pair = f"{who}@{sender}"
        limits = {pair: OF_PAIR, who: OF_ACCOUNT, "strangers": OF_STRANGERS}
        if sender:
            limits[f"address:{sender}"] = OF_ADDRESS
        return Attempt(limits, pair, is_known=False)

    def _nobody(self, email: str) -> str:
        """An address nobody has, as it is counted: what was typed is not kept, nor its plain hash.

        It may be somebody's e-mail address, or a password in the wrong field.
        """
        typed = hashlib.blake2b(same_email(email).encode(), key=self._key, digest_size=16)
        return f"nobody:{typed.hexdigest()}"

    def pay(self, connection: Connection, limits: dict[str, Limit], at: datetime) -> None:
        """Pays for a try. Raises `TooManyAttempts` where one of the subjects has no more."""
        throttle.purge(connection, at)
        # Always in one order, so that two at once do not wait for each other.
        paid = {name: throttle.paid_until(connection, name, at) for name in sorted(limits)}
        for name, until in paid.items():
            # Nobody can be so far ahead: the clock was set back, and that must lock nobody out.
            if until - at > limits[name].burst * limits[name].every:
                paid[name] = at
        waits = [
            until + limits[name].every - at - limits[name].burst * limits[name].every
            for name, until in paid.items()
        ]
        if max(waits) > timedelta():
            minutes = ceil(max(waits) / timedelta(minutes=1))
            raise TooManyAttempts.of("desk.refused.too_many_attempts", minutes=minutes)
        for name, until in paid.items():
            throttle.put_off(connection, name, until + limits[name].every)

    def give_back(self, connection: Connection, attempt: Attempt, at: datetime) -> None:
        """The password was right: the try costs nothing, and earlier ones of this sender neither.

        What others tried at the account, and this sender at others, stays.
        """
        throttle.forget(connection, attempt.pair)
        for subject, limit in sorted(attempt.limits.items()):
            if subject != attempt.pair:
                throttle.give_back(connection, subject, limit.every, at)

    @contextmanager
    def hashing(self, address: str, *, is_known: bool) -> Iterator[None]:
        """A place among those whose password is worked out. Raises `TooManyAttempts`."""
        sender = network_of(address)
        with self._lock:
            most = MAX_HASHING + RESERVED if is_known else MAX_HASHING
            is_full = self._hashing.total() >= most
            has_enough = not is_known and self._hashing[sender] >= MAX_HASHING_OF_SENDER
            if is_full or (sender and has_enough):
                raise TooManyAttempts.of("desk.refused.log_in_is_busy")
            self._hashing[sender] += 1
        try:
            yield
        finally:
            with self._lock:
                self._hashing[sender] -= 1
                if not self._hashing[sender]:
                    del self._hashing[sender]
