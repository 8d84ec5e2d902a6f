"""The parent of a server's processes: it has the port, starts them, and starts them again.

It reads no request and plays no game, so there is next to nothing in it that can fail. All sockets
that others connect to are its own and stay open for as long as it lives: whoever comes while a part
is started again waits in the system's queue and is not refused.
"""

from __future__ import annotations

import asyncio
import logging
import signal
import socket
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from arrocco.cli.serving.part import Process
from arrocco.operation.logs import LogSettings
from arrocco.web.child import HAND_OVER, HANDED_OVER, OPEN, READY, STOP, WARM
from arrocco.web.part_settings import PartSettings, encode

log = logging.getLogger("arrocco.serve")

SITE, HALL, VIDEO, WATCH = "site", "hall", "video", "watch"
MODULES = {
    SITE: "arrocco.web.site_process",
    HALL: "arrocco.web.hall_process",
    VIDEO: "arrocco.web.video_process",
    WATCH: "arrocco.web.watch_process",
}
_BESIDE = (VIDEO, WATCH)
"""Parts that nobody waits for: without them games are played all the same."""
FIRST_WAIT, LONGEST_WAIT = 0.1, 30.0
"""Seconds before a process that died is started again: twice as long each time."""
READY_WITHIN = 60.0
"""Seconds that the next process of a part has to get ready; else it is given up."""
HAND_OVER_WITHIN = 5.0
"""Seconds that a process has to hand its games over."""
VIDEO_WITHIN = 8.0
"""Seconds that the hall stays for the video that stops with it."""
STEADY = 60.0
"""Seconds after which a process counts as well: its next end is a first one again."""


class NotStarted(Exception):
    """A part ended before it was ready for the first time; it has said why itself."""


class Plan:
    """What the processes of a server need: settings, descriptors, environment."""

    def __init__(
        self,
        office: Path,
        *,
        ahead: int,
        invented: bool,
        secure: bool,
        hall_sockets: Path,
        hall_requests: Path,
        video_sockets: Path,
        environment: dict[str, str],
        logs: LogSettings,
        logged_addresses: str,
        trusted_proxies: Sequence[str],
        proxy_header: str,
    ) -> None:
        self.office, self.ahead, self.invented, self.secure = office, ahead, invented, secure
        self.hall_sockets, self.hall_requests = hall_sockets, hall_requests
        self.video_sockets = video_sockets
        self.environment = environment
        self.logs, self.logged_addresses = logs, logged_addresses
        self.trusted_proxies, self.proxy_header = tuple(trusted_proxies), proxy_header
        self.listening: socket.socket | None = None
        self.sockets: socket.socket | None = None
        self.requests: socket.socket | None = None
        self.video: socket.socket | None = None
        self.locks: Sequence[int] = ()

    async def start(self, name: str) -> Process:
        """Starts a part; it tells by itself when it is ready."""
        orders, theirs = socket.socketpair()
        settings = PartSettings(
            office=self.office.absolute(),
            orders=theirs.fileno(),
            ahead=self.ahead,
            invented=self.invented,
            secure=self.secure,
            logs=self.logs,
            logged_addresses=self.logged_addresses,
            trusted_proxies=self.trusted_proxies,
            proxy_header=self.proxy_header,
            listening=_descriptor(self.listening),
            sockets=_descriptor(self.video if name == VIDEO else self.sockets),
            requests=_descriptor(self.requests),
            hall_sockets=self.hall_sockets,
            hall_requests=self.hall_requests,
            video_sockets=self.video_sockets,
        )
        own = {
            SITE: (self.listening,),
            HALL: (self.sockets, self.requests),
            VIDEO: (self.video,),
            WATCH: (),
        }[name]
        inherited = [*(_descriptor(one) for one in own), *self.locks]
        return await Process.start(
            name, MODULES[name], encode(settings), inherited, orders, theirs, self.environment
        )


def _descriptor(one: socket.socket | None) -> int:
    return -1 if one is None else one.fileno()


class Supervisor:
    """Keeps the parts of a server running until it is told to stop."""

    def __init__(self, plan: Plan, parts: Sequence[str], on_ready: Callable[[], None]) -> None:
        self._plan, self._parts, self._on_ready = plan, parts, on_ready
        self._stop = asyncio.Event()
        self._restart = {name: asyncio.Event() for name in parts}
        self._ready = {name: asyncio.Event() for name in parts}
        self._ended = {name: asyncio.Event() for name in parts}

    async def run(self) -> None:
        """Runs all parts. Raises `NotStarted` where one does not come up for the first time."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, self._stop.set)
        loop.add_signal_handler(signal.SIGHUP, self.restart)
        tasks = [asyncio.create_task(self._keep(name)) for name in self._parts]
        ready = asyncio.create_task(self._all_ready())
        try:
            await asyncio.wait([*tasks, ready], return_when=asyncio.FIRST_COMPLETED)
            for task in tasks:
                if task.done():
                    await task
            await self._stop.wait()
        finally:
            self._stop.set()
            ready.cancel()
            results = await asyncio.gather(*tasks, return_exceptions=True)
        for result in results:
            if isinstance(result, BaseException):
                raise result

    def restart(self) -> None:
        """Has every part take over from itself: what runs goes on until the next one is ready.

        The hall first and alone: a site that loads would take the processor from games that wait.
        """
        self._restart[HALL if HALL in self._restart else SITE].set()

    async def _all_ready(self) -> None:
        for name, event in self._ready.items():
            if name not in _BESIDE:
                await event.wait()
        self._on_ready()

    async def _keep(self, name: str) -> None:
        """Keeps one part running."""
        loop = asyncio.get_running_loop()
        wait = FIRST_WAIT
        current: Process | None = None
        while not self._stop.is_set():
            if current is None:
                if name == VIDEO and not await self._has_visitor():
                    break
                if name == WATCH and not await self._others_are_ready():
                    break
                current = await self._begin(name)
                began = loop.time()
            if not await self._is_wanted(name, current):
                break
            if current.status is None and name in _BESIDE:
                self._restart[name].clear()
                # Who is in the conference comes back by themselves; what was analysed is kept.
                await current.end(STOP)
                current = None
                continue
            if current.status is None:
                current = await self._take_over(name, current)
                for other in (SITE, *_BESIDE):
                    if name == HALL and other in self._restart:
                        self._restart[other].set()
                continue
            log.warning("the %s (process %d) ended with %s", name, current.pid, current.status)
            wait = FIRST_WAIT if loop.time() - began > STEADY else wait
            current = None
            await _any_of(asyncio.sleep(wait), self._stop.wait())
            wait = min(2 * wait, LONGEST_WAIT)
        if name == HALL and VIDEO in self._ended:  # it enters its last slices in the hall's log
            await _any_of(self._ended[VIDEO].wait(), asyncio.sleep(VIDEO_WITHIN))
        if current is not None and current.status is None:
            await current.end(STOP)
        self._ended[name].set()

    async def _begin(self, name: str) -> Process:
        """Starts a part where none runs; it may have ended again."""
        process = await self._plan.start(name)
        process.tell(OPEN)
        await _any_of(process.says(READY), self._stop.wait())
        if process.status is not None and not self._ready[name].is_set() and name not in _BESIDE:
            raise NotStarted(name)
        if process.status is None and not self._stop.is_set():
            self._ready[name].set()
        return process

    async def _has_visitor(self) -> bool:
        """Waits for the first who asks for the video conference: without one it costs nothing."""
        loop, listening = asyncio.get_running_loop(), self._plan.video
        assert listening is not None
        came = asyncio.Event()
        loop.add_reader(listening.fileno(), came.set)
        try:
            await _any_of(came.wait(), self._stop.wait())
        finally:
            loop.remove_reader(listening.fileno())
        return not self._stop.is_set()

    async def _others_are_ready(self) -> bool:
        """Waits for the parts that people use: an engine takes no time from a server's start."""
        for name, event in self._ready.items():
            if name not in _BESIDE:
                await _any_of(event.wait(), self._stop.wait())
        return not self._stop.is_set()

    async def _is_wanted(self, name: str, current: Process) -> bool:
        """Waits until there is something to do; false where that is to stop."""
        await _any_of(current.ended(), self._stop.wait(), self._restart[name].wait())
        return not self._stop.is_set()

    async def _take_over(self, name: str, current: Process) -> Process:
        """Starts the next process of a part, and ends this one once the next is ready.

        Whoever wants all to stop does not wait for it: what is not ready yet holds nothing.
        """
        self._restart[name].clear()
        following = await self._plan.start(name)
        ready = READY if name == SITE else WARM
        await _any_of(following.says(ready), asyncio.sleep(READY_WITHIN), self._stop.wait())
        if self._stop.is_set():
            await following.kill()
            return current
        if not following.has_said(ready):
            log.error("the next %s did not start; the one before goes on", name)
            await following.end(STOP)
            return current
        if name == SITE:
            await current.end(STOP)  # for a moment both have answered at the same port
        else:
            current.tell(HAND_OVER)
            with suppress(TimeoutError):
                await asyncio.wait_for(current.says(HANDED_OVER), HAND_OVER_WITHIN)
            if not current.has_said(HANDED_OVER):
                await current.end(STOP)  # one that still writes must not be there with the next
            following.tell(OPEN)
            await _any_of(following.says(READY), self._stop.wait())
            await current.end(STOP)
        return following


async def _any_of(*waits: object) -> None:
    """Waits for the first of several; the others are given up."""
    tasks = [asyncio.ensure_future(wait) for wait in waits]  # type: ignore[call-overload]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
