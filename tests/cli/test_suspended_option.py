"""FIDE 2024 10.1, rapid 9.1, 2010 13.1 — suspended federations are marked on the command line."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from arrocco.records.report import Report
from tests.cli.months import PAIRINGS, RATINGS, write_month
from tests.cli.tournaments import rate, report, run, run_json, write_report

ON_THESE_DAYS = "XIN=2024-05-01..2024-05-31"
PLAYERS, TOURNAMENT = "office.players_suspended", "office.tournament_suspended"


@pytest.fixture(autouse=True)
def _english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARROCCO_LANG", "en")


def with_guest(start: date = date(2024, 5, 10), **more: Any) -> Report:
    """A tournament with one player of a federation that nobody has."""
    made = report(RATINGS, PAIRINGS, start=start, **more)
    made.entries[2].federation = "XIN"
    return made


def suspended(record: Any) -> list[tuple[str, str, str]]:
    return [
        (one["key"], one["article"], one["severity"])
        for one in record["findings"]
        if one["key"] in (PLAYERS, TOURNAMENT)
    ]


def checked(file: str, *more: str, law: str = "fide") -> list[tuple[str, str, str]]:
    (found,) = run_json("report", "check", file, "--law", law, *more)["files"]
    return suspended(found)


@pytest.mark.parametrize(
    ("told", "is_found"),
    [
        (ON_THESE_DAYS, True),
        ("xin=2024-05-01..", True),
        ("XIN=2024-01-01..2024-05-09", False),
        ("XIN=2024-05-10..2024-05-10", True),
        ("XIN=2024-06-01..", False),
        ("ZZZ=2024-05-01..", False),
    ],
)
def test_10_1_on_its_days_check_and_rate_tell_of_it(
    tmp_path: Path, told: str, is_found: bool
) -> None:
    file = write_report(tmp_path, with_guest())
    expected = [(PLAYERS, "10.1", "warning")] if is_found else []
    assert checked(file, "--suspended", told) == expected
    assert suspended(rate(file, "--suspended", told)) == expected


def test_10_1_it_changes_no_figure(tmp_path: Path) -> None:
    file = write_report(tmp_path, with_guest())
    assert rate(file, "--suspended", ON_THESE_DAYS)["players"] == rate(file)["players"]


def test_10_1_a_tournament_of_a_suspended_federation(tmp_path: Path) -> None:
    file = write_report(tmp_path, replace(report(RATINGS, PAIRINGS), federation="XIN"))
    expected = [(TOURNAMENT, "10.1", "warning")]
    assert checked(file, "--suspended", ON_THESE_DAYS) == expected
    assert suspended(rate(file, "--suspended", ON_THESE_DAYS)) == expected


def test_9_1_of_rapid_and_13_1_of_2010(tmp_path: Path) -> None:
    rapid = write_report(tmp_path, with_guest(control="15'+10\""), "rapid.trf")
    assert checked(rapid, "--suspended", ON_THESE_DAYS, law="fide-rapid") == [
        (PLAYERS, "9.1", "warning")
    ]
    old = write_report(tmp_path, with_guest(date(2012, 8, 10)), "old.trf")
    assert checked(old, "--suspended", "XIN=2012-01-01..") == [(PLAYERS, "13.1", "warning")]


class TestPeriod:
    @pytest.fixture
    def month(self, tmp_path: Path) -> Path:
        folder = write_month(tmp_path)
        (folder / "reports").mkdir()
        plain = report(RATINGS, PAIRINGS, start=date(2024, 5, 17), name="Torneo senza")
        write_report(folder / "reports", with_guest(name="Torneo con"), "guest.trf")
        write_report(folder / "reports", plain, "plain.trf")
        return folder

    def period(self, month: Path, out: str, *more: str) -> list[str]:
        return [
            *"period rate --law fide --period 2024-05 --workers 1 --lists".split(),
            str(month / "lists"),
            "--reports",
            str(month / "reports"),
            "--out",
            str(month / out),
            *more,
        ]

    def test_10_1_a_period_names_the_reports_that_touch_it(self, month: Path) -> None:
        record = run_json(*self.period(month, "out", "--suspended", ON_THESE_DAYS))
        assert record["reports"] == 2
        assert suspended(record) == [(PLAYERS, "10.1", "warning")]
        (one,) = [one for one in record["findings"] if one["key"] == PLAYERS]
        assert Path(one["file"]).name == "guest.trf"
        run_json(*self.period(month, "before"))
        lists = [(month / out / "2024-06-01" / "list.parquet") for out in ("out", "before")]
        assert lists[0].read_bytes() == lists[1].read_bytes()

    def test_10_1_it_is_told_to_people_too(self, month: Path) -> None:
        told = self.period(month, "out", "--suspended", ON_THESE_DAYS)
        result = run(*told)
        assert result.exit_code == 0
        assert "the federation XIN is suspended" in result.output
        assert "guest.trf" in result.output

    def test_10_1_other_days_touch_nothing(self, month: Path) -> None:
        told = self.period(month, "out", "--suspended", "XIN=2024-01-01..2024-04-30")
        assert suspended(run_json(*told)) == []


@pytest.mark.parametrize(
    ("told", "words"),
    [
        ("XIN", "CODE=FROM..[TO]"),
        ("XIN=2024-05-01", "CODE=FROM..[TO]"),
        ("XIN=May..", "May"),
        ("XI=2024-05-01..", "XI"),
        ("XIN=2024-05-02..2024-05-01", "XIN"),
    ],
)
def test_10_1_marks_that_cannot_be_are_refused(tmp_path: Path, told: str, words: str) -> None:
    file = write_report(tmp_path, with_guest())
    result = run("report", "check", file, "--law", "fide", "--suspended", told)
    assert result.exit_code in (1, 2)
    assert words in result.output
    assert "Traceback" not in result.output


def test_10_1_a_mark_needs_a_law(tmp_path: Path) -> None:
    file = write_report(tmp_path, with_guest())
    assert run("report", "check", file, "--suspended", ON_THESE_DAYS).exit_code == 2
