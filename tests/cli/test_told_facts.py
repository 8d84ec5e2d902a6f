"""FIDE 2024 7.1.3; 2010 4.11, 6.33, 7.13 — what no file says can be told on the command line."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest

from arrocco.formats.trf import from_report
from arrocco.laws.systems import system_named
from arrocco.office.cutoff import list_for
from arrocco.records.report import System
from tests.cli.months import rate, tournament, write_month
from tests.cli.tournaments import report, run


def test_7_1_3_a_period_without_reports_makes_the_next_list(tmp_path: Path) -> None:
    folder = write_month(tmp_path)
    result = run(
        *"period rate --law fide --period 2024-05 --lists".split(),
        str(folder / "lists"),
        "--out",
        str(folder / "out"),
        "--json",
    )
    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout)
    assert told["list"] == "2024-06-01"
    assert (folder / "out" / "2024-06-01").is_dir()


def test_7_1_3_an_official_event_may_end_on_the_eve_of_the_list(tmp_path: Path) -> None:
    folder = write_month(tmp_path)
    made = tournament("late", date(2024, 5, 26))
    made.end = date(2024, 5, 31)
    (folder / "late.trf").write_bytes(from_report(made, "trf26"))
    plain = rate(folder, "2024-05", "late.trf", "--json")
    summary = json.loads((plain / "summary.json").read_text())
    other = tmp_path / "other"
    other.mkdir()
    folder = write_month(other)
    (folder / "late.trf").write_bytes(from_report(made, "trf26"))
    official = rate(folder, "2024-05", "late.trf", "--fact", "official@late.trf", "--json")
    counted = json.loads((official / "summary.json").read_text())
    assert summary != counted


@pytest.mark.parametrize(
    ("told", "is_error"), [((), True), (("--fact", "national_championship"), False)]
)
def test_2010_6_33_a_national_championship(
    tmp_path: Path, told: tuple[str, ...], is_error: bool
) -> None:
    ratings = [2000, 1990, 1980, *[None] * 9]
    numbers = range(1, 13)
    pairings = [(1, a, b, "1") for a in numbers for b in numbers if a < b]
    ring = list(numbers)
    rounds = []
    for round_ in range(1, 12):
        rounds += [(round_, ring[n], ring[-1 - n], "1") for n in range(6)]
        ring = [ring[0], ring[-1], *ring[1:-1]]
    assert len(rounds) == len(pairings)
    made = report(ratings, rounds, start=date(2012, 3, 1), system=System.ROUND_ROBIN)
    file = tmp_path / "championship.trf"
    file.write_bytes(from_report(made, "trf26"))
    result = run("report", "check", str(file), "--law", "fide", "--json", *told)
    keys = {one["key"] for one in json.loads(result.stdout)["files"][0]["findings"]}
    assert any(key.startswith("check.round_robin.") for key in keys) is is_error


@pytest.mark.parametrize(("told", "is_error"), [((), True), (("--fact", "league"), False)])
def test_2010_4_11_a_league_may_last_longer(
    tmp_path: Path, told: tuple[str, ...], is_error: bool
) -> None:
    made = report(
        [2000, 1990, 1980, 1970], [(1, 1, 2, "1"), (1, 3, 4, "1")], start=date(2012, 3, 1)
    )
    made.end = date(2012, 7, 1)
    file = tmp_path / "league.trf"
    file.write_bytes(from_report(made, "trf26"))
    result = run("report", "check", str(file), "--law", "fide", "--json", *told)
    keys = {one["key"] for one in json.loads(result.stdout)["files"][0]["findings"]}
    assert ("check.too_long" in keys) is is_error


def test_2010_4_12_an_approved_length_is_waived_with_its_reason(tmp_path: Path) -> None:
    """The approval of the QC Chairman is no fact of the tournament: it is told with its reason."""
    made = report([2000, 1990], [(1, 1, 2, "1")], start=date(2012, 3, 1), system=System.SWISS)
    made.end = date(2012, 7, 1)
    file = tmp_path / "long.trf"
    file.write_bytes(from_report(made, "trf26"))
    ask = ("report", "rate", str(file), "--law", "fide", "--json")
    refused = run(*ask)
    assert refused.exit_code == 1
    found = json.loads(refused.stdout)["findings"]
    assert [(f["key"], f["article"]) for f in found if f["severity"] == "error"] == [
        ("check.too_long", "4.1")
    ]
    rated = run(*ask, "--waive", "check.too_long", "--reason", "QC Chairman, 3 January 2012")
    assert rated.exit_code == 0, rated.output
    assert json.loads(rated.stdout)["waived"][0]["reason"] == "QC Chairman, 3 January 2012"


@pytest.mark.parametrize(("met", "is_ignored"), [((2, 3, 4), False), ((2, 3, 2), True)])
def test_2010_8_21_opponents_are_counted_in_check_rate_and_period_alike(
    tmp_path: Path, met: tuple[int, ...], is_ignored: bool
) -> None:
    """Three games and a win, against three rated opponents or twice against one of two."""
    games = [(n, 1, number, "1") for n, number in enumerate(met, start=1)]
    made = report([None, 2000, 2000, 2000], games, start=date(2012, 3, 10))
    file, lists = tmp_path / "open.trf", tmp_path / "lists"
    lists.mkdir()
    file.write_bytes(from_report(made, "trf26"))
    listed = lists / "2012-03-01.csv"
    rows = [f"{entry.id},{entry.number},{entry.rating}\n" for entry in made.entries[1:]]
    listed.write_text("id,name,rating\n" + "".join(rows))
    law = ("--law", "fide", "--json")

    checked = json.loads(run("report", "check", str(file), "--list", str(listed), *law).stdout)
    keys = {one["key"] for one in checked["files"][0]["findings"]}
    assert ("check.first_event_ignored" in keys) is is_ignored

    rated = json.loads(run("report", "rate", str(file), "--list", str(listed), *law).stdout)
    pooled = {one["id"]: one["n"] for one in rated["initial"]}
    assert (made.entries[0].id in pooled and pooled[made.entries[0].id] == 3) is not is_ignored

    out = ("--reports", str(file), "--out", str(tmp_path / "out"))
    period = run("period", "rate", "--period", "2012-03", "--lists", str(lists), *out, *law)
    assert period.exit_code == 0, period.output
    assert json.loads(period.stdout)["in_pools"] == (0 if is_ignored else 1)


@pytest.mark.parametrize(
    ("told", "is_rated"), [((), False), (("--fact", "world_team_event"), True)]
)
def test_2010_7_14f_seven_games_of_a_world_team_event_are_enough(
    tmp_path: Path, told: tuple[str, ...], is_rated: bool
) -> None:
    ratings = [None, *[2000] * 7]
    games = [(n, 1, n + 1, "1" if n < 4 else "0") for n in range(1, 8)]
    made = report(ratings, games, start=date(2012, 3, 1), system=System.TEAM)
    file, listed = tmp_path / "olympiad.trf", tmp_path / "list.csv"
    file.write_bytes(from_report(made, "trf26"))
    rows = [f"{entry.id},{entry.number},{entry.rating}\n" for entry in made.entries[1:]]
    listed.write_text("id,name,rating\n" + "".join(rows))
    args = ("report", "rate", str(file), "--law", "fide", "--list", str(listed), "--json", *told)
    result = run(*args)
    assert result.exit_code == 0, result.output
    (found,) = [
        one for one in json.loads(result.stdout)["initial"] if one["id"] == made.entries[0].id
    ]
    assert found["publishable"] is is_rated


def test_2010_8_23_the_receipt_names_the_bonus(tmp_path: Path) -> None:
    games = [(n, 1, n + 1, "1" if n < 7 else "0") for n in range(1, 10)]
    made = report([None, *[2000] * 9], games, start=date(2012, 3, 1))
    file, listed = tmp_path / "open.trf", tmp_path / "list.csv"
    file.write_bytes(from_report(made, "trf26"))
    rows = [f"{entry.id},{entry.number},{entry.rating}\n" for entry in made.entries[1:]]
    listed.write_text("id,name,rating\n" + "".join(rows))
    player = str(made.entries[0].id)
    result = run(
        "report", "explain", str(file), "--law", "fide", "--list", str(listed), "--player", player
    )
    assert result.exit_code == 0, result.output
    bonus = next(line for line in result.stdout.splitlines() if "the bonus is" in line)
    assert "8.23" in bonus
    assert "6" in bonus


def test_an_unknown_fact_is_refused() -> None:
    result = run("report", "check", "x.trf", "--law", "fide", "--fact", "unheard_of")
    assert result.exit_code == 2


def test_2010_7_13_an_event_of_2011_goes_to_a_list_of_2011() -> None:
    system = system_named("fide")
    end = date(2011, 9, 20)
    found = list_for(system.edition_on(end), system, end, date(2026, 3, 1), latest=date(2011, 9, 1))
    assert found == date(2011, 11, 1)
