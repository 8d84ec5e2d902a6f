"""An invented year of an office: its lists follow from the ledger, its stories are all told."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from argon2 import PasswordHasher
from click.testing import CliRunner

from arrocco.cli.main import program
from arrocco.errors import Inconsistent
from arrocco.generate.year import LOG_INS, PASSWORD, glance_at, make_year, reopen
from arrocco.generate.year.hall_evening import EVENT
from arrocco.hall.event import fold
from arrocco.hall.event.codec import decode
from arrocco.office.ledger import (
    Correction,
    IdCorrection,
    ListPublished,
    PlayerChanged,
    PlayersMerged,
    ReportAccepted,
    ResultCorrection,
)
from arrocco.office.records import DraftStatus, ReportStatus, Tournament, TournamentStatus
from arrocco.office.roles import Asker, Forbidden, Role
from arrocco.office.systems import SYSTEMS
from arrocco.report import System
from arrocco.store.sql import ledger
from arrocco.wiring.hall.sqlite_log import SqliteLog
from arrocco.wiring.office import Office, passwords
from arrocco.wiring.office.desk import operator
from arrocco.wiring.verify import verify_office
from tests.databases import *  # noqa: F403 - fixtures

MONTHS = "2"
JUNE, JULY, AUGUST = (date(2025, month, 1) for month in (6, 7, 8))
BOSS = operator(Role.RATING_ADMINISTRATOR)
_RUN = "from arrocco.cli.main import main; main()"


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the disk nor the hashing of passwords is waited for."""
    monkeypatch.setattr(os, "fsync", lambda _: None)
    weak = PasswordHasher(time_cost=1, memory_cost=64, parallelism=1)
    monkeypatch.setattr(passwords, "_HASHER", weak)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, object]]:
    """A small office, made by the program itself, and what it printed."""
    folder = tmp_path_factory.mktemp("made") / "office"
    # A database named in the environment may be that of a real office: it must not be touched.
    named = {"ARROCCO_DATABASE": "sqlite:////nowhere/real.sqlite", "PYTHONHASHSEED": "7"}
    command = ["demo", "office", "--office", str(folder), "--months", MONTHS, "--json"]
    done = subprocess.run(
        [sys.executable, "-c", _RUN, *command], env=os.environ | named, capture_output=True,
        text=True, timeout=240, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return folder, json.loads(done.stdout)


@pytest.fixture
def office(made: tuple[Path, dict[str, object]]) -> Iterator[Office]:
    with closing(reopen(made[0])) as opened:
        yield opened


def list_bytes(folder: Path) -> dict[str, bytes]:
    lists = folder / "lists"
    return {
        str(path.relative_to(lists)): path.read_bytes()
        for path in sorted(lists.rglob("*"))
        if path.is_file()
    }


def head_of(office: Office) -> tuple[int, str]:
    with office.desk.database.reading() as connection:
        last = list(ledger.read(connection))[-1]
    return last.seq, last.hash


def check_verified(office: Office, lists: int) -> None:
    found = office.lists.verify_all()
    assert [(one.system, one.list_date, one.findings) for one in found if not one.is_good] == []
    assert len(found) == lists


def tournaments(office: Office) -> list[Tournament]:
    return office.tournaments.mine(BOSS, limit=1000)[1]


# --- the lists ------------------------------------------------------------------------------------


def test_every_list_is_built_again_from_the_ledger(office: Office) -> None:
    check_verified(office, lists=11 + 13)
    days = {one.list_date for one in office.lists.published("fide")}
    assert days == {date(2025, 4, 1), date(2025, 5, 1), JUNE, JULY}


def test_the_same_seed_gives_the_same_lists_and_the_same_ledger_in_either_database(
    made: tuple[Path, dict[str, object]],
    office: Office,
    tmp_path: Path,
    postgres: object,
    quick: None,
    empty_url: object,
) -> None:
    url = empty_url("postgresql")  # type: ignore[operator]
    again = tmp_path / "again"
    make_year(again, months=int(MONTHS), database=url)
    assert list_bytes(again) == list_bytes(made[0])
    with closing(reopen(again, url)) as other:
        assert head_of(other) == head_of(office)
        check_verified(other, lists=11 + 13)


@pytest.mark.soak
def test_a_whole_year_is_built_again_and_is_the_same_again(tmp_path: Path, quick: None) -> None:
    for name in ("one", "other"):
        make_year(tmp_path / name)
    assert list_bytes(tmp_path / "one") == list_bytes(tmp_path / "other")
    with closing(reopen(tmp_path / "one")) as opened:
        check_verified(opened, lists=11 + 6 * 12 + 4)
        assert len(tournaments(opened)) > 150


def test_another_seed_gives_other_lists(tmp_path: Path, quick: None) -> None:
    """Also the shortest story there is, which ends in the second month."""
    end = make_year(tmp_path / "o", months=1, seed=2)
    assert end == date(2025, 6, 22)
    with closing(reopen(tmp_path / "o")) as opened:
        assert opened.lists.latest("fide").list_date == JUNE  # type: ignore[union-attr]
        assert "900000" in (opened.lists.folder("fide", JUNE) / "list.csv").read_text("utf-8")


# --- the stories ----------------------------------------------------------------------------------


def test_every_story_is_told(office: Office) -> None:
    statuses = {one.status for one in tournaments(office)}
    assert statuses == set(TournamentStatus)
    needed = {
        (approval.needed, approval.granted_on is not None)
        for one in tournaments(office)
        for approval in one.approvals
    }
    assert {("qc", True), ("qc", False), ("president", True), ("hybrid", False)} <= needed
    upheld = {one.appeal_upheld for one in tournaments(office)}
    assert {True, None} <= upheld
    assert System.MATCH in {one.registration.pairing for one in tournaments(office)}


def test_mistakes_are_corrected_with_the_list_that_comes_next(office: Office) -> None:
    with office.desk.database.reading() as connection:
        entries = {one.seq: one.entry for one in ledger.read(connection)}
    changes = [
        change
        for entry in entries.values()
        if isinstance(entry, Correction)
        for change in entry.changes
    ]
    assert {type(change) for change in changes} == {ResultCorrection, IdCorrection}
    june, july = (
        entry
        for entry in entries.values()
        if isinstance(entry, ListPublished) and entry.system == "fide"
    )
    assert june.corrections == ()
    assert len(july.corrections) == 2
    assert [type(entries[seq]) for seq in june.player_changes] == [PlayerChanged] * 3
    assert PlayersMerged in {type(entries[seq]) for seq in july.player_changes}
    died = [e for e in entries.values() if isinstance(e, PlayerChanged) and e.died is not None]
    assert len(died) == 1
    assert office.lists.view("fide").player(died[0].player) is None
    (merged,) = [entry for entry in entries.values() if isinstance(entry, PlayersMerged)]
    assert office.people.kept_number(merged.left) == merged.kept
    assert office.lists.view("rio-blitz", JUNE).player(merged.left) is not None
    assert office.lists.view("rio-blitz", JULY).player(merged.left) is None


def test_a_late_report_goes_on_the_list_after_the_one_it_missed(office: Office) -> None:
    with office.desk.database.reading() as connection:
        entries = [one.entry for one in ledger.read(connection)]
    late = [
        entry
        for entry in entries
        if isinstance(entry, ReportAccepted)
        and entry.lists.get("fide") == JULY
        and office.tournaments.public(entry.tournament).end < JUNE
    ]
    assert late


def test_a_long_tournament_is_reported_month_by_month(office: Office) -> None:
    (long,) = [
        one
        for one in tournaments(office)
        if one.registration.end - one.registration.start >= timedelta(days=30)
    ]
    reports = office.reports.of_tournament(BOSS, long.id)
    days = sorted(office.reports.lists(BOSS, one.id)["fide"][0] for one in reports)
    assert days == [JULY, AUGUST, AUGUST]


def test_unrated_players_get_first_ratings(office: Office) -> None:
    summary = json.loads(office.lists.publication("fide", JULY).body)
    assert summary["new"] > 0 or json.loads(office.lists.publication("fide", JUNE).body)["new"] > 0


def test_an_evening_of_the_hall_is_rated_and_its_log_is_there(office: Office) -> None:
    log = SqliteLog(office.folder / "hall.sqlite")
    state = fold([decode(line) for line in log.read(f"event:{EVENT}")])
    log.close()
    assert state.validated is not None
    (evening,) = [one for one in tournaments(office) if one.registration.name == state.created.name]
    (report,) = office.reports.of_tournament(BOSS, evening.id)
    assert report.status is ReportStatus.RATED
    assert set(office.reports.lists(BOSS, report.id)) == {"rio-blitz"}
    assert len(office.reports.read(BOSS, report.id).games) == 40


# --- what is left to do ---------------------------------------------------------------------------


def test_an_invented_office_is_whole_its_hall_included(office: Office) -> None:
    soundness = verify_office(office.folder, office.desk.database)
    assert soundness.findings == ()
    assert (soundness.events, soundness.games) == (1, 40)


def test_work_is_left_to_whoever_looks(office: Office) -> None:
    found = {
        report.status
        for one in tournaments(office)
        for report in office.reports.of_tournament(BOSS, one.id)
    }
    assert {
        ReportStatus.SENT, ReportStatus.NEEDS_ANSWERS, ReportStatus.RETURNED,
        ReportStatus.ACCEPTED, ReportStatus.RATED, ReportStatus.SUPERSEDED,
    } <= found  # fmt: skip
    (draft,) = office.lists.drafts(BOSS, "fide", AUGUST)
    assert draft.status is DraftStatus.READY
    assert not office.lists.is_behind(BOSS, draft.id)
    unusual = {one.kind for one in draft.unusual}
    assert {"jump", "everyone_gains", "far_above_expected"} <= unusual
    assert office.lists.calendar("fide")[0].upcoming.overdue is False, "its clock goes on"
    assert len(office.accounts.waiting(operator(Role.SYSTEM_ADMINISTRATOR))) == 1


def test_everybody_can_log_in_and_a_federation_sees_only_its_own(
    office: Office, made: tuple[Path, dict[str, object]]
) -> None:
    askers: dict[str, Asker] = {}
    for one in LOG_INS:
        askers[one.email] = office.accounts.asker_of(office.accounts.log_in(one.email, PASSWORD))
        assert askers[one.email].role is one.role
        assert askers[one.email].name.endswith("(demo)")
    assert {one.role for one in LOG_INS} == set(Role) - {Role.PUBLIC}
    told = made[1]["accounts"]
    assert isinstance(told, list)
    assert {one["email"] for one in told} == set(askers)
    theirs = next(one for one in tournaments(office) if one.registration.federation == "ITA")
    assert office.tournaments.get(askers["ita@demo.example"], theirs.id) == theirs
    with pytest.raises(Forbidden):
        office.tournaments.get(askers["smr@demo.example"], theirs.id)


# --- the commands ---------------------------------------------------------------------------------


def test_the_glance_counts_what_is_there(
    office: Office, made: tuple[Path, dict[str, object]]
) -> None:
    glance = glance_at(office)
    assert [one.system for one in glance.systems] == list(SYSTEMS)
    for one in glance.systems:
        assert one.imported + one.published == len(office.lists.published(one.system))
    assert sum(one.corrections for one in glance.systems) >= 2
    assert (glance.merged, glance.changed) == (1, 3)
    assert made[1]["reports_to_decide"] == glance.status.reports_to_decide == 4
    assert made[1]["ends"] == "2025-07-22"


@pytest.mark.parametrize(("language", "word"), [("en", "not empty"), ("it", "non è vuota")])
def test_a_folder_that_is_not_empty_is_left_alone(tmp_path: Path, language: str, word: str) -> None:
    (tmp_path / "kept.txt").write_text("mine")
    args = ["demo", "office", "--office", str(tmp_path), "--lang", language]
    result = CliRunner().invoke(program, args)
    assert result.exit_code == 1
    assert word in result.output
    assert [path.name for path in tmp_path.iterdir()] == ["kept.txt"]


def test_an_office_that_is_not_invented_is_not_opened(tmp_path: Path) -> None:
    Office.open(tmp_path / "real").close()
    for folder in (tmp_path / "real", tmp_path / "nothing"):
        with pytest.raises(Inconsistent, match="not an invented office"):
            reopen(folder)
    assert not (tmp_path / "nothing").exists()


def test_what_is_stopped_leaves_no_half_of_an_office(tmp_path: Path, quick: None) -> None:
    def stop(system: str, day: date) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        make_year(tmp_path / "o", months=1, progress=stop)
    assert list(tmp_path.iterdir()) == []


def test_lists_tell_of_births_only_the_year(made: tuple[Path, dict[str, object]]) -> None:
    lists = sorted((made[0] / "lists").glob("*/*/list.parquet"))
    assert lists
    for path in lists:
        births = pq.read_table(path, columns=["birth"])["birth"].to_pylist()
        assert any(births)
        assert not any(birth % 10_000 for birth in births if birth)
