"""What the processes of a server are told when they start: one argument, in JSON.

The address of the database is not among it, since it may have a password: that goes by way of the
environment, as everywhere.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec

from arrocco.desk.desk import utc_now
from arrocco.live.server_time import ServerTime
from arrocco.operation.logs import LogSettings
from arrocco.web.client_address import X_FORWARDED, Proxies
from arrocco.web.request_log import SHORT


class PartSettings(msgspec.Struct, frozen=True, kw_only=True):
    """The settings of one process; descriptors are those that it inherits."""

    office: Path
    orders: int
    """The descriptor of the socket to the parent."""
    ahead: int
    """How many nanoseconds the server's time is ahead of the monotonic clock: one for all parts."""
    invented: bool = False
    """Whether the office itself lives in that time: an invented one is in another year."""
    secure: bool = False
    logs: LogSettings = LogSettings()
    logged_addresses: str = SHORT
    trusted_proxies: tuple[str, ...] = ()
    proxy_header: str = X_FORWARDED
    listening: int = -1
    """The public port, for the site."""
    sockets: int = -1
    requests: int = -1
    """Where the hall takes connections and requests."""
    hall_sockets: Path = Path()
    hall_requests: Path = Path()
    """Where the others find the hall."""
    video_sockets: Path = Path()
    """Where the site finds the video."""

    def proxies(self) -> Proxies:
        return Proxies(self.trusted_proxies, self.proxy_header)

    def server_time(self) -> ServerTime:
        return ServerTime.ahead_of_monotonic(self.ahead)

    def office_clock(self) -> Callable[[], datetime]:
        """The clock of the office itself."""
        return self._invented_now if self.invented else utc_now

    def _invented_now(self) -> datetime:
        microseconds = (self.ahead + time.monotonic_ns()) // 1000
        return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=microseconds)


def encode(settings: PartSettings) -> str:
    return msgspec.json.encode(settings, enc_hook=os.fspath).decode()


def decode(argument: str) -> PartSettings:
    return msgspec.json.decode(argument, type=PartSettings, dec_hook=_path)


def _path(kind: type, value: str) -> Path:
    assert kind is Path
    return Path(value)
