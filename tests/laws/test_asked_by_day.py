"""Whoever needs a law asks the registry for the one in force: no edition is named elsewhere."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import arrocco
from arrocco.laws import registry

ROOT = Path(arrocco.__file__).parent
EDITIONS = {edition.__name__ for law in registry.REGULATIONS for edition in registry.texts(law)}


def named(tree: ast.AST) -> Iterator[str]:
    """Every class of an edition that a module imports or names."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom | ast.Import):
            yield from (alias.name for alias in node.names if alias.name in EDITIONS)
        elif isinstance(node, ast.Attribute) and node.attr in EDITIONS:
            yield node.attr


def modules() -> list[Path]:
    return [path for path in sorted(ROOT.rglob("*.py")) if path.parts[len(ROOT.parts)] != "laws"]


def test_no_module_outside_the_laws_names_an_edition() -> None:
    assert len(modules()) > 300
    found = {
        f"{path.relative_to(ROOT)}: {name}"
        for path in modules()
        for name in named(ast.parse(path.read_text("utf-8")))
    }
    assert found == set()


def test_the_search_finds_one() -> None:
    imported = ast.parse("from arrocco.laws.online.edition_2025 import Online2025 as Law")
    assert list(named(imported)) == ["Online2025"]
    assert list(named(ast.parse("edition_2025.Online2025()"))) == ["Online2025"]
