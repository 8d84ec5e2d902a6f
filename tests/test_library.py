"""`import arrocco` as a library: cheap to import, typed, and as its page shows it."""

from __future__ import annotations

import ast
import doctest
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import chess
import pytest

import arrocco
from arrocco.errors import NotFound

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "library.md").read_text("utf-8")
BUNDLED = ROOT / "src" / "arrocco" / "demo" / "bundled"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for path in (*BUNDLED.glob("*.trf"), *BUNDLED.glob("*.csv")):
        shutil.copy(path, tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def examples(text: str) -> list[doctest.Example]:
    return doctest.DocTestParser().get_examples(text)


class TestPage:
    def test_shows_what_the_library_answers(self, folder: Path) -> None:
        test = doctest.DocTest(examples(PAGE), {}, "docs/library.md", None, 0, None)
        told: list[str] = []
        result = doctest.DocTestRunner(verbose=False).run(test, out=told.append)
        assert result.attempted > 25
        assert result.failed == 0, "".join(told)

    def test_shows_or_names_every_stable_name_and_no_other(self) -> None:
        names = PAGE.partition("## Names")[2]
        listed = re.findall(r"`(\w+)`", "".join(re.findall(r"^\|([^|]+)\|", names, re.M)))
        assert sorted(listed) == sorted(arrocco.__all__)

    def test_types_hold(self, tmp_path: Path) -> None:
        """The examples are a program that passes mypy --strict."""
        program = tmp_path / "program.py"
        lines = [example.source for example in examples(PAGE)]
        program.write_text("".join(f"print({s.strip()})\n" if _is_value(s) else s for s in lines))
        command = [sys.executable, "-m", "mypy", "--strict", "--config-file", "pyproject.toml"]
        done = subprocess.run(
            [*command, str(program)], cwd=ROOT, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout


def _is_value(source: str) -> bool:
    [statement] = ast.parse(source).body
    return isinstance(statement, ast.Expr)


class TestNames:
    def test_all_are_there_and_described(self) -> None:
        assert sorted(arrocco.__all__) == sorted(
            name for names in arrocco._MODULES.values() for name in names
        )
        for name in arrocco.__all__:
            assert getattr(arrocco, name).__doc__, name
            assert name in dir(arrocco)

    def test_another_is_an_attribute_error(self) -> None:
        with pytest.raises(AttributeError, match="no attribute 'checkmate'"):
            arrocco.checkmate  # type: ignore[attr-defined] # noqa: B018

    def test_importing_loads_nothing(self) -> None:
        """Neither a library nor any other part of the program: `arrocco` is a name on a door."""
        check = (
            "import sys; before = set(sys.modules); import arrocco; "
            "print(*sorted(set(sys.modules) - before))"
        )
        done = subprocess.run(
            [sys.executable, "-c", check], capture_output=True, text=True, check=True
        )
        assert done.stdout.split() == ["arrocco"]

    def test_law_alone_needs_no_columns(self) -> None:
        check = (
            "import sys, arrocco, datetime; arrocco.law('fide', datetime.date(2024, 6, 1)); "
            "assert not {'numpy', 'pyarrow', 'chess'} & set(sys.modules)"
        )
        subprocess.run([sys.executable, "-c", check], check=True)


class TestRefusals:
    def test_errors_are_not_rated_unless_waived_by_name(self, folder: Path) -> None:
        report, _ = arrocco.read_report("fide-open-2024.trf")
        report.facts.online = True  # FIDE rates games over the board
        [error] = [found for found in arrocco.check(report, "fide") if found.is_error]
        with pytest.raises(arrocco.Refusal) as refused:
            arrocco.rate(report, "fide")
        assert refused.value.findings == (error,)
        rated = arrocco.rate(report, "fide", waive={error.key: "an exercise"})
        (waived,) = [finding for finding in rated.findings if finding.key == "admission.waived"]
        assert (waived.details["name"], waived.details["reason"]) == (error.key, "an exercise")
        with pytest.raises(arrocco.Refusal):
            arrocco.rate(report, "fide", waive={error.key: "x", "check.too_long": "waives nothing"})
        assert len(rated.players) == 15

    def test_errors_of_reading_stop_it_too(self, folder: Path) -> None:
        data = (folder / "fide-open-2024.trf").read_bytes()
        damaged = data.replace(b" 8 w 1", b" 8 b 1", 1)  # both had Black
        report, found = arrocco.read_report(damaged)
        assert any(finding.is_error for finding in found)
        with pytest.raises(arrocco.Refusal):
            arrocco.rate(report, "fide", found=found)

    def test_9_1_a_report_given_twice_counts_once(self, folder: Path) -> None:
        report, _ = arrocco.read_report(folder / "fide-open-2024.trf")
        with pytest.raises(arrocco.Refusal) as refused:
            arrocco.rate([report, replace(report, name="Another name")], "fide")
        assert [finding.key for finding in refused.value.findings] == ["check.same_games"]

    def test_a_player_who_did_not_play_is_not_found(self, folder: Path) -> None:
        report, _ = arrocco.read_report((folder / "fide-open-2024.trf").read_bytes())
        rated = arrocco.rate([report], "fide")
        with pytest.raises(NotFound):
            rated.player(1)

    @pytest.mark.parametrize("score", [2, -1, 0.25])
    def test_what_is_no_result(self, score: float) -> None:
        with pytest.raises(ValueError, match="not a result"):
            arrocco.performance([(2000, score)])


class TestPairing:
    def test_a_report_without_rounds_is_paired_from_the_start(self, folder: Path) -> None:
        report, _ = arrocco.read_report("fide-open-2024.trf")
        report.games, report.byes = [], []
        coming = arrocco.pair_round(report)
        assert coming.boards[0] == (1, 8)
        assert coming.bye == 15

    def test_a_field_is_paired_as_it_is(self) -> None:
        players = tuple(arrocco.Player(number) for number in (1, 2, 3, 4))
        assert arrocco.pair_round(arrocco.Field(players, 3)).boards == ((1, 3), (4, 2))

    def test_nobody_meets_twice(self, folder: Path) -> None:
        report, _ = arrocco.read_report("fide-open-2024.trf")
        met = {frozenset((game.white, game.black)) for game in report.games if game.round <= 4}
        report.games = [game for game in report.games if game.round <= 4]
        report.byes = [bye for bye in report.byes if bye.round <= 4]
        for board in arrocco.pair_round(report).boards:
            assert frozenset(board) not in met


class TestPositions:
    def test_results(self) -> None:
        assert arrocco.result(chess.Board()) == "*"
        assert arrocco.result("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1") == "1/2-1/2"  # stalemate
        assert arrocco.result("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1") == "1-0"
        assert arrocco.is_dead(chess.Board()) is False

    def test_a_fallen_flag_loses_where_the_other_can_mate(self) -> None:
        assert arrocco.result_on_time(chess.Board(), chess.WHITE) == "0-1"
        assert arrocco.result_on_time(chess.Board(), chess.BLACK) == "1-0"
