"""An invented year of an office: its lists follow from the ledger, its stories are all told."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from argon2 import PasswordHasher
from click.testing import CliRunner
from msgspec.structs import replace
from websockets.asyncio.client import connect

from arrocco.cli.main import program
from arrocco.demo.event.site import Clock, Site, serving
from arrocco.demo.living.cast import PLAYERS, cast_of
from arrocco.demo.living.course import Pace, play_event
from arrocco.demo.year import LOG_INS, PASSWORD, make_year, overview_of, reopen
from arrocco.demo.year.hall_evening import EVENT
from arrocco.desk import Office, passwords
from arrocco.desk.desk import operator
from arrocco.desk.ledger_copy import LedgerCopy
from arrocco.desk.ledger_sources import FolderSource
from arrocco.desk.ledger_verification import LedgerCheck
from arrocco.errors import Inconsistent
from arrocco.hall.event import State, fold
from arrocco.hall.event.filings import money_of
from arrocco.hall.event.log import decode
from arrocco.hall.event.prizes import payments
from arrocco.laws.online.filings import FeeOutcome
from arrocco.laws.systems import SYSTEMS
from arrocco.live.event_room import EventRoom
from arrocco.live.server_time import NS_PER_MS, as_moment
from arrocco.live.sqlite_log import SqliteLog
from arrocco.office.cases.case import CaseState
from arrocco.office.ledger import (
    Annulment,
    Correction,
    DecidedResult,
    GameExclusion,
    HeadSigned,
    IdCorrection,
    ListPublished,
    OfficeKey,
    PlayerChanged,
    PlayersMerged,
    ReportAccepted,
    ResultCorrection,
)
from arrocco.office.new_players import FIRST_OWN
from arrocco.office.records import DraftStatus, ReportStatus, Tournament, TournamentStatus
from arrocco.office.roles import Asker, Forbidden, Role
from arrocco.operation.verify import verify_office
from arrocco.records.report import System
from arrocco.store.hall_file import hall_file
from arrocco.store.sql import committee_cases, ledger
from arrocco.video.stream import unframed
from arrocco.words import LANGUAGES
from tests.databases import *  # noqa: F403 - fixtures
from tests.made_once import made_once

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
    once = made_once(tmp_path_factory, "year", _make)
    folder = tmp_path_factory.mktemp("made") / "office"
    shutil.copytree(once / "office", folder)
    return folder, json.loads((once / "printed.json").read_text("utf-8"))


def _make(folder: Path) -> None:
    # A database named in the environment may be that of a real office: it must not be touched.
    named = {"ARROCCO_DATABASE": "sqlite:////nowhere/real.sqlite", "PYTHONHASHSEED": "7"}
    command = ["demo", "office", "--office", str(folder / "office"), "--months", MONTHS, "--json"]
    done = subprocess.run(
        [sys.executable, "-c", _RUN, *command],
        env=os.environ | named,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    (folder / "printed.json").write_text(done.stdout, "utf-8")


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


def entries_of(office: Office) -> list[tuple[int, object]]:
    """What was entered; each office has a key of its own, and signs with it."""
    with office.desk.database.reading() as connection:
        return [
            (one.seq, one.entry)
            for one in ledger.read(connection)
            if not isinstance(one.entry, OfficeKey | HeadSigned)
        ]


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


@pytest.mark.soak
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
        assert entries_of(other) == entries_of(office)
        check_verified(other, lists=11 + 13)


@pytest.mark.soak
def test_a_whole_year_is_built_again_and_is_the_same_again(tmp_path: Path, quick: None) -> None:
    for name in ("one", "other"):
        make_year(tmp_path / name)
    assert list_bytes(tmp_path / "one") == list_bytes(tmp_path / "other")
    with closing(reopen(tmp_path / "one")) as opened:
        check_verified(opened, lists=11 + 6 * 12 + 4)
        assert len(tournaments(opened)) > 150
        check_taken_back(opened)


def check_taken_back(office: Office) -> None:
    """9.1, 0.4, 5.1 — sent again, refused, annulled, amended, and one game excluded."""
    every = tournaments(office)
    sent = {one.id: office.reports.of_tournament(BOSS, one.id) for one in every}
    twice = [
        same
        for reports in sent.values()
        for first in reports
        if first.status is ReportStatus.SUPERSEDED
        for same in reports
        if same.status is ReportStatus.RATED and same.tournament == first.tournament
    ]
    assert twice, "a report that was sent again counts once"
    withdrawn = {
        number
        for number, reports in sent.items()
        if {one.status for one in reports} == {ReportStatus.WITHDRAWN}
    }
    assert withdrawn, "one was refused when its report was accepted"
    assert not [list_ for number in withdrawn for list_ in office.tournaments.public(number).rated]
    refused = {one.id for one in every if one.status is TournamentStatus.REFUSED}
    annulled = {
        number
        for number, reports in sent.items()
        if ReportStatus.ANNULLED in {one.status for one in reports}
    }
    assert annulled < refused, "some were refused before their games were on a list"
    assert [one for one in every if one.amendments]
    with office.desk.database.reading() as connection:
        entries = [one.entry for one in ledger.read(connection)]
    changes = {
        type(change) for one in entries if isinstance(one, Correction) for change in one.changes
    }
    assert {Annulment, GameExclusion} <= changes


def test_another_seed_gives_other_lists(tmp_path: Path, quick: None) -> None:
    """Also the shortest story there is, which ends in the second month."""
    end = make_year(tmp_path / "o", months=1, seed=2)
    assert end == date(2025, 6, 22)
    with closing(reopen(tmp_path / "o")) as opened:
        assert opened.lists.latest("fide").list_date == JUNE  # type: ignore[union-attr]
        assert "900000" in (opened.lists.folder("fide", JUNE) / "list.csv").read_text("utf-8")


# --- the stories ----------------------------------------------------------------------------------


def test_every_story_is_told(office: Office) -> None:
    statuses = {tournament.status for tournament in tournaments(office)}
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


def test_a_registration_was_amended_and_a_new_player_got_a_number(office: Office) -> None:
    (amended,) = [tournament for tournament in tournaments(office) if tournament.amendments]
    before = amended.amendments[0].before
    assert len(amended.registration.schedule) == len(before.schedule) + 1
    created = office.numbers.created(FIRST_OWN)
    assert created is not None
    assert (created.name, created.birth) == ("Primavera, Novella", "2009")
    assert created.sex == "F"
    assert created.report
    assert office.people.on_lists(FIRST_OWN)


def test_every_list_is_signed_and_an_outsider_finds_all_as_published(
    office: Office, tmp_path: Path
) -> None:
    LedgerCopy(office.desk).write(tmp_path / "copy")
    found = LedgerCheck(FolderSource(tmp_path / "copy")).run()
    assert found.findings == ()
    assert {listed.signature for listed in found.lists} == {"signed"}
    assert len(found.lists) == 11 + 13


def test_mistakes_are_corrected_with_the_list_that_comes_next(office: Office) -> None:
    with office.desk.database.reading() as connection:
        entries = {one.seq: one.entry for one in ledger.read(connection)}
    changes = [
        change
        for entry in entries.values()
        if isinstance(entry, Correction)
        for change in entry.changes
    ]
    assert {type(change) for change in changes} == {
        ResultCorrection,
        IdCorrection,
        DecidedResult,
    }
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
        tournament
        for tournament in tournaments(office)
        if tournament.registration.end - tournament.registration.start >= timedelta(days=30)
    ]
    reports = office.reports.of_tournament(BOSS, long.id)
    days = sorted(office.reports.lists(BOSS, one.id)["fide"][0] for one in reports)
    # 7.1.3: the part of June ends with its last round, on the 29th, after July's list closed.
    assert days == [JUNE, AUGUST, AUGUST]
    findings = [finding for report in reports for finding in report.findings]
    assert [one.key for one in findings if one.severity == "warning"] == []
    assert sum(one.key == "office.interim_report" for one in findings) == 3


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


def test_12_9_the_evening_has_a_complaint_and_an_appeal_until_it_is_official(
    office: Office,
) -> None:
    log = SqliteLog(office.folder / "hall.sqlite")
    state = fold(decode(line) for line in log.read(f"event:{EVENT}"))
    log.close()
    complaint, appeal = state.filings
    assert (complaint.kind.value, complaint.is_upheld) == ("complaint", False)
    assert (appeal.kind.value, appeal.is_upheld) == ("appeal", True)
    money = money_of(appeal, state.laws.online)
    assert (money.fee, money.outcome) == (100, FeeOutcome.REFUNDED)
    assert appeal.receipt is not None
    assert office.filing_papers.read(appeal.receipt).startswith(b"%PDF-")
    assert state.announced is not None
    assert sum(cents for _, cents in payments(state)) > 0


def test_12_13_the_evening_has_a_case_that_corrects_the_published_list(office: Office) -> None:
    log = SqliteLog(office.folder / "hall.sqlite")
    state = fold(decode(line) for line in log.read(f"event:{EVENT}"))
    log.close()
    with office.desk.database.reading() as connection:
        (case,) = committee_cases.every(connection)
        entry = ledger.get(connection, case.corrections[0].correction)
    assert entry is not None
    law = state.laws.online
    decision = case.decision(law)
    assert decision is not None
    assert decision.chief is not None, "13.3: two signatures"
    assert case.state(law) is CaseState.CLOSED
    assert [one.article for one in state.sanctions if one.article.startswith("13")] == ["13.5d"]
    correction = entry.entry
    assert isinstance(correction, Correction)
    (change,) = correction.changes
    assert isinstance(change, DecidedResult)
    assert change.article == "13.3"
    out, is_out = office.reports.lists(BOSS, correction.report)["rio-blitz"]
    assert is_out
    assert entry.at.date() > out, "the list was published when the case was decided"
    published = [one.list_date for one in office.lists.published("rio-blitz")]
    assert any(day > entry.at.date() for day in published), "a list has the correction"


def test_an_invented_office_is_whole_its_hall_included(office: Office) -> None:
    soundness = verify_office(office.folder, office.desk.database)
    assert soundness.findings == ()
    assert (soundness.events, soundness.games) == (1, 40)


def test_the_office_is_that_of_a_federation_with_a_name_a_crest_and_a_colour(
    office: Office,
) -> None:
    names = {language: office.settings.identity(language).name for language in LANGUAGES}
    assert len(set(names.values())) == len(LANGUAGES)
    identity = office.settings.identity("it")
    picture = office.settings.crest(identity.crest)
    assert picture is not None
    assert picture.startswith(b"\x89PNG")
    assert identity.colour_url


def test_work_is_left_to_whoever_looks(office: Office) -> None:
    found = {
        report.status
        for tournament in tournaments(office)
        for report in office.reports.of_tournament(BOSS, tournament.id)
    }
    assert {
        ReportStatus.SENT,
        ReportStatus.NEEDS_ANSWERS,
        ReportStatus.RETURNED,
        ReportStatus.ACCEPTED,
        ReportStatus.RATED,
        ReportStatus.SUPERSEDED,
    } <= found
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
    overview = overview_of(office)
    assert [one.system for one in overview.systems] == list(SYSTEMS)
    for system in overview.systems:
        assert system.imported + system.published == len(office.lists.published(system.system))
    assert sum(one.corrections for one in overview.systems) >= 2
    assert (overview.merged, overview.changed) == (1, 3)
    assert made[1]["reports_to_decide"] == overview.status.reports_to_decide == 4
    assert made[1]["ends"] == "2025-07-22"


@pytest.mark.parametrize(("language", "word"), [("en", "not empty"), ("it", "non è vuota")])
def test_a_folder_that_is_not_empty_is_left_alone(tmp_path: Path, language: str, word: str) -> None:
    (tmp_path / "kept.txt").write_text("mine")
    args = ["demo", "office", "--office", str(tmp_path), "--lang", language]
    result = CliRunner().invoke(program, args)
    assert result.exit_code == 1
    assert word in result.output
    assert [path.name for path in tmp_path.iterdir()] == ["kept.txt"]


def test_the_time_goes_on_where_office_and_hall_were_left(
    made: tuple[Path, dict[str, object]], tmp_path: Path
) -> None:
    folder = tmp_path / "office"
    shutil.copytree(made[0], folder)
    with closing(reopen(folder)) as opened:
        before = opened.desk.now()
    later = before + timedelta(hours=2)
    with closing(sqlite3.connect(hall_file(folder))) as connection, connection:
        record = json.dumps({"type": "started", "at": int(later.timestamp() * 1000)})
        row = ("game:x-1-1", 0, record, "event:x", 1, "", "h")
        connection.execute("INSERT INTO hall_log VALUES (?, ?, ?, ?, ?, ?, ?)", row)
        receipt = ("receipts:x", 0, json.dumps(["6", "m18", "b392"]), "event:x", 2, "h", "i")
        connection.execute("INSERT INTO hall_log VALUES (?, ?, ?, ?, ?, ?, ?)", receipt)
        head = ("game:x-1-1", 0, "event:x", 1, "h")
        connection.execute("INSERT OR REPLACE INTO hall_heads VALUES (?, ?, ?, ?, ?)", head)
    with closing(reopen(folder)) as opened:
        assert timedelta() <= opened.desk.now() - later < timedelta(minutes=5)


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


@dataclass
class Seen:
    """What an arbiter saw of the players: a still of each, and whatever was missing."""

    stills: dict[int, bytes] = field(default_factory=dict)
    problems: set[str] = field(default_factory=set)


async def look_on(site: Site, token: str, seen: Seen) -> None:
    """The visitor's arbiter, as soon as the event is there and they are appointed."""
    while not any(room.state.entries for room in site.hall.events.values() if is_live(room)):
        await asyncio.sleep(0.05)
    event = next(room.id for room in site.hall.events.values() if is_live(room))
    async with connect(
        site.socket.replace("/hall/", "/video/"),
        additional_headers={"Cookie": f"arrocco_session={token}"},
        origin=site.origin,  # type: ignore[arg-type]
    ) as page:
        await page.send(json.dumps({"type": "follow", "event": event}))
        async for data in page:
            if isinstance(data, bytes):
                sent = unframed(data)
                seen.stills[json.loads(sent.header)["entry"]] = bytes(sent.body)
            elif (message := json.loads(data))["type"] == "present":
                seen.problems |= {
                    one for player in message["players"] for one in player["problems"]
                }


def is_live(room: EventRoom) -> bool:
    return room.id.startswith("live-")


def test_the_living_hall_plays_an_event_with_a_seat_and_calls_for_visitors(
    made: tuple[Path, dict[str, object]], tmp_path: Path
) -> None:
    """Nobody sits at the visitor's seat or answers calls here: the event goes on all the same."""
    folder = tmp_path / "office"
    shutil.copytree(made[0], folder)
    pace = Pace(
        rounds=2,
        tolerance=timedelta(seconds=2),
        before_round=0.1,
        after_round=0.1,
        call_waits=0.2,
        thinking=(20, 40),
        covered=(5, 2),
    )
    with closing(reopen(folder)) as opened:
        clock = Clock()

        async def play() -> tuple[State, Seen]:
            async with serving(opened, clock) as site, asyncio.TaskGroup() as together:
                ahead = as_moment(opened.desk.now()) * NS_PER_MS - time.monotonic_ns()
                cast = replace(cast_of(opened, site.origin), ahead=ahead)
                seen = Seen()
                looking = together.create_task(look_on(site, cast.assistant.token, seen))
                room = await site.hall.find_event(await play_event(cast, pace, 0))
                looking.cancel()
                assert room is not None
                return room.state, seen

        state, seen = asyncio.run(play())
    assert state.closed is not None
    assert len(state.entries) == PLAYERS + 1
    assert [len(round_.boards) for round_ in state.rounds] == [6, 6]  # the visitor in each of them
    assert [arbiter.name for arbiter in state.arbiters if not arbiter.chief]
    # 12.3, 9.1: all but the visitor consent, and the visitor's arbiter sees each of them.
    everybody = set(range(2, PLAYERS + 2))
    assert state.consents == everybody
    assert set(seen.stills) == everybody
    assert all(still.startswith(b"RIFF") for still in seen.stills.values())
    assert {"black", "second_monitor"} <= seen.problems
