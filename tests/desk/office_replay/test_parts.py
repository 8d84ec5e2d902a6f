"""A long tournament, reported in parts: a replay calls each part what the published list did."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from arrocco.desk import Office
from arrocco.office.records import SentReport
from arrocco.records.report import Report
from arrocco.runs.replay import REPLAYED
from arrocco.store.calculations import TOURNAMENTS
from arrocco.store.list_folder import POOLS
from tests.desk.office_replay.replayed import (
    AUGUST,
    JULY,
    JUNE,
    MAY,
    differing_files,
    replayed,
)
from tests.desk.offices import (
    Clock,
    People,
    data_of,
    people_of,
    player_id,
    published,
    registration_of,
    report,
    write_opening,
)

pytestmark = pytest.mark.usefixtures("quick")

TWO_MONTHLY = "fide@2012-07-01:monthly_lists=never"
UNRATED, ALSO_UNRATED = player_id(13), player_id(14)
OTHERS = range(5, 15, 3)
"""Four players, the last of them unrated."""
EARLY = date(2025, 4, 28)
"""Before the first list that the office has."""
NAME = "Torneo Finto a puntate"


def part(seed: int, start: date, players: range = range(10, 14)) -> Report:
    """Two rounds of three rated players and the unrated one."""
    return report(seed, start, players=players, rounds=2, name=NAME)


class Arbiter:
    """Announces long tournaments and sends their parts, which are accepted."""

    def __init__(self, office: Office, clock: Clock, people: People) -> None:
        self.office, self.clock, self.people = office, clock, people

    def register(self, first: date, last: date) -> int:
        whole = replace(part(1, first), end=last, round_dates=(first, last))
        self.clock.go_to(first - timedelta(days=40))
        registered = self.office.tournaments.register(
            self.people.arbiter, registration_of(whole, ("fide",))
        )
        return registered.id

    def accept(self, tournament: int, made: Report) -> SentReport:
        assert made.end is not None
        self.clock.go_to(made.end + timedelta(days=1))
        sent = self.office.reports.send(self.people.arbiter, tournament, "part.trf", data_of(made))
        warned = {
            index: "it was so"
            for index, finding in enumerate(sent.findings)
            if finding.severity == "warning"
        }
        if warned:
            self.office.reports.answer(self.people.arbiter, sent.id, warned)
        return self.office.reports.accept(self.people.administrator, sent.id)

    def publish(self, day: date) -> None:
        self.clock.go_to(day)
        published(self.office, self.people, "fide", day)


@pytest.fixture(scope="module")
def season(quick: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Office]:
    """An office with a tournament on three lists, and one whose first part no list can take."""
    folder, clock = tmp_path_factory.mktemp("parts"), Clock()
    with closing(Office.open(folder / "office", now=clock)) as office:
        people = people_of(office)
        opening = write_opening(folder / "opening.csv")
        office.lists.import_list(people.administrator, "fide", MAY, opening)
        desk = Arbiter(office, clock, people)
        one = desk.register(date(2025, 5, 8), date(2025, 7, 9))
        other = desk.register(EARLY, date(2025, 5, 16))
        desk.accept(other, part(5, EARLY, players=OTHERS))
        desk.accept(one, part(5, date(2025, 5, 8)))
        desk.accept(other, part(9, date(2025, 5, 15), players=OTHERS))
        desk.publish(JUNE)
        for start, day in ((date(2025, 6, 8), JULY), (date(2025, 7, 8), AUGUST)):
            desk.accept(one, part(start.month, start))
            desk.publish(day)
        yield office


def keys_on(folder: Path, day: date) -> list[str]:
    keys: list[str] = pq.read_table(folder / day.isoformat() / TOURNAMENTS)["key"].to_pylist()
    return keys


def pooled(folder: Path, day: date, player: int) -> list[str]:
    """The tournaments whose results a player carries on."""
    rows = pq.read_table(folder / day.isoformat() / POOLS).to_pylist()
    return [row["tournament"] for row in rows if row["player"] == player]


def test_parts_on_several_lists_are_called_alike_on_each(season: Office, tmp_path: Path) -> None:
    lists = season.desk.lists / "fide"
    assert [keys_on(lists, day)[:1] for day in (JUNE, JULY, AUGUST)] == [["tournament:1"]] * 3
    assert pooled(lists, JULY, UNRATED) == ["tournament:1", "tournament:1"]
    told, found = replayed(season, "fide", JUNE, AUGUST, "fide", tmp_path)
    assert differing_files(season, "fide", found) == []
    assert (told.reports, told.left_out) == (4, ())


def test_a_part_is_called_as_published_though_the_one_before_it_was_left_out(
    season: Office, tmp_path: Path
) -> None:
    """The ledger has the keys of a list; counting its reports once more gives others."""
    lists = season.desk.lists / "fide"
    assert keys_on(lists, JUNE) == ["tournament:1", "tournament:2:3"]
    assert pooled(lists, JUNE, ALSO_UNRATED) == ["tournament:2:3"]
    _, found = replayed(season, "fide", JUNE, JUNE, "fide", tmp_path)
    assert differing_files(season, "fide", found) == []


def test_parts_that_another_calendar_brings_together_are_told_apart(
    season: Office, tmp_path: Path
) -> None:
    told, found = replayed(season, "fide", JUNE, JULY, TWO_MONTHLY, tmp_path)
    again = found.folder / REPLAYED
    assert keys_on(again, JULY) == ["tournament:1", "tournament:2:3", "tournament:1:4"]
    assert (told.reports, told.left_out) == (3, ())
