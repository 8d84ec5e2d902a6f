"""Runs a server: the port, the locks, the sockets between its parts, and its parent's life."""

from __future__ import annotations

import asyncio
import hashlib
import os
import signal
import socket
import stat
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing, suppress
from pathlib import Path

from arrocco.cli.serving.supervisor import HALL, SITE, VIDEO, WATCH, NotStarted, Plan, Supervisor
from arrocco.desk import DATABASE_VARIABLE
from arrocco.errors import Inconsistent
from arrocco.operation.logs import LogSettings
from arrocco.store import database_lock, server_lock
from arrocco.store.sql.database import sqlite_url
from arrocco.watch.settings import watch_settings_from
from arrocco.web.client_address import X_FORWARDED
from arrocco.web.hall_sockets import listen_at
from arrocco.web.request_log import SHORT
from arrocco.words import system

PARTS = (SITE, HALL)
_LONGEST_UNIX = 100
"""Bytes of a Unix-domain socket's address that every system takes."""


def run_server(
    folder: Path,
    listening: socket.socket | None,
    parts: Sequence[str],
    *,
    secure: bool,
    address: str,
    ahead: int | None = None,
    environment: dict[str, str] | None = None,
    logs: LogSettings = LogSettings(),  # noqa: B008 (it is a value)
    logged_addresses: str = SHORT,
    trusted_proxies: Sequence[str] = (),
    proxy_header: str = X_FORWARDED,
    on_ready: Callable[[], None],
) -> None:
    """Serves an office until it is told to stop.

    `ahead` is how far the time of an invented office is ahead of the monotonic clock. Raises
    `Inconsistent` where another server has the office, `SystemExit` where a part does not start.
    """
    folder = folder.absolute()
    sockets, requests, video = meeting_places(folder)
    with ExitStack() as stack:
        locks = [stack.enter_context(server_lock.held(folder, part, address)) for part in parts]
        variables = {**os.environ, **(environment or {})}
        database = variables.get(DATABASE_VARIABLE) or sqlite_url(folder)
        for part in parts:
            stack.enter_context(database_lock.held(database, part, folder))
        plan = Plan(
            folder,
            ahead=computer_ahead() if ahead is None else ahead,
            invented=ahead is not None,
            secure=secure,
            hall_sockets=sockets,
            hall_requests=requests,
            video_sockets=video,
            environment=environment or {},
            logs=logs,
            logged_addresses=logged_addresses,
            trusted_proxies=trusted_proxies,
            proxy_header=proxy_header,
        )
        plan.listening = listening
        plan.locks = [lock.descriptor for lock in locks]
        if HALL in parts:
            plan.sockets = stack.enter_context(closing(listen_at(sockets, socket.SOCK_SEQPACKET)))
            plan.requests = stack.enter_context(closing(listen_at(requests, socket.SOCK_STREAM)))
            plan.video = stack.enter_context(closing(listen_at(video, socket.SOCK_SEQPACKET)))
            for path in (sockets, requests, video):
                stack.callback(path.unlink, missing_ok=True)
        try:
            running = [*parts, *([VIDEO] if HALL in parts else [])]
            if len(parts) == len(PARTS) and watch_settings_from(variables).is_on:
                running.append(WATCH)  # where parts are services, the watch is one of its own
            asyncio.run(Supervisor(plan, running, on_ready).run())
        except NotStarted:
            raise SystemExit(1) from None


def computer_ahead() -> int:
    """How many nanoseconds the computer's time is ahead of its monotonic clock."""
    return time.time_ns() - time.monotonic_ns()


def meeting_places(folder: Path) -> tuple[Path, Path, Path]:
    """Where the hall takes sockets and requests, and the video: in the folder, if it is short."""
    within = folder.absolute()
    if len(os.fsencode(within / ".hall-requests")) > _LONGEST_UNIX:
        within = _runtime_folder(within)
    return within / ".hall-sockets", within / ".hall-requests", within / ".video-sockets"


def _runtime_folder(office: Path) -> Path:
    """A short folder of this user's own, the same for each process of an office."""
    name = hashlib.sha256(os.fsencode(office)).hexdigest()[:16]
    base = os.environ.get("XDG_RUNTIME_DIR") or tempfile.gettempdir()
    path = Path(base) / f"arrocco-{os.getuid()}-{name}"
    with suppress(FileExistsError):
        path.mkdir(mode=0o700)
    status = path.lstat()
    if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.getuid() or status.st_mode & 0o077:
        raise Inconsistent.of("web.refused.runtime_folder", folder=path)
    return path


def listening_at(host: str, port: int) -> socket.socket:
    """A socket at the address. Raises `Inconsistent` where it cannot be had."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=2048)
    except OSError as error:  # the port is taken or the name is none
        raise Inconsistent.of(
            "web.refused.address", host=host, port=port, reason=system(error)
        ) from None


def inherited_socket() -> socket.socket | None:
    """The socket that systemd has opened for this process, where it has (``LISTEN_FDS``)."""
    if os.environ.get("LISTEN_PID") != str(os.getpid()):
        return None
    if not os.environ.get("LISTEN_FDS", "").isdecimal() or int(os.environ["LISTEN_FDS"]) < 1:
        return None
    first = 3
    os.set_inheritable(first, False)
    return socket.socket(fileno=first)


def address_of(listening: socket.socket) -> str:
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def ask_for_restart(folder: Path, parts: Sequence[str]) -> list[int]:
    """Has the server of an office take over from itself; the processes that were told.

    Raises `Inconsistent` where none runs.
    """
    told: list[int] = []
    for part in parts:
        holder = server_lock.holder_of(folder.absolute(), part)
        if holder is not None and holder.pid not in told:
            os.kill(holder.pid, signal.SIGHUP)
            told.append(holder.pid)
    if not told:
        raise Inconsistent.of("web.refused.no_server", folder=folder)
    return told
