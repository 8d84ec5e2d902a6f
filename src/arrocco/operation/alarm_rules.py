"""When there is an alarm: each rule looks at one observation and what came before it."""

from __future__ import annotations

from typing import Any

from arrocco.operation import alarms as a
from arrocco.operation.disk import DAY, gigabytes
from arrocco.operation.observation import DATABASE, DISK, FOLDER, HALL, SCHEMA, Observation
from arrocco.operation.settings import OperationSettings

Seen = dict[str, dict[str, Any]]

REMEMBERED = 3600.0
"""Seconds for which what has happened once stays an alarm."""
EASE = 1.1
"""How far above its limit a disk must be for its alarm to end, so that it does not flicker."""
SILENT_LOOKS = 2
"""Looks in a row without an answer of the hall: one may fall into a restart."""
HOUR = 3600.0


class AlarmRules:
    """The rules, with what they remember of earlier looks."""

    def __init__(self, settings: OperationSettings) -> None:
        self._settings = settings
        self._disk_is_low = False
        self._silent_looks = 0
        self._counts: dict[str, int] = {}
        self._last_rise: dict[str, float] = {}

    def seen(self, now: Observation, dropped_logs: int = 0) -> Seen:
        """What is the matter, by the key of its alarm."""
        return {
            **self._disk(now),
            **self._backup(now),
            **_failed_backup(now),
            **_failed_engine(now),
            **self._clock(now),
            **self._checks(now),
            **self._hall(now),
            **self._risen(a.LOGS_DROPPED, dropped_logs, now),
        }

    def _disk(self, now: Observation) -> Seen:
        if now.disk is None:
            return {}
        seen: Seen = {}
        free, total = now.disk.free, now.disk.total
        limit = self._settings.disk_free.of(total)
        self._disk_is_low = free < limit * (EASE if self._disk_is_low else 1.0)
        if DISK in now.failed:
            seen[a.DISK_FULL] = {"free": gigabytes(free)}
        elif self._disk_is_low:
            seen[a.DISK_LOW] = {"free": gigabytes(free), "limit": gigabytes(limit)}
        if now.full_in_seconds is not None and now.full_in_seconds < DAY:
            seen[a.DISK_FILLING] = {"hours": max(round(now.full_in_seconds / HOUR), 1)}
        return seen

    def _backup(self, now: Observation) -> Seen:
        most = self._settings.backup_hours
        if now.backup is not None:
            hours = now.backup.age(now.at) / HOUR
            return {a.BACKUP_OLD: _hours(hours, most)} if hours > most else {}
        # What nothing has been entered in yet has nothing to lose.
        first = now.database.first_entry if now.database is not None else None
        if first is None or (now.at - first).total_seconds() / HOUR <= most:
            return {}
        return {a.BACKUP_NONE: {}}

    def _clock(self, now: Observation) -> Seen:
        processes = [now.process]
        if now.hall is not None and now.hall.process is not None:
            processes.append(now.hall.process)
        seen: Seen = {}
        jumps = [(p.last_jump_ago, p) for p in processes if p.last_jump_ago is not None]
        jumps = [jump for jump in jumps if jump[0] < REMEMBERED]
        if jumps:
            ago, jumped = min(jumps, key=lambda jump: jump[0])
            seen[a.CLOCK_JUMP] = {
                "seconds": f"{jumped.last_jump_seconds:+.1f}",
                "minutes": round(ago / 60),
            }
        slowest = max(processes, key=lambda process: process.loop_lag_seconds)
        if slowest.loop_lag_seconds > self._settings.loop_seconds:
            seen[a.LOOP_LAG] = {
                "process": slowest.name,
                "seconds": f"{slowest.loop_lag_seconds:.1f}",
            }
        return seen

    @staticmethod
    def _checks(now: Observation) -> Seen:
        seen: Seen = {}
        if DATABASE in now.failed:
            seen[a.DATABASE_SILENT] = {}
        elif SCHEMA in now.failed:
            seen[a.SCHEMA_OTHER] = {}
        if FOLDER in now.failed:
            seen[a.FOLDER_READ_ONLY] = {}
        return seen

    def _hall(self, now: Observation) -> Seen:
        self._silent_looks = self._silent_looks + 1 if HALL in now.failed else 0
        if self._silent_looks >= SILENT_LOOKS:
            return {a.HALL_SILENT: {}}
        if now.hall is None:
            return {}
        return self._risen(a.WRITES_FAILED, now.hall.failed_writes, now)

    def _risen(self, key: str, count: int, now: Observation) -> Seen:
        """An alarm for an hour after a count has last risen; it starts again with its process."""
        if count > self._counts.get(key, 0):
            self._last_rise[key] = now.steady
        self._counts[key] = count
        if key in self._last_rise and now.steady - self._last_rise[key] < REMEMBERED:
            return {key: {"count": count}}
        return {}


def _failed_backup(now: Observation) -> Seen:
    failed = now.failed_backup
    if failed is None:
        return {}
    return {a.BACKUP_FAILED: {"on": f"{failed.at:%Y-%m-%d %H:%M} UTC", "reason": failed.text}}


def _failed_engine(now: Observation) -> Seen:
    trouble = now.engine_trouble
    if trouble is None:
        return {}
    return {
        a.ENGINE_FAILED: {"on": f"{trouble.since:%Y-%m-%d %H:%M} UTC", "reason": trouble.reason}
    }


def _hours(hours: float, most: float) -> dict[str, Any]:
    return {"hours": round(hours), "most": round(most)}
