"""The invented office, all its systems at once: whatever happened in it, its lists come again."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from argon2 import PasswordHasher

from arrocco.demo.year import make_year, reopen
from arrocco.desk import Office, passwords
from arrocco.laws.systems import SYSTEMS
from tests.desk.office_replay.replayed import differing_files, replayed


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Office]:
    folder = tmp_path_factory.mktemp("demo") / "office"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda _: None)
        weak = PasswordHasher(time_cost=1, memory_cost=64, parallelism=1)
        patch.setattr(passwords, "_HASHER", weak)
        make_year(folder, months=2)
        with closing(reopen(folder)) as opened:
            yield opened


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_system_comes_to_its_lists_again(office: Office, system: str, tmp_path: Path) -> None:
    days = office.replays.days()[system]
    law = SYSTEMS[system].law
    told, found = replayed(office, system, days[0], days[-1], law, tmp_path)
    assert [listed["list"] for listed in told.lists] == [day.isoformat() for day in days]
    assert all(one["both"] and not one["different"] for one in told.lists)
    assert differing_files(office, system, found) == []
    assert told.reports > 0
    assert told.left_out == ()
