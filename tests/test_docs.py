"""The documents tell the truth: what they show is what the program prints.

A fenced block of the kind ``console`` is a session: lines after ``$ `` are commands, the lines
below them their whole output, in which a line ``…`` stands for any lines. The sessions of one
document run in order in a folder of their own.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from arrocco.cli.main import program

ROOT = Path(__file__).parents[1]
SESSIONS = ("README.md", "docs/command-line.md")
DOCUMENTS = sorted(
    path.relative_to(ROOT).as_posix() for path in (*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"))
)
ANY_LINES = "…"


@dataclass(frozen=True)
class Shown:
    """A command as a document shows it, with the line it stands on and what it prints."""

    line: int
    command: str
    output: list[str]


def sessions(text: str) -> Iterator[Shown]:
    """The commands of all ``console`` blocks, in order."""
    for block in re.finditer(r"^```console\n(.*?)^```$", text, re.M | re.S):
        first = text[: block.start(1)].count("\n") + 1
        command, start, output = "", 0, list[str]()
        for number, line in enumerate(block[1].splitlines(), start=first):
            if command.endswith("\\"):
                command = command[:-1] + line.strip()
            elif line.startswith("$ "):
                if command:
                    yield Shown(start, command, output)
                command, start, output = line[2:], number, []
            else:
                output.append(line.rstrip())
        yield Shown(start, command, output)


def matches(printed: list[str], shown: list[str]) -> bool:
    """Whether lines are those shown, ``…`` standing for any number of them."""
    if not shown:
        return not printed
    if shown[0] == ANY_LINES:
        return any(matches(printed[skip:], shown[1:]) for skip in range(len(printed) + 1))
    return bool(printed) and printed[0] == shown[0] and matches(printed[1:], shown[1:])


def without_blank_ends(lines: list[str]) -> list[str]:
    """Blank lines at the end of an output are of no interest."""
    while lines and not lines[-1]:
        lines = lines[:-1]
    return lines


@pytest.mark.parametrize("document", SESSIONS)
def test_sessions_print_what_is_shown(
    document: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ARROCCO_LANG", "en")
    monkeypatch.chdir(tmp_path)
    shown = list(sessions((ROOT / document).read_text("utf-8")))
    assert len(shown) >= 4
    folder = tmp_path
    for one in shown:
        name, *args = shlex.split(one.command)
        if name == "cd":
            folder = folder / args[0]
            monkeypatch.chdir(folder)
            continue
        assert name == "arrocco", f"{document}:{one.line}: {one.command}"
        result = CliRunner().invoke(program, args, prog_name="arrocco")
        printed = [line.rstrip() for line in result.output.splitlines()]
        assert matches(without_blank_ends(printed), without_blank_ends(one.output)), (
            f"{document}:{one.line}: `{one.command}` prints\n{result.output}"
        )


class TestSessions:
    TEXT = "x\n```console\n$ arrocco a \\\n    b\none\n…\ntwo\n$ cd d\n```\n```sh\n$ no\n```\n"

    def test_are_read_with_their_lines(self) -> None:
        assert list(sessions(self.TEXT)) == [
            Shown(3, "arrocco a b", ["one", "…", "two"]),
            Shown(8, "cd d", []),
        ]

    def test_dots_stand_for_any_lines_and_nothing_else_does(self) -> None:
        assert matches(["one", "x", "y", "two"], ["one", "…", "two"])
        assert matches(["one", "two"], ["one", "…", "two"])
        assert not matches(["one", "two", "x"], ["one", "…", "two"])
        assert not matches(["one", "x"], ["one"])
        assert not matches([], ["one"])


@pytest.mark.parametrize("document", DOCUMENTS)
class TestDocument:
    def test_its_links_lead_somewhere(self, document: str) -> None:
        path = ROOT / document
        text = re.sub(r"^```.*?^```$", "", path.read_text("utf-8"), flags=re.M | re.S)
        for link in re.findall(r"\]\(([^)\s]+)\)", text):
            if not link.startswith(("http:", "https:", "#", "mailto:")):
                target = path.parent / link.partition("#")[0]
                assert target.exists(), f"{document}: {link}"

    def test_its_make_targets_exist(self, document: str) -> None:
        targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.M))
        for target in re.findall(r"`make ([a-z]+)`", (ROOT / document).read_text("utf-8")):
            assert target in targets, f"{document}: make {target}"


# --- the reference of the command line ------------------------------------------------------------


def commands() -> Iterator[tuple[str, click.Command]]:
    """Every command of the program by its full name."""
    context = click.Context(program, info_name="arrocco")
    for noun in program.list_commands(context):
        group = program.get_command(context, noun)
        assert group is not None
        if not isinstance(group, click.Group):  # a noun that is one command
            yield f"arrocco {noun}", group
            continue
        inner = click.Context(group, info_name=noun, parent=context)
        for verb in group.list_commands(inner):
            command = group.get_command(inner, verb)
            assert command is not None
            yield f"arrocco {noun} {verb}", command


def test_the_reference_has_every_command_and_only_options_that_exist() -> None:
    text = (ROOT / "docs" / "command-line.md").read_text("utf-8")
    known = dict(commands())
    for name in known:
        assert f"\n### `{name}`\n" in text, f"{name} is not in docs/command-line.md"
    headings = re.findall(r"^### `(arrocco [^`]+)`$", text, re.M)
    assert set(headings) <= set(known)
    options = {
        option for command in known.values() for param in command.params for option in param.opts
    }
    for option in re.findall(r"(?<![\w-])--[a-z][a-z0-9-]*", text):
        assert option in options | {"--help", "--version"}, option


def test_every_dependency_is_explained() -> None:
    text = (ROOT / "docs" / "dependencies.md").read_text("utf-8")
    wanted = {
        line.split(";")[0].strip()
        for file in ("run.in", "dev.in")
        for line in (ROOT / "requirements" / file).read_text("utf-8").splitlines()
        if line and not line.startswith(("#", "-"))
    }
    explained = set(re.findall(r"^\| `([^`]+)` \|", text, re.M))
    assert wanted
    assert wanted - explained == set()
