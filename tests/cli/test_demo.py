"""`arrocco demo` and the files bundled with it."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from arrocco.demo.bundled import DEMOS, Demo
from arrocco.findings import Severity
from arrocco.formats.lists import read_list
from arrocco.formats.trf import read_report
from arrocco.words import LANGUAGES
from tests.cli.tournaments import DEMO, process, run, run_json


@pytest.fixture(autouse=True)
def _english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARROCCO_LANG", "en")


REPORTS = sorted(DEMO.glob("*.trf"))
LISTS = sorted(DEMO.glob("*.csv"))


class TestFiles:
    def test_there_is_one_report_for_each_demo(self) -> None:
        assert sorted(demo.report for demo in DEMOS) == [path.name for path in REPORTS]

    @pytest.mark.parametrize("path", REPORTS, ids=lambda path: path.stem)
    def test_a_report_has_neither_errors_nor_warnings(self, path: Path) -> None:
        report, findings = read_report(path.read_bytes(), path.name)
        assert [f.key for f in findings if f.severity is not Severity.NOTE] == []
        assert report.time_control is not None
        assert len(report.round_dates) == report.rounds

    @pytest.mark.parametrize("demo", DEMOS, ids=lambda demo: demo.key)
    def test_the_law_has_no_objection(self, demo: Demo) -> None:
        online = ["--online"] if demo.online else []
        record = run_json("report", "check", str(DEMO / demo.report), "--law", demo.law, *online)
        [checked] = record["files"]
        assert [f["key"] for f in checked["findings"] if f["severity"] != "note"] == []

    @pytest.mark.parametrize("path", LISTS, ids=lambda path: path.stem)
    def test_a_list_is_read_without_findings(self, path: Path) -> None:
        kind = "blitz" if "blitz" in path.name else "standard"
        listed, findings = read_list(path, kind)
        assert findings == []
        assert len(listed) >= 6

    def test_everybody_is_invented(self) -> None:
        """All ids lie in the range kept for invented players."""
        for path in LISTS:
            listed, _ = read_list(path, "blitz" if "blitz" in path.name else "standard")
            assert all(99_000_000 < number < 99_001_000 for number in listed.id.tolist())
        for path in REPORTS:
            report, _ = read_report(path.read_bytes(), path.name)
            assert all(99_000_000 < (entry.id or 0) < 99_001_000 for entry in report.entries)


class TestShow:
    @pytest.mark.parametrize("language", LANGUAGES)
    def test_rates_and_explains_all_four(self, language: str) -> None:
        result = run("demo", "show", "--lang", language)
        assert result.exit_code == 0
        for demo in DEMOS:
            assert f"$ {demo.command()}" in result.stdout
        for article in ("[8.3.4]", "[8.2.3]", "[8.58]", "[15.1]", "[II.2]"):
            assert article in result.stdout
        assert str(DEMO) not in result.stdout

    def test_in_json(self) -> None:
        record = run_json("demo", "show")
        laws = [demo["period"]["law"] for demo in record["demos"]]
        assert laws == ["fide", "fide", "rio", "uisp"]
        editions = [demo["period"]["edition"] for demo in record["demos"]]
        assert editions == ["2024-03-01", "2011-07-01", "2025-04-12", "undated"]
        for demo, found in zip(DEMOS, record["demos"], strict=True):
            assert [str(player["id"]) for player in found["explained"]] == list(demo.players)
            assert all(player["steps"] for player in found["explained"])

    def test_as_a_process(self) -> None:
        done = process("demo", "show")
        assert done.returncode == 0
        assert done.stderr == ""
        assert "Altavilla" in done.stdout


class TestWrite:
    def test_writes_files_the_shown_commands_work_on(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        target = tmp_path / "new" / "demo"
        result = run("demo", "write", str(target))
        assert result.exit_code == 0
        written = {path.name: path.read_bytes() for path in target.iterdir()}
        assert written == {path.name: path.read_bytes() for path in (*REPORTS, *LISTS)}
        monkeypatch.chdir(target)
        for demo in DEMOS:
            assert demo.command() in result.stdout
            program, *args = shlex.split(demo.command())
            assert program == "arrocco"
            rated = run(*args)
            assert rated.exit_code == 0, rated.output

    def test_writes_again_over_its_own_files_but_over_no_others(self, tmp_path: Path) -> None:
        assert run("demo", "write", str(tmp_path)).exit_code == 0
        assert run("demo", "write", str(tmp_path)).exit_code == 0
        changed = tmp_path / DEMOS[0].list
        changed.write_text("mine", "utf-8")
        (tmp_path / DEMOS[1].list).unlink()
        refused = run("demo", "write", str(tmp_path))
        assert refused.exit_code == 1
        assert DEMOS[0].list in refused.stderr
        assert changed.read_text("utf-8") == "mine"
        assert not (tmp_path / DEMOS[1].list).exists()

    def test_json_names_the_files(self, tmp_path: Path) -> None:
        record = run_json("demo", "write", str(tmp_path))
        assert record["files"] == sorted(path.name for path in (*REPORTS, *LISTS))

    def test_a_target_that_is_a_file_is_refused(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("", "utf-8")
        result = run("demo", "write", str(tmp_path / "file"))
        assert result.exit_code == 1
        assert (tmp_path / "file").read_text("utf-8") == ""
