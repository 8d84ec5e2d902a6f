"""`arrocco statistics` and `arrocco period replay` as people and programs use them."""

from __future__ import annotations

import csv
import os
from pathlib import Path

import pytest

from arrocco.cli.statistics_text import trend
from arrocco.dates import Month
from arrocco.demo.generate import federation
from arrocco.demo.generate.folder import write_federation
from arrocco.runs.period import PeriodJob, rate_job
from arrocco.store.statistics_rows import TABLES
from tests.cli.tournaments import run, run_json


@pytest.fixture(autouse=True)
def _plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARROCCO_LANG", "en")
    monkeypatch.setattr(os, "fsync", lambda _: None)


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("office")
    write_federation(federation(300, 3, period=Month(2024, 5)), folder, 900, forms="parquet")
    lists, reports = folder / "lists", folder / "reports.parquet"
    rate_job(PeriodJob("fide", Month(2024, 5), lists, (reports,), lists, games=True, workers=1))
    return folder


def replay(office: Path, out: Path, *more: str) -> list[str]:
    return [
        "period",
        "replay",
        "--law",
        "fide",
        "--lists",
        str(office / "lists"),
        "--reports",
        f"2024-05={office / 'reports.parquet'}",
        "--out",
        str(out),
        "--workers",
        "1",
        *more,
    ]


class TestShow:
    def test_json_has_every_table(self, office: Path) -> None:
        record = run_json("statistics", "show", str(office / "lists"), "--federations", "1")
        assert tuple(record) == TABLES
        assert all(record.values())
        points = record["points"][-1]
        assert points["after"] == (
            points["before"]
            + points["common_change"]
            + points["entering_points"]
            - points["leaving_points"]
        )
        assert points["after"] == record["lists"][-2]["points"]

    def test_text_tells_the_same(self, office: Path) -> None:
        record = run_json("statistics", "show", str(office / "lists"))
        assert "federations" not in record
        text = run("statistics", "show", str(office / "lists"), "--federations", "2").stdout
        last = record["lists"][-2]
        line = next(line for line in text.splitlines() if line.startswith("2024-06-01"))
        assert line.split()[1:] == [
            str(last["count"]),
            last["mean"],
            *(str(last[f"q{q}"]) for q in (5, 25, 50, 75, 95)),
        ]
        assert text.count("Federation") == 2
        assert "Expected and actual score" in text

    def test_without_games(self, office: Path) -> None:
        record = run_json("statistics", "show", str(office / "lists"), "--no-games")
        assert record["scores"] == []
        assert record["games"]

    def test_in_italian(self, office: Path) -> None:
        text = run("statistics", "show", str(office / "lists"), "--lang", "it").stdout
        assert "01/06/2024" in text
        assert "Punti da una lista alla successiva" in text

    def test_what_is_refused(self, tmp_path: Path) -> None:
        assert run("statistics", "show", str(tmp_path / "nowhere")).exit_code == 2
        result = run("statistics", "show", str(tmp_path))
        assert result.exit_code == 1
        assert "no lists" in result.stderr


class TestExport:
    def test_writes_every_table(self, office: Path, tmp_path: Path) -> None:
        out = tmp_path / "figures"
        record = run_json("statistics", "export", str(office / "lists"), "--out", str(out))
        assert {item["file"] for item in record["files"]} == {f"{name}.csv" for name in TABLES}
        for item in record["files"]:
            with (out / item["file"]).open(encoding="utf-8", newline="") as stream:
                assert len(list(csv.DictReader(stream))) == item["rows"]
        again = run("statistics", "export", str(office / "lists"), "--out", str(out))
        assert again.exit_code == 1
        assert not list(tmp_path.glob(".*"))


class TestReplay:
    def test_text_and_json_tell_the_same(self, office: Path, tmp_path: Path) -> None:
        args = ("--as", "fide@2012-07-01", "--top", "2")
        record = run_json(*replay(office, tmp_path / "a", *args))
        result = run(*replay(office, tmp_path / "b", *args))
        assert result.exit_code == 0, result.output
        (one,) = record["lists"]
        line = next(line for line in result.stdout.splitlines() if line.startswith("2024-06-01"))
        assert line.split()[3:5] == [str(one["both"]), str(one["different"])]
        assert [player["name"] in result.stdout for player in one["most_affected"]] == [True, True]
        left_out = sum(record["left_out"]["replayed"].values())
        assert result.stderr.count("closing date") == left_out > 0

    def test_without_another_law_only_the_reading_is_another(
        self, office: Path, tmp_path: Path
    ) -> None:
        (one,) = run_json(*replay(office, tmp_path / "a"))["lists"]
        assert one["different"] == 0
        args = ("--reading", "junior_until=year_end")
        (other,) = run_json(*replay(office, tmp_path / "b", *args))["lists"]
        assert other["both"] == one["both"]

    @pytest.mark.parametrize(
        ("args", "status"),
        [
            (("--as", "rio", "--kind", "blitz"), 1),
            (("--as", "fide@1999-01-01"), 1),
            (("--as", "moon"), 1),
            (("--reading", "moon=full"), 1),
            (("--reports", "may"), 2),
            (("--reports", "2024-13=x"), 2),
            (("--reports", "2024-06=nowhere"), 1),
        ],
        ids=str,
    )
    def test_what_is_refused(
        self, office: Path, tmp_path: Path, args: tuple[str, ...], status: int
    ) -> None:
        result = run(*replay(office, tmp_path / "out", *args))
        assert result.exit_code == status, result.output
        assert list(tmp_path.iterdir()) == []

    def test_the_refusal_tells_how_to_name_an_edition(self, office: Path, tmp_path: Path) -> None:
        result = run(*replay(office, tmp_path / "out", "--as", "rio", "--lang", "it"))
        assert "`--as` con una fra rio@2025-04-12" in result.stderr


@pytest.mark.parametrize(
    ("values", "line"),
    [([1, 8], "▁█"), ([5, 5], "▁▁"), ([1, None, 2], "▁ █"), ([7], ""), ([], "")],
)
def test_a_trend_goes_from_the_lowest_to_the_highest(values: list[int | None], line: str) -> None:
    assert trend(values) == line
