"""What is told in one turn goes out at its end: all of it for one socket together, and at once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

Send = Callable[[], None]


class Outbox:
    """The sockets that have something to send; whoever has told all there is to tell empties it.

    It is emptied in any case once the loop has done what it is at, so nobody has to.
    """

    def __init__(self) -> None:
        self._due: list[Send] = []

    def add(self, send: Send) -> None:
        """Has something sent soon; it must not raise."""
        if not self._due:
            asyncio.get_running_loop().call_soon(self.empty)
        self._due.append(send)

    def empty(self) -> None:
        due, self._due = self._due, []
        for send in due:
            send()
