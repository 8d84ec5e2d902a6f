"""How many sockets a sender may open in a time, asked in the site before the hall hears of one.

A handshake costs the process that runs the clocks about a millisecond. Whoever shows a session is
let through in numbers that a club or a restart brings; others come a few at a time.
"""

from __future__ import annotations

import time

from arrocco.live.limits import MS, Bucket
from arrocco.office.networks import network_of
from arrocco.web.client_address import Proxies

SESSION_BURST, SESSIONS_PER_SECOND = 1_200, 50
"""Of one sender with session cookies: all players of a large event, at once after a restart."""
STRANGER_BURST, STRANGERS_PER_SECOND = 60, 5
"""Of one sender without."""
ALL_BURST, ALL_PER_SECOND = 400, 50
"""Of all senders without."""
MAX_SENDERS = 10_000
"""Senders that are remembered; the oldest are forgotten, and have their whole allowance again."""


class Admission:
    """Decides who may open a socket now."""

    def __init__(self, proxies: Proxies, session_cookie: str) -> None:
        self._proxies = proxies
        self._cookie = f"{session_cookie}=".encode()
        self._buckets: dict[tuple[str, bool], Bucket] = {}
        self._all = Bucket(ALL_BURST, ALL_PER_SECOND, _now())
        self.refused = 0

    def admits(self, peer: str, head: bytes) -> bool:
        """Whether the sender of a request's head may open one more socket."""
        headers = _headers(head)
        cookies = b"; ".join(value for name, value in headers if name == b"cookie")
        shows_session = self._cookie in cookies
        address, _ = self._proxies.real(peer, headers)
        now = _now()
        admitted = self._bucket(network_of(address), shows_session, now).take(now)
        if admitted and not shows_session:
            admitted = self._all.take(now)
        self.refused += not admitted
        return admitted

    def _bucket(self, sender: str, shows_session: bool, now: int) -> Bucket:
        key = sender, shows_session
        bucket = self._buckets.pop(key, None)
        if bucket is None:
            size, many = (
                (SESSION_BURST, SESSIONS_PER_SECOND)
                if shows_session
                else (STRANGER_BURST, STRANGERS_PER_SECOND)
            )
            bucket = Bucket(size, many, now)
            if len(self._buckets) >= MAX_SENDERS:
                del self._buckets[next(iter(self._buckets))]
        self._buckets[key] = bucket  # the last one asked for stands last
        return bucket


def _headers(head: bytes) -> list[tuple[bytes, bytes]]:
    lines = head.split(b"\r\n")[1:]
    pairs = (line.partition(b":") for line in lines if line)
    return [(name.strip().lower(), value.strip()) for name, _, value in pairs]


def _now() -> int:
    return int(MS * time.monotonic())
