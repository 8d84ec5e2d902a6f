"""HTTP connections that do not last for ever: uvicorn's own protocol with time limits and counts.

uvicorn waits without end for a head or a body that was begun, and for a client that does not read.
Here a head is complete in time, a body keeps a generous pace, an answer is taken, and one sender
has only so many connections open. A body that nobody wants any more is let run out for a moment, so
that the answer is not lost with it.
"""

from __future__ import annotations

import asyncio
import resource
from collections import Counter
from dataclasses import dataclass, field
from typing import Any, ClassVar

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from arrocco.office.networks import network_of, parse_address
from arrocco.web.client_address import Proxies

REASONS = ("slow_head", "slow_body", "slow_reader", "long_head", "too_many", "no_room")
_RESERVED_FILES = 128
"""Files that the site itself may have open beside its connections."""


@dataclass(frozen=True)
class HttpLimits:
    """What a connection may take; times in seconds."""

    head_seconds: float = 15.0
    """Until a head is complete, from when a connection is made or was last answered."""
    head_bytes: int = 64 * 1024
    body_seconds: float = 15.0
    body_bytes: int = 4096
    """A body brings at least so many bytes in each `body_seconds`, or its end."""
    reading_seconds: float = 60.0
    """How long a client may take nothing of an answer."""
    linger_seconds: float = 2.0
    connections_of_sender: int = 400
    """A club behind one address has a few for each browser; sockets have their own limit."""


@dataclass
class HttpNumbers:
    """What became of connections, counted since the start."""

    closed: Counter[str] = field(default_factory=Counter)
    """By reason, one of `REASONS`."""
    open: int = 0


def http_protocol(
    proxies: Proxies, numbers: HttpNumbers, limits: HttpLimits | None = None
) -> type[HttpToolsProtocol]:
    """The protocol for ``uvicorn.Config(http=…)``."""
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    room = max(files - _RESERVED_FILES, files // 2)
    shared = {
        "proxies": proxies,
        "numbers": numbers,
        "limits": limits or HttpLimits(),
        "room": room,
        "senders": Counter(),
    }
    return type("BoundedProtocol", (_BoundedProtocol,), shared)


class _BoundedProtocol(HttpToolsProtocol):
    proxies: ClassVar[Proxies]
    numbers: ClassVar[HttpNumbers]
    limits: ClassVar[HttpLimits]
    room: ClassVar[int]
    senders: ClassVar[Counter[str]]

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._sender = ""
        self._is_open = False
        self._is_lingering = False
        self._is_in_head = True
        self._head_bytes = 0
        self._body_bytes = 0
        self._timer: asyncio.TimerHandle | None = None
        self._reading_timer: asyncio.TimerHandle | None = None

    # --- connections ---------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._is_open = True
        self.numbers.open += 1
        peer = self.client[0] if self.client else ""
        if peer and not self.proxies.trusts(parse_address(peer)):
            self._sender = network_of(peer)
            self.senders[self._sender] += 1
        if self.senders[self._sender] > self.limits.connections_of_sender:
            self._refuse("too_many", 503)
        elif len(self.connections) > self.room:
            self._refuse("no_room", 503)
        else:
            self._wait_for_head()

    def connection_lost(self, exc: Exception | None) -> None:
        self._release()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self) -> None:
        """A socket has its own protocol, which finds dead connections, and its own limits."""
        self._release()
        super().handle_websocket_upgrade()

    def _release(self) -> None:
        self._stop_timers()
        if not self._is_open:
            return
        self._is_open = False
        self.numbers.open -= 1
        if self._sender:
            self.senders[self._sender] -= 1
            if not self.senders[self._sender]:
                del self.senders[self._sender]

    # --- what arrives --------------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        if self._is_lingering or self.transport.is_closing():
            return
        if self._is_in_head:
            self._head_bytes += len(data)
        super().data_received(data)
        if self._is_in_head and self._head_bytes > self.limits.head_bytes:
            self._refuse("long_head", 431)

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._is_in_head = True

    def on_headers_complete(self) -> None:
        self._is_in_head = False
        self._head_bytes = self._body_bytes = 0
        self._stop(self._timer)
        self._timer = self.loop.call_later(self.limits.body_seconds, self._look_at_body)
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._body_bytes += len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._stop(self._timer)
        super().on_message_complete()

    def _look_at_body(self) -> None:
        # Where reading is paused the application is slow, not the client.
        if self._body_bytes < self.limits.body_bytes and not self.flow.read_paused:
            self._refuse("slow_body", 408)
            return
        self._body_bytes = 0
        self._timer = self.loop.call_later(self.limits.body_seconds, self._look_at_body)

    def _wait_for_head(self) -> None:
        self._stop(self._timer)
        self._timer = self.loop.call_later(self.limits.head_seconds, self._head_is_late)

    def _head_is_late(self) -> None:
        if self._head_bytes or self.cycle is None:
            self._refuse("slow_head", 408)
        else:
            self.transport.close()

    # --- what is sent --------------------------------------------------------------------------

    def on_response_complete(self) -> None:
        is_next_waiting = bool(self.pipeline)
        super().on_response_complete()
        if self.transport.is_closing() or is_next_waiting:
            return
        if self.cycle.more_body:
            self._let_run_out()
        else:
            self._wait_for_head()

    def _let_run_out(self) -> None:
        """Reads on for a moment: closing while data comes in would take the answer away too."""
        self._unset_keepalive_if_required()
        self._stop_timers()
        self._is_lingering = True
        if self.transport.can_write_eof():
            self.transport.write_eof()
        self._timer = self.loop.call_later(self.limits.linger_seconds, self.transport.close)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._stop(self._reading_timer)
        self._reading_timer = self.loop.call_later(
            self.limits.reading_seconds, self._reader_is_late
        )

    def resume_writing(self) -> None:
        super().resume_writing()
        self._stop(self._reading_timer)

    def _reader_is_late(self) -> None:
        self.numbers.closed["slow_reader"] += 1
        self.transport.abort()

    # --- ends ----------------------------------------------------------------------------------

    def _refuse(self, reason: str, status: int) -> None:
        """Closes a connection; says why where no answer was begun."""
        self.numbers.closed[reason] += 1
        self._stop_timers()
        cycle = self.cycle
        if not self.transport.is_closing():
            if cycle is None or cycle.response_complete or not cycle.response_started:
                self.transport.write(
                    STATUS_LINE[status] + b"content-length: 0\r\nconnection: close\r\n\r\n"
                )
            if cycle is not None and not cycle.response_complete:
                cycle.disconnected = True
                cycle.message_event.set()
            self.transport.close()

    def _stop_timers(self) -> None:
        self._stop(self._timer)
        self._stop(self._reading_timer)

    @staticmethod
    def _stop(timer: asyncio.TimerHandle | None) -> None:
        if timer is not None:
            timer.cancel()
