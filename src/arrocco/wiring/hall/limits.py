"""How much one connection may say: a bucket that fills by itself and pays for each message."""

from __future__ import annotations

MS = 1000


class Bucket:
    """Holds `size` messages at most and gets `per_second` of them back; times are milliseconds."""

    def __init__(self, size: int, per_second: int, now: int) -> None:
        self._most = size * MS
        self._per_second = per_second
        self._thousandths = self._most
        self._at = now

    def take(self, now: int) -> bool:
        """Whether there is still a message in it; if so it is taken."""
        gained = max(now - self._at, 0) * self._per_second
        self._thousandths = min(self._thousandths + gained, self._most)
        self._at = max(now, self._at)
        if self._thousandths < MS:
            return False
        self._thousandths -= MS
        return True
