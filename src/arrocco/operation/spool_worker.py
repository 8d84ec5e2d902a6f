"""The thread of the site that empties its spools: mail, and calls of other programs."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from threading import Event, Thread
from typing import Protocol

log = logging.getLogger(__name__)

LOOK_SECONDS = 2.0
LONGEST_PAUSE = 300.0
_TIDY_ROUNDS = 600
_STOP_SECONDS = 40


class Spool(Protocol):
    """What is delivered a little at a time."""

    def deliver(self) -> int:
        """Delivers what is due; how much. Raises `OSError` where the other side is not there."""
        ...

    def tidy(self) -> None:
        """Forgets what is old."""
        ...


class SpoolWorker:
    """Looks at each spool now and then; one whose other side is gone is looked at less often."""

    def __init__(self, spools: Sequence[Spool], *, look_seconds: float = LOOK_SECONDS) -> None:
        self._look_seconds = look_seconds
        self._closed = Event()
        self._threads = [
            Thread(target=self._run, args=(spool,), name="spool", daemon=True) for spool in spools
        ]

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        """Stops after what is being delivered."""
        self._closed.set()
        for thread in self._threads:
            thread.join(_STOP_SECONDS)

    def _run(self, spool: Spool) -> None:
        pause, rounds = self._look_seconds, 0
        while not self._closed.wait(pause):
            try:
                if rounds % _TIDY_ROUNDS == 0:
                    spool.tidy()
                rounds += 1
                spool.deliver()
                pause = self._look_seconds
            except OSError as error:
                pause = min(pause * 2, LONGEST_PAUSE)
                log.warning("%s: %s; again in %.0f s", type(spool).__name__, error, pause)
            except Exception:
                pause = min(pause * 2, LONGEST_PAUSE)
                log.exception("%s", type(spool).__name__)
