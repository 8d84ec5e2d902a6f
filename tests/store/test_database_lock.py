"""One server for a database: the second one is refused and told who has it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from arrocco.errors import Inconsistent
from arrocco.store import database_lock
from arrocco.store.sql.database import sqlite_url
from tests.databases import *  # noqa: F403 - fixtures


def test_a_second_hall_on_one_postgresql_is_refused_and_told_who_is_there(
    empty_url: Callable[[str], str], tmp_path: Path
) -> None:
    url = empty_url("postgresql")
    with database_lock.held(url, "hall", tmp_path):
        with (
            pytest.raises(Inconsistent) as refused,
            database_lock.held(url, "hall", tmp_path / "copy"),
        ):
            raise AssertionError("both hold it")
        assert refused.value.key == "web.refused.server_on_database"
        assert refused.value.details["pid"] == str(os.getpid())
        with database_lock.held(url, "site", tmp_path):
            pass
    with database_lock.held(url, "hall", tmp_path / "copy"):
        pass


def test_sqlite_needs_no_lock_beside_that_of_the_folder(tmp_path: Path) -> None:
    url = sqlite_url(tmp_path)
    with database_lock.held(url, "hall", tmp_path), database_lock.held(url, "hall", tmp_path):
        assert not (tmp_path / "office.sqlite").exists()
