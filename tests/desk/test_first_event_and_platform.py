"""FIDE 8.2.1 and RIO 14.1 on every road: calculator, check, one report, a period, the office."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from arrocco.desk import Office
from arrocco.desk.desk import operator
from arrocco.desk.report_checks import Checker
from arrocco.formats.lists import read_list
from arrocco.formats.trf import read_report
from arrocco.office.roles import Role
from arrocco.records.report import Facts, Report
from tests.cli.tournaments import player_id, report, run, run_json, write_list, write_report
from tests.desk.offices import Clock, accepted, data_of, people_of, published, registration_of

MAY, JUNE = date(2025, 5, 1), date(2025, 6, 1)


@pytest.mark.parametrize(("way", "initial"), [("against_rated", None), ("whole_event", 1491)])
def test_8_2_1_zero_against_rated_opponents_and_a_point_against_an_unrated_one(
    tmp_path: Path, small_office: Office, clock: Clock, way: str, initial: int | None
) -> None:
    """By default the first event is ignored; over all games of the event it is not, and counts.

    Ra is (5 * 1800 + 2 * 1800) / 7 = 1800, p is 1 / 7 = .14, dp is -309.
    """
    lost = [(n, 1, n + 1, "0") for n in range(1, 6)]
    made = report([None, *[1800] * 5, None], [*lost, (6, 1, 7, "1")], start=date(2025, 5, 10))
    made.round_dates = (date(2025, 5, 10),) * 3 + (date(2025, 5, 11),) * 3
    lists = tmp_path / "lists"
    lists.mkdir()
    listed = write_list(lists, [(player_id(n), 1800, 20) for n in range(2, 7)], f"{MAY}.csv")
    file, reading = write_report(tmp_path, made), ("--reading", f"zero_first_event={way}")
    expected = [(initial is not None, 1491)]

    calc = ("calc", "initial", "--law", "fide", "--on", "2025-05-10", *reading, "--json", "--")
    told = json.loads(run(*calc, *["1800:0"] * 5, "-:1").stdout)
    assert [(told["publishable"], told["initial"])] == expected
    assert ("first_event_ignored" in told["reasons"]) is (initial is None)

    record = run_json("report", "rate", file, "--law", "fide", "--list", listed, *reading)
    found = {player["id"]: player for player in record["initial"]}
    assert (player_id(1) in found and found[player_id(1)]["publishable"]) is (initial is not None)

    where = ("--lists", str(lists), "--reports", file, "--out", str(tmp_path / "out"))
    run_json("period", "rate", "--law", "fide", "--period", "2025-05", *where, *reading)
    after = read_list(tmp_path / "out" / f"{JUNE}" / "list.parquet")[0].player(player_id(1))
    assert (None if after is None else after.rating) == initial

    office, people = small_office, people_of(small_office)
    office.lists.import_list(people.administrator, "fide", MAY, Path(listed))
    if way == "whole_event":
        head = operator(Role.HEAD_OF_OFFICE)
        office.readings.choose(head, "fide", "zero_first_event", way, JUNE, "the board")
    accepted(office, clock, people, made, ("fide",))
    clock.go_to(JUNE)
    published(office, people, "fide", JUNE)
    player = read_list(office.lists.folder("fide", JUNE) / "list.parquet")[0].player(player_id(1))
    assert (None if player is None else player.rating) == initial


def errors_of(record: Any) -> set[str]:
    return {each["key"] for each in record["findings"] if each["severity"] == "error"}


@pytest.mark.parametrize(
    ("online", "is_member", "error"),
    [
        (True, True, set()),
        (False, True, {"check.not_online"}),
        (True, False, {"check.member_unknown"}),
        (False, False, {"check.not_online", "check.member_unknown"}),
    ],
)
def test_rio_14_1_platform_and_members_are_asked_on_every_road(
    tmp_path: Path,
    small_office: Office,
    clock: Clock,
    online: bool,
    is_member: bool,
    error: set[str],
) -> None:
    """A report file does not say where it was played: it is told, never taken for granted."""
    made = report([1500, 1500], [(1, 1, 2, "1")], start=date(2025, 5, 10), control="3'+2\"")
    made.round_dates = (date(2025, 5, 10),)
    if not is_member:
        made.entries[1].id = None
    lists = tmp_path / "lists"
    lists.mkdir()
    rows = [(player_id(n), 1500) for n in (1, 2)]
    listed, file = write_list(lists, rows, f"{MAY}.csv"), write_report(tmp_path, made)
    told = ("--online",) if online else ()
    ask = ("--law", "rio", *told)

    status = 1 if error else 0
    (checked,) = run_json("report", "check", file, *ask, status=status)["files"]
    assert errors_of(checked) == error
    rated = run_json("report", "rate", file, *ask, "--list", listed, status=status)
    assert errors_of(rated) == error
    out = ("--lists", str(lists), "--reports", file, "--out", str(tmp_path / "out"))
    month = ("--kind", "blitz", "--period", "2025-05", *out)
    record = run_json("period", "rate", *ask, *month, status=3 if error else 0)
    left = [each for item in record["left_out"] for each in item["errors"]]
    assert {each["key"] for each in left} == error

    assert office_errors(small_office, clock, made, online=online) == error


def office_errors(office: Office, clock: Clock, made: Report, *, online: bool) -> set[str]:
    """What stops a report in the office, registered as online or not."""
    people = people_of(office)
    clock.go_to(date(2025, 4, 20))
    registration = registration_of(made, ("rio-blitz",), online=online)
    (assessed,) = office.tournaments.assess(registration)
    assert assessed.can_be_rated is online
    if not online:  # nothing that cannot be rated is registered: it is as one that changed since
        registration = replace(registration, facts=Facts(online=True))
    number = office.tournaments.register(people.arbiter, registration).id
    clock.go_to(date(2025, 5, 12))
    tournament = office.tournaments.get(people.arbiter, number)
    if not online:
        changed = replace(tournament.registration, facts=Facts())
        tournament = replace(tournament, registration=changed)
    read, reading = read_report(data_of(made), "t.trf")
    with office.desk.database.reading() as connection:
        found = Checker(office.desk).check_read(
            connection, tournament, read, reading, clock().date()
        )
    return {
        finding.key
        for findings in found.findings.values()
        for finding in findings
        if finding.is_error
    }
