"""How much one connection may say: a bucket that fills by itself and pays for each message."""

from __future__ import annotations

MS = 1000


class Bucket:
    """Holds `size` messages at most and gets `many` of them back every so many `seconds`.

    Times are milliseconds.
    """

    def __init__(self, size: int, many: int, now: int, seconds: int = 1) -> None:
        self._one = MS * seconds
        self._most = size * self._one
        self._many = many
        self._held = self._most
        self._at = now

    def take(self, now: int) -> bool:
        """Whether there is still a message in it; if so it is taken."""
        gained = max(now - self._at, 0) * self._many
        self._held = min(self._held + gained, self._most)
        self._at = max(now, self._at)
        if self._held < self._one:
            return False
        self._held -= self._one
        return True
