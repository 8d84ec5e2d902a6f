"""The program itself: nouns found without importing them, refusals as exit statuses, output."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result

import arrocco
from arrocco.cli import main as main_module
from arrocco.cli.main import NOUNS, program
from arrocco.cli.options import day, reading_option
from arrocco.cli.output import Column, Output, default_language, output_options, print_table
from arrocco.errors import Illegal, Malformed
from arrocco.findings import Finding, Place, Severity
from arrocco.laws.edition import Legal
from arrocco.words import LANGUAGES, catalogue

LANGUAGE_VARIABLES = ("ARROCCO_LANG", "LC_ALL", "LC_MESSAGES", "LANG")
RUN = "from arrocco.cli.main import main; main()"


@pytest.fixture(autouse=True)
def _no_language_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in LANGUAGE_VARIABLES:
        monkeypatch.delenv(name, raising=False)


def run(*args: str) -> Result:
    return CliRunner().invoke(program, list(args), prog_name="arrocco")


def process(*args: str, **environment: str) -> subprocess.CompletedProcess[str]:
    kept = {name: os.environ[name] for name in os.environ if name not in LANGUAGE_VARIABLES}
    return subprocess.run(
        [sys.executable, "-c", RUN, *args],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**kept, **environment},
        check=False,
    )


Register = Callable[[Callable[..., Any]], None]


@pytest.fixture
def noun(monkeypatch: pytest.MonkeyPatch) -> Register:
    """Makes a function the noun `invented` of the program."""

    def register(function: Callable[..., Any]) -> None:
        module = ModuleType("arrocco.cli.invented")
        module.command = click.command()(output_options(function))  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, module.__name__, module)
        monkeypatch.setitem(main_module.NOUNS, "invented", "An invented noun.")
        monkeypatch.setattr(main_module, "_has_module", lambda name: name == "invented")

    return register


class TestHelp:
    def test_lists_the_nouns_that_have_a_module_and_only_those(self) -> None:
        folder = Path(main_module.__file__).parent
        result = run("--help")
        assert result.exit_code == 0
        listed = [line.split()[0] for line in result.stdout.splitlines() if line[2:3].isalpha()]
        for name in NOUNS:
            assert (name in listed) == (folder / f"{name}.py").is_file(), name

    def test_imports_no_noun_and_nothing_heavy(self) -> None:
        code = (
            "import sys; from arrocco.cli.main import program\n"
            "program(['--help'], standalone_mode=False)\n"
            "print(*sys.modules, sep='\\n', file=sys.stderr)"
        )
        found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        modules = set(found.stderr.split())
        assert found.returncode == 0
        assert {name for name in modules if name.startswith("arrocco.")} == {
            "arrocco.cli",
            "arrocco.cli.main",
            "arrocco.errors",
        }
        assert not modules & {"rich", "numpy", "pyarrow", "lxml", "chess", "msgspec", "tomllib"}

    def test_costs_at_most_eight_times_an_empty_program(self) -> None:
        def cost(*args: str) -> float:
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run([sys.executable, *args], capture_output=True, check=True)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

        empty = min(cost("-c", "pass") for _ in range(7))
        assert min(cost("-c", RUN, "--help") for _ in range(7)) <= 8 * empty

    def test_of_every_noun_says_what_it_is_for(self) -> None:
        for name in program.list_commands(click.Context(program)):
            result = run(name, "--help")
            assert result.exit_code == 0, name
            assert result.stdout.startswith(f"Usage: arrocco {name}"), name

    def test_every_command_takes_json(self) -> None:
        def leaves(command: click.Command, path: str) -> list[tuple[str, click.Command]]:
            if not isinstance(command, click.Group):
                return [(path, command)]
            found = []
            for name in command.list_commands(click.Context(command)):
                child = command.get_command(click.Context(command), name)
                assert child is not None
                found += leaves(child, f"{path} {name}")
            return found

        found = leaves(program, "arrocco")
        assert len(found) >= 3
        for path, command in found:
            options = {option for parameter in command.params for option in parameter.opts}
            assert "--json" in options, path

    def test_version(self) -> None:
        assert run("--version").stdout.strip() == f"arrocco, version {arrocco.__version__}"


class TestMisuse:
    @pytest.mark.parametrize(
        "args",
        [
            ("nonsense",),
            ("--nonsense",),
            ("law", "nonsense"),
            ("law", "show"),
            ("law", "show", "fide", "--on", "yesterday"),
            ("law", "show", "fide", "--lang", "de"),
            ("law", "diff", "fide", "2024-03-01"),
        ],
    )
    def test_is_status_2_with_usage_on_standard_error(self, args: tuple[str, ...]) -> None:
        result = run(*args)
        assert result.exit_code == 2
        assert result.stdout == ""
        assert "Usage:" in result.stderr

    def test_a_noun_without_a_module_is_unknown(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(main_module.NOUNS, "unwritten", "Not there yet.")
        assert run("unwritten").exit_code == 2
        assert "unwritten" not in run("--help").stdout


FINDING = Finding(
    Severity.WARNING, "trf.seen", Place("a.trf", 3, 7), article="5.1", details={"count": 2}
)


@pytest.fixture
def _invented_words(monkeypatch: pytest.MonkeyPatch) -> None:
    real = catalogue

    def invented(language: Any, part: str) -> dict[str, str]:
        if part != "trf":
            return real(language, part)
        return {"trf.seen.text": f"{{count}} seen ({language})", "trf.seen.do": "look"}

    monkeypatch.setattr("arrocco.words.catalogue", invented)


class TestRefusal:
    def test_is_status_1_with_message_and_advice_on_standard_error(self, noun: Register) -> None:
        def refuse(out: Output) -> None:
            raise Illegal("that cannot be", "do this instead")

        noun(refuse)
        result = run("invented")
        assert result.exit_code == 1
        assert result.stdout == ""
        assert result.stderr == "Refused: that cannot be\n    do this instead\n"
        assert run("invented", "--lang", "it").stderr.startswith("Rifiutato: ")

    def test_with_json_is_an_object_on_standard_output(self, noun: Register) -> None:
        def refuse(out: Output) -> None:
            raise Illegal("that cannot be", "do this instead")

        noun(refuse)
        result = run("invented", "--json")
        assert result.exit_code == 1
        assert result.stderr == ""
        assert json.loads(result.stdout) == {
            "refused": "that cannot be",
            "advice": "do this instead",
            "findings": [],
        }

    @pytest.mark.usefixtures("_invented_words")
    def test_shows_its_findings(self, noun: Register) -> None:
        def refuse(out: Output) -> None:
            raise Malformed("nothing to read", findings=(FINDING,))

        noun(refuse)
        assert run("invented").stderr == (
            "Refused: nothing to read\na.trf:3:7: warning: 2 seen (en) [5.1]\n    look\n"
        )
        found = json.loads(run("invented", "--json", "--lang", "it").stdout)["findings"]
        assert found == [
            {
                "severity": "warning",
                "key": "trf.seen",
                "file": "a.trf",
                "line": 3,
                "column": 7,
                "article": "5.1",
                "details": {"count": 2},
                "more": 0,
                "text": "2 seen (it)",
                "do": "look",
            }
        ]

    def test_of_a_parameter_is_handled_alike(self) -> None:
        assert run("law", "show", "nonsense").exit_code == 1

    def test_covers_files_that_cannot_be_opened(self, noun: Register, tmp_path: Path) -> None:
        def read(out: Output) -> None:
            (tmp_path / "missing").read_text()

        noun(read)
        result = run("invented")
        assert result.exit_code == 1
        assert str(tmp_path / "missing") in result.stderr
        assert "No such file" in result.stderr
        assert "Traceback" not in result.output

    def test_a_defect_is_not_hidden(self, noun: Register) -> None:
        def fail(out: Output) -> None:
            raise ZeroDivisionError

        noun(fail)
        assert isinstance(run("invented").exception, ZeroDivisionError)


def test_an_interruption_is_status_130(noun: Register) -> None:
    def interrupt(out: Output) -> None:
        raise KeyboardInterrupt

    noun(interrupt)
    result = run("invented")
    assert result.exit_code == 130
    assert "Traceback" not in result.output


class TestProcess:
    """The same, as a real process."""

    def test_done(self) -> None:
        done = process("law", "list")
        assert (done.returncode, done.stderr) == (0, "")
        assert "2024-03-01" in done.stdout

    def test_refused_in_both_languages(self) -> None:
        for language, word in (("en", "Refused"), ("it", "Rifiutato")):
            refused = process("law", "show", "fide", "--on", "2020-01-01", ARROCCO_LANG=language)
            assert refused.returncode == 1
            assert refused.stdout == ""
            assert refused.stderr.startswith(word)
            assert "2024-03-01" in refused.stderr
            assert "Traceback" not in refused.stderr

    def test_misused(self) -> None:
        misused = process("law", "nonsense")
        assert misused.returncode == 2
        assert "Traceback" not in misused.stderr

    def test_a_reader_that_goes_away_gets_no_complaint(self) -> None:
        child = subprocess.Popen(
            [sys.executable, "-c", RUN, "law", "show", "fide", "--on", "2024-05-01"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert child.stdout is not None
        assert child.stderr is not None
        child.stdout.close()
        assert child.stderr.read() == b""
        child.stderr.close()
        assert child.wait() == 141

    def test_a_terminal_without_the_letters_still_gets_an_answer(self) -> None:
        answered = process("law", "list", "--lang", "it", PYTHONIOENCODING="ascii")
        assert answered.returncode == 0
        assert "Traceback" not in answered.stderr


class TestLanguage:
    @pytest.mark.parametrize(
        ("environment", "language"),
        [
            ({}, "en"),
            ({"LANG": "it_IT.UTF-8"}, "it"),
            ({"LANG": "de_DE.UTF-8"}, "en"),
            ({"LANG": "C.UTF-8"}, "en"),
            ({"ARROCCO_LANG": "it", "LANG": "en_GB.UTF-8"}, "it"),
            ({"ARROCCO_LANG": "en", "LANG": "it_IT.UTF-8"}, "en"),
            ({"ARROCCO_LANG": "", "LANG": "it_IT.UTF-8"}, "it"),
            ({"LC_ALL": "it_IT.UTF-8", "LANG": "en_GB.UTF-8"}, "it"),
        ],
    )
    def test_comes_from_the_environment(
        self, environment: dict[str, str], language: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        assert default_language() == language

    def test_an_option_wins(self, noun: Register, monkeypatch: pytest.MonkeyPatch) -> None:
        noun(lambda out: out.line(out.language))
        monkeypatch.setenv("ARROCCO_LANG", "it")
        assert run("invented").stdout == "it\n"
        assert run("invented", "--lang", "en").stdout == "en\n"


class TestOutput:
    def test_json_keeps_the_order_and_is_always_utf_8(self, noun: Register) -> None:
        value = {
            "z": 1,
            "a": Legal(2, "1", "days", "two", "due"),
            "name": "Perù ½",
            "path": Path("x"),
        }
        noun(lambda out: out.json(value))
        assert run("invented", "--json").stdout_bytes.decode("utf-8") == (
            '{\n  "z": 1,\n  "a": 2,\n  "name": "Perù ½",\n  "path": "x"\n}\n'
        )

    def test_a_remark_stands_beside_the_answer_and_never_in_json(self, noun: Register) -> None:
        noun(lambda out: out.remark("by the way"))
        assert (run("invented").stdout, run("invented").stderr) == ("", "by the way\n")
        assert run("invented", "--json").output == ""

    def test_a_table_is_plain_where_there_is_no_terminal(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        print_table(
            ["Name", Column("K", right=True)], [("Anna", "20"), ("Bo", "5")], title="Players"
        )
        assert capsys.readouterr().out == "Players\nName   K\nAnna  20\nBo     5\n"

    def test_a_plain_table_has_one_line_for_each_row(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        print_table(["", ""], [("one", "two\nthree")])
        assert capsys.readouterr().out == "one  two — three\n"

    def test_a_table_on_a_terminal_is_drawn_and_takes_names_as_they_are(
        self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
        monkeypatch.setenv("NO_COLOR", "1")
        monkeypatch.setenv("COLUMNS", "60")
        print_table(["Name", Column("K", right=True)], [("[red]Anna[/red]", "20")])
        drawn = capsys.readouterr().out
        assert "[red]Anna[/red]" in drawn
        assert "──" in drawn

    def test_a_row_must_have_every_column(self) -> None:
        with pytest.raises((ValueError, IndexError)):
            print_table(["Name", "K"], [("Anna",)])

    @pytest.mark.usefixtures("_invented_words")
    def test_findings_in_each_language(self, noun: Register) -> None:
        noun(
            lambda out: out.findings(
                [FINDING, Finding(Severity.ERROR, "trf.seen", details={"count": 1})]
            )
        )
        assert run("invented").stdout == (
            "a.trf:3:7: warning: 2 seen (en) [5.1]\n    look\n-: error: 1 seen (en)\n    look\n"
        )
        assert "a.trf:3:7: avviso: 2 seen (it)" in run("invented", "--lang", "it").stdout

    def test_every_severity_has_a_word(self) -> None:
        for language in LANGUAGES:
            for severity in Severity:
                assert catalogue(language, "cli")[f"cli.severity.{severity}"]


class TestReadings:
    def _parse(self, *args: str) -> Result:
        @click.command()
        @reading_option
        def command(readings: dict[str, str]) -> None:
            click.echo(json.dumps(readings))

        return CliRunner().invoke(command, list(args))

    def test_are_a_dict_by_name(self) -> None:
        result = self._parse("--reading", "one=a", "--reading", " two = b ")
        assert json.loads(result.stdout) == {"one": "a", "two": "b"}
        assert json.loads(self._parse().stdout) == {}

    def test_may_be_repeated_but_not_contradicted(self) -> None:
        assert self._parse("--reading", "one=a", "--reading", "one=a").exit_code == 0
        assert self._parse("--reading", "one=a", "--reading", "one=b").exit_code == 2

    @pytest.mark.parametrize("text", ["", "one", "one=", "=a", "="])
    def test_must_have_a_name_and_a_choice(self, text: str) -> None:
        result = self._parse("--reading", text)
        assert result.exit_code == 2
        assert "NAME=CHOICE" in result.stderr


def test_a_day_that_is_none_says_what_to_write() -> None:
    @click.command()
    @click.option("--on", type=day)
    def command(on: object) -> None:
        click.echo(str(on))

    assert CliRunner().invoke(command, ["--on", "2024-02-29"]).stdout == "2024-02-29\n"
    result = CliRunner().invoke(command, ["--on", "2023-02-29"])
    assert result.exit_code == 2
    assert "write it as 2024-05-01" in result.stderr
