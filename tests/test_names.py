"""Names of the old dialect do not come back: everybody reads the plain word faster."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "arrocco"
MODULES = sorted(SOURCE.rglob("*.py"))
DIALECT = re.compile(
    r"^(?-i:_?MOST(?:_|$))|(?:^|_)(?:wish|wishes|wished|glance|wonder|wonders)(?:_|$)"
    r"|^_?(?:so_it_is|have_done|go_on|take_time|send_away|let_in)$",
    re.IGNORECASE,
)
"""MAX_QUEUED, command, quick check, analyse; commit, acknowledge, process, remove, join."""
OLD_MODULES = {"taking", "making", "gathering", "happening", "telling", "thinking", "following"}
ONE_MEANING = ("Player", "Outcome", "Role", "Shown", "Month")
"""Names that once stood for several things."""
OLD_WORDS = re.compile(r"which there is not|\bcadenz[ae]\b", re.IGNORECASE)
"""Page not found; *tempo di riflessione*."""
ALLOWED = {"search": {"go_on"}}
"""By module: names that are right there; this one is a function of the compiled search."""

VAGUE = {"one", "found"}
MAX_VAGUE = 235
"""How often these two still stand for a thing that has a name; it only goes down."""
MAX_SKIPPED = 0
"""Statements that the formatter is kept from."""
MAX_TABLES = 5
"""Tables that keep the shape of the text they were copied from."""


class Named(NamedTuple):
    """A name that a module gives to something."""

    path: Path
    line: int
    name: str
    is_class: bool = False


def names(path: Path) -> Iterator[Named]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        match node:
            case ast.ClassDef():
                yield Named(path, node.lineno, node.name, is_class=True)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                yield Named(path, node.lineno, node.name)
            case ast.arg():
                yield Named(path, node.lineno, node.arg)
            case ast.Name(ctx=ast.Store()):
                yield Named(path, node.lineno, node.id)
            case ast.Attribute(ctx=ast.Store()):
                yield Named(path, node.lineno, node.attr)


@cache
def every_name() -> tuple[Named, ...]:
    """Those of all modules, which are read once."""
    return tuple(named for path in MODULES for named in names(path))


@pytest.mark.parametrize(
    ("name", "is_dialect"),
    [
        ("MOST_ASKED", True),
        ("_MOST", True),
        ("MAX_QUEUED", False),
        ("read_wish", True),
        ("command", False),
        ("_go_on", True),
        ("on_going", False),
        ("most", False),
        ("glance_at", True),
    ],
)
def test_the_dialect_is_known(name: str, is_dialect: bool) -> None:
    assert bool(DIALECT.search(name)) is is_dialect


def test_names_are_plain() -> None:
    strange = [
        f"{path.relative_to(SOURCE)}:{line}: {name}"
        for path, line, name, _ in every_name()
        if DIALECT.search(name) and name not in ALLOWED.get(path.stem, set())
    ]
    assert strange == []


def test_things_are_called_by_their_names() -> None:
    vague = sum(named.name in VAGUE for named in every_name())
    assert vague <= MAX_VAGUE, "call it by what it is: player, line, match"


def test_modules_say_what_they_hold() -> None:
    assert [path for path in MODULES if path.stem in OLD_MODULES] == []
    assert [path for path in SOURCE.rglob("work_*") if path.suffix != ".pyc"] == [], "it is a desk"


def test_a_name_has_one_meaning() -> None:
    places: dict[str, list[str]] = {name: [] for name in ONE_MEANING}
    for named in every_name():
        if named.is_class and named.name in places:
            places[named.name].append(str(named.path.relative_to(SOURCE)))
    assert {name: where for name, where in places.items() if len(where) > 1} == {}


def test_sentences_are_in_the_words_of_offices_and_browsers() -> None:
    strange = [
        f"{path.relative_to(SOURCE)}: {line.strip()}"
        for path in sorted((SOURCE / "words").rglob("*.toml"))
        for line in path.read_text("utf-8").splitlines()
        if OLD_WORDS.search(line)
    ]
    assert strange == []


def test_the_layout_is_the_formatters() -> None:
    """`fmt: skip` keeps lines by hand; a table of official values has `fmt: off` once around it."""
    ours = Path(__file__)
    paths = [
        path
        for folder in ("src", "tests", "benchmarks", "tools")
        for path in (ours.parents[1] / folder).rglob("*.py")
        if path != ours
    ]
    texts = [path.read_text("utf-8") for path in paths]
    assert sum(text.count("# fmt: skip") for text in texts) <= MAX_SKIPPED
    assert sum(text.count("# fmt: off") for text in texts) <= MAX_TABLES
