"""The server's time goes on from the moment it was told, by itself and never back."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from arrocco.live.opening import open_hall
from arrocco.live.server_time import ServerTime, as_datetime, as_moment
from arrocco.store.sql.database import Database, sqlite_url

SUMMER = datetime(2025, 8, 22, 18, 30, tzinfo=UTC)


def test_a_server_lives_in_the_time_of_its_office() -> None:
    server = ServerTime(SUMMER)
    assert timedelta(0) <= as_datetime(server.now()) - SUMMER < timedelta(minutes=1)


def test_without_an_office_it_is_that_of_the_computer() -> None:
    assert abs(ServerTime().now() - time.time_ns() // 1_000_000) < 60_000


def test_setting_the_date_of_the_computer_moves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    server = ServerTime()
    before = server.now()
    monkeypatch.setattr(time, "time_ns", lambda: 0)
    assert before <= server.now() < before + 60_000


async def _moment_of_a_hall(folder: Path, database: Database) -> int:
    hall = open_hall(folder, database, now=lambda: SUMMER)
    try:
        return hall.time.now()
    finally:
        await hall.stop()


def test_a_hall_has_the_clock_of_its_office(tmp_path: Path) -> None:
    import asyncio

    database = Database(sqlite_url(tmp_path))
    try:
        moment = asyncio.run(_moment_of_a_hall(tmp_path, database))
    finally:
        database.close()
    assert 0 <= moment - as_moment(SUMMER) < 60_000
