"""The history of an office once more: the same law gives the same lists, another one its own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import date
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from arrocco.dates import Month
from arrocco.desk import Office
from arrocco.desk.office_replay.changes import _replaced
from arrocco.desk.office_replay.run import MAX_AFFECTED, write_players
from arrocco.errors import Inconsistent, Refusal
from arrocco.formats.lists import read_list
from arrocco.formats.report_parquet import read_batches, write_batches
from arrocco.laws.systems import SYSTEMS
from arrocco.office.ledger import ResultCorrection
from arrocco.office.replaying import offers
from arrocco.office.roles import Asker, Role
from arrocco.records.report import Report
from arrocco.records.reportbatch import batch_of
from arrocco.runs.replay import REPLAYED, ReplayJob, Side, replay
from arrocco.store.list_folder import LIST
from tests.cli.tournaments import run_json
from tests.desk.office_replay.replayed import (
    AUGUST,
    JULY,
    JUNE,
    MAY,
    differing_files,
    replayed,
    wanted,
)
from tests.desk.offices import (
    Clock,
    accepted,
    data_of,
    people_of,
    player_id,
    published,
    report,
    write_opening,
)
from tests.web.public_office import fill_public

pytestmark = pytest.mark.usefixtures("quick")

IN_2012 = "fide@2012-07-01"
TWO_MONTHLY = "fide@2012-07-01:monthly_lists=never"


@pytest.fixture(scope="module")
def eventful(quick: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Office]:
    """An office with a correction, a merger, a change of federation, first ratings and RIO."""
    folder = tmp_path_factory.mktemp("eventful") / "office"
    fill_public(folder)
    with closing(Office.open(folder)) as office:
        yield office


FIRST = report(1, date(2025, 5, 8))
WRONG = next(game for game in FIRST.games if game.white_score != 1)
"""A game whose score sheet says otherwise, as is found when the list is out."""
EARLY, LATE = report(2, date(2025, 6, 5)), report(7, date(2025, 6, 21))
SECOND = report(2, date(2025, 6, 8), players=range(9, 13), rounds=3)


@pytest.fixture(scope="module")
def corrected(quick: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Office]:
    """An office whose first list is corrected with the second; nobody played for the third."""
    folder, clock = tmp_path_factory.mktemp("corrected"), Clock()
    with closing(Office.open(folder / "office", now=clock)) as office:
        people = people_of(office)
        opening = write_opening(folder / "opening.csv")
        office.lists.import_list(people.administrator, "fide", MAY, opening)
        first = accepted(office, clock, people, FIRST, ("fide",))
        clock.go_to(JUNE)
        published(office, people, "fide", JUNE)
        change = ResultCorrection(
            round=WRONG.round,
            white=WRONG.white,
            black=WRONG.black,
            white_half=int(WRONG.black_score),
            black_half=int(WRONG.white_score),
        )
        office.corrections.enter(people.administrator, first.id, [change], "the score sheet")
        accepted(office, clock, people, SECOND, ("fide",))
        for day in (JULY, AUGUST):
            clock.go_to(day)
            published(office, people, "fide", day)
        yield office


def rightly() -> Report:
    """The first report without the mistake."""
    right = replace(WRONG, white_score=WRONG.black_score, black_score=WRONG.white_score)
    return replace(FIRST, games=[right if game == WRONG else game for game in FIRST.games])


def by_hand(office: Office, folder: Path, other: Side) -> Path:
    """The lists of a replay of plain files, the first report without the mistake from the start."""
    reports = {}
    for month, made in ((Month(2025, 5), rightly()), (Month(2025, 6), SECOND)):
        reports[month] = [folder / f"{month}.parquet"]
        folder.mkdir(exist_ok=True)
        write_batches(folder / f"{month}.parquet", [batch_of([made])])
    job = ReplayJob(
        Side("fide"), other, office.desk.lists / "fide", reports, folder / "out", workers=1
    )
    return replay(job).folder / REPLAYED


def ratings(folder: Path, day: date) -> dict[int, int]:
    listed, _ = read_list(folder / day.isoformat() / LIST, "standard")
    return dict(zip(listed.id.tolist(), listed.rating.tolist(), strict=True))


class TestAsItWas:
    @pytest.mark.parametrize("other", ["fide", "fide@2024-03-01"])
    def test_the_same_law_gives_the_published_lists_to_the_byte(
        self, eventful: Office, tmp_path: Path, other: str
    ) -> None:
        """Though a correction, a merger and a change of federation came between them."""
        told, found = replayed(eventful, "fide", JUNE, JULY, other, tmp_path)
        assert [listed["list"] for listed in told.lists] == ["2025-06-01", "2025-07-01"]
        assert all(one["different"] == 0 and one["both"] > 10 for one in told.lists)
        assert differing_files(eventful, "fide", found) == []
        assert (told.reports, told.left_out) == (3, ())

    def test_corrections_of_lists_before_the_history_are_carried_too(
        self, eventful: Office, tmp_path: Path
    ) -> None:
        _, found = replayed(eventful, "fide", JULY, JULY, "fide", tmp_path)
        assert len(found.comparisons) == 1
        assert differing_files(eventful, "fide", found) == []

    def test_a_system_that_began_with_nobody_begins_with_nobody_again(
        self, eventful: Office, tmp_path: Path
    ) -> None:
        """Entry ratings come from the lists of the other systems that were in force then."""
        told, found = replayed(eventful, "rio-blitz", JUNE, JUNE, "rio", tmp_path)
        assert told.lists[0]["both"] == 8
        assert differing_files(eventful, "rio-blitz", found) == []

    def test_a_period_without_reports_has_its_list(self, corrected: Office, tmp_path: Path) -> None:
        told, found = replayed(corrected, "fide", JUNE, AUGUST, "fide", tmp_path)
        assert len(told.lists) == 3
        assert differing_files(corrected, "fide", found) == []

    def test_nothing_in_the_office_changes(self, eventful: Office, tmp_path: Path) -> None:
        def everything() -> dict[str, bytes]:
            files = [file for file in eventful.folder.rglob("*") if file.is_file()]
            parts = ("blobs", "lists", "drafts")
            return {
                str(file): file.read_bytes()
                for file in files
                if file.relative_to(eventful.folder).parts[0] in parts
            }

        before = everything()
        replayed(eventful, "fide", JUNE, JULY, IN_2012, tmp_path)
        assert before
        assert everything() == before


class TestUnderAnotherEdition:
    def test_a_correction_is_carried_as_the_office_carries_it(
        self, corrected: Office, tmp_path: Path
    ) -> None:
        """Nobody of the first event plays on: in the end it is as if it had been reported right."""
        told, found = replayed(corrected, "fide", JUNE, AUGUST, IN_2012, tmp_path / "one")
        assert told.lists[-1]["different"] > 0
        hand = by_hand(corrected, tmp_path / "two", Side("fide", "2012-07-01"))
        again = found.folder / REPLAYED
        assert ratings(again, JULY) == ratings(hand, JULY)
        wrongly, rightly = (ratings(folder, JUNE) for folder in (again, hand))
        moved = {player for player, rating in rightly.items() if wrongly[player] != rating}
        assert moved == {player_id(WRONG.white), player_id(WRONG.black)}

    def test_a_report_corrected_before_its_turn_is_rated_as_corrected(
        self, corrected: Office, tmp_path: Path
    ) -> None:
        """With a list every two months the correction is known before the list with the report."""
        told, found = replayed(corrected, "fide", JUNE, JULY, TWO_MONTHLY, tmp_path / "one")
        assert [listed["list"] for listed in told.lists] == ["2025-07-01"]
        other = Side("fide", "2012-07-01", {"monthly_lists": "never"})
        hand = by_hand(corrected, tmp_path / "two", other)
        assert ratings(found.folder / REPLAYED, JULY) == ratings(hand, JULY)

    def test_the_command_line_finds_the_same_in_the_same_data(
        self, tmp_path: Path, watched: Office
    ) -> None:
        told, _ = replayed(watched, "fide", JUNE, JULY, IN_2012, tmp_path / "scratch")
        for name, made in (("may", FIRST), ("june", EARLY), ("end", LATE)):
            (tmp_path / f"{name}.trf").write_bytes(data_of(made))
        record = run_json(
            "period",
            "replay",
            "--law",
            "fide",
            "--as",
            IN_2012,
            "--lists",
            str(watched.desk.lists / "fide"),
            "--out",
            str(tmp_path / "out"),
            "--reports",
            f"2025-05={tmp_path / 'may.trf'}",
            "--reports",
            f"2025-06={tmp_path / 'june.trf'}",
            "--reports",
            f"2025-06={tmp_path / 'end.trf'}",
            "--top",
            str(MAX_AFFECTED),
        )
        assert told.lists[-1]["different"] > 0
        assert told.lists[-1] == record["lists"][-1]
        shorter = [one | {"most_affected": []} for one in record["lists"][:-1]]
        assert told.lists[:-1] == shorter

    def test_players_whose_rating_differs_are_kept_with_both_ratings(
        self, eventful: Office, tmp_path: Path
    ) -> None:
        told, found = replayed(eventful, "fide", JUNE, JULY, IN_2012, tmp_path / "scratch")
        asked = wanted(eventful, "fide", JUNE, JULY, IN_2012)
        write_players(eventful.desk, asked, found, tmp_path / "players.parquet")
        rows = pq.read_table(tmp_path / "players.parquet").to_pylist()
        was = ratings(eventful.desk.lists / "fide", JULY)
        now = ratings(found.folder / REPLAYED, JULY)
        expected = {
            player: (was.get(player) or None, now.get(player) or None)
            for player in was.keys() | now.keys()
            if was.get(player, 0) != now.get(player, 0)
        }
        assert {row["id"]: (row["as_was"], row["replayed"]) for row in rows} == expected
        both = [row for row in rows if row["as_was"] and row["replayed"]]
        assert len(both) == told.lists[-1]["different"] > 0

    def test_reports_left_out_are_told_with_their_tournament(
        self, watched: Office, tmp_path: Path
    ) -> None:
        """2012 closes a list seven days before it, so what ended on 27 June waits for August."""
        told, _ = replayed(watched, "fide", JUNE, JULY, IN_2012, tmp_path)
        assert [(one.name, one.reason) for one in told.left_out] == [(LATE.name, "not_yet")]
        named = watched.tournaments.get(
            Asker(role=Role.RATING_ADMINISTRATOR), told.left_out[0].tournament
        )
        assert named.registration.name == LATE.name


@pytest.fixture(scope="module")
def watched(quick: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Office]:
    """An office with an imported list and two that it made of a report each."""
    folder, clock = tmp_path_factory.mktemp("watched"), Clock()
    with closing(Office.open(folder / "office", now=clock)) as office:
        people = people_of(office)
        opening = write_opening(folder / "opening.csv")
        office.lists.import_list(people.administrator, "fide", MAY, opening)
        for day, reports in ((JUNE, [FIRST]), (JULY, [EARLY, LATE])):
            for made in reports:
                accepted(office, clock, people, made, ("fide",))
            clock.go_to(day)
            published(office, people, "fide", day)
        yield office


class TestWhatCannotBeReplayed:
    def test_lists_from_elsewhere_and_lists_that_are_not_out(
        self, eventful: Office, tmp_path: Path
    ) -> None:
        for first, last, key in (
            (MAY, JULY, "not_made_here"),
            (JUNE, AUGUST, "not_made_here"),
            (JULY, JUNE, "backwards"),
        ):
            with pytest.raises(Inconsistent) as refused:
                replayed(eventful, "fide", first, last, "fide", tmp_path / key)
            assert refused.value.key == f"replay_pages.refused.{key}"

    def test_a_regulation_that_rates_other_games(self, eventful: Office, tmp_path: Path) -> None:
        for system, other in (("fide", "rio@2025-04-12"), ("rio-blitz", "fide-blitz@2024-12-01")):
            with pytest.raises(Refusal) as refused:
                replayed(eventful, system, JUNE, JUNE, other, tmp_path)
            assert refused.value.key == "replay_pages.refused.cannot_rate"

    def test_what_is_offered_names_each_edition_and_reading_once(self) -> None:
        found = {
            system.key: [offered.other.key for offered in offers(system)]
            for system in SYSTEMS.values()
        }
        assert found["fide"] == [
            "fide",
            "fide@2025-10-01",
            "fide@2024-03-01",
            "fide@2023-12-25",
            "fide@2022-01-01",
            "fide@2012-07-01",
            "fide@2011-07-01",
            "uisp@undated",
        ]
        assert found["rio-bullet"] == ["rio", "rio@2025-04-12"]
        assert found["uisp"] == ["uisp", "uisp@undated"]
        for system in SYSTEMS.values():
            keys = [
                other.key
                for offered in offers(system)
                for other in (offered.other, *(one for one, _, _ in offered.readings))
            ]
            assert len(keys) == len(set(keys))


def test_a_report_takes_the_place_of_another_in_its_batch(tmp_path: Path) -> None:
    made = [report(seed, date(2025, 5, seed)) for seed in (1, 2, 3)]
    for number, one in enumerate(made):
        one.source = f"tournament:{number}"
    write_batches(tmp_path / "reports.parquet", [batch_of(made)])
    new = report(9, date(2025, 5, 2))
    new.source = "tournament:1"
    batches = list(
        _replaced(read_batches(tmp_path / "reports.parquet"), {"tournament:1": batch_of([new])})
    )
    names = [head.name for batch in batches for head in batch.tournaments]
    assert names == ["Torneo Finto 1", "Torneo Finto 9", "Torneo Finto 3"]
