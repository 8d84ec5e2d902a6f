"""`arrocco period rate` from report files to the next list and what can be asked of it."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from shutil import copy
from typing import Any

import pytest

from arrocco.formats.lists import read_list
from arrocco.records.report import System
from tests.cli.months import PAIRINGS, RATINGS, write_month
from tests.cli.tournaments import (
    player_id,
    process,
    rate,
    report,
    run,
    run_json,
    write_list,
    write_report,
)


@pytest.fixture(autouse=True)
def _english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARROCCO_LANG", "en")


def period(folder: Path, *more: str, reports: str = "reports", law: str = "fide") -> list[str]:
    return [
        "period",
        "rate",
        "--law",
        law,
        "--period",
        "2024-05",
        "--lists",
        str(folder / "lists"),
        "--reports",
        str(folder / reports),
        "--out",
        str(folder / "out"),
        "--workers",
        "1",
        *more,
    ]


@pytest.fixture
def month(tmp_path: Path) -> Path:
    """A list and two report files of different tournaments."""
    folder = write_month(tmp_path)
    (folder / "reports").mkdir()
    for name, start in (("a", date(2024, 5, 10)), ("b", date(2024, 5, 17))):
        made = report(RATINGS, PAIRINGS, start=start, name=f"Torneo {name}")
        write_report(folder / "reports", made, f"{name}.trf")
    return folder


class TestFromReportFiles:
    def test_4_9_1_a_file_with_the_same_bytes_under_another_name_counts_once(
        self, month: Path
    ) -> None:
        once = run_json(*period(month))
        first = (month / "out" / "2024-06-01" / "list.parquet").read_bytes()
        data = (month / "reports" / "a.trf").read_bytes()
        (month / "reports" / "sent again.trf").write_bytes(data)
        again = run_json(*period(month, "--out", str(month / "other")))
        assert (once["reports"], again["reports"]) == (2, 2)
        assert (month / "other" / "2024-06-01" / "list.parquet").read_bytes() == first
        (left,) = again["left_out"]
        assert (Path(left["report"]).name, left["reason"]) == ("sent again.trf", "twice")

    def test_the_same_figures_as_report_rate(self, month: Path) -> None:
        """One command rates files alone, the other a month of them: they must not differ."""
        record = run_json(*period(month))
        assert record["reports"] == 2
        assert record["list"] == "2024-06-01"
        listed, _ = read_list(month / "out" / "2024-06-01" / "list.parquet", "standard")
        files = [str(path) for path in sorted((month / "reports").iterdir())]
        alone = rate(
            *files, "--list", str(month / "lists" / "2024-05-01.csv"), "--unlisted", "unrated"
        )
        assert len(alone["players"]) == 4
        for player in alone["players"]:
            row = listed.player(player["id"])
            assert row is not None
            assert row.rating == (None if player["delisted"] else player["new_rating"])
            assert row.games == player["n"]
        for newcomer in alone["initial"]:
            row = listed.player(newcomer["id"])
            assert row is not None
            assert row.rating == (newcomer["initial"] if newcomer["publishable"] else None)

    def test_text_for_people(self, month: Path) -> None:
        result = run(*period(month))
        assert result.exit_code == 0
        lines = result.stdout.splitlines()
        assert any(line.split() == ["Reports", "rated", "2"] for line in lines)
        assert lines[-1].endswith("2024-06-01")
        assert result.stderr == ""

    def test_italian(self, month: Path) -> None:
        assert "Scritt" in run(*period(month), "--lang", "it").stdout

    def test_the_list_in_further_formats(self, month: Path) -> None:
        run_json(*period(month, "--format", "fide_txt", "--format", "fide_xml", "--format", "csv"))
        folder = month / "out" / "2024-06-01"
        found = [
            read_list(folder / f"list.{end}", "standard")[0]
            for end in ("parquet", "txt", "xml", "csv")
        ]
        assert {tuple(listed.rating.tolist()) for listed in found} == {
            tuple(found[0].rating.tolist())
        }

    def test_what_was_left_out_is_said_beside_the_answer(self, month: Path) -> None:
        late = report(RATINGS, PAIRINGS, start=date(2024, 6, 3), name="Torneo tardi")
        write_report(month / "reports", late, "late.trf")
        (month / "reports" / "notes.txt").write_text("nothing\n")
        result = run(*period(month))
        assert result.exit_code == 3
        assert "late.trf: ended after the closing date" in result.stderr
        assert "notes.txt: cannot be used" in result.stderr

    def test_left_out_in_json(self, month: Path) -> None:
        (month / "reports" / "notes.txt").write_text("nothing\n")
        (item,) = run_json(*period(month), status=3)["left_out"]
        assert item["reason"] == "unreadable"
        assert item["words"]

    def test_several_places_patterns_and_forms_of_reports(self, month: Path) -> None:
        more = [
            "--reports",
            str(month / "reports" / "a*.trf"),
            "--reports",
            str(month / "may.parquet"),
        ]
        (left,) = run_json(*period(month, *more), status=3)["left_out"]
        assert (left["report"], left["errors"][0]["key"]) == ("may", "check.same_games")
        more += [
            "--waive",
            "check.same_games@may",
            "--reason",
            "they met again that day",
            "--out",
            str(month / "other"),
        ]
        assert run_json(*period(month, *more))["reports"] == 3

    def test_9_1_a_report_sent_again_with_another_last_day_counts_once(self, month: Path) -> None:
        run_json(*period(month))
        first = (month / "out" / "2024-06-01" / "list.parquet").read_bytes()
        text = (month / "reports" / "a.trf").read_text("utf-8")
        lines = ["052 2024/05/13" if line.startswith("052") else line for line in text.splitlines()]
        (month / "reports" / "corrected.trf").write_text("\n".join(lines) + "\n", "utf-8")
        again = run_json(*period(month, "--out", str(month / "other")), status=3)
        assert (month / "other" / "2024-06-01" / "list.parquet").read_bytes() == first
        (left,) = again["left_out"]
        assert Path(left["report"]).name == "corrected.trf"
        (error,) = left["errors"]
        assert (error["key"], Path(error["details"]["other"]).name) == ("check.same_games", "a.trf")

    def test_4_a_part_and_the_whole_of_a_tournament_count_once(self, month: Path) -> None:
        run_json(*period(month))
        first = (month / "out" / "2024-06-01" / "list.parquet").read_bytes()
        whole = report(RATINGS, PAIRINGS, start=date(2024, 5, 10), name="Torneo a")
        part = replace(whole, games=[game for game in whole.games if game.round <= 2])
        assert len(part.games) >= 3
        write_report(month / "reports", part, "part.trf")
        again = run_json(*period(month, "--out", str(month / "other")), status=3)
        assert (month / "other" / "2024-06-01" / "list.parquet").read_bytes() == first
        assert [Path(left["report"]).name for left in again["left_out"]] == ["part.trf"]

    def test_9_1_what_a_list_has_rated_already_is_left_out_of_the_next(self, month: Path) -> None:
        """Sent again as it was, and with another last day and a result put right (-1 game)."""
        run_json(*period(month))
        sent = report(RATINGS, PAIRINGS, start=date(2024, 5, 17), name="Torneo b")
        assert sent.end is not None
        changed = replace(sent, end=sent.end + timedelta(days=1), games=sent.games[:-1])
        other = report(RATINGS, PAIRINGS[::-1], start=date(2024, 5, 17), name="Torneo c")
        other.games = [replace(game, white=game.black, black=game.white) for game in other.games]
        (month / "june").mkdir()
        (month / "june" / "a again.trf").write_bytes((month / "reports" / "a.trf").read_bytes())
        for name, made in (("b again", changed), ("c", other)):
            for entry in made.entries:
                entry.points = None
            write_report(month / "june", made, f"{name}.trf")
        june = [
            *"period rate --law fide --period 2024-06 --lists".split(),
            str(month / "out"),
            "--reports",
            str(month / "june"),
        ]
        # The tournaments began under the list of May, which stands beside that of June.
        copy(month / "lists" / "2024-05-01.csv", month / "out")
        record = run_json(*june, "--out", str(month / "july"), status=3)
        told = {
            Path(left["report"]).name: (error["key"], error["details"]["list_date"])
            for left in record["left_out"]
            for error in left["errors"]
        }
        assert told == {
            "a again.trf": ("check.rated_before", "2024-06-01"),
            "b again.trf": ("check.rated_before", "2024-06-01"),
        }
        assert record["reports"] == 1
        waived = run_json(
            *june,
            "--out",
            str(month / "waived"),
            "--waive",
            "check.rated_before",
            "--reason",
            "two groups",
        )
        assert waived["reports"] == 3

    def test_two_months_one_after_the_other(self, month: Path) -> None:
        run_json(*period(month))
        june = report([None] * 6, PAIRINGS, start=date(2024, 6, 10), name="Giugno")
        (month / "june").mkdir()
        write_report(month / "june", june, "june.trf")
        args = [
            *"period rate --law fide --period 2024-06 --lists".split(),
            str(month / "out"),
            "--reports",
            str(month / "june"),
            "--out",
            str(month / "out"),
        ]
        record = run_json(*args)
        assert (record["opened_on"], record["list"]) == ("2024-06-01", "2024-07-01")
        explained = run_json(
            "player",
            "explain",
            str(player_id(4)),
            "--period",
            "2024-06",
            "--lists",
            str(month / "out"),
        )
        assert explained["rating"] is not None
        assert explained["k_reason"] == "new_player"
        found = run_json(
            "list", "diff", str(month / "out" / "2024-06-01"), str(month / "out" / "2024-07-01")
        )
        assert found["unexplained"] == 0
        assert found["counts"]["changed"] > 0


class TestOtherLaws:
    def test_a_round_robin_of_2011(self, tmp_path: Path) -> None:
        (tmp_path / "lists").mkdir()
        (tmp_path / "reports").mkdir()
        rows = [(player_id(n), rating, None) for n, rating in enumerate(RATINGS, 1) if rating]
        write_list(tmp_path / "lists", rows, "2011-09-01.csv")
        everybody = [
            (i, a, b, "1")
            for i, (a, b) in enumerate(((a, b) for a in range(1, 7) for b in range(a + 1, 7)), 1)
        ]
        made = report(RATINGS, everybody, start=date(2011, 9, 10), system=System.ROUND_ROBIN)
        write_report(tmp_path / "reports", made)
        args = period(tmp_path, "--games")
        args[args.index("2024-05")] = "2011-09"
        record = run_json(*args)
        assert record["list"] == "2011-11-01"
        text = run("player", "explain", str(player_id(4)), "--folder", record["folder"]).stdout
        assert "rated players average" in text
        assert "[8.2" in text

    def test_uisp_with_an_entry_list(self, tmp_path: Path) -> None:
        (tmp_path / "lists").mkdir()
        (tmp_path / "reports").mkdir()
        write_list(tmp_path / "lists", [(player_id(1), 1500)], "2024-04-01.csv")
        fide = write_list(tmp_path, [(player_id(2), 1700)], "fide.csv")
        made = report([None, None, None], [(1, 1, 2, "1"), (2, 2, 3, "1")], control="15'")
        write_report(tmp_path / "reports", made)
        record = run_json(*period(tmp_path, "--entry-list", f"fide={fide}", law="uisp"))
        assert record["list"] == "2024-07-01"
        assert record["new"] == 2
        explained = run_json("player", "explain", str(player_id(2)), "--folder", record["folder"])
        assert (explained["rating"], explained["stands_in"]) == (1700, True)
        assert "player.entered" in [step["key"] for step in explained["steps"]]


class TestMisuse:
    @pytest.mark.parametrize(
        "args",
        [
            ["--period", "May"],
            ["--period", "2024-13"],
            ["--memory", "much"],
            ["--memory", "0"],
            ["--workers", "-1"],
            ["--format", "pdf"],
            ["--entry-list", "fide"],
            ["--reading", "x"],
            ["--lists", "nowhere"],
        ],
        ids=str,
    )
    def test_the_command_line(self, month: Path, args: list[str]) -> None:
        assert run(*period(month), *args).exit_code == 2
        assert not (month / "out").exists()

    @pytest.mark.parametrize(
        "args",
        [
            ["--law", "moon"],
            ["--period", "1999-01"],
            ["--period", "2024-06"],
            ["--reading", "moon=full"],
            ["--kind", "rapid"],
            ["--reports", "nowhere"],
            ["--entry-list", "moon=x"],
        ],
        ids=str,
    )
    def test_what_is_refused(self, month: Path, args: list[str]) -> None:
        result = run(*period(month), *args)
        assert result.exit_code == 1
        assert result.stderr.startswith("Refused")
        assert not list(month.glob("out/*"))

    def test_a_list_is_never_written_over(self, month: Path) -> None:
        assert run(*period(month)).exit_code == 0
        before = (month / "out" / "2024-06-01" / "summary.json").read_bytes()
        assert run(*period(month)).exit_code == 1
        assert (month / "out" / "2024-06-01" / "summary.json").read_bytes() == before


@pytest.mark.parametrize(("text", "expected"), [("500k", 500 << 10), ("2G", 2 << 30), ("7", 7)])
def test_memory_is_read_with_its_unit(
    month: Path, monkeypatch: pytest.MonkeyPatch, text: str, expected: int
) -> None:
    seen: list[Any] = []

    def stop(job: Any, *_: Any) -> None:
        seen.append(job)
        raise KeyboardInterrupt

    monkeypatch.setattr("arrocco.runs.period.rate_job", stop)
    assert run(*period(month), "--memory", text).exit_code == 130
    assert seen[0].memory == expected


def test_as_a_process_of_its_own(month: Path) -> None:
    """With all cores: readers in processes of their own leave nothing on either stream."""
    args = period(month, "--json")
    args[args.index("--workers") + 1] = "2"
    found = process(*args)
    assert found.returncode == 0, found.stderr
    assert found.stderr == ""
    assert json.loads(found.stdout)["reports"] == 2
