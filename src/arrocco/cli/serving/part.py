"""One process of a server as its parent sees it: started, told things, started again."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
from collections.abc import Sequence
from contextlib import suppress

_LOAD_WITHOUT_COLLECTING = (
    "import gc; gc.disable(); from {module} import main; gc.freeze(); gc.enable()"
)
"""What is loaded stays for as long as the process lives: nobody looks for garbage in it."""
END_WITHIN = 25.0
"""Seconds that a process has to end once it was told to; then it is killed."""


class Process:
    """A process that was started, and the socket over which it is told what to do."""

    def __init__(self, name: str, process: asyncio.subprocess.Process, orders: socket.socket):
        self.name = name
        self._process, self._orders = process, orders
        self._said: set[str] = set()
        self._changed = asyncio.Condition()
        self._tasks = [asyncio.create_task(self._listen()), asyncio.create_task(self._wait())]

    @classmethod
    async def start(
        cls,
        name: str,
        module: str,
        settings: str,
        inherited: Sequence[int],
        orders: socket.socket,
        theirs: socket.socket,
        environment: dict[str, str],
    ) -> Process:
        """Starts a module of this program; `orders` and `theirs` are the two ends of a pair.

        It is no module that runs as `__main__`: whatever it starts itself would load it again.
        """
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-c",
            f"{_LOAD_WITHOUT_COLLECTING.format(module=module)}; main()",
            settings,
            pass_fds=(*inherited, theirs.fileno()),
            stdin=asyncio.subprocess.DEVNULL,
            env=os.environ | environment,
        )
        theirs.close()
        orders.setblocking(False)
        return cls(name, process, orders)

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def status(self) -> int | None:
        """The exit status, once it has ended."""
        return self._process.returncode

    async def says(self, what: str) -> bool:
        """Waits until the process has said something; false where it ends before."""
        async with self._changed:
            await self._changed.wait_for(lambda: what in self._said or self.status is not None)
            return what in self._said

    def has_said(self, what: str) -> bool:
        return what in self._said

    def tell(self, order: str) -> None:
        with suppress(OSError):  # it has gone already
            self._orders.send(order.encode() + b"\n")

    async def ended(self) -> int:
        """Its exit status, once it has ended."""
        return await self._process.wait()

    async def end(self, order: str) -> int:
        """Tells it something that ends it, and kills it if it does not end."""
        self.tell(order)
        try:
            async with asyncio.timeout(END_WITHIN):
                return await self._process.wait()
        except TimeoutError:
            return await self.kill()

    async def kill(self) -> int:
        """Ends it at once, whatever it is doing."""
        with suppress(ProcessLookupError):
            self._process.kill()
        return await self._process.wait()

    async def _listen(self) -> None:
        loop = asyncio.get_running_loop()
        rest = b""
        with suppress(OSError):
            while data := await loop.sock_recv(self._orders, 1024):
                *lines, rest = (rest + data).split(b"\n")
                async with self._changed:
                    self._said.update(line.decode() for line in lines)
                    self._changed.notify_all()

    async def _wait(self) -> None:
        await self._process.wait()
        self._tasks[0].cancel()
        self._orders.close()
        async with self._changed:
            self._changed.notify_all()
