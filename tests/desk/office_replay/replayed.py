"""Replays of offices under test, here and now, without a process of their own."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from arrocco.desk import Office
from arrocco.desk.office_replay.run import Wanted, replay_office
from arrocco.desk.replay_records import Found
from arrocco.laws.systems import SYSTEMS
from arrocco.office.replaying import other_named
from arrocco.runs.replay import REPLAYED, Replayed
from arrocco.store.calculations import PLAYERS, SUMMARY, TOURNAMENTS
from arrocco.store.list_folder import LIST, POOLS, STATE

MAY, JUNE, JULY, AUGUST = (date(2025, month, 1) for month in (5, 6, 7, 8))


def wanted(office: Office, system: str, first: date, last: date, other: str) -> Wanted:
    """A replay of all that the ledger holds."""
    found = SYSTEMS[system]
    with office.desk.database.reading() as connection:
        head = office.desk.book(connection).head
    return Wanted(found, first, last, other_named(found, other), head)


def replayed(
    office: Office, system: str, first: date, last: date, other: str, scratch: Path
) -> tuple[Found, Replayed]:
    """A replay in an empty folder."""
    scratch.mkdir(parents=True, exist_ok=True)
    return replay_office(office.desk, wanted(office, system, first, last, other), scratch)


def differing_files(office: Office, system: str, found: Replayed) -> list[tuple[date, str]]:
    """Files of the lists that are not, to the byte, those that were published."""
    differing = []
    for comparison in found.comparisons:
        published = office.desk.lists / system / comparison.on.isoformat()
        again = found.folder / REPLAYED / comparison.on.isoformat()
        files = sorted(file.name for file in again.iterdir())
        assert {LIST, STATE, POOLS, PLAYERS, TOURNAMENTS, SUMMARY} <= set(files)
        for name in files:
            if (published / name).read_bytes() != (again / name).read_bytes():
                differing.append((comparison.on, name))
    return differing
