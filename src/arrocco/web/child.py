"""What every process of a server has from its parent: orders over a socket, and its parent's end.

An order is a line. Where the other end is closed the parent has gone, however that came about, and
its child stops as if it had been told to.
"""

from __future__ import annotations

import asyncio
import os
import socket
import threading
from contextlib import suppress

STOP, OPEN, HAND_OVER = "stop", "open", "hand over"
"""What a parent tells its children."""
WARM, READY, HANDED_OVER = "warm", "ready", "handed over"
"""What a child tells its parent: it waits for the word to open, it is open, it writes no more."""
LONGEST_END = 20.0
"""Seconds after which a process whose parent has gone ends, whatever it is at."""


class Orders:
    """A child's end of the socket that it shares with its parent."""

    def __init__(self, descriptor: int) -> None:
        self._socket = socket.socket(fileno=descriptor)
        self._socket.setblocking(True)
        self._loop = asyncio.get_running_loop()
        self._orders: asyncio.Queue[str] = asyncio.Queue()
        # A thread of its own: it hears of the parent's end also where the loop is held up.
        threading.Thread(target=self._listen, name="orders", daemon=True).start()

    async def next(self) -> str:
        """The next order; `STOP` once the parent has gone."""
        return await self._orders.get()

    def put(self, order: str) -> None:
        """Gives an order from within, as a signal does."""
        self._orders.put_nowait(order)

    def tell(self, what: str) -> None:
        """Tells the parent something."""
        with suppress(OSError):
            self._socket.sendall(what.encode() + b"\n")

    def _listen(self) -> None:
        with suppress(OSError), self._socket.makefile("r") as lines:
            for line in lines:
                self._hand_on(line.strip())
        self._hand_on(STOP)
        timer = threading.Timer(LONGEST_END, os._exit, (1,))
        timer.daemon = True
        timer.start()

    def _hand_on(self, order: str) -> None:
        with suppress(RuntimeError):  # the loop is closed: this process is ending
            self._loop.call_soon_threadsafe(self._orders.put_nowait, order)
