"""The watch of an office: one thread that looks every few seconds and raises alarms."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from pathlib import Path

from arrocco.desk.desk import Desk
from arrocco.live.numbers import HallLink, HallNumbers
from arrocco.live.time_watch import TimeWatch
from arrocco.operation import logs
from arrocco.operation.alarm_rules import AlarmRules
from arrocco.operation.alarms import Alarm, AlarmBoard, AlarmCommand, Told, log_alarm
from arrocco.operation.database_check import DatabaseCheck
from arrocco.operation.disk import Disk, DiskTrend, disk_of, is_writable
from arrocco.operation.observation import (
    DATABASE,
    DISK,
    FOLDER,
    HALL,
    SCHEMA,
    DatabaseSeen,
    Observation,
)
from arrocco.operation.settings import OperationSettings
from arrocco.operation.state_file import write_state
from arrocco.store.backup_record import failed_backup, last_backup
from arrocco.store.engine_trouble import engine_trouble
from arrocco.store.sql.migrate import HEAD

log = logging.getLogger(__name__)

INTERVAL = 5.0
FRESH = 1.0
"""Seconds for which a look answers whoever asks: strangers who ask often cause no more looks."""
HALL_PATIENCE = 2.0


class Watch:
    """Looks at an office; what it saw last and its alarms can be asked from any thread."""

    def __init__(self, desk: Desk, settings: OperationSettings, *, is_server: bool = True) -> None:
        """Other programs than the server itself only read, and tell nobody of alarms."""
        self.settings = settings
        self.times = TimeWatch("site")
        told: list[Told] = [log_alarm] if is_server else []
        if is_server and settings.alarm_command:
            told.append(AlarmCommand(settings.alarm_command))
        self._is_server = is_server
        self._board = AlarmBoard(*told)
        self._rules = AlarmRules(settings)
        self._desk, self._folder = desk, Path(desk.folder)
        self._database = DatabaseCheck(desk.database)
        self._trend = DiskTrend()
        self._link: HallLink | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._looking = threading.Lock()
        self._wake, self._stopped = threading.Event(), threading.Event()
        self._last: Observation | None = None
        self._thread: threading.Thread | None = None

    def start(self, link: HallLink | None) -> None:
        """Starts to look, where an event loop runs; `link` is the way to the hall."""
        self._link, self._loop = link, asyncio.get_running_loop()
        self.times.start()
        self._thread = threading.Thread(target=self._run, name="watch", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._stopped.set()
        self._wake.set()
        self.times.stop()
        self._database.close()

    @property
    def alarms(self) -> tuple[Alarm, ...]:
        return self._board.raised

    @property
    def last(self) -> Observation | None:
        """What was seen last; `None` before the first look."""
        return self._last

    def look(self) -> Observation:
        """What there is to see now, or was a moment ago; it blocks for some seconds at most."""
        asked = time.monotonic()
        with self._looking:  # one looks, the others see what it saw
            seen = self._last
            if seen is not None and seen.steady > asked - FRESH:
                return seen
            seen = self._look()
            self._last = seen
            changed = self._board.update(self._rules.seen(seen, logs.counts.dropped), seen.at)
        if self._thread is not None:
            write_state(self._folder, seen, self.alarms, at_once=changed)
        return seen

    def _run(self) -> None:
        while not self._stopped.is_set():
            try:
                self.look()
            except Exception:  # a watch that ends sees nothing any more
                log.exception("watching the office")
            self._wake.wait(INTERVAL)

    def _look(self) -> Observation:
        failed: dict[str, str] = {}
        disk = self._disk(failed)
        database = self._ask_database(failed)
        hall = self._ask_hall(failed)
        return Observation(
            at=self._desk.now(),
            steady=time.monotonic(),
            failed=failed,
            process=self.times.numbers(),
            disk=disk,
            full_in_seconds=None if disk is None else self._trend.seconds_until_full(disk),
            backup=last_backup(self._folder),
            failed_backup=failed_backup(self._folder),
            database=database,
            hall=hall,
            with_hall=self._link is not None,
            engine_trouble=engine_trouble(self._folder, self._desk.now()),
        )

    def _disk(self, failed: dict[str, str]) -> Disk | None:
        if self._is_server and not is_writable(self._folder):
            failed[FOLDER] = "no file can be written in the office's folder"
        try:
            disk = disk_of(self._folder)
        except OSError as error:
            failed[DISK] = type(error).__name__
            return None
        self._trend.add(disk)
        if disk.is_full:
            failed[DISK] = f"{disk.free} bytes are free"
        return disk

    def _ask_database(self, failed: dict[str, str]) -> DatabaseSeen | None:
        try:
            seen = self._database.ask()
        except TimeoutError:
            failed[DATABASE] = "no answer"
            return None
        except Exception as error:  # whatever it is, the office cannot work with it
            failed[DATABASE] = type(error).__name__
            return None
        if seen.revision != HEAD:
            failed[SCHEMA] = f"the schema is {seen.revision}, this program needs {HEAD}"
        return seen

    def _ask_hall(self, failed: dict[str, str]) -> HallNumbers | None:
        if self._link is None or self._loop is None:
            return None
        asked = asyncio.run_coroutine_threadsafe(self._link.numbers(), self._loop)
        try:
            return asked.result(HALL_PATIENCE)
        except TimeoutError:
            asked.cancel()
            failed[HALL] = "no answer"
        except Exception as error:
            failed[HALL] = type(error).__name__
        return None
