"""The watch of an office: the queue is filled, and as many engines work on it as are stated."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import closing
from datetime import datetime
from pathlib import Path
from threading import Event, Thread

from arrocco.errors import Refusal
from arrocco.fairplay.engine import EngineFailed
from arrocco.live.log_reader import LogReader
from arrocco.store.engine_trouble import clear_trouble, note_trouble
from arrocco.store.sql import watched_games
from arrocco.store.sql.database import Database
from arrocco.watch.queue_filler import QueueFiller
from arrocco.watch.settings import WatchSettings
from arrocco.watch.worker import Worker

log = logging.getLogger("arrocco.watch")

NICE = 19
"""Behind everything else on the machine; engines inherit it."""
LOOK_SECONDS = 3.0
LONGEST_PAUSE = 60.0
STOP_SECONDS = 15.0


class Watch:
    """Games watched until it is stopped; each engine is a process, each has a thread here."""

    def __init__(
        self,
        database: Database,
        logs: LogReader,
        settings: WatchSettings,
        now: Callable[[], datetime],
        folder: Path | None = None,
    ) -> None:
        """`folder` is the office's, where pages read that the engine does not start."""
        self._folder = folder
        self._database, self._logs, self._settings, self._now = database, logs, settings, now
        self._stop = Event()
        self._filler = QueueFiller(database, logs, settings, now)
        self._threads: list[Thread] = []

    def start(self) -> None:
        """Starts to watch, and goes on whatever becomes of its engines."""
        if self._folder is not None:
            clear_trouble(self._folder)
        targets: list[tuple[str, Callable[[], None]]] = [("filler", self._fill)]
        targets += [(f"engine {n}", self._work) for n in range(1, self._settings.processes + 1)]
        self._threads = [Thread(target=run, name=name, daemon=True) for name, run in targets]
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Stops after the positions that engines are at; what they have said is kept."""
        self._stop.set()
        for thread in self._threads:
            thread.join(STOP_SECONDS)

    def run_until_empty(self, progress: Callable[[int], None] = lambda _: None) -> int:
        """Fills the queue once and empties it with one engine; how many turns that took."""
        self._filler.fill()
        turns = 0
        with closing(self._worker()) as worker:
            while worker.work():
                turns += 1
                progress(self.count_waiting())
        return turns

    def count_waiting(self) -> int:
        with self._database.reading() as connection:
            return watched_games.count_waiting(connection)

    def _worker(self) -> Worker:
        return Worker(self._database, self._logs, self._settings.engine, self._now, self._stop)

    def _fill(self) -> None:
        self._repeat(lambda: bool(self._filler.fill()) and False)

    def _work(self) -> None:
        with closing(self._worker()) as worker:
            self._repeat(lambda: self._tell_of(worker.work))

    def _tell_of(self, work: Callable[[], bool]) -> bool:
        """Has a worker work; an engine that does not start is tried again, and told of."""
        try:
            is_busy = work()
        except EngineFailed as failed:
            if self._folder is not None:
                note_trouble(self._folder, self._now(), str(failed.details["reason"]))
            raise
        if is_busy and self._folder is not None:
            clear_trouble(self._folder)
        return is_busy

    def _repeat(self, step: Callable[[], bool]) -> None:
        """Does something again and again; after a fault less often."""
        pause = LOOK_SECONDS
        while not self._stop.is_set():
            try:
                is_busy = step()
                pause = 0.0 if is_busy else LOOK_SECONDS
            except Refusal as refusal:
                log.warning("%s", refusal)
                pause = min(max(pause, LOOK_SECONDS) * 2, LONGEST_PAUSE)
            except Exception:
                log.exception("the watch goes on")
                pause = min(max(pause, LOOK_SECONDS) * 2, LONGEST_PAUSE)
            self._stop.wait(pause)
