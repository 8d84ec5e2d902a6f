"""Scheduled backups: when they are due, made beside the server, tried again when they fail."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from arrocco.desk import Office
from arrocco.errors import Malformed
from arrocco.operation.backups.create import Wanted
from arrocco.operation.backups.scheduler import Scheduler, start_backups
from arrocco.operation.backups.settings import Schedule, schedule_from
from arrocco.store.backup import backup
from arrocco.store.backup_record import (
    FailedBackup,
    LastBackup,
    failed_backup,
    last_backup,
    note_backup,
    note_failure,
)
from arrocco.store.restore import check, restore
from arrocco.store.sql.database import Database, sqlite_url

NOW = datetime(2026, 11, 16, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


def wait_until(holds: Callable[[], bool], seconds: float = 60) -> None:
    until = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < until
        time.sleep(0.05)


def test_the_environment_sets_the_schedule() -> None:
    assert schedule_from({}) is None
    assert schedule_from({"ARROCCO_BACKUP_TO": "/b"}) == Schedule(Wanted(to="/b", check=True), 24)
    found = schedule_from(
        {
            "ARROCCO_BACKUP_TO": "s3://b/p",
            "ARROCCO_BACKUP_HOURS": "0.5",
            "ARROCCO_BACKUP_ENCRYPT_TO": "age1x, age1y",
            "ARROCCO_BACKUP_KEEP": "14",
            "ARROCCO_BACKUP_CHECK": "no",
            "ARROCCO_S3_ENDPOINT": "http://s",
        }
    )
    wanted = Wanted(
        to="s3://b/p", encrypt_to=("age1x", "age1y"), check=False, keep=14, endpoint="http://s"
    )
    assert found == Schedule(wanted, 0.5)


@pytest.mark.parametrize(
    ("name", "value"),
    [("HOURS", "often"), ("HOURS", "0"), ("KEEP", "0"), ("KEEP", "1.5"), ("CHECK", "maybe")],
)
def test_nonsense_in_the_environment_is_refused(name: str, value: str) -> None:
    with pytest.raises(Malformed) as refused:
        schedule_from({"ARROCCO_BACKUP_TO": "/b", f"ARROCCO_BACKUP_{name}": value})
    assert refused.value.details == {"name": f"ARROCCO_BACKUP_{name}", "value": value}


def test_when_a_backup_is_due(folder: Path) -> None:
    with closing(Office.open(folder)) as office:
        scheduler = Scheduler(office, Schedule(Wanted(to="/nowhere"), 6))
        assert scheduler.is_due(NOW), "there was none yet"
        note_backup(folder, LastBackup(at=NOW))
        assert not scheduler.is_due(NOW + 5 * HOUR)
        assert scheduler.is_due(NOW + 6 * HOUR)
        assert scheduler.is_due(NOW - HOUR), "the clock was put back"
        note_failure(folder, FailedBackup(at=NOW + 6 * HOUR, key="", text=""))
        assert not scheduler.is_due(NOW + 6.1 * HOUR)
        assert scheduler.is_due(NOW + 6.3 * HOUR)


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_server_makes_its_backups(
    folder: Path,
    tmp_path: Path,
    kind: str,
    empty_url: Callable[[str], str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    url = sqlite_url(folder)
    if kind == "postgresql":
        database = Database(url)
        backup(folder, database, tmp_path / "x.zip")
        database.close()
        folder, url = tmp_path / "served", empty_url(kind)
        restore(tmp_path / "x.zip", folder, url)
    monkeypatch.setenv("ARROCCO_BACKUP_TO", str(tmp_path / "kept"))
    with closing(Office.open(folder, database=url)) as office:
        scheduler = start_backups(office)
        assert scheduler is not None
        wait_until(lambda: last_backup(folder) is not None)
        scheduler.close()
    last = last_backup(folder)
    assert last is not None
    assert last.checked
    assert check(Path(last.file)).rows["publications"] == 2
    assert [str(path) for path in (tmp_path / "kept").iterdir()] == [last.file]


def test_a_backup_that_fails_is_told_and_the_server_goes_on(
    folder: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "in the way").write_text("a file")
    with closing(Office.open(folder)) as office:
        schedule = Schedule(Wanted(to=str(tmp_path / "in the way")), 1)
        scheduler = Scheduler(office, schedule, look_seconds=0.05)
        scheduler.start()
        wait_until(lambda: failed_backup(folder) is not None)
        wait_until(lambda: "failed" in caplog.text)
        scheduler.close()
    assert last_backup(folder) is None
    assert caplog.text.count("failed") == 1, "not again and again"


def test_without_a_place_there_is_no_schedule(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ARROCCO_BACKUP_TO", raising=False)
    with closing(Office.open(folder)) as office:
        assert start_backups(office) is None
