"""Alarms: raised when something is the matter, told once, over when it is over."""

from __future__ import annotations

import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from arrocco.live.numbers import HallNumbers
from arrocco.live.process_numbers import process_numbers
from arrocco.live.tally import COMMIT_BOUNDS, Spread
from arrocco.operation.alarm_rules import AlarmRules
from arrocco.operation.alarms import ALARMS, Alarm, AlarmBoard, AlarmCommand
from arrocco.operation.disk import Disk
from arrocco.operation.observation import DatabaseSeen, Observation
from arrocco.operation.settings import Limit, OperationSettings, settings_from
from arrocco.store.backup_record import FailedBackup, LastBackup
from arrocco.store.engine_trouble import EngineTrouble, clear_trouble, engine_trouble, note_trouble
from arrocco.words import LANGUAGES

NOW = datetime(2026, 11, 16, 12, tzinfo=UTC)
GB = 10**9
SETTINGS = OperationSettings(disk_free=Limit(bytes=10 * GB))


def seen(**changes: Any) -> Observation:
    """An office in order, except for what is given."""
    good = Observation(
        at=NOW,
        steady=1000.0,
        failed={},
        process=process_numbers("site"),
        disk=Disk(100 * GB, 50 * GB),
        full_in_seconds=None,
        backup=None,
        failed_backup=None,
        database=DatabaseSeen(kind="SQLite"),
        hall=None,
        with_hall=True,
    )
    return replace(good, **changes)


def hall(**changes: Any) -> HallNumbers:
    numbers = HallNumbers(
        version="1",
        process=None,
        events=0,
        games={},
        sockets=0,
        moves=0,
        commits=0,
        records=0,
        failed_writes=0,
        journal_queue=0,
        room_queue=0,
        longest_room_queue=0,
        thinking_queue=0,
        commit_seconds=Spread.of(COMMIT_BOUNDS),
        flag_lateness=Spread.of(COMMIT_BOUNDS),
    )
    return replace(numbers, **changes)


def raised(*observations: Observation, settings: OperationSettings = SETTINGS) -> set[str]:
    """The alarms after the last of several looks."""
    rules = AlarmRules(settings)
    return [set(rules.seen(observation)) for observation in observations][-1]


class TestRules:
    def test_an_office_in_order_has_none(self) -> None:
        assert raised(seen(), seen(hall=hall())) == set()

    def test_a_disk_below_its_limit_until_it_is_well_above(self) -> None:
        low = seen(disk=Disk(100 * GB, 9 * GB))
        little_better = seen(disk=Disk(100 * GB, int(10.5 * GB)))
        assert raised(low) == {"disk_low"}
        assert raised(low, little_better) == {"disk_low"}
        assert raised(little_better) == set()
        assert raised(low, seen(disk=Disk(100 * GB, 12 * GB))) == set()

    def test_a_disk_that_is_full_or_will_be(self) -> None:
        full = seen(disk=Disk(100 * GB, 10**6), failed={"disk": "full"})
        assert raised(full) == {"disk_full"}
        assert raised(seen(full_in_seconds=5 * 3600.0)) == {"disk_filling"}
        assert raised(seen(full_in_seconds=30 * 3600.0)) == set()

    @pytest.mark.parametrize(("hours", "keys"), [(25, set()), (27, {"backup_old"})])
    def test_a_backup_that_is_old(self, hours: int, keys: set[str]) -> None:
        assert raised(seen(backup=LastBackup(at=NOW - timedelta(hours=hours)))) == keys

    def test_a_backup_that_failed_until_there_is_one(self) -> None:
        failed = FailedBackup(at=NOW, key="", text="the disk is full")
        assert raised(seen(failed_backup=failed)) == {"backup_failed"}
        assert raised(seen(failed_backup=failed), seen()) == set()
        details = AlarmRules(SETTINGS).seen(seen(failed_backup=failed))["backup_failed"]
        alarm = Alarm(key="backup_failed", since=NOW, details=details)
        for language in LANGUAGES:
            assert "the disk is full" in alarm.text(language)
            assert alarm.advice(language)

    def test_12_1_an_engine_that_does_not_start_is_told_until_it_does(self, tmp_path: Path) -> None:
        note_trouble(tmp_path, NOW, "it ended at once")
        note_trouble(tmp_path, NOW + timedelta(minutes=1), "it ended at once")
        trouble = engine_trouble(tmp_path, NOW + timedelta(minutes=2))
        assert trouble is not None
        assert (trouble.since, trouble.at) == (NOW, NOW + timedelta(minutes=1))
        told = AlarmRules(SETTINGS).seen(seen(engine_trouble=trouble))["engine_failed"]
        alarm = Alarm(key="engine_failed", since=NOW, details=told)
        for language in LANGUAGES:
            assert "it ended at once" in alarm.text(language)
        assert engine_trouble(tmp_path, NOW + timedelta(hours=1)) is None  # nobody tries any more
        clear_trouble(tmp_path)
        assert engine_trouble(tmp_path, NOW + timedelta(minutes=2)) is None
        assert raised(seen(engine_trouble=None)) == set()

    def test_no_backup_at_all_of_what_has_been_there_for_a_day(self) -> None:
        young = DatabaseSeen(kind="SQLite", first_entry=NOW - timedelta(hours=3))
        old = DatabaseSeen(kind="SQLite", first_entry=NOW - timedelta(days=3))
        assert raised(seen(database=young)) == set()
        assert raised(seen(database=old)) == {"backup_none"}

    def test_a_jump_of_the_date_is_told_for_an_hour_whichever_process_saw_it(self) -> None:
        jumped = replace(
            process_numbers("x"), clock_jumps=1, last_jump_seconds=-3.0, last_jump_ago=60.0
        )
        assert raised(seen(process=jumped)) == {"clock_jump"}
        assert raised(seen(hall=hall(process=jumped))) == {"clock_jump"}
        assert raised(seen(process=replace(jumped, last_jump_ago=3601.0))) == set()

    def test_a_loop_that_keeps_waiting(self) -> None:
        slow = replace(process_numbers("hall"), loop_lag_seconds=0.8)
        assert raised(seen(hall=hall(process=slow))) == {"loop_lag"}

    def test_a_hall_that_is_silent_twice(self) -> None:
        silent = seen(failed={"hall": "no answer"})
        assert raised(silent) == set()
        assert raised(silent, silent) == {"hall_silent"}
        assert raised(silent, seen(hall=hall()), silent) == set()

    def test_writes_that_failed_are_told_for_an_hour(self) -> None:
        failed = hall(failed_writes=4)
        assert raised(seen(hall=failed)) == {"writes_failed"}
        assert raised(seen(hall=failed), seen(hall=failed, steady=4000.0)) == {"writes_failed"}
        assert raised(seen(hall=failed), seen(hall=failed, steady=5000.0)) == set()

    def test_checks_that_fail(self) -> None:
        assert raised(seen(failed={"database": "gone"}, database=None)) == {"database"}
        assert raised(seen(failed={"schema": "9"})) == {"schema"}
        assert raised(seen(failed={"folder": "no"})) == {"folder"}

    def test_every_alarm_has_words_with_all_their_details(self) -> None:
        rules = AlarmRules(SETTINGS)
        late = replace(
            process_numbers("hall"),
            loop_lag_seconds=0.8,
            clock_jumps=1,
            last_jump_seconds=2.0,
            last_jump_ago=61.0,
        )
        one = seen(
            disk=Disk(100 * GB, GB),
            full_in_seconds=3600.0,
            process=late,
            backup=LastBackup(at=NOW - timedelta(days=3)),
            hall=hall(failed_writes=1),
        )
        other = seen(
            disk=Disk(100 * GB, 10),
            failed=dict.fromkeys(("disk", "database", "folder", "hall"), "x"),
        )
        old = DatabaseSeen(kind="SQLite", first_entry=NOW - timedelta(days=9))
        failed = FailedBackup(at=NOW, key="", text="x")
        trouble = EngineTrouble(since=NOW, at=NOW, reason="x")
        third = seen(
            failed={"schema": "x"}, database=old, failed_backup=failed, engine_trouble=trouble
        )
        told: dict[str, dict[str, Any]] = {}
        for look in (one, other, other, third):
            told |= rules.seen(look, dropped_logs=len(told))
        assert set(told) == set(ALARMS)
        for language in LANGUAGES:
            for key, details in told.items():
                alarm = Alarm(key=key, since=NOW, details=details)
                assert "{" not in alarm.text(language) + alarm.advice(language)


class TestTheBoard:
    def test_tells_once_that_an_alarm_came_and_once_that_it_went(self) -> None:
        heard: list[tuple[str, bool]] = []
        board = AlarmBoard(lambda alarm, on: heard.append((alarm.key, on)))
        later = NOW + timedelta(minutes=1)
        assert board.update({"database": {}}, NOW)
        assert not board.update({"database": {}}, later)
        assert list(board.raised) == [Alarm(key="database", since=NOW)]
        assert board.update({}, later)
        assert not list(board.raised)
        assert heard == [("database", True), ("database", False)]

    def test_one_who_cannot_hear_keeps_it_from_nobody_else(self) -> None:
        heard = []

        def deaf(alarm: Alarm, on: bool) -> None:
            raise RuntimeError

        board = AlarmBoard(deaf, lambda alarm, on: heard.append(alarm.key))
        board.update({"folder": {}}, NOW)
        assert heard == ["folder"]


def test_a_command_is_run_with_what_it_is_about_and_no_secret(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ARROCCO_METRICS_TOKEN", "a secret")
    script, out = tmp_path / "tell.py", tmp_path / "told"
    script.write_text(
        "import os, pathlib\n"
        f"place = pathlib.Path({str(out)!r})\n"
        "told = {k: v for k, v in os.environ.items() if k.startswith('ARROCCO_')}\n"
        "place.with_suffix('.new').write_text(repr(sorted(told.items())))\n"
        "place.with_suffix('.new').rename(place)\n"
    )
    alarm = Alarm(key="disk_low", since=NOW, details={"free": "1.0", "limit": "2.0"})
    AlarmCommand(f"{sys.executable} '{script}'")(alarm, True)
    until = time.monotonic() + 10
    while not out.exists() and time.monotonic() < until:
        time.sleep(0.05)
    told = out.read_text()
    assert "('ARROCCO_ALARM_KEY', 'disk_low')" in told
    assert "('ARROCCO_ALARM_STATE', 'raised')" in told
    assert "1.0 GB" in told
    assert "secret" not in told


class TestSettings:
    def test_are_read_from_the_environment(self) -> None:
        read = settings_from(
            {
                "ARROCCO_ALARM_DISK_FREE": "20G",
                "ARROCCO_ALARM_BACKUP_HOURS": "50",
                "ARROCCO_METRICS_FROM": "10.0.0.0/8, fd00::/8",
                "ARROCCO_METRICS_TOKEN": "t",
            }
        )
        assert read.disk_free.of(100) == 20 * 2**30
        assert read.backup_hours == 50
        assert read.allows("10.1.2.3")
        assert read.allows("fd00::1")
        assert read.allows("::ffff:10.1.2.3")
        assert not read.allows("127.0.0.1")
        assert not read.allows("not an address")
        assert settings_from({}).allows("127.0.0.1")
        assert settings_from({"ARROCCO_ALARM_DISK_FREE": "12.5%"}).disk_free.of(1000) == 125
