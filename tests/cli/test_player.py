"""`arrocco player explain`: a period as a receipt, from what was stored with the list."""

from __future__ import annotations

import shutil
from datetime import date
from pathlib import Path

import pytest

from tests.cli.months import rate, tournament, write_month
from tests.cli.tournaments import player_id, report, run, run_json, write_list, write_report


@pytest.fixture(autouse=True)
def _english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARROCCO_LANG", "en")


@pytest.fixture(scope="module")
def month(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = write_month(tmp_path_factory.mktemp("month"))
    rate(folder, "2024-05", "may.parquet", "--games")
    return folder


def explain(month: Path, number: int, *more: str) -> list[str]:
    args = ["--period", "2024-05", "--lists", str(month / "out"), *more]
    return ["player", "explain", str(player_id(number)), *args]


class TestRated:
    def test_every_game_and_step_with_its_article(self, month: Path) -> None:
        lines = run(*explain(month, 1)).stdout.splitlines()
        assert lines[0] == f"Elencato, {player_id(1)} ({player_id(1)}), 1500"
        assert any("Torneo may, 2024-05-10" in line for line in lines)
        (loss,) = [line for line in lines if f"Elencato, {player_id(6)}" in line]
        assert loss.split()[-7:] == ["2395", "0.0", "-895", "-400*", "0.08", "-0.08", "8.3.1"]
        assert any(line.startswith("[8.3.3] K is 20") for line in lines)
        assert lines[-1].startswith("1500 becomes 15")

    def test_the_same_figures_as_report_explain(self, month: Path, tmp_path: Path) -> None:
        file = write_report(tmp_path, tournament("may", date(2024, 5, 10)))
        listed = str(month / "lists" / "2024-05-01.csv")
        for number in (1, 2, 3, 6):
            alone = run_json(
                "report",
                "explain",
                file,
                "--law",
                "fide",
                "--list",
                listed,
                "--player",
                str(player_id(number)),
                "--unlisted",
                "unrated",
            )["explained"][0]
            stored = run_json(*explain(month, number))
            for name in ("rating", "n", "score", "expected", "delta", "variation", "change"):
                assert stored[name] == alone[name], (number, name)
            games = [
                [g | {"opponent_name": ""} for g in r["games"]]
                for r in (stored["tournaments"][0], alone["tournaments"][0])
            ]
            assert games[0] == games[1]

    def test_delisted(self, month: Path) -> None:
        record = run_json(*explain(month, 3))
        assert record["delisted"]
        assert record["result"] == "delisted"
        assert record["new_rating"] is None
        assert "explain.delisted" in [step["key"] for step in record["steps"]]

    def test_italian(self, month: Path) -> None:
        text = run(*explain(month, 1), "--lang", "it").stdout
        assert "dalla lista del 01/05/2024 alla lista del 01/06/2024" in text
        assert "0,08" in text

    def test_a_player_by_part_of_the_name(self, month: Path) -> None:
        folder = str(month / "out" / "2024-06-01")
        found = run_json("player", "explain", f"cato, {player_id(2)}", "--folder", folder)
        assert found["id"] == player_id(2)


class TestUnrated:
    def test_a_first_rating_with_its_computation(self, month: Path) -> None:
        record = run_json(*explain(month, 4))
        assert record["rating"] is None
        assert record["result"] == "first"
        first = record["first_rating"]
        assert first["publishable"]
        assert first["initial"] == record["new_rating"]
        assert [result["tournament"] for result in first["results"]] == ["may"]
        text = run(*explain(month, 4)).stdout
        assert "counts towards the first rating" in text
        assert f"First rating on the list of 2024-06-01: {record['new_rating']}." in text

    def test_results_that_wait_in_the_pool(self, month: Path) -> None:
        record = run_json(*explain(month, 5))
        assert record["result"] == "unrated"
        assert record["first_rating"]["publishable"] is False
        assert "too_few_games" in record["first_rating"]["reasons"]


class TestWithoutGames:
    def test_the_sums_are_shown_and_that_games_were_not_kept(self, tmp_path: Path) -> None:
        folder = write_month(tmp_path)
        rate(folder, "2024-05", "may.parquet")
        result = run(*explain(folder, 1))
        assert "Torneo may, 2024-05-10" in result.stdout
        assert "--games" in result.stderr
        record = run_json(*explain(folder, 1))
        assert record["tournaments"][0]["games"] is None
        assert record["n"] == record["tournaments"][0]["n"] == 3


class TestStandardStandsIn:
    def test_where_the_rating_comes_from_is_said(self, tmp_path: Path) -> None:
        (tmp_path / "lists").mkdir()
        (tmp_path / "standard").mkdir()
        write_list(tmp_path / "lists", [(player_id(1), 1500, 20)], "2024-05-01.csv")
        write_list(tmp_path / "standard", [(player_id(2), 1700, 20)], "2024-05-01.csv")
        made = report([1500, None], [(1, 1, 2, "1")], control="15'+10\"")
        write_report(tmp_path, made, "t.trf")
        folder = rate(
            tmp_path,
            "2024-05",
            "t.trf",
            "--law",
            "fide-rapid",
            "--standard-lists",
            str(tmp_path / "standard"),
        )
        record = run_json("player", "explain", str(player_id(2)), "--folder", str(folder))
        assert (record["rating"], record["stands_in"]) == (1700, True)
        text = run("player", "explain", str(player_id(2)), "--folder", str(folder)).stdout
        assert "[7.2.1] No rating of this kind: the standard rating 1700 is used." in text


class TestRefusals:
    @pytest.mark.parametrize(
        "args",
        [
            [],
            ["--period", "2024-05"],
            ["--period", "May", "--lists", "."],
            ["--period", "2024-05", "--lists", ".", "--folder", "."],
        ],
    )
    def test_misuse(self, args: list[str]) -> None:
        assert run("player", "explain", "1", *args).exit_code == 2

    def test_a_period_that_is_not_there_names_those_that_are(self, month: Path) -> None:
        result = run("player", "explain", "1", "--period", "2024-07", "--lists", str(month / "out"))
        assert result.exit_code == 1
        assert "2024-05" in result.stderr

    def test_a_player_who_is_not_on_the_list(self, month: Path) -> None:
        folder = str(month / "out" / "2024-06-01")
        for asked in ("7", "Nessuno", "12345678901234567890", " "):
            result = run("player", "explain", asked, "--folder", folder)
            assert result.exit_code == 1, asked

    def test_a_name_of_several(self, month: Path) -> None:
        result = run("player", "explain", "Elencato", "--folder", str(month / "out" / "2024-06-01"))
        assert result.exit_code == 1
        assert f"Elencato, {player_id(1)} ({player_id(1)})" in result.stderr

    @pytest.mark.parametrize("name", ["players", "entries", "tournaments", "games", "list"])
    def test_a_damaged_folder(self, month: Path, tmp_path: Path, name: str) -> None:
        folder = tmp_path / "2024-06-01"
        shutil.copytree(month / "out" / "2024-06-01", folder)
        (folder / f"{name}.parquet").write_bytes(b"PAR1 this is not Parquet")
        result = run("player", "explain", str(player_id(1)), "--folder", str(folder))
        assert result.exit_code == 1
        assert f"{name}.parquet" in result.stderr

    def test_a_folder_without_calculations(self, tmp_path: Path) -> None:
        result = run("player", "explain", "1", "--folder", str(tmp_path))
        assert result.exit_code == 1
        assert "period rate" in result.stderr

    def test_a_summary_that_is_none(self, month: Path, tmp_path: Path) -> None:
        folder = tmp_path / "2024-06-01"
        shutil.copytree(month / "out" / "2024-06-01", folder)
        for text in ("", "[]", "3", '{"law": 1}'):
            (folder / "summary.json").write_text(text)
            assert run("player", "explain", "1", "--folder", str(folder)).exit_code == 1
