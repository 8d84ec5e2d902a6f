"""How much room is left for recordings, and how long it lasts at the pace of the last minutes."""

from __future__ import annotations

from collections import deque

from arrocco.video.recordings import Recordings

EVERY = 10_000
"""Milliseconds between two looks; each is told to the arbiters."""
_LOOKS = 18
"""Looks that are compared: three minutes."""
_SHORTEST = 30_000
"""Milliseconds before anything is said of the pace: the first slices of a stream are none."""
_MINUTE = 60_000


class Space:
    """What recordings leave of their quota and of the disk."""

    def __init__(self, recordings: Recordings) -> None:
        self._recordings = recordings
        self._looks: deque[tuple[int, int]] = deque(maxlen=_LOOKS)
        """Moment and bytes recorded so far."""

    def look(self, now: int) -> bool:
        """Looks again where it is time to; whether it was."""
        if self._looks and now - self._looks[-1][0] < EVERY:
            return False
        self._looks.append((now, self._recordings.recorded))
        return True

    @property
    def free(self) -> int:
        """Bytes that can still be recorded."""
        return self._recordings.left

    @property
    def minutes(self) -> int | None:
        """For how long; `None` while nothing is recorded, or for too short a time to tell."""
        if not self._looks:
            return None
        (began, before), (ended, after) = self._looks[0], self._looks[-1]
        if ended - began < _SHORTEST or after <= before:
            return None
        return self.free * (ended - began) // (after - before) // _MINUTE
