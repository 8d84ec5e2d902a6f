"""Keeps now and then, in the office's database, how far the hall's logs have come.

A file of logs can be replaced by an older one that is whole in itself; then it lacks what is kept
here. This is done beside the games, by a thread of its own: no move waits for it.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from datetime import datetime

from arrocco.errors import Refusal
from arrocco.live.journal import LogStore, Record
from arrocco.live.log_reader import LogReader
from arrocco.store.sql import hall_anchors
from arrocco.store.sql.database import Database

EVERY = 60.0
"""Seconds between two looks."""
_STOP_SECONDS = 1.0
"""How long a hall that stops waits for the last look; the next server makes up for it."""

log = logging.getLogger(__name__)


class AnchoredLog:
    """The logs of a hall, with what they have had kept in the office's database."""

    def __init__(
        self,
        store: LogStore,
        reader: LogReader,
        database: Database,
        now: Callable[[], datetime],
        *,
        every: float = EVERY,
    ) -> None:
        self._store, self._reader, self._database, self._now = store, reader, database, now
        self._every = every
        self._has_grown, self._closed = True, threading.Event()
        self._warned: set[str] = set()
        self.read, self.streams = store.read, store.streams
        self._thread = threading.Thread(target=self._run, name="hall-anchors", daemon=True)
        self._thread.start()

    def append(self, records: Sequence[Record]) -> None:
        self._store.append(records)
        self._has_grown = True

    def close(self) -> None:
        self._closed.set()
        self._thread.join(_STOP_SECONDS)
        self._store.close()

    def _run(self) -> None:
        is_over = False
        while not is_over:
            is_over = self._closed.wait(self._every)
            if self._has_grown:
                self._has_grown = False
                try:
                    self.keep()
                except Refusal as refusal:
                    self._has_grown = True
                    log.warning("the hall's logs cannot be anchored: %s", refusal)
                except Exception:
                    self._has_grown = True
                    log.exception("anchoring the hall's logs")
        self._reader.close()

    def keep(self) -> None:
        """Keeps the last record of every chain that has grown since it was last kept.

        What a log does not have any more stays as it was kept: `office verify` tells of it.
        """
        heads = self._reader.heads()
        with self._database.reading() as connection:
            kept = hall_anchors.every(connection)
        grown = [chain for chain, head in heads.items() if kept.get(chain, (0, ""))[:2] != head]
        lost = {chain for chain in kept if not self._has(chain, kept[chain])}
        for chain in sorted(lost - self._warned):
            log.error("the log of %s lacks what it had: an older one was put back", chain)
        self._warned |= lost
        new = [chain for chain in grown if chain not in lost]
        if new:
            with self._database.writing() as connection:
                for chain in new:
                    hall_anchors.put(connection, chain, heads[chain], self._now())

    def _has(self, chain: str, anchor: hall_anchors.Anchor) -> bool:
        return self._reader.hash_at(chain, anchor.link) == anchor.hash
