"""One server for an office: a lock on its folder that says who holds it.

The system lets a lock go when the last process that has it open ends, however it ends, so a lock
is never left behind. The children of a server have it open, too: a hall that still writes keeps
the next server waiting though its parent was killed.
"""

from __future__ import annotations

import fcntl
import os
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from arrocco.errors import Inconsistent

WAIT_FOR_ORPHANS = 25.0
"""Seconds to wait for what is left of a server that was killed."""
_MAX_BYTES = 4096


class Holder(msgspec.Struct, frozen=True, kw_only=True):
    """Who holds a lock: a process of a computer, since when, and where it answers."""

    pid: int
    host: str
    since: str
    address: str = ""


class ServerLock:
    """A lock that is held."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor

    def write(self, address: str) -> None:
        """Says who holds it."""
        now = datetime.now(UTC).isoformat(timespec="seconds")
        holder = Holder(pid=os.getpid(), host=socket.gethostname(), since=now, address=address)
        os.ftruncate(self.descriptor, 0)
        os.pwrite(self.descriptor, msgspec.json.encode(holder), 0)


@contextmanager
def held(folder: Path, part: str, address: str) -> Iterator[ServerLock]:
    """Holds the lock of a part of an office's server for as long as the context lasts.

    Raises `Inconsistent`, and says who holds it, where another server does.
    """
    path = folder / f".{part}.lock"
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        _take(descriptor, folder)
        lock = ServerLock(descriptor)
        lock.write(address)
        yield lock
        os.ftruncate(descriptor, 0)
    finally:
        os.close(descriptor)


def holder_of(folder: Path, part: str) -> Holder | None:
    """Who holds the lock of a part of an office's server on this computer; `None` if nobody."""
    try:
        descriptor = os.open(folder / f".{part}.lock", os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        holder = _holder(descriptor)
        is_here = holder is not None and holder.host == socket.gethostname()
        return holder if is_here else None
    else:
        return None
    finally:
        os.close(descriptor)


def _take(descriptor: int, folder: Path) -> None:
    until = time.monotonic() + WAIT_FOR_ORPHANS
    while True:
        with suppress(BlockingIOError):
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        holder = _holder(descriptor)
        if holder is not None and (_is_alive(holder) or time.monotonic() >= until):
            raise Inconsistent.of(
                "web.refused.server_there",
                folder=folder,
                pid=holder.pid,
                host=holder.host,
                since=holder.since,
                address=holder.address or "-",
            )
        if time.monotonic() >= until:
            raise Inconsistent.of(
                "web.refused.server_there", folder=folder, pid="?", host="?", since="?", address="?"
            )
        time.sleep(0.1)


def _holder(descriptor: int) -> Holder | None:
    try:
        return msgspec.json.decode(os.pread(descriptor, _MAX_BYTES, 0), type=Holder)
    except msgspec.DecodeError:  # it has the lock and has not said yet who it is
        return None


def _is_alive(holder: Holder) -> bool:
    """Whether the process that took the lock still runs; on another computer nobody can tell."""
    if holder.host != socket.gethostname():
        return True
    try:
        os.kill(holder.pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
