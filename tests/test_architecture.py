"""The walks of the architecture document are short and name functions that exist.

That a list and a move go this way is seen where they do: `tests/web/test_walk_of_a_list.py` and
`tests/live/test_walk_of_a_move.py`.
"""

from __future__ import annotations

import ast
import inspect
import re
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import arrocco
from arrocco.laws.registry import LAWS
from arrocco.laws.systems import SYSTEMS
from tests.walks import LIST, MOVE, steps

MAX_STEPS = 12
WALKS = {
    LIST: "one_list",
    MOVE: "changed",
}


def function_of(name: str) -> tuple[ModuleType, Any]:
    """The module and the function of `package.module.function` or `package.module.Class.method`."""
    parts = name.split(".")
    classes = [place for place, part in enumerate(parts) if part[0].isupper()]
    size = classes[0] if classes else len(parts) - 1
    module = import_module(".".join(("arrocco", *parts[:size])))
    thing: Any = module
    for part in parts[size:]:
        thing = getattr(thing, part)
    return module, getattr(thing, "fn", thing)  # the function of a page


@pytest.mark.parametrize("walk", WALKS)
class TestWalk:
    def test_is_short_and_reaches_its_end(self, walk: str) -> None:
        names = steps(walk)
        assert 6 <= len(names) <= MAX_STEPS
        assert names[-1].endswith(f".{WALKS[walk]}")

    def test_names_functions_that_are_there(self, walk: str) -> None:
        for name in steps(walk):
            module, function = function_of(name)
            assert inspect.isfunction(function), name
            assert function.__module__ == module.__name__, name


NAMES = {*LAWS, *SYSTEMS}
"""Of laws and of rating systems."""
BY_NAME = {
    "demo": "invented offices are made of systems that are named",
    "cli/demo_office.py": "the same",
    "laws": "the laws know themselves",
    "lawbook.py": "the law browser speaks of each law",
}


def compared_names(source: str) -> list[str]:
    """Where a program compares something with the name of a law, or with how one begins."""
    found = []
    for node in ast.walk(ast.parse(source)):
        values: list[ast.expr] = []
        if isinstance(node, ast.Compare):
            values = [node.left, *node.comparators]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            values = node.args if node.func.attr in ("startswith", "endswith") else []
        elif isinstance(node, ast.MatchValue):
            values = [node.value]
        parts = [part for value in values for part in getattr(value, "elts", [value])]
        for part in parts:
            if isinstance(part, ast.Constant) and str(part.value).rstrip("-") in NAMES:
                found.append(f"line {part.lineno}: {part.value!r}")
    return found


def test_comparisons_with_names_of_laws_are_found() -> None:
    for text in (
        'kind if law == "rio" else ""',
        'system in ("fide", "uisp")',
        'system.startswith("fide-")',
        'match law:\n    case "uisp":\n        pass',
    ):
        assert compared_names(text), text
    assert not compared_names('law == other; law = "rio"; name == "riotous"')


def test_what_a_law_is_like_is_not_told_by_its_name() -> None:
    """The registry and the table of systems tell it: a law that is added needs no other module."""
    root = Path(inspect.getfile(arrocco)).parent
    found = {
        str(path.relative_to(root)): names
        for path in sorted(root.rglob("*.py"))
        if not str(path.relative_to(root)).startswith(tuple(BY_NAME))
        and (names := compared_names(path.read_text("utf-8")))
    }
    assert found == {}


def test_no_page_asks_for_a_law_by_its_name() -> None:
    root = Path(inspect.getfile(arrocco)).parent / "web" / "templates"
    names = "|".join(sorted(NAMES))
    asked = re.compile(rf"(==|!=|startswith\(| in \[?)\s*\(?'({names})-?'")
    for path in sorted(root.rglob("*.html")):
        assert not asked.search(path.read_text("utf-8")), path
