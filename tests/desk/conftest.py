"""Offices for tests, on both databases; what they leave on the disk need not be waited for."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from argon2 import PasswordHasher

from arrocco.desk import Office, passwords
from tests.databases import *  # noqa: F403 - fixtures
from tests.desk.offices import Clock, People, people_of


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the disk nor the hashing of passwords is waited for."""
    monkeypatch.setattr(os, "fsync", lambda _: None)
    weak = PasswordHasher(time_cost=1, memory_cost=64, parallelism=1)
    monkeypatch.setattr(passwords, "_HASHER", weak)
    passwords._of_nobody.cache_clear()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def office(tmp_path: Path, database_url: str, clock: Clock) -> Iterator[Office]:
    """An office without accounts, on either database."""
    opened = Office.open(tmp_path / "office", database=database_url, now=clock)
    yield opened
    opened.close()


@pytest.fixture
def small_office(tmp_path: Path, clock: Clock, migrated_sqlite: Path) -> Iterator[Office]:
    """An office without accounts, on the database in its folder; its tables are there already."""
    folder = tmp_path / "office"
    folder.mkdir()
    shutil.copyfile(migrated_sqlite, folder / "office.sqlite")
    opened = Office.open(folder, now=clock)
    yield opened
    opened.close()


@pytest.fixture
def people(office: Office) -> People:
    return people_of(office)
