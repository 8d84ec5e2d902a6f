"""Backups every so many hours while a server runs, each in a process of its own.

The time of the last backup stands in the folder of the office: a restart neither forgets one that
is due nor makes one that is not, and a backup made by hand or by a timer counts.
"""

from __future__ import annotations

import logging
import subprocess
import sys
from contextlib import suppress
from datetime import datetime, timedelta
from threading import Event, Thread

import msgspec
from msgspec import Struct

from arrocco.desk import Office, utc_now
from arrocco.operation.backups.create import Wanted
from arrocco.operation.backups.settings import Schedule, schedule_from
from arrocco.store.backup_record import FailedBackup, failed_backup, last_backup, note_failure

WORKER = "arrocco.operation.backups.worker"
_LOOK_SECONDS = 30.0
_TRY_AGAIN = timedelta(minutes=15)
"""How long after a backup that failed the next one is tried."""
_STOP_SECONDS = 10

log = logging.getLogger(__name__)


class Order(Struct, frozen=True, kw_only=True):
    """What the process that makes a backup is told, through its input."""

    folder: str
    database: str
    """The address with its password: never among the arguments, which everybody can see."""
    wanted: Wanted


def start_backups(office: Office) -> Scheduler | None:
    """Starts making backups as the environment says; `None` where it says nothing.

    Call `close` on it before the office is closed.
    """
    schedule = schedule_from()
    if schedule is None:
        return None
    scheduler = Scheduler(office, schedule)
    scheduler.start()
    return scheduler


class Scheduler:
    """Looks now and then whether a backup is due, and has it made."""

    def __init__(
        self, office: Office, schedule: Schedule, *, look_seconds: float = _LOOK_SECONDS
    ) -> None:
        self._folder = office.folder
        address = office.desk.database.address
        self._order = Order(folder=str(office.folder), database=address, wanted=schedule.wanted)
        self._every = timedelta(hours=schedule.hours)
        self._look_seconds = look_seconds
        self._closed = Event()
        self._process: subprocess.Popen[bytes] | None = None
        self._thread = Thread(target=self._run, name="backups", daemon=True)

    def start(self) -> None:
        """Begins to look."""
        self._thread.start()

    def close(self) -> None:
        """Stops; a backup that is being made is left undone, and nothing of it stays."""
        self._closed.set()
        process = self._process
        if process is not None:
            process.terminate()
        self._thread.join(_STOP_SECONDS)

    def is_due(self, now: datetime) -> bool:
        """Whether it is time for the next backup."""
        last, failed = last_backup(self._folder), failed_backup(self._folder)
        if failed is not None and timedelta() <= now - failed.at < min(_TRY_AGAIN, self._every):
            return False
        # A moment in the future: the clock was put back, and nobody knows how old that one is.
        return last is None or last.at > now or now - last.at >= self._every

    def _run(self) -> None:
        while not self._closed.is_set():
            try:
                if self.is_due(utc_now()):
                    self._make()
            except Exception:
                log.exception("a scheduled backup")
            self._closed.wait(self._look_seconds)

    def _make(self) -> None:
        began, command = utc_now(), [sys.executable, "-m", WORKER]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        )
        if self._closed.is_set():
            self._process.terminate()
        with suppress(BrokenPipeError):
            _, said = self._process.communicate(msgspec.json.encode(self._order))
        status, self._process = self._process.returncode, None
        if status and not self._closed.is_set():
            reason = said.decode(errors="replace").strip()[-500:]
            log.error("the scheduled backup failed: %s", reason)
            noted = failed_backup(self._folder)
            if noted is None or noted.at < began:  # it did not come to making one
                note_failure(self._folder, FailedBackup(at=began, key="", text=reason))
        elif not status:
            log.info("the scheduled backup is made")
