"""How fast the hall listens to who is not signed in: all of them together, and each sender.

Their messages are not refused, they wait: while one does, nothing more is read from its socket. So
a flood of strangers is held up in the network, and costs the process of the clocks next to nothing.
"""

from __future__ import annotations

import asyncio

SENDER_SECONDS = 1 / 100
"""From one message of a sender without an account to the next, at the least."""
ALL_SECONDS = 1 / 400
"""The same of all of them together."""
MAX_SENDERS = 10_000


class StrangersPace:
    """Gives every message its moment, one after the other."""

    def __init__(self) -> None:
        self._next: dict[str, float] = {}
        self._next_of_all = 0.0

    async def wait(self, sender: str) -> None:
        """Returns when the next message of a sender may be read."""
        now = asyncio.get_running_loop().time()
        at = max(now, self._next.pop(sender, 0.0), self._next_of_all)
        if len(self._next) >= MAX_SENDERS:
            del self._next[next(iter(self._next))]
        self._next[sender] = at + SENDER_SECONDS
        # Who has to wait for themselves alone leaves the moments before to others.
        self._next_of_all = max(now, self._next_of_all) + ALL_SECONDS
        if at > now:
            await asyncio.sleep(at - now)
