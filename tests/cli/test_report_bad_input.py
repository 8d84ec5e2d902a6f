"""Bad input to `report rate` and `report explain`: refused in words, nothing is written."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.cli.tournaments import (
    FIRST,
    HEADING,
    player_id,
    process,
    report,
    run,
    write_list,
    write_report,
)


@pytest.fixture(autouse=True)
def _english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARROCCO_LANG", "en")


REPORT = report([1500, 1600], [(1, 1, 2, "1")])


def plain() -> bytes:
    from arrocco.formats.trf import from_report

    return from_report(REPORT, "trf16")


def cut_line() -> bytes:
    """The second player's line ends before its result."""
    head, _, last = plain().rstrip(b"\r\n").rpartition(b"\r\n")
    return head + b"\r\n" + last[:90]


def with_duplicate_numbers() -> bytes:
    lines = plain().splitlines()
    return b"\r\n".join([*lines, lines[-1]])


def utf_16() -> bytes:
    return plain().decode("utf-8").encode("utf-16")


def row(player: int, rating: str) -> str:
    return f"{player},Elencato,ITA,M,,,{rating},20,,\n"


@dataclass(frozen=True)
class Bad:
    """One bad input: the report, the list, further options, and a part of what is said."""

    said: str
    data: Callable[[], bytes] = plain
    listed: str | bytes | None = None
    options: tuple[str, ...] = ()
    status: int = 1


GOOD_LIST = HEADING + row(FIRST, "1500") + row(FIRST + 1, "1600")

CASES = {
    "an empty file": Bad("empty", lambda: b""),
    "a binary file": Bad("zero bytes", lambda: bytes(range(256)) * 20),
    "text that is no report": Bad("no player", lambda: b"Lorem ipsum\ndolor sit amet\n"),
    "a line cut short": Bad("error", cut_line),
    "another encoding": Bad("zero bytes", utf_16),
    "a starting number twice": Bad("number", with_duplicate_numbers),
    "a result one side does not confirm": Bad("error", lambda: plain().replace(b"b 0", b"b 1")),
    "an opponent who is not there": Bad("7", lambda: plain().replace(b"   2 w 1", b"   7 w 1")),
    "a list without a player": Bad("is not on the list", listed=HEADING + row(FIRST, "1500")),
    "an empty list": Bad("is not on the list", listed=HEADING),
    "a negative rating in the list": Bad(
        "cannot be read", listed=HEADING + row(FIRST, "-1500") + row(FIRST + 1, "1600")
    ),
    "an impossible rating in the list": Bad(
        "impossible rating", listed=HEADING + row(FIRST, "15000") + row(FIRST + 1, "1600")
    ),
    "letters for a rating in the list": Bad(
        "cannot be read", listed=HEADING + row(FIRST, "abc") + row(FIRST + 1, "1600")
    ),
    "a player twice on the list": Bad(
        str(FIRST), listed=HEADING + row(FIRST, "1500") * 2 + row(FIRST + 1, "1600")
    ),
    "a list without a heading": Bad("list.csv", listed=row(FIRST, "1500")),
    "a binary list": Bad("list.csv", listed=bytes(range(256)) * 20),
    "an empty list file": Bad("list.csv", listed=b""),
    "no such regulation": Bad("regulation", options=("--law", "elo")),
    "no such reading": Bad("reading", options=("--reading", "nonsense=1")),
    "no such choice of a reading": Bad("choose one", options=("--reading", "unrated_pool=x")),
    "a reading without a choice": Bad("NAME=CHOICE", options=("--reading", "x"), status=2),
    "no such day": Bad("2024-02-30", options=("--on", "2024-02-30"), status=2),
    "no such treatment of the unlisted": Bad("guess", options=("--unlisted", "guess"), status=2),
    "an unknown option": Bad("--despite-errors", options=("--despite-errors",), status=2),
    "a list that is not there": Bad("missing.csv", options=("--list", "missing.csv")),
    "an unknown kind of list": Bad("bullet", options=("--list-kind", "bullet"), status=2),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_is_refused_in_words_with_nothing_written(tmp_path: Path, case: Bad) -> None:
    file, out = tmp_path / "t.trf", tmp_path / "out"
    out.mkdir()
    file.write_bytes(case.data())
    options = ["--law", "fide", *case.options]
    if case.listed is not None:
        data = case.listed if isinstance(case.listed, bytes) else case.listed.encode("utf-8")
        (tmp_path / "list.csv").write_bytes(data)
        options += ["--list", str(tmp_path / "list.csv")]
    targets = [f"--csv={out / 'p.csv'}", f"--games-csv={out / 'g.csv'}", f"--html={out / 'h.html'}"]
    result = run("report", "rate", str(file), *options, *targets)
    assert result.exit_code == case.status, result.output
    assert case.said in result.stderr
    assert result.stdout == ""
    assert list(out.iterdir()) == []
    explained = run("report", "explain", str(file), *options, "--player", str(FIRST))
    assert explained.exit_code == case.status
    if case.status == 1:
        told = run("report", "rate", str(file), *options, "--json")
        assert told.exit_code == 1
        assert json.loads(told.stdout)["refused"]


def test_the_good_input_these_cases_start_from_is_accepted(tmp_path: Path) -> None:
    (tmp_path / "t.trf").write_bytes(plain())
    (tmp_path / "list.csv").write_text(GOOD_LIST, "utf-8")
    result = run(
        "report",
        "rate",
        str(tmp_path / "t.trf"),
        "--law",
        "fide",
        "--list",
        str(tmp_path / "list.csv"),
    )
    assert result.exit_code == 0, result.output


def test_a_missing_file_and_a_folder(tmp_path: Path) -> None:
    missing = run("report", "rate", str(tmp_path / "missing.trf"), "--law", "fide")
    folder = run("report", "rate", str(tmp_path), "--law", "fide")
    assert missing.exit_code == folder.exit_code == 1
    assert "missing.trf" in missing.stderr
    assert str(tmp_path) in folder.stderr


def test_no_file_at_all_is_a_misuse() -> None:
    assert run("report", "rate", "--law", "fide").exit_code == 2
    assert run("report", "explain", "--law", "fide", "--player", "1").exit_code == 2


def test_the_findings_of_all_files_are_told_at_once(tmp_path: Path) -> None:
    (tmp_path / "a.trf").write_bytes(with_duplicate_numbers())
    (tmp_path / "b.trf").write_bytes(b"")
    good = write_report(tmp_path, REPORT, "c.trf")
    files = [str(tmp_path / "a.trf"), str(tmp_path / "b.trf"), good]
    result = run("report", "rate", *files, "--law", "fide")
    assert result.exit_code == 1
    assert "a.trf:" in result.stderr
    assert "b.trf" in result.stderr
    record = json.loads(run("report", "rate", *files, "--law", "fide", "--json").stdout)
    assert {Path(finding["file"]).name for finding in record["findings"]} == {"a.trf", "b.trf"}


def test_the_same_report_twice_would_be_rated_twice(tmp_path: Path) -> None:
    first, second = write_report(tmp_path, REPORT, "a.trf"), write_report(tmp_path, REPORT, "b.trf")
    for files in ((first, first), (first, second)):
        result = run("report", "rate", *files, "--law", "fide")
        assert result.exit_code == 1
        assert "same report" in result.stderr


def test_a_defective_row_of_somebody_else_stops_nothing(tmp_path: Path) -> None:
    file = write_report(tmp_path, REPORT)
    listed = tmp_path / "list.csv"
    listed.write_text(GOOD_LIST + row(FIRST + 50, "abc"), "utf-8")
    result = run("report", "rate", file, "--law", "fide", "--list", str(listed))
    assert result.exit_code == 0, result.output


def test_refusals_speak_italian(tmp_path: Path) -> None:
    file = write_report(tmp_path, REPORT)
    result = run("report", "rate", file, file, "--law", "fide", "--lang", "it")
    assert "Rifiutato" in result.stderr
    assert "stesso rapporto" in result.stderr


@pytest.mark.parametrize("status", [0, 1])
def test_a_process_of_its_own_ends_the_same_way(tmp_path: Path, status: int) -> None:
    file = tmp_path / "t.trf"
    file.write_bytes(plain() if status == 0 else with_duplicate_numbers())
    done = process("report", "rate", str(file), "--law", "fide")
    assert done.returncode == status
    assert "Traceback" not in done.stderr
    assert ("1513" in done.stdout) == (status == 0)


# --- results that cannot be written ---------------------------------------------------------------


@pytest.fixture
def rated(tmp_path: Path) -> list[str]:
    listed = write_list(tmp_path, [(player_id(1), 1500, 20), (player_id(2), 1600, 20)])
    return [write_report(tmp_path, REPORT), "--law", "fide", "--list", listed]


def test_one_target_that_cannot_be_written_leaves_the_others_unwritten(
    tmp_path: Path, rated: list[str]
) -> None:
    before = sorted(path.name for path in tmp_path.iterdir())
    csv, html = tmp_path / "p.csv", tmp_path / "missing" / "h.html"
    result = run("report", "rate", *rated, "--csv", str(csv), "--html", str(html))
    assert result.exit_code == 1
    assert "missing" in result.stderr
    assert result.stdout == ""
    assert sorted(path.name for path in tmp_path.iterdir()) == before


def test_a_refused_run_leaves_an_earlier_result_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "t.trf").write_bytes(b"")
    page = tmp_path / "h.html"
    page.write_text("earlier", "utf-8")
    assert (
        run(
            "report", "rate", str(tmp_path / "t.trf"), "--law", "fide", "--html", str(page)
        ).exit_code
        == 1
    )
    assert page.read_text("utf-8") == "earlier"


def test_targets_that_are_inputs_folders_or_the_same_are_refused(
    tmp_path: Path, rated: list[str]
) -> None:
    data = Path(rated[0]).read_bytes()
    over_input = run("report", "rate", *rated, "--csv", rated[0])
    folder = run("report", "rate", *rated, "--html", str(tmp_path))
    twice = run(
        "report", "rate", *rated, "--csv", str(tmp_path / "x"), "--html", str(tmp_path / "x")
    )
    assert [over_input.exit_code, folder.exit_code, twice.exit_code] == [1, 1, 1]
    assert "one of the input files" in over_input.stderr
    assert "folder" in folder.stderr
    assert "two results" in twice.stderr
    assert Path(rated[0]).read_bytes() == data
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize(
    "two", [("--csv=-", "--json"), ("--html=-", "--json"), ("--csv=-", "--games-csv=-")]
)
def test_only_one_result_can_be_printed(rated: list[str], two: tuple[str, str]) -> None:
    result = run("report", "rate", *rated, *two)
    assert result.exit_code == 2
    assert "only one result" in result.stderr
    assert run("report", "rate", *rated, two[0]).exit_code == 0
