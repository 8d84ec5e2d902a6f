"""An office at work: a list published, tournaments in every state, reports to send and decide.

Import the fixtures into a module of tests: they take the place of the empty office.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import date
from pathlib import Path

import msgspec
import pytest
from argon2 import PasswordHasher
from litestar import Litestar

from arrocco.desk import Office, passwords
from arrocco.office.roles import Asker, Role
from arrocco.records.report import Report
from tests.desk.offices import (
    Clock,
    People,
    accepted,
    data_of,
    published,
    registration_of,
    report,
    write_opening,
)
from tests.web.apps import app_of
from tests.web.offices import fill, logged_in_cookie

MAY, JUNE, JULY = (date(2025, month, 1) for month in (5, 6, 7))
RATED, OPEN, LATE, FOREIGN = 1, 2, 3, 4
"""Numbers of tournaments: rated in June, to be reported, waiting for an approval, another's."""
RATED_REPORT = 1
NOW = date(2025, 6, 29)


def asker(office: Office, role: Role) -> Asker:
    """The account of a role."""
    return office.accounts.asker_of(logged_in_cookie(office, role))


def people_in(office: Office) -> People:
    return People(
        root=asker(office, Role.SYSTEM_ADMINISTRATOR),
        administrator=asker(office, Role.RATING_ADMINISTRATOR),
        officer=asker(office, Role.FEDERATION_OFFICER),
        arbiter=asker(office, Role.ARBITER),
        player=asker(office, Role.PLAYER),
    )


def played() -> Report:
    """The tournament that is to be reported."""
    return report(3, date(2025, 6, 14), name="Torneo Aperto di Finta")


def good_file() -> bytes:
    """Its report, in order."""
    return data_of(played())


def file_with_error() -> bytes:
    """Its report with an opponent in round 1 whom it does not have."""
    lines = good_file().decode().split("\r\n")
    at = next(n for n, line in enumerate(lines) if line.startswith("001"))
    lines[at] = f"{lines[at][:91]}  77{lines[at][95:]}"
    return "\r\n".join(lines).encode()


def file_with_warning() -> bytes:
    """Its report with another chief arbiter than the one registered."""
    return data_of(replace(played(), chief_arbiter="Sostituta, Finta"))


def fill_with_work(office: Office, clock: Clock, folder: Path) -> None:
    """Brings an office with accounts to the end of June."""
    people = people_in(office)
    office.lists.import_list(people.administrator, "fide", MAY, write_opening(folder / "may.csv"))
    accepted(office, clock, people, report(1, date(2025, 5, 8)), ("fide",))
    clock.go_to(JUNE)
    published(office, people, "fide", JUNE)
    tournaments = office.tournaments
    tournaments.register(people.arbiter, registration_of(played(), ("fide",)))
    clock.go_to(date(2025, 6, 13))
    late = report(4, date(2025, 6, 14), name="Torneo Tardivo di Finta")
    tournaments.register(people.arbiter, registration_of(late, ("fide",)))
    foreign = registration_of(report(5, date(2025, 6, 21), name="Open de Fausseville"), ("fide",))
    tournaments.register(people.administrator, msgspec.structs.replace(foreign, federation="FRA"))
    clock.go_to(NOW)


@pytest.fixture(autouse=True)
def _no_waiting_for_disks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fsync", lambda _: None)


@pytest.fixture(scope="session")
def worked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an office at work, made once and copied for each test."""
    folder = tmp_path_factory.mktemp("worked")
    clock = Clock()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda _: None)
        weak = PasswordHasher(time_cost=1, memory_cost=64, parallelism=1)
        patch.setattr(passwords, "_HASHER", weak)
        with closing(Office.open(folder / "office", now=clock)) as office:
            fill(office)
            fill_with_work(office, clock, folder)
    return folder / "office"


@pytest.fixture
def clock() -> Clock:
    made = Clock()
    made.go_to(NOW)
    return made


@pytest.fixture
def office(worked: Path, tmp_path: Path, clock: Clock) -> Iterator[Office]:
    """An office at work, at the end of June."""
    folder = Path(shutil.copytree(worked, tmp_path / "office"))
    with closing(Office.open(folder, now=clock)) as opened:
        yield opened


@pytest.fixture(scope="session")
def made_app(worked: Path) -> Iterator[Litestar]:
    """The application, made once; each test puts its own office into it."""
    with closing(Office.open(worked)) as opened:
        made = app_of(opened)
        yield made
        made.state.heavy.close()


@pytest.fixture
def app(made_app: Litestar, office: Office) -> Litestar:
    """The application with the office of the test."""
    made_app.state.office = office
    return made_app
