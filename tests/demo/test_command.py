"""`arrocco demo generate`: a folder that is whole, the same every time, and never overwritten."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from arrocco.cli.main import program
from arrocco.formats.lists import read_list
from arrocco.formats.report_parquet import read_batches
from arrocco.formats.trf import read_report
from arrocco.records.report import GameKind
from arrocco.records.reportbatch import Kind

ASKED = ("--players", "300", "--games", "4000", "--seed", "9", "--lang", "en")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(program, ["demo", "generate", *arguments], prog_name="arrocco")


def digests(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("made") / "federation"
    result = run(*ASKED, "--out", str(made))
    assert result.exit_code == 0, result.output
    return made


def test_the_folder_holds_lists_reports_and_the_truth(folder: Path) -> None:
    truth = json.loads((folder / "truth.json").read_text("utf-8"))
    assert truth["arguments"]["seed"] == 9
    assert truth["arguments"]["period"] == "2024-05"
    assert sorted(path.name for path in (folder / "lists").iterdir()) == [
        "2024-03-01.parquet",
        "2024-04-01.parquet",
        "2024-05-01.parquet",
    ]
    names = sorted(path.name for path in (folder / "reports").iterdir())
    assert names[0] == "0000001.trf"
    assert len(names) == truth["counts"]["tournaments"]


def test_the_truth_counts_what_the_files_hold(folder: Path) -> None:
    counts = json.loads((folder / "truth.json").read_text("utf-8"))["counts"]
    reports = [
        read_report(path.read_bytes(), path.name)[0] for path in (folder / "reports").iterdir()
    ]
    games = [game for report in reports for game in report.games]
    entries = [entry for report in reports for entry in report.entries]
    assert counts["entries"] == len(entries)
    assert counts["unrated_entries"] == sum(entry.rating is None for entry in entries)
    assert counts["entries_without_id"] == sum(entry.id is None for entry in entries)
    assert counts["games"] == len(games)
    assert counts["played"] == sum(game.kind is GameKind.PLAYED for game in games)
    assert counts["forfeits"] == sum(game.kind is GameKind.FORFEIT for game in games)
    assert counts["half_points"] == sum(game.white_score + game.black_score for game in games)
    assert sum(counts["byes"].values()) == sum(len(report.byes) for report in reports)
    opening = read_list(folder / "lists" / "2024-05-01.parquet")[0]
    assert (counts["players"], counts["rated_players"]) == (
        len(opening),
        int((opening.rating > 0).sum()),
    )
    late = sum(report.start is not None and report.start < opening.on for report in reports)  # type: ignore[operator]
    assert counts["late_reports"] == late


def test_parquet_has_the_same_games(folder: Path) -> None:
    counts = json.loads((folder / "truth.json").read_text("utf-8"))["counts"]
    batches = list(read_batches(folder / "reports.parquet"))
    assert sum(len(batch.games) for batch in batches) == counts["games"]
    played = sum(int((batch.games.kind == Kind.PLAYED).sum()) for batch in batches)
    assert played == counts["played"]


def test_the_same_arguments_write_the_same_bytes_on_one_core(folder: Path, tmp_path: Path) -> None:
    again = tmp_path / "again"
    code = (
        "import os; os.sched_setaffinity(0, {min(os.sched_getaffinity(0))});"
        "from arrocco.cli.main import main; main()"
    )
    command = [sys.executable, "-c", code, "demo", "generate", *ASKED, "--out", str(again)]
    subprocess.run(command, check=True, capture_output=True, env=os.environ | {"LANG": "C.UTF-8"})
    assert digests(again) == digests(folder)


def test_another_seed_writes_other_bytes(folder: Path, tmp_path: Path) -> None:
    run(*ASKED[:4], "--seed", "10", "--out", str(tmp_path / "other"))
    mine, yours = digests(folder), digests(tmp_path / "other")
    assert mine["reports.parquet"] != yours["reports.parquet"]
    assert mine["lists/2024-05-01.parquet"] != yours["lists/2024-05-01.parquet"]


@pytest.mark.parametrize(
    ("form", "files"), [("trf", {"reports"}), ("parquet", {"reports.parquet"})]
)
def test_only_the_form_asked_for_is_written(form: str, files: set[str], tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert run(*ASKED, "--reports", form, "--out", str(out)).exit_code == 0
    assert {path.name for path in out.iterdir()} == {"lists", "truth.json"} | files


def test_it_says_what_it_made_and_what_to_try(tmp_path: Path) -> None:
    out = tmp_path / "out"
    shown = run(*ASKED, "--out", str(out)).output
    assert "300" in shown
    line = next(line for line in shown.splitlines() if "report rate" in line)
    tried = CliRunner().invoke(program, line.split()[1:], prog_name="arrocco")
    assert tried.exit_code == 0, tried.output


def test_json_repeats_the_truth(tmp_path: Path) -> None:
    out = tmp_path / "out"
    shown = json.loads(run(*ASKED, "--json", "--out", str(out), "--defects", "0.5").stdout)
    truth = json.loads((out / "truth.json").read_text("utf-8"))
    assert shown == {"folder": str(out), **truth}
    assert truth["counts"]["reports_with_defects"] == len(truth["counts"]["defects"]) > 0


@pytest.mark.parametrize("law", ["fide-rapid", "fide-blitz", "rio", "uisp"])
def test_what_it_says_to_try_works_under_every_law(law: str, tmp_path: Path) -> None:
    shown = run(*ASKED, "--law", law, "--out", str(tmp_path / "out")).output
    line = next(line for line in shown.splitlines() if "report rate" in line)
    tried = CliRunner().invoke(program, line.split()[1:], prog_name="arrocco")
    assert tried.exit_code == 0, tried.output


def test_a_folder_with_anything_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("keep")
    result = run(*ASKED, "--out", str(tmp_path))
    assert result.exit_code == 1
    assert "is not empty" in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("--players", "20"), "20 players"),
        (("--games", "19"), "19 games"),
        (("--law", "foo"), "foo"),
        (("--period", "2020-01"), "2020-01-01"),
    ],
)
def test_what_cannot_be_made_is_refused_and_nothing_is_written(
    arguments: tuple[str, str], why: str, tmp_path: Path
) -> None:
    result = run(*ASKED, *arguments, "--out", str(tmp_path / "out"))
    assert result.exit_code == 1
    assert why in result.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("option", "text"),
    [
        ("--defects", "x"),
        ("--defects", "1.1"),
        ("--defects", "0.00001"),
        ("--defects", "NaN"),
        ("--rated-share", "-0.1"),
        ("--period", "May"),
        ("--players", "0"),
    ],
)
def test_a_misuse_is_told_as_such(option: str, text: str, tmp_path: Path) -> None:
    result = run(*ASKED, option, text, "--out", str(tmp_path / "out"))
    assert result.exit_code == 2
    assert option in result.stderr
