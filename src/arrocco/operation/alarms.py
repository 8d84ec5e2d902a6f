"""Alarms: what an operator must look at, since when, and who is told when it comes and goes."""

from __future__ import annotations

import logging
import os
import shlex
import subprocess
import threading
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from msgspec import Struct

from arrocco.words import Language, say

log = logging.getLogger("arrocco.alarms")

DISK_LOW, DISK_FILLING, DISK_FULL = "disk_low", "disk_filling", "disk_full"
BACKUP_OLD, BACKUP_NONE, BACKUP_FAILED = "backup_old", "backup_none", "backup_failed"
CLOCK_JUMP, LOOP_LAG = "clock_jump", "loop_lag"
DATABASE_SILENT, SCHEMA_OTHER, FOLDER_READ_ONLY = "database", "schema", "folder"
HALL_SILENT, WRITES_FAILED, LOGS_DROPPED = "hall_silent", "writes_failed", "logs_dropped"
ENGINE_FAILED = "engine_failed"
ALARMS = (
    DISK_FULL,
    DISK_LOW,
    DISK_FILLING,
    BACKUP_NONE,
    BACKUP_FAILED,
    BACKUP_OLD,
    CLOCK_JUMP,
    LOOP_LAG,
    DATABASE_SILENT,
    SCHEMA_OTHER,
    FOLDER_READ_ONLY,
    HALL_SILENT,
    WRITES_FAILED,
    LOGS_DROPPED,
    ENGINE_FAILED,
)
"""Every alarm there is; each has words under ``operation.alarm``."""
COMMAND_SECONDS = 30
_MAX_COMMANDS = 4


class Alarm(Struct, frozen=True, kw_only=True):
    """One that is raised."""

    key: str
    since: datetime
    details: dict[str, Any] = {}

    def text(self, language: Language) -> str:
        """What is the matter."""
        return say(language, f"operation.alarm.{self.key}.text", **self.details)

    def advice(self, language: Language) -> str:
        """What to do about it."""
        return say(language, f"operation.alarm.{self.key}.do", **self.details)


Told = Callable[[Alarm, bool], None]
"""Hears of an alarm that is raised (`True`) or over."""


class AlarmBoard:
    """The alarms that are raised now."""

    def __init__(self, *told: Told) -> None:
        self._told = told
        self._raised: dict[str, Alarm] = {}

    @property
    def raised(self) -> tuple[Alarm, ...]:
        """In the order of their gravity."""
        raised = self._raised
        return tuple(raised[key] for key in ALARMS if key in raised)

    def update(self, seen: Mapping[str, Mapping[str, Any]], at: datetime) -> bool:
        """Takes what is the matter now, with details by key; whether any came or went."""
        before, now = self._raised, dict[str, Alarm]()
        for key, details in seen.items():
            since = before[key].since if key in before else at
            now[key] = Alarm(key=key, since=since, details=dict(details))
        self._raised = now
        for key in ALARMS:
            if (key in now) is not (key in before):
                self._tell(now.get(key) or before[key], key in now)
        return now.keys() != before.keys()

    def _tell(self, alarm: Alarm, is_raised: bool) -> None:
        for told in self._told:
            try:
                told(alarm, is_raised)
            except Exception:  # the others must hear of it all the same
                log.exception("telling of an alarm", extra={"alarm": alarm.key})


def log_alarm(alarm: Alarm, is_raised: bool) -> None:
    """Writes an alarm to the log."""
    extra = {"alarm": alarm.key, "state": "raised" if is_raised else "cleared"}
    if is_raised:
        log.warning("alarm %s: %s", alarm.key, alarm.text("en"), extra=extra)
    else:
        log.warning("alarm %s is over", alarm.key, extra=extra)


class AlarmCommand:
    """Runs the operator's command for each alarm that comes or goes, and waits for none of them.

    It is run without a shell; what it is about stands in its environment.
    """

    def __init__(self, command: str) -> None:
        self._words = shlex.split(command)
        self._places = threading.Semaphore(_MAX_COMMANDS)

    def __call__(self, alarm: Alarm, is_raised: bool) -> None:
        threading.Thread(target=self._run, args=(alarm, is_raised), daemon=True).start()

    def _run(self, alarm: Alarm, is_raised: bool) -> None:
        # Secrets of the office's own settings are no business of a command that sends messages.
        kept = {k: v for k, v in os.environ.items() if not k.startswith("ARROCCO_")}
        about = {
            "ARROCCO_ALARM_KEY": alarm.key,
            "ARROCCO_ALARM_STATE": "raised" if is_raised else "cleared",
            "ARROCCO_ALARM_SINCE": alarm.since.isoformat(timespec="seconds"),
            "ARROCCO_ALARM_TEXT": alarm.text("en"),
        }
        with self._places:
            try:
                ended = subprocess.run(
                    self._words,
                    env=kept | about,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    timeout=COMMAND_SECONDS,
                    check=False,
                )
            except (OSError, subprocess.SubprocessError) as error:
                log.error("the alarm command failed: %s", type(error).__name__)
                return
        if ended.returncode:
            log.error("the alarm command ended with status %d", ended.returncode)
